// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight pairs of triangles at a time, in single precision: culls pairs that cannot matter. The others are
// evaluated one by one in double.

#include "base/cpu.h"
#include "tree/bvh/tree.h"

#define WK_BATCH 8

// Pairs of triangles near the origin, each pair in its own lane.
typedef struct wkTriangleBatch {
    _Alignas(32) float a[3][3][WK_BATCH]; // vertex, coordinate
    _Alignas(32) float b[3][3][WK_BATCH];
} wkTriangleBatch;

typedef struct wkTriangleLanes {
    // lower bounds of the distances
    void (*boundDistances)(const wkTriangleBatch* batch, float* distances);
    // lower bounds of the gaps, negative where the triangles overlap along all axes: coarser than the
    // above where they are apart, and faster
    void (*boundGaps)(const wkTriangleBatch* batch, float* gaps);
} wkTriangleLanes;

// NULL when the instruction set is not available.
const wkTriangleLanes* wkTriangleLanesOf(wkIsa isa);

// Kernels for this machine.
const wkTriangleLanes* wkTriangleLanesOfMachine(void);
