// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Queries about pairs with a solid in them: what the search over triangles alone cannot know.

#include "query/tree_query.h"

// How a solid wants to be left through one of its triangles.
typedef struct wkOutward {
    const wkShape* shape; // convex, in whose frame all of it is
    const wkConvexRow* row;
    double radiusShape; // of the balls around the cores
    double radiusTree;
    bool isInverted; // triangles are clockwise from outside
} wkOutward;

// Where the way out of a triangle leads deeper into the solid, the way through the triangle's plane
// takes its place. `found` is the pair of the shape and the triangle, shape first.
void wkPushOutward(const wkOutward* outward, const wkVec3d corners[3], wkDistanceResult* found);

// Searches for the closest answer or for contacts with the inside of solids in mind.
void wkSearchSolids(const wkTreeQuestion* question, wkTreeAnswer* answer);
