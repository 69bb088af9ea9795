// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pairs of models for the mesh rows, and poses near contact.

#include "../tests/scenes/mesh_models.h"

#ifdef __cplusplus
extern "C" {
#endif

// A moving model and one that stays in the world frame, each centred on its bounding box.
typedef struct wkMeshScene {
    const char* name;
    wkModel moving;
    wkModel fixed;
    double extent; // the moving one starts within a cube of that half size about the other's centre
} wkMeshScene;

// Number of pairs; those from files come first.
int wkMeshSceneCount(void);

// Its name, as in the rows.
const char* wkMeshSceneName(int index);

// Loads or generates a pair; false, with a message, when a file is not there.
bool wkMeshScene_Load(int index, wkMeshScene* scene);

void wkMeshScene_Free(wkMeshScene* scene);

// Loads one model from the data folder, centred and scaled; false, with a message, when it cannot.
bool wkLoadModel(const char* path, double scale, wkModel* model);

// Does the moving model touch the fixed one in that pose?
typedef bool wkTouchFcn(void* context, wkPose pose);

// Poses of the moving model near contact. From a random free place and rotation it slides towards a
// random point of the fixed model until they touch, then on or back by up to 3 % of the size of the
// smaller model. So about half of the poses overlap by that little, the others are that far apart.
// The same seed and verdicts give the same poses.
void wkMakeNearPoses(const wkMeshScene* scene, uint64_t seed, wkTouchFcn* touches, void* context,
                     int count, wkPose* poses);

#ifdef __cplusplus
}
#endif
