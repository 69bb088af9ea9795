// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Hilly ground as a height field and as a closed mesh of the same surface, and things to put on it.

#include "whisker/whisker.h"

#define WK_GROUND_SIDE 257 // columns and rows

typedef struct wkGround {
    double* heights;
    wkMeshDef meshDef; // its vertices and triangles belong to the ground
    wkHeightField* field;
    wkMesh* mesh;
    wkMesh* knot; // a thing of 2,400 triangles, half a metre across
} wkGround;

// 32 metres along each side. False when memory is short.
bool wkGround_Create(wkGround* ground);

void wkGround_Destroy(wkGround* ground);

// Makes the field again in its first state. NULL when memory is short.
wkHeightField* wkGround_MakeField(const wkGround* ground);

// Poses of things half a metre across, some centimetres above the surface and below it.
void wkGround_MakePoses(const wkGround* ground, uint64_t seed, int count, wkPose* poses);

// Rays from above the ground, most of them slanting.
void wkGround_MakeRays(const wkGround* ground, uint64_t seed, int count, wkRay* rays);
