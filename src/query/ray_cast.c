// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Ray casts: the world frame, rays that start inside, and what rows cannot do in closed form.

#include "geom/cast.h"
#include "query/point.h"
#include "query/shape_class.h"
#include "query/surface_ray.h"

// The part of a ray that may meet a shape, in the shape's frame.
typedef struct localRay {
    wkVec3d origin;
    wkVec3d direction; // unit
    double skipped;    // metres left out before `origin`
    double maxDistance;
} localRay;

// Starts the ray where it enters a ball around the shape, so that nothing is lost when it comes
// from far away. False when it passes by.
static bool skipToBall(const wkShape* shape, localRay* ray)
{
    wkTwoBalls ball = wkConvexRowOf(shape)->ball(shape);
    double radius = ball.radius + wkMaxD(wkShapeRadius(shape), 0.0);
    wkVec3d toCenter = wkSub(ball.center, ray->origin);
    double noise = 1e-14 * (wkMaxAbs(toCenter) + radius + wkMaxAbs(ball.center));
    double along = wkDot(toCenter, ray->direction);
    double across = wkLength(wkCross(toCenter, ray->direction));
    if (across > radius + noise || along < -radius - noise) {
        return false;
    }
    ray->skipped = wkMaxD(along - radius - noise, 0.0);
    ray->origin = wkMulAdd(ray->origin, ray->skipped, ray->direction);
    ray->maxDistance -= ray->skipped;
    return true;
}

// The origin of a ray that was shortened is outside for certain; others are looked at.
static bool startsInside(const wkShape* shape, const localRay* ray, wkVec3d* normal)
{
    if (ray->skipped > 0.0) {
        return false;
    }
    wkProjection start = wkPointDistance(shape, ray->origin);
    *normal = start.normal;
    return !(start.distance > 0.0);
}

static wkRayHit castLocal(const wkShape* shape, localRay* ray)
{
    const wkConvexRow* row = wkConvexRowOf(shape);
    wkRayHit inside = {true, 0.0, {0.0, 0.0, 1.0}};
    if (row->isBounded && !skipToBall(shape, ray)) {
        return wkRayMiss();
    }
    if (startsInside(shape, ray, &inside.normal)) {
        return inside;
    }
    double radius = wkShapeRadius(shape);
    return row->castsBall || radius == 0.0
               ? row->rayCast(shape, ray->origin, ray->direction, ray->maxDistance)
               : wkCastByProjection(shape, radius, ray->origin, ray->direction, ray->maxDistance);
}

wkRayHit wkCastConvex(const wkShape* shape, wkVec3d origin, wkVec3d direction, double maxDistance)
{
    localRay local = {origin, direction, 0.0, maxDistance};
    wkRayHit hit = castLocal(shape, &local);
    hit.distance += local.skipped;
    hit.isHit = hit.isHit && hit.distance <= maxDistance;
    return hit;
}

// A ray in the frame of a shape, and the way back.
typedef struct placedRay {
    wkLocalRay local;
    wkVec3d worldDirection; // unit
    wkMat3d rotation;
    bool isTurned; // otherwise there is no rotation, as for most maps
} placedRay;

// Directions of unit length stay as they are, which saves a root and a division; zero without one.
WK_FORCE_FN wkVec3d unitOf(wkVec3d direction)
{
    bool isUnit = fabs(wkDot(direction, direction) - 1.0) < 1e-15;
    return WK_LIKELY(isUnit) ? direction : wkNormalizeOr(direction, wkVec(0.0, 0.0, 0.0));
}

// One comparison for six coordinates; those near the limit are looked at one by one.
WK_FORCE_FN bool areSoundPoints(const wkVec3d* a, const wkVec3d* b)
{
    return WK_LIKELY(wkSumAbs(*a) + wkSumAbs(*b) <= WK_MAX_LENGTH) ||
           (wkIsSoundPoint(*a) && wkIsSoundPoint(*b));
}

// @return false when the shape, the pose or the ray is not valid
WK_FORCE_FN bool placeRay(const wkShape* shape, const wkPose* pose, const wkRay* ray,
                          placedRay* placed)
{
    wkVec3d direction = unitOf(ray->direction);
    bool isRay = wkDot(direction, direction) > 0.5 && ray->maxDistance >= 0.0;
    if (!isRay || !wkIsSoundShape(shape) || !wkIsSoundRotation(pose->rotation) ||
        !areSoundPoints(&ray->origin, &pose->position)) {
        return false;
    }
    wkQuat q = pose->rotation;
    wkVec3d origin = wkSub(ray->origin, pose->position);
    placed->worldDirection = direction;
    placed->local.maxDistance = ray->maxDistance;
    placed->isTurned = !(q.x == 0.0 && q.y == 0.0 && q.z == 0.0);
    if (placed->isTurned) {
        placed->rotation = wkMatFromQuat(q);
        placed->local.origin = wkMulTMV(&placed->rotation, origin);
        placed->local.direction = wkMulTMV(&placed->rotation, direction);
    } else {
        placed->local.origin = origin;
        placed->local.direction = direction;
    }
    return true;
}

// The answer in the world. Written in one go: what is copied right after it was computed waits.
WK_FORCE_FN wkRayResult resultOf(const wkRay* ray, const placedRay* placed, double distance,
                                 const wkVec3d* normal, int64_t part, wkStatus status)
{
    wkVec3d n = wkVec(normal->x, normal->y, normal->z);
    wkVec3d turned = placed->isTurned ? wkMulMV(&placed->rotation, n) : n;
    wkVec3d point = wkMulAdd(ray->origin, distance, placed->worldDirection);
    wkRayResult result = {true, status, distance, point, turned, part};
    return result;
}

static wkRayResult missOf(const wkRay* ray, wkStatus status)
{
    wkRayResult miss = {status == wk_statusInvalid, status, 0.0, ray->origin, {0.0, 0.0, 1.0}, -1};
    return miss;
}

// A surface with boxes, and no ball around it.
WK_FORCE_FN bool isPlainSurface(const wkShape* shape)
{
    return shape != NULL && shape->type == wk_shapeMesh && shape->mesh != NULL &&
           shape->rounding == 0.0 && shape->padding == 0.0 && wkIsBareSurface(shape);
}

// The long way, for every shape and every ray.
WK_APART_FN wkRayResult castAnyRay(const wkShape* shape, const wkPose* pose, const wkRay* ray)
{
    placedRay placed;
    if (!placeRay(shape, pose, ray, &placed)) {
        return missOf(ray, wk_statusInvalid);
    }
    wkShapeHit hit;
    wkShapeClassOf(shape)->cast(shape, &placed.local, &hit);
    return !hit.isHit ? missOf(ray, hit.status)
                      : resultOf(ray, &placed, hit.distance, &hit.normal, hit.part, hit.status);
}

wkRayResult wkRayCast(const wkShape* shape, wkPose pose, wkRay ray)
{
    return isPlainSurface(shape) ? wkRayLanesOfMachine()->seeFirst(shape, &pose, &ray, castAnyRay)
                                 : castAnyRay(shape, &pose, &ray);
}

WK_APART_FN bool hitsAnyRay(const wkShape* shape, const wkPose* pose, const wkRay* ray)
{
    placedRay placed;
    if (!placeRay(shape, pose, ray, &placed)) {
        return true;
    }
    return wkShapeClassOf(shape)->isHit(shape, &placed.local);
}

bool wkRayHits(const wkShape* shape, wkPose pose, wkRay ray)
{
    return isPlainSurface(shape) ? wkRayLanesOfMachine()->seeAny(shape, &pose, &ray, hitsAnyRay)
                                 : hitsAnyRay(shape, &pose, &ray);
}
