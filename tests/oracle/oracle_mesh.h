// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// FCL's meshes, asked the same questions as ours.

#include "oracle.h"
#include "scenes/mesh_models.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkFclMesh wkFclMesh;

// With its best volumes for distances. NULL when it cannot be built.
wkFclMesh* wkFclMesh_Create(const wkModel* model);

void wkFclMesh_Destroy(wkFclMesh* mesh);

wkOpinion wkFclMesh_Ask(const wkFclMesh* a, wkPose poseA, const wkFclMesh* b, wkPose poseB);

#ifdef __cplusplus
}
#endif
