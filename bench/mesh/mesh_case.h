// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two models, poses of the moving one, and the truth about each.

#include "mesh/mesh_check.h"
#include "mesh/mesh_compare.h"
#include "mesh/mesh_scenes.h"

// Lengths below this share of the smaller model's size are rounding: ours, and a peer's.
#define WK_MESH_SLACK 1e-9
#define WK_MESH_PEER_SLACK 1e-6

typedef struct wkMeshCase {
    wkMeshScene scene; // owned
    wkMesh* moving;
    wkMesh* fixed;
    double size; // of the smaller model
    int poseCount;
    wkPose* poses;
    wkMeshTruth* truths;
    wkMeshQuery query; // what answers are checked for
} wkMeshCase;

// Builds the meshes of a scene, which then belongs to the case. False when memory is short.
bool wkMeshCase_Open(wkMeshCase* self, wkMeshScene scene, int poseCount);

// Two knots of 10,000 triangles.
bool wkMeshCase_OpenKnots(wkMeshCase* self, int poseCount);

void wkMeshCase_Close(wkMeshCase* self);

// Fills in poses near contact; other poses may be filled in by the caller.
void wkMeshCase_PoseNear(wkMeshCase* self, uint64_t seed);

// Proves the truths; a few of them twice, the second time over all pairs of triangles. False, with a
// message, when the two differ.
bool wkMeshCase_Prove(wkMeshCase* self);

// A job on the case. Keeps in mind what is asked.
wkMeshJob wkMeshCase_Job(wkMeshCase* self, wkMeshQuery query);

// A wkWrongFcn for jobs on the case, which is the context.
bool wkIsMeshAnswerWrong(const void* context, int index, wkAnswer answer, bool isOurs);

// Contacts of ours that do not belong to a pair of triangles, have another depth or are not in the
// order of depth.
long wkMeshCase_WrongContacts(const wkMeshCase* self);
