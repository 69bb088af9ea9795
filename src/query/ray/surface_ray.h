// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inline path of a ray to the SIMD kernels and back: for most rays it takes as long as the walk.

#include "query/ray/tree_ray.h"
#include "solve/pair.h"

#include <string.h>

// Rays that start further away than this many radii of the tree are advanced to it: the floats of the
// walk and the digits of the triangles are more accurate there.
#define WK_RAY_FAR 16.0

// Rounding bound of floats relative to the largest coordinate: of the origin, and of the distance to a
// plane by a difference, an inverse and a product, on both sides of a box.
#define WK_RAY_ROUNDING 3e-6

// Advances a ray from far away to where it enters a sphere around the tree.
// @return metres left out; negative when it misses
WK_RARE_FN double wkSkipToSphere(const wkVec3d* center, double radius, wkTreeRay* ray)
{
    wkVec3d toCenter = wkSub(*center, ray->origin);
    double noise = 1e-14 * (wkMaxAbs(toCenter) + radius + wkMaxAbs(*center));
    double along = wkDot(toCenter, ray->direction);
    double across = wkLength(wkCross(toCenter, ray->direction));
    if (across > radius + noise || along < -radius - noise) {
        return -1.0;
    }
    double skipped = wkPositive(along - radius - noise);
    ray->origin = wkMulAdd(ray->origin, skipped, ray->direction);
    return skipped;
}

// Sets the ray of a walk, where the sphere around the tree is known, and what depends on it.
// @return metres left out before it; negative when it misses
WK_FORCE_FN double wkAimWalk(const wkLocalRay* ray, const wkVec3d* center, double sphereRadius,
                             wkRayWalk* walk)
{
    wkVec3d origin = wkVec(ray->origin.x, ray->origin.y, ray->origin.z);
    wkVec3d toCenter = wkSub(*center, origin);
    double radius = sphereRadius + walk->radius, skipped = 0.0;
    walk->ray.origin = origin;
    walk->ray.direction = wkVec(ray->direction.x, ray->direction.y, ray->direction.z);
    walk->item = -1;
    if (WK_UNLIKELY(!(wkDot(toCenter, toCenter) <= WK_RAY_FAR * WK_RAY_FAR * radius * radius))) {
        skipped = wkSkipToSphere(center, radius, &walk->ray);
        if (skipped < 0.0) {
            return skipped;
        }
    }
    double largest = wkMaxAbs(walk->ray.origin) + wkMaxAbs(*center) + radius;
    wkAimRay(&walk->ray, WK_ROUNDING * largest);
    walk->widening = WK_RAY_ROUNDING * largest + walk->radius;
    walk->distance = ray->maxDistance - skipped;
    return skipped;
}

// The triangle's own normal: out of a solid, against the ray for a surface. A triangle without area has
// the reverse direction of the ray.
WK_FORCE_FN wkVec3d wkFaceNormal(const wkVec3d faceVertices[3], bool isSolid,
                                 const wkVec3d* direction)
{
    wkVec3d normal =
        wkCross(wkSub(faceVertices[1], faceVertices[0]), wkSub(faceVertices[2], faceVertices[0]));
    normal = wkNormalizeOr(normal, wkNeg(*direction));
    bool isRotated = !isSolid && wkDot(normal, *direction) > 0.0;
    return isRotated ? wkNeg(normal) : normal;
}

WK_FORCE_FN bool wkIsBareSurface(const wkShape* shape)
{
    return shape->type == wk_shapeMesh && shape->mesh->kind == wk_volumeAabb &&
           !shape->mesh->isSolid && shape->rounding + shape->padding == 0.0;
}

// Poses up to here are valid, whatever their other values.
#define WK_RAY_POSE_SQUARED 1e60

WK_FORCE_FN uint64_t wkBitsOfDouble(const double* number)
{
    uint64_t bits;
    memcpy(&bits, number, sizeof bits);
    return bits;
}

// Four comparisons in two; negative zeros take the general path.
WK_FORCE_FN bool wkIsUnturned(const wkQuat* q)
{
    return (wkBitsOfDouble(&q->x) | wkBitsOfDouble(&q->y) | wkBitsOfDouble(&q->z)) == 0 &&
           q->w == 1.0;
}

WK_FORCE_FN bool wkIsUnit(const wkVec3d* direction)
{
    return fabs(wkDot(*direction, *direction) - 1.0) < 1e-15;
}

// Starts a walk in the common case: a pose without rotation, as most maps have, a direction of unit
// length and an origin near the mesh. This also proves that the query is valid.
// @return false in other cases, or when the query is not valid
WK_FORCE_FN bool wkStartStraight(const wkMesh* mesh, const wkPose* pose, const wkRay* ray,
                                 wkRayWalk* walk)
{
    // number by number: a copy of a vector would stall until the caller's copy has been written
    wkVec3d direction = wkVec(ray->direction.x, ray->direction.y, ray->direction.z);
    wkVec3d origin = wkSub(ray->origin, pose->position);
    wkVec3d toCenter = wkSub(mesh->sphereCenter, origin);
    double radius = mesh->sphereRadius;
    bool isNear = wkDot(toCenter, toCenter) <= WK_RAY_FAR * WK_RAY_FAR * radius * radius &&
                  wkDot(pose->position, pose->position) <= WK_RAY_POSE_SQUARED;
    if (WK_UNLIKELY(!isNear || !wkIsUnturned(&pose->rotation) || !wkIsUnit(&direction) ||
                    !(ray->maxDistance >= 0.0))) {
        return false;
    }
    double largest = wkMaxAbs(origin) + wkMaxAbs(mesh->sphereCenter) + radius;
    walk->ray.origin = origin;
    walk->ray.direction = direction;
    wkAimRay(&walk->ray, WK_ROUNDING * largest);
    walk->widening = WK_RAY_ROUNDING * largest;
    walk->distance = ray->maxDistance;
    walk->item = -1;
    walk->mesh = mesh;
    walk->ids = wkMeshIds(mesh);
    walk->base.tree.nodes = (const char*)mesh + mesh->nodeOffset;
    walk->base.tree.nodeBytes = (uint32_t)sizeof(wkBoxNode);
    return true;
}

// The result of such a walk.
WK_FORCE_FN wkRayResult wkRayResultOf(const wkRayWalk* walk, const wkRay* ray)
{
    if (walk->item < 0) {
        wkRayResult miss = {false, wk_statusExact, 0.0, ray->origin, {0.0, 0.0, 1.0}, -1};
        return miss;
    }
    wkVec3d faceVertices[3];
    wkMeshTriangleVertices(walk->mesh, walk->item, faceVertices);
    wkRayResult result = {true,
                          wk_statusExact,
                          walk->distance,
                          wkMulAdd(ray->origin, walk->distance, ray->direction),
                          wkFaceNormal(faceVertices, false, &ray->direction),
                          walk->ids[walk->item]};
    return result;
}

// Casts at a surface with boxes whose triangles have no sphere around them: the fast path.
WK_FORCE_FN double wkCastAtMesh(const wkMesh* mesh, const wkLocalRay* ray, bool isAny,
                                wkRayWalk* walk)
{
    walk->radius = 0.0;
    double skipped = wkAimWalk(ray, &mesh->sphereCenter, mesh->sphereRadius, walk);
    if (skipped < 0.0 || mesh->triangleCount == 0) {
        return 0.0;
    }
    walk->base.tree.nodes = (const char*)mesh + mesh->nodeOffset;
    walk->mesh = mesh;
    walk->ids = wkMeshIds(mesh);
    const wkRayLanes* lanes = wkRayLanesOfMachine();
    (isAny ? lanes->findAny : lanes->findFirst)(walk);
    return skipped;
}

// Finds the hit of a ray on such a surface.
WK_FORCE_FN void wkCastSurface(const wkMesh* mesh, const wkLocalRay* ray, wkTreeHit* hit)
{
    wkRayWalk walk;
    double skipped = wkCastAtMesh(mesh, ray, false, &walk);
    hit->status = wk_statusExact;
    hit->part = -1;
    if (walk.item >= 0) {
        wkVec3d faceVertices[3];
        wkMeshTriangleVertices(mesh, walk.item, faceVertices);
        hit->part = wkMeshIds(mesh)[walk.item];
        hit->distance = walk.distance + skipped;
        hit->normal = wkFaceNormal(faceVertices, false, &walk.ray.direction);
    }
}
