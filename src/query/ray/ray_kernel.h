// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The walk of a ray over a hierarchy of boxes, compiled once per instruction set.

#include "base/cpu.h"
#include "query/ray/ray_triangle.h"
#include "query/tree/walk.h"
#include "tree/bvh/tree_view.h"
#include "tree/mesh/mesh_impl.h"
#include "whisker/query.h"

// A walk of a ray over a tree. Bounds are not squared: they are metres along the ray, and so is the
// limit.
typedef struct wkRayWalk {
    wkSlotWalk base;
    wkTreeRay ray;
    const wkMesh* mesh; // whose triangles have no sphere around them; NULL: base.leaf handles all
    const wkTreeView* view; // for base.leaf
    const int32_t* ids;     // of the view
    double radius;          // of the sphere around triangles
    double widening;        // of the volumes: the radius plus rounding
    double distance;        // of the best hit; before there is one, the end of the ray
    int32_t item;           // index of the triangle hit; -1: none
    bool isAny;             // the first hit found suffices
    wkVec3d normal;         // at the hit, when there is a sphere around triangles
} wkRayWalk;

WK_FN int32_t wkRayPart(const wkRayWalk* walk, int32_t item)
{
    return walk->ids != NULL ? walk->ids[item] : item;
}

// Takes a hit, or none when the distance is infinite. Of equally near triangles, the one first in the
// caller's order counts.
// @return false when the previous hit stays
WK_FORCE_FN bool wkTakeHit(wkRayWalk* walk, int32_t item, double distance)
{
    bool isBetter = distance < walk->distance;
    if (WK_UNLIKELY(distance == walk->distance)) {
        isBetter = distance < (double)INFINITY &&
                   (walk->item < 0 || wkRayPart(walk, item) < wkRayPart(walk, walk->item));
    }
    walk->distance = isBetter ? distance : walk->distance;
    walk->item = isBetter ? item : walk->item;
    return isBetter;
}

// Bounds up to this may contain a hit that is no further than the best one.
WK_FN float wkRayLimit(double distance)
{
    return distance < 1e38 ? (float)(distance * (1.0 + 1e-6)) : INFINITY;
}

// wkShape_RayCast and wkShape_RayHits.
typedef wkRayResult wkCastRayFcn(const wkShape* shape, const wkPose* pose, const wkRay* ray);
typedef bool wkHitsRayFcn(const wkShape* shape, const wkPose* pose, const wkRay* ray);

typedef struct wkRayLanes {
    void (*findFirst)(wkRayWalk* walk);
    void (*findAny)(wkRayWalk* walk);

    // All of wkShape_RayCast and wkShape_RayHits for surfaces with boxes, in the common case, see wkStartStraight;
    // all other cases are passed to `otherwise`.
    wkRayResult (*castFirst)(const wkShape* shape, const wkPose* pose, const wkRay* ray,
                             wkCastRayFcn* otherwise);
    bool (*castAny)(const wkShape* shape, const wkPose* pose, const wkRay* ray,
                    wkHitsRayFcn* otherwise);
} wkRayLanes;

// NULL when the instruction set is not available.
const wkRayLanes* wkRayLanesOf(wkIsa isa);

// Kernels for this machine.
const wkRayLanes* wkRayLanesOfMachine(void);
