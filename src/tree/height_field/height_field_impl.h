// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of a height field: one block that starts with this header; the arrays follow at
// byte offsets. Triangles are not stored: an item of the hierarchy is the index of a triangle, and
// its vertices follow from the grid.
//
// The surface of the solid is made of six patches of quads, two triangles each: the cells of the
// grid, the walls below its four sides (south, east, north, west: anticlockwise from above) and the
// bottom, which is a single quad.

#include "tree/bvh/tree.h"
#include "whisker/height_field.h"

struct wkHeightField {
    uint64_t byteCount;
    int32_t columns;
    int32_t rows;
    int32_t cellTriangles; // triangles of the cells; those of walls follow
    int32_t triangleCount;
    int32_t nodeCount;
    double minHeight;
    double cellsPerMetreX;
    double cellsPerMetreY;
    wkAabb bounds;
    uint64_t xOffset;      // double[columns]: coordinates of the columns
    uint64_t yOffset;      // double[rows]
    uint64_t heightOffset; // double[rows * columns], none below minHeight
    uint64_t nodeOffset;   // wkBoxNode[nodeCount]
};

WK_FN const double* wkFieldX(const wkHeightField* field)
{
    return (const double*)((const char*)field + field->xOffset);
}

WK_FN const double* wkFieldY(const wkHeightField* field)
{
    return (const double*)((const char*)field + field->yOffset);
}

WK_FN const double* wkFieldHeights(const wkHeightField* field)
{
    return (const double*)((const char*)field + field->heightOffset);
}

// Vertices of a triangle, anticlockwise from outside.
void wkFieldTriangleVertices(const wkHeightField* field, int32_t item, wkVec3d faceVertices[3]);

// How quads are grouped in nodes: eight at a time, then eight of those nodes, and so on up to one.
// A level of nodes is a grid of its own.
typedef struct wkFieldLevel {
    int32_t unitsX; // content of the nodes: quads, or nodes of the level below
    int32_t unitsY;
    int32_t blockX; // units in a node: 8 x 1, 4 x 2, 2 x 4 or 1 x 8
    int32_t blockY;
    int32_t nodesX;
    int32_t nodesY;
    int32_t firstNode;
} wkFieldLevel;

// Each level has at most half as many nodes as units, and there are less than 2^28 quads.
#define WK_FIELD_MAX_LEVELS 28

typedef struct wkFieldPatch {
    int32_t firstItem;
    int32_t levelCount; // 0: a single quad, which needs no node
    wkFieldLevel levels[WK_FIELD_MAX_LEVELS];
} wkFieldPatch;

#define WK_FIELD_PATCHES 6

typedef struct wkFieldPlan {
    wkFieldPatch patches[WK_FIELD_PATCHES];
    int32_t nodeCount;
} wkFieldPlan;

// Computes the index of every node. `cellX` and `cellY` are the sides of a cell.
void wkPlanField(int32_t columns, int32_t rows, double cellX, double cellY, wkFieldPlan* plan);

// Writes the nodes of a field whose other parts are complete.
void wkBuildField(const wkFieldPlan* plan, wkHeightField* field);

// Whether a point lies in the solid of a height field or on its surface.
bool wkFieldContains(const void* field, wkVec3d point);
