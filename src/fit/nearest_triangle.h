// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// SIMD search for the triangle of a mesh nearest to a point, for searches with many thousands of queries.

#include "base/cpu.h"
#include "math/vec.h"

#define WK_BUNCH 8         // triangles in one SIMD block
#define WK_CROWD 16        // bunches under one bounding box
#define WK_MAX_CROWDS 1024 // above this a hierarchy is faster

// WK_BUNCH neighbouring triangles.
typedef struct wkBunch {
    double a[3][WK_BUNCH], b[3][WK_BUNCH], c[3][WK_BUNCH];                // vertices
    double normal[3][WK_BUNCH];                                           // of any length
    double inverseAB[WK_BUNCH], inverseBC[WK_BUNCH], inverseCA[WK_BUNCH]; // inverse squared lengths
    double inverseNormal[WK_BUNCH]; // 0 where the squared length is 0
} wkBunch;

// Boxes as arrays: lower x, y, z, then upper.
typedef struct wkTriangleBoxes {
    double* bounds[6];
    int32_t count;
} wkTriangleBoxes;

typedef struct wkTriangleSet {
    wkBunch* bunches;
    wkTriangleBoxes boxes;  // of bunches
    wkTriangleBoxes crowds; // of crowds
    int32_t triangleCount;
    void* memory;
    size_t byteCount;
} wkTriangleSet;

// Returns false when out of memory.
bool wkTriangleSet_Create(int32_t triangleCount, wkTriangleSet* set);
void wkTriangleSet_Destroy(wkTriangleSet* set);

// Sets the vertices of a triangle; indices must be passed in ascending order.
void wkTriangleSet_SetTriangle(wkTriangleSet* set, int32_t index, const wkVec3d faceVertices[3]);

// Returns the index of the nearest triangle, up to rounding.
typedef int32_t wkFindNearestTriangleFcn(const wkTriangleSet* set, wkVec3d point);

wkFindNearestTriangleFcn* wkFindNearestTriangleOf(wkIsa isa);
wkFindNearestTriangleFcn* wkFindNearestTriangleOfMachine(void);
