// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Lower bounds of the distances of eight points, a leaf of a cloud, from a convex core, a triangle or a point.
// Single precision: the caller adds slack for the rounding of numbers as large as the bodies.

#include "base/cpu.h"
#include "tree/bvh/tree_view.h"

// A core as points see it: a box around it, a cylinder about z, or a half-space or plane.
typedef enum wkPointBodyKind {
    wk_pointsToBox,
    wk_pointsToRound,
    wk_pointsToHalfspace,
    wk_pointsToPlane
} wkPointBodyKind;

typedef struct wkPointBody {
    wkPointBodyKind kind;
    float rotation[3][3]; // from the frame of the points to that of the body, row by row
    float position[3];    // of the points' frame relative to the centre of the body
    float half[3]; // of the box; of a cylinder, its radius and half its length; or the normal
} wkPointBody;

// A triangle in the frame of the points, with what its bounds need.
typedef struct wkPointTriangle {
    float vertices[3][3];
    float edges[3][3];
    float inverses[3]; // of the squared lengths of edges; 0: no edge
    float normal[3];   // unit; 0 of a sliver
    float longest;     // edge
    float height;      // above it
    bool isSliver;
} wkPointTriangle;

// Triangles with a smaller height, as a share of the longest edge, are slivers. The normals of others are good to
// 2e-5, which moves a point of the plane by less than a share of an edge, and the distance by a share of itself.
#define WK_SLIVER_SHARE 1e-2f
#define WK_SHARE_OF_EDGE 4e-5f
#define WK_SHARE_OF_DISTANCE 1e-4f

// Fills in everything but the vertices.
void wkPreparePointTriangle(wkPointTriangle* triangle);

typedef struct wkLeafPointLanes {
    // signed distances from a core: negative inside
    // @return a bit for each point whose bound is not above the limit
    unsigned (*boundCore)(const wkPointBody* body, const wkPointGroup* group, float limit,
                          float bounds[WK_TREE_WIDTH]);

    // distances from a triangle
    unsigned (*boundTriangle)(const wkPointTriangle* triangle, const wkPointGroup* group,
                              float limit, float bounds[WK_TREE_WIDTH]);

    // distances from a point
    unsigned (*boundPoint)(const float point[3], const wkPointGroup* group, float limit,
                           float bounds[WK_TREE_WIDTH]);
} wkLeafPointLanes;

// The slot of a mask, which is not 0, with the least bound.
WK_FN int wkLeastSlot(unsigned mask, const float bounds[WK_TREE_WIDTH])
{
    int least = __builtin_ctz(mask);
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        int slot = __builtin_ctz(mask);
        least = bounds[slot] < bounds[least] ? slot : least;
    }
    return least;
}

// NULL when the instruction set is not available.
const wkLeafPointLanes* wkLeafPointLanesOf(wkIsa isa);

// Kernels for this machine.
const wkLeafPointLanes* wkLeafPointLanesOfMachine(void);
