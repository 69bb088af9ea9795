// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The short way of a ray to the lanes and back, inline: for most rays it takes as long as the walk.

#include "query/tree_ray.h"
#include "solve/pair.h"

// Rays that start further away than this many radii of the tree start anew near it: the floats of
// the walk, and the digits of the triangles, are of more use there.
#define WK_RAY_FAR 16.0

// What floats may lose, as a share of the largest coordinate: of the origin, and of the way to a
// plane by a difference, an inverse and a product, on both sides of a box.
#define WK_RAY_ROUNDING 3e-6

// Starts a ray from far away where it enters a ball around the tree.
// @return metres left out; negative when it passes by
WK_RARE_FN double wkSkipToBall(const wkVec3d* center, double radius, wkTreeRay* ray)
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

// Fills in the ray of a walk, where the ball around the tree is known, and what depends on it.
// @return metres left out before it; negative when it passes by
WK_FORCE_FN double wkAimWalk(const wkLocalRay* ray, const wkVec3d* center, double ballRadius,
                             wkRayWalk* walk)
{
    wkVec3d origin = wkVec(ray->origin.x, ray->origin.y, ray->origin.z);
    wkVec3d toCenter = wkSub(*center, origin);
    double radius = ballRadius + walk->radius, skipped = 0.0;
    walk->ray.origin = origin;
    walk->ray.direction = wkVec(ray->direction.x, ray->direction.y, ray->direction.z);
    walk->item = -1;
    if (WK_UNLIKELY(!(wkDot(toCenter, toCenter) <= WK_RAY_FAR * WK_RAY_FAR * radius * radius))) {
        skipped = wkSkipToBall(center, radius, &walk->ray);
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

// The triangle's own normal: out of a solid, against the ray for a surface. One without area is
// seen from the ray.
WK_FORCE_FN wkVec3d wkFaceNormal(const wkVec3d corners[3], bool isSolid, const wkVec3d* direction)
{
    wkVec3d normal = wkCross(wkSub(corners[1], corners[0]), wkSub(corners[2], corners[0]));
    normal = wkNormalizeOr(normal, wkNeg(*direction));
    bool isTurned = !isSolid && wkDot(normal, *direction) > 0.0;
    return isTurned ? wkNeg(normal) : normal;
}

WK_FORCE_FN bool wkIsBareSurface(const wkShape* shape)
{
    return shape->type == wk_shapeMesh && shape->mesh->kind == wk_volumeAabb &&
           !shape->mesh->isSolid && shape->rounding + shape->padding == 0.0;
}

// A surface with boxes whose triangles count as they are: the short way.
WK_FORCE_FN double wkCastAtMesh(const wkMesh* mesh, const wkLocalRay* ray, bool isAny,
                                wkRayWalk* walk)
{
    walk->radius = 0.0;
    double skipped = wkAimWalk(ray, &mesh->ballCenter, mesh->ballRadius, walk);
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

// Where a ray meets such a surface.
WK_FORCE_FN void wkCastSurface(const wkMesh* mesh, const wkLocalRay* ray, wkTreeHit* hit)
{
    wkRayWalk walk;
    double skipped = wkCastAtMesh(mesh, ray, false, &walk);
    hit->status = wk_statusExact;
    hit->part = -1;
    if (walk.item >= 0) {
        wkVec3d corners[3];
        wkMeshCorners(mesh, walk.item, corners);
        hit->part = wkMeshIds(mesh)[walk.item];
        hit->distance = walk.distance + skipped;
        hit->normal = wkFaceNormal(corners, false, &walk.ray.direction);
    }
}
