// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Walks over hierarchies whose bounds are lower bounds of a distance, in squared metres: the distance of
// the volumes in two trees, or of those in one tree from a box, a half-space or a plane.

#include "query/tree/walk.h"
#include "tree/bvh/tree_view.h"

// A walk over two trees.
typedef struct wkTreesWalk {
    wkPairWalk pairs;
    wkFrame bInA;
    float slack;           // rounding of the bounds, in metres
    bool isNearest;        // the leaves lower the limit: the search is for the closest pair
    struct wkFront* front; // where to start, see front.h; NULL: at the stems

    // items of A that are points: boxes of B are compared with the points of a leaf of A, too; NULL: others
    const wkPointGroup* groups;
    float pointRadius; // the largest
} wkTreesWalk;

// A walk over one tree when the other body is one convex shape.
typedef struct wkBoxWalk {
    wkSlotWalk slots;
    wkFrame treeInBox; // from the tree's frame to that of the box
    wkVec3d center;    // of the box; a point of the plane
    wkVec3d half;      // of the box; the unit normal of the plane
    bool isFlat;       // a half-space or a plane instead of a box
    bool isBothSided;  // a plane
    float slack;
} wkBoxWalk;

// Walks with the fastest instance for the kinds of the trees.
void wkWalkTrees(wkTreesWalk* walk);
void wkWalkTree(wkBoxWalk* walk);

// Rounding of bounds in single precision, where `reach` is the largest coordinate that can occur:
// a dozen operations on numbers of that size, each good to 6e-8.
WK_FN float wkWalkSlack(double reach)
{
    return (float)wkMinD(2e-6 * reach + 1e-37, 1e38);
}

// Limit for pairs up to `distance` apart, slack included. Squares may round to the next number that is not
// normal, and the sum of three of them further.
WK_FN float wkWalkLimit(double distance, float slack)
{
    double reach = wkMaxD(distance, 0.0) + (double)slack;
    double square = reach * reach * (1.0 + 1e-6) + 1e-44;
    return square < 3e38 ? (float)square : INFINITY;
}
