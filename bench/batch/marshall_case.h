// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot of 209 spheres before a depth camera, with its arms in random poses, as in Marshall, "A
// novel method for fast collision detection on the PR2" (2012); and the truth about each pose,
// pixel by pixel.

#include "whisker/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where the camera is.
typedef enum wkMarshallView {
    wk_viewWhole, // behind the robot: all of it must be proven free
    wk_viewHead,  // on the head; what it does not see may be touched
    wk_viewNoise, // the same with the noise of a Kinect
    wk_viewCount,
} wkMarshallView;

typedef struct wkMarshallCase {
    wkRobot* robot;
    wkRobotScene* scene; // nothing but the robot
    wkSphereModel* spheres;
    int count;
    int variableCount;
    double* poses;

    // what follows is of one view
    bool isStrict; // unobserved is not free
    wkCamera camera;
    wkPose cameraPose;
    float* depths; // metres, NaN where nothing was measured
    wkDepthImage image;
    wkDepthMap* map;
    bool* isFree; // the truth about each pose
} wkMarshallCase;

// The PR2 of the data folder, or else the built-in robot.
bool wkMarshallCase_Open(wkMarshallCase* made, int count);

// Takes another picture, and finds the truth.
bool wkMarshallCase_Render(wkMarshallCase* made, wkMarshallView view);

// A batch that looks at the picture alone.
wkBatchDef wkMarshallCase_Def(const wkMarshallCase* made);

// What one of the methods says about a pose, with spheres larger by `growth` metres. `spheres` has
// room for those of the robot.
bool wkMarshallCase_IsFree(const wkMarshallCase* made, int pose, wkDepthMethod method,
                           double growth, wkSphere3d* spheres);

void wkMarshallCase_Close(wkMarshallCase* made);

#ifdef __cplusplus
}
#endif
