// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The triangle of a mesh that is nearest to a point, found by lanes: for searches that ask for many
// thousands of points.

#include "base/cpu.h"
#include "math/vec.h"

#define WK_BUNCH 8         // triangles side by side
#define WK_CROWD 16        // bunches with a box around them all
#define WK_MAX_CROWDS 1024 // with more of them a hierarchy is faster

// Some triangles that are close to each other.
typedef struct wkBunch {
    double a[3][WK_BUNCH], b[3][WK_BUNCH], c[3][WK_BUNCH];                // vertices
    double normal[3][WK_BUNCH];                                           // of any length
    double inverseAB[WK_BUNCH], inverseBC[WK_BUNCH], inverseCA[WK_BUNCH]; // of squared lengths
    double inverseNormal[WK_BUNCH];                                       // 0 where they are 0
} wkBunch;

// Boxes side by side: lower x, y, z, then upper.
typedef struct wkTriangleBoxes {
    double* bounds[6];
    int32_t count;
} wkTriangleBoxes;

typedef struct wkTriangleSet {
    wkBunch* bunches;
    wkTriangleBoxes boxes;  // around bunches
    wkTriangleBoxes crowds; // around crowds of them
    int32_t triangleCount;
    void* memory;
    size_t byteCount;
} wkTriangleSet;

// False: no memory.
bool wkTriangleSet_Create(int32_t triangleCount, wkTriangleSet* set);
void wkTriangleSet_Destroy(wkTriangleSet* set);

// Sets the vertices of a triangle, all of them in ascending order.
void wkTriangleSet_SetTriangle(wkTriangleSet* set, int32_t index, const wkVec3d faceVertices[3]);

// Number of the nearest triangle, up to rounding.
typedef int32_t wkFindNearestTriangleFcn(const wkTriangleSet* set, wkVec3d point);

wkFindNearestTriangleFcn* wkFindNearestTriangleOf(wkIsa isa);
wkFindNearestTriangleFcn* wkFindNearestTriangleOfMachine(void);
