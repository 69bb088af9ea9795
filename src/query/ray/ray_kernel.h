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

// What a tree is walked for by a ray. Bounds are not squared: they are metres along the ray, and
// so is the limit.
typedef struct wkRayWalk {
    wkBoxWalk base; // tree, limit and leaf are in use
    wkTreeRay ray;
    const wkMesh* mesh;     // whose triangles count as they are; NULL: all is left to base.leaf
    const wkTreeView* view; // for base.leaf
    const int32_t* ids;     // of the view
    double radius;          // of the sphere around triangles
    double widening;        // of the volumes: the radius, and rounding
    double distance;        // of the best hit; where the ray ends before there is one
    int32_t item;           // that was hit; -1: none
    bool isAny;             // the first one found does
    wkVec3d normal;         // at the hit, when there is a sphere around triangles
} wkRayWalk;

WK_FN int32_t wkRayPart(const wkRayWalk* walk, int32_t item)
{
    return walk->ids != NULL ? walk->ids[item] : item;
}

// Takes a hit, or none when the distance is infinite. When several triangles are as near, the one
// that the caller named first counts.
// @return false when what was known before stays
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

// Bounds up to this may hold a hit that is no further than the best one.
WK_FN float wkRayLimit(double distance)
{
    return distance < 1e38 ? (float)(distance * (1.0 + 1e-6)) : INFINITY;
}

// wkRayCast and wkRayHits.
typedef wkRayResult wkCastRayFcn(const wkShape* shape, const wkPose* pose, const wkRay* ray);
typedef bool wkHitsRayFcn(const wkShape* shape, const wkPose* pose, const wkRay* ray);

typedef struct wkRayLanes {
    void (*findFirst)(wkRayWalk* walk);
    void (*findAny)(wkRayWalk* walk);

    // All of wkRayCast and wkRayHits for surfaces with boxes, when there is nothing out of the
    // ordinary, see wkStartStraight; otherwise what `otherwise` says.
    wkRayResult (*seeFirst)(const wkShape* shape, const wkPose* pose, const wkRay* ray,
                            wkCastRayFcn* otherwise);
    bool (*seeAny)(const wkShape* shape, const wkPose* pose, const wkRay* ray,
                   wkHitsRayFcn* otherwise);
} wkRayLanes;

// NULL when the instruction set is not present.
const wkRayLanes* wkRayLanesOf(wkIsa isa);

// Those of this machine.
const wkRayLanes* wkRayLanesOfMachine(void);
