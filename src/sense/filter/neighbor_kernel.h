// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Searches for neighbours of points in SIMD lanes. Points are sorted along a space-filling curve; sixteen
// consecutive ones make a leaf, sixteen leaves a node, and so on. Squared distances are sums of squares of floats, in
// the order x, y, z and without fused operations, as other libraries compute them.

#include "sense/filter/point_node.h"
#include "tree/cloud/cloud_kernel.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct wkPointTree {
    int32_t count;
    float* x; // sorted; the last leaf is filled up with NaN
    float* y;
    float* z;
    int32_t* ids; // index in the set
    wkPointNode* nodes;
    int32_t levelCount;
    int32_t starts[WK_POINT_LEVELS]; // first node of each level; the children of level 0 are leaves
} wkPointTree;

// Most neighbours of a point that are asked for.
#define WK_MAX_NEIGHBORS 1024

typedef struct wkNeighborLanes {
    // positions of WK_POINT_BLOCK points on a curve
    void (*curvePositions)(const wkCurveGrid* grid, const float* x, const float* y, const float* z,
                           uint64_t* positions);
    // mean distance of each of the points from `first` to `end` of the tree to its `count` nearest others, or to
    // all others where there are fewer; written by index in the set
    void (*meanDistances)(const wkPointTree* tree, int32_t first, int32_t end, int32_t count,
                          float* means);
    // marks the points that have fewer than `count` others within a distance
    void (*findLonely)(const wkPointTree* tree, int32_t first, int32_t end, int32_t count,
                       float squaredRadius, uint8_t* isRemoved);
} wkNeighborLanes;

// NULL when the instruction set is not available.
const wkNeighborLanes* wkNeighborLanesOf(wkIsa isa);

// Kernels for this machine.
const wkNeighborLanes* wkNeighborLanesOfMachine(void);
