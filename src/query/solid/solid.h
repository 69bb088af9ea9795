// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Queries about pairs that include a solid: what the search over triangles alone cannot decide.

#include "query/tree/tree_query.h"

// A point of a shape and the nearest point of the surface of a solid.
typedef struct wkSunken {
    wkVec3d point;
    wkVec3d exit;
    double depth; // 0 outside
} wkSunken;

// A translation that takes a shape out of a solid.
typedef struct wkSolidExit {
    wkVec3d lowest; // point of the shape's core that leaves last
    wkVec3d way;
    double distance; // signed: minus the length of the way
} wkSolidExit;

// How a body leaves a solid through one of its triangles.
typedef struct wkOutward {
    const wkBodyQuestion* question; // a convex shape first; everything is in its frame
    const wkConvexRow* row;
    double radiusShape; // of the spheres around the cores
    double radiusTree;
    double known;       // results above this do not matter
    wkSunken lowest;    // of the shape below the previous triangle: often the same; NaN at first
    wkSolidExit bounds; // out of the bounds of the solid; its distance is NaN at first
} wkOutward;

// Corrects the depth of a pair of a shape and a triangle of a solid. Where the way out of a triangle leads
// deeper into the solid, the way through the triangle's plane replaces it, or the way out of the solid's bounds
// where that is shorter. Where it leads sideways, it may
// end in the next triangle: it is no shorter than that of the shape's lowest point below the triangle out of
// the solid. A hairline lid, as of a crack, gives no depth: the triangles beside it do, unless the bodies
// have negative margins, where depth decides whether they touch. In `found` the shape comes first.
void wkPushOutward(wkOutward* outward, const wkVec3d faceVertices[3], bool isLid,
                   wkDistanceResult* found);

// Returns a point of a bounded shape's core.
wkVec3d wkPointOfCore(const wkShape* shape);

// Searches for the closest result or for contacts, including the interior of solids.
void wkSearchSolids(const wkBodyQuestion* question, wkBodyAnswer* answer);
