// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A hierarchy that the library does not know: convex items under boxes. The row below is all that queries
// need. It stands in the table of hierarchies when tree_shape.c is compiled with WK_FURTHER_TREE_ROW.

#include "tree/bvh/tree_shape.h"

#define OWN_TYPE ((wkShapeType)(wk_shapeCloud + 1))

typedef struct ownHierarchy {
    int32_t count;
    wkItem* items; // in the order of the caller
    int32_t* ids;  // the caller's index of each in the order of the tree
    int32_t* order;
    wkBoxNode* nodes;
    int32_t nodeCount;
    wkAabb bounds;
    uint64_t content; // of the view: fronts work where it is not 0
} ownHierarchy;

// Allocates memory for that many items; false when it is short.
bool ownCreate(int32_t count, ownHierarchy* own);
void ownDestroy(ownHierarchy* own);

// Fills in all but the items and their count, which may be less than the memory is for.
bool ownBuild(ownHierarchy* own);

// The hierarchy as a shape; it is borrowed.
wkShape ownShape(const ownHierarchy* own);

bool ownIsValid(const wkShape* shape);
wkResult ownCheck(const wkShape* shape);
void ownView(const wkShape* shape, wkTreeView* view);
wkMass ownMass(const wkShape* shape);
wkResult ownTriangulate(const wkShape* shape, wkTriangulation* out);

#define WK_TREE_ROW                                                                                \
    [OWN_TYPE] = {                                                                                 \
        .name = "own",                                                                             \
        .hasShapes = true,                                                                         \
        .isValid = ownIsValid,                                                                     \
        .check = ownCheck,                                                                         \
        .view = ownView,                                                                           \
        .mass = ownMass,                                                                           \
        .triangulate = ownTriangulate,                                                             \
    }
