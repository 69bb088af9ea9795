// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Queries about pairs with a solid in them: what the search over triangles alone cannot know.

#include "query/tree/tree_query.h"

// A point of a shape and the nearest point of the surface of a solid.
typedef struct wkSunken {
    wkVec3d point;
    wkVec3d exit;
    double depth; // 0 outside
} wkSunken;

// How a solid wants to be left through one of its triangles.
typedef struct wkOutward {
    const wkTreeQuestion* question; // a convex shape first, in whose frame all of it is
    const wkConvexRow* row;
    double radiusShape; // of the spheres around the cores
    double radiusTree;
    double known;    // answers above this do not matter
    wkSunken lowest; // of the shape below the triangle before: often the same; NaN at first
} wkOutward;

// Where the way out of a triangle leads deeper into the solid, the way through the triangle's plane
// takes its place. Where it leads aside, it may end in the next triangle: it is no shorter than that
// of the shape's lowest point below the triangle out of the solid. A lid that is a hairline, as of a
// crack, says nothing about depth: that is left to the triangles beside it, unless the bodies shrink, where
// depth decides whether they touch. `found` is the pair of the shape and the triangle, shape first.
void wkPushOutward(wkOutward* outward, const wkVec3d faceVertices[3], bool isLid,
                   wkDistanceResult* found);

// Searches for the closest answer or for contacts with the inside of solids in mind.
void wkSearchSolids(const wkTreeQuestion* question, wkTreeAnswer* answer);
