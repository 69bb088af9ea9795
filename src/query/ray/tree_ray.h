// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rays and points against one shape, in its own frame.

#include "geom/convex.h"
#include "query/ray/ray_kernel.h"
#include "tree/bvh/tree_shape.h"
#include "whisker/query.h"

// First hit of a ray on a convex shape with its sphere; the direction has unit length.
wkRayHit wkCastConvex(const wkShape* shape, wkVec3d origin, wkVec3d direction, double maxDistance);

// A ray in the frame of a shape. Passed by reference: copying values just computed would stall.
typedef struct wkLocalRay {
    wkVec3d origin;
    wkVec3d direction; // unit
    double maxDistance;
} wkLocalRay;

// The hit of a ray on a hierarchy, in its frame.
typedef struct wkTreeHit {
    wkStatus status;
    int64_t part; // -1: no hit, and the rest is not set
    double distance;
    wkVec3d normal;
} wkTreeHit;

void wkCastTree(const wkShape* shape, const wkLocalRay* ray, wkTreeHit* hit);

// Whether a ray hits a hierarchy at all.
bool wkTreeIsHit(const wkShape* shape, const wkLocalRay* ray);

// Whether a shape with that view is a solid that contains a point of its frame, ignoring the sphere around
// it.
bool wkTreeHolds(const wkShape* shape, const wkTreeView* view, wkVec3d point);

// Closest point of a hierarchy: wkShape_ClosestPoint in its frame.
void wkClosestInTree(const wkShape* shape, wkVec3d point, double cutoff, wkPointResult* result);
