// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Lower bounds of the distances of eight points, a leaf of a cloud, from a convex core, from triangles or a point.
// Single precision: the caller adds slack for the rounding of numbers as large as the bodies.

#include "base/cpu.h"
#include "tree/bvh/tree_view.h"

// A change of frames in single precision, row by row.
typedef struct wkPointFrame {
    float rotation[3][3];
    float position[3];
} wkPointFrame;

// A core as points see it: a box around it, a cylinder about z, or a half-space or plane.
typedef enum wkPointBodyKind {
    wk_pointsToBox,
    wk_pointsToRound,
    wk_pointsToHalfspace,
    wk_pointsToPlane
} wkPointBodyKind;

typedef struct wkPointBody {
    wkPointBodyKind kind;
    wkPointFrame frame; // from the frame of the points to that of the body, relative to its centre
    float half[3];      // of the box; of a cylinder, its radius and half its length; or the normal
} wkPointBody;

// A triangle with what its bounds need.
typedef struct wkPointTriangle {
    float vertices[3][3];
    float reach; // longest edge from the first vertex

    // set when they are needed
    bool isPrepared;
    bool isSliver;
    float edges[3][3];
    float inverses[3];  // of the squared lengths of edges; 0: no edge
    float normal[3];    // unit; 0 of a sliver
    float inward[3][3]; // perpendicular to each edge, in the plane
    float longest;      // edge
    float height;       // above it
} wkPointTriangle;

// Triangles with a smaller height, as a share of the longest edge, are slivers. The normals of others are good to
// 2e-5, which moves a point of the plane by less than a share of an edge, and the distance by a share of itself.
#define WK_SLIVER_SHARE 1e-2f
#define WK_SHARE_OF_EDGE 4e-5f
#define WK_SHARE_OF_DISTANCE 1e-4f

// Makes a triangle of its vertices.
void wkMakePointTriangle(const wkVec3d vertices[3], wkPointTriangle* triangle);

// Fills in what bounds need.
void wkPreparePointTriangle(wkPointTriangle* triangle);

// Bounds of the pairs of items and points of two leaves.
typedef struct wkLeafBounds {
    _Alignas(32) float values[WK_TREE_WIDTH][WK_TREE_WIDTH]; // of each item and each point
    unsigned masks[WK_TREE_WIDTH];                           // points that are not above the limit
    unsigned any;                                            // a bit for each item with such points
} wkLeafBounds;

typedef struct wkLeafPointLanes {
    // signed distances from a core: negative inside
    // @return a bit for each point whose bound is not above the limit
    unsigned (*boundCore)(const wkPointBody* body, const wkPointGroup* group, float limit,
                          float bounds[WK_TREE_WIDTH]);

    // distances from triangles, whose frame the points are transformed into
    void (*boundTriangles)(const wkPointFrame* frame, const wkPointGroup* group,
                           wkPointTriangle* triangles, int count, float limit,
                           wkLeafBounds* bounds);

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
