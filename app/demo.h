// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// `whisker demo`: a robot in a room that it knows only from its depth camera. Each stage is timed; pictures
// and a report show the results.

#include "demo_room.h"
#include "demo_samples.h"
#include "whisker/depth_image.h"
#include "whisker/detail/counts.h"
#include "whisker/robot_scene.h"

// Amount of work.
typedef struct wkDemoSize {
    int viewCount;
    int stateCount;
    int clearanceCount;
    int motionCount;
    int pictureWidth; // 0: no pictures
} wkDemoSize;

// A stage as it is printed and reported.
typedef struct wkDemoStage {
    const char* name;
    char words[160];
    double seconds;
    wkSamples samples; // seconds of single operations; empty: none
} wkDemoStage;

typedef enum wkDemoStageName {
    wk_demoRoom,
    wk_demoCamera,
    wk_demoMap,
    wk_demoStates,
    wk_demoClearance,
    wk_demoMotions,
    wk_demoCost,
    wk_demoPictures,
    wk_demoStageCount,
} wkDemoStageName;

// The motion that is shown.
typedef struct wkDemoMotion {
    double* q0;
    double* q1;
    double length; // bound of the motion of any point of the robot; 0: there is no motion
    wkVerdict verdict;
} wkDemoMotion;

typedef struct wkDemo {
    wkDemoSize size;
    wkRoom room;
    wkRobot* robot;
    const char* robotPath; // as given by the user; NULL: the built-in robot
    bool isBuiltIn;
    wkPose base;       // pose of the robot's base
    double scale;      // of the room
    wkVec3d pedestal;  // below the robot: edges; height zero: none
    bool* isStatic;    // per link: no joint moves it
    wkPose* linkPoses; // scratch, one per link
    double* ready;     // configuration shown
    wkRobotState* state;
    wkRobotScene* scene;
    wkOctree* map;
    wkDepthImage view;      // the last picture of the camera
    float* depths;          // its pixels
    double* configurations; // random ones, `stateCount` of them
    wkVerdict* verdicts;
    int verdictCounts[WK_VERDICT_COUNT];
    int motionCounts[WK_VERDICT_COUNT];
    wkDemoMotion shown;
    wkCost* cost; // of the motion that is shown
    wkDemoStage stages[wk_demoStageCount];
} wkDemo;

// @param robot taken over, also on failure; NULL: the built-in robot
wkResult wkDemo_Create(wkDemo* demo, const wkDemoSize* size, wkRobot* robot, const char* robotPath);
void wkDemo_Destroy(wkDemo* demo);

// Name of the map among the objects of the scene.
#define WK_DEMO_MAP "map"

// Sets the last error to out of memory.
wkResult wkDemo_OutOfMemory(void);

// Allocates `count` configurations, to be freed with free(); NULL when out of memory.
double* wkDemo_MakeConfigurations(const wkDemo* demo, int count);

// The stages, in this order; each fills its row.
wkResult wkDemo_Observe(wkDemo* demo); // camera, map
wkResult wkDemo_Check(wkDemo* demo);   // states, clearance
wkResult wkDemo_Move(wkDemo* demo);    // motions, cost

// Sets the variables of a named state, if there is one.
void wkDemo_ApplyState(const wkDemo* demo, const char* name, double* q);

// Sets the pose of the base, the scale of the room, and the configuration shown.
wkResult wkDemo_PlaceRobot(wkDemo* demo);

// Returns the bounds of the bodies of the given links or, for NULL, of all links; lower above upper: none.
wkAabb wkDemo_RobotBounds(const wkDemo* demo, const bool* links);

#define WK_DEMO_PICTURES 4

// A picture with its caption.
typedef struct wkDemoPicture {
    const char* title;
    char words[320];
    wkPicture picture;
} wkDemoPicture;

// The room, the depth image, the map with the robot coloured by clearance, the cost of the motion.
bool wkDemo_Draw(wkDemo* demo, wkDemoPicture pictures[WK_DEMO_PICTURES]);

// Writes a self-contained HTML page.
bool wkDemo_WriteReport(wkDemo* demo, wkDemoPicture pictures[WK_DEMO_PICTURES], const char* path);

// Returns a suggested next command and its description; false after the last.
bool wkDemo_NextStep(const wkDemo* demo, int index, char* command, size_t size, const char** words);
