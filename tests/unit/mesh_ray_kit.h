// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rays of every kind at a mesh.

#include "mesh_unit_check.h"
#include "query/ray/ray_kernel.h"
#include "whisker/detail/counts.h"
#include "whisker/query.h"

#include <inttypes.h>

static const wkPose identity = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};

static inline double reachOf(const meshSet* set)
{
    double reach = 0.0;
    for (int32_t i = 0; i < set->vertexCount; ++i) {
        reach = wkMaxD(reach, wkMaxAbs(set->vertices[i]));
    }
    return reach > 0.0 ? reach : 1.0;
}

static inline const wkVec3d* vertexOf(const meshSet* set, int64_t triangle, int vertex)
{
    return &set->vertices[set->triangles[3 * triangle + vertex % 3]];
}

// A point of a triangle: a vertex, the middle of an edge, or anywhere.
static inline wkVec3d pointOf(wkRng* rng, const meshSet* set, int kind)
{
    int32_t triangle = wkRngBelow(rng, set->triangleCount);
    int vertex = wkRngBelow(rng, 3);
    wkVec3d a = *vertexOf(set, triangle, vertex), b = *vertexOf(set, triangle, vertex + 1);
    wkVec3d c = *vertexOf(set, triangle, vertex + 2);
    switch (kind) {
    case 0:
        return a;
    case 1:
        return wkMiddle(a, b);
    default:
        return wkLerp(wkLerp(a, b, wkRngUnit(rng)), c, wkRngUnit(rng));
    }
}

static inline wkVec3d axisOf(wkRng* rng)
{
    wkVec3d axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    return wkScale(wkRngSign(rng), axes[wkRngBelow(rng, 3)]);
}

// Towards vertices, edges and faces; along axes, along edges and in planes; from surfaces and from
// far away; along the diagonal, towards where empty slots stand.
static inline wkRay rayOf(wkRng* rng, const meshSet* set, double reach, int kind)
{
    wkVec3d target = pointOf(rng, set, kind % 3);
    wkVec3d away = wkRngDirection(rng);
    wkRay ray = {target, away, INFINITY};
    if (kind < 3) {
        ray.origin = wkMulAdd(target, 3.0 * reach * wkRngUnit(rng), away);
    } else if (kind == 3) {
        away = axisOf(rng);
        ray.origin = wkMulAdd(target, 2.0 * reach, away);
    } else if (kind == 4) { // along an edge, from its end or from before it
        int32_t triangle = wkRngBelow(rng, set->triangleCount);
        wkVec3d a = *vertexOf(set, triangle, 0), b = *vertexOf(set, triangle, 1);
        ray.origin = wkRngChance(rng, 2) ? a : wkLerp(b, a, 2.0);
        ray.direction = wkSub(b, a);
        return ray;
    } else if (kind == 5) { // in the plane of a triangle
        int32_t triangle = wkRngBelow(rng, set->triangleCount);
        wkVec3d a = *vertexOf(set, triangle, 0), b = *vertexOf(set, triangle, 1);
        wkVec3d c = *vertexOf(set, triangle, 2);
        ray.origin = wkLerp(wkMiddle(b, c), a, 3.0);
        ray.direction = wkSub(wkMiddle(b, c), a);
        return ray;
    } else if (kind == 6) { // from the surface
        return ray;
    } else if (kind == 7) {
        ray.origin = wkMulAdd(target, 1e6 * reach, away);
    } else if (kind == 8) {
        ray.origin = wkMulAdd(target, 1e9 * reach, away);
    } else if (kind == 9) {
        ray.direction = wkVec(1.0, 1.0, 1.0);
        ray.origin = wkMulAdd(target, -reach, ray.direction);
        return ray;
    } else { // of any length, and not towards anything
        ray.origin = wkScale(2.0 * reach, wkRngDirection(rng));
        ray.maxDistance = 3.0 * reach * wkRngUnit(rng);
        return ray;
    }
    ray.direction = wkSub(target, ray.origin);
    return ray;
}

static inline void printRay(const meshSet* set, const wkRay* ray, int64_t triangle)
{
    const wkVec3d* o = &ray->origin;
    const wkVec3d* d = &ray->direction;
    print_message("ray from (%a, %a, %a) along (%a, %a, %a) up to %g\n", o->x, o->y, o->z, d->x,
                  d->y, d->z, ray->maxDistance);
    for (int k = 0; triangle >= 0 && k < 3; ++k) {
        wkVec3d c = *vertexOf(set, triangle, k);
        print_message("  vertex (%a, %a, %a)\n", c.x, c.y, c.z);
    }
}
