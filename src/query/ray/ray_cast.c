// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Ray casts: the world frame, rays that start inside, and shapes whose rows have no closed form.

#include "geom/convex_ray.h"
#include "query/pair/point.h"
#include "query/ray/ray_target.h"
#include "query/ray/surface_ray.h"

#include "whisker/detail/counts.h"

#include <string.h>

// The part of a ray that may hit a shape, in the shape's frame.
typedef struct localRay {
    wkVec3d origin;
    wkVec3d direction; // unit
    double skipped;    // metres left out before `origin`
    double maxDistance;
} localRay;

// A sphere around a shape, relative to the origin of a ray.
typedef struct localSphere {
    wkVec3d toCenter;
    double radius;
    double noise; // rounding bound of both
} localSphere;

WK_FORCE_FN localSphere makeLocalSphere(const wkShape* shape, wkVec3d origin)
{
    wkInnerOuterSpheres sphere = wkConvexRowOf(shape)->sphere(shape);
    localSphere local;
    local.radius = sphere.radius + wkMaxD(wkShapeRadius(shape), 0.0);
    local.toCenter = wkSub(sphere.center, origin);
    local.noise = 1e-14 * (wkMaxAbs(local.toCenter) + local.radius + wkMaxAbs(sphere.center));
    return local;
}

// Computes how far a ray may be advanced, to where it enters a sphere around the shape, so that no digits
// are lost when it comes from far away. Returns false when it misses.
WK_FORCE_FN bool findSkip(const localSphere* sphere, wkVec3d direction, double* skipped)
{
    double along = wkDot(sphere->toCenter, direction);
    double across = wkLength(wkCross(sphere->toCenter, direction));
    *skipped = wkMaxD(along - sphere->radius - sphere->noise, 0.0);
    return !(across > sphere->radius + sphere->noise || along < -sphere->radius - sphere->noise);
}

static bool skipToSphere(const wkShape* shape, localRay* ray)
{
    localSphere sphere = makeLocalSphere(shape, ray->origin);
    if (!findSkip(&sphere, ray->direction, &ray->skipped)) {
        return false;
    }
    ray->origin = wkMulAdd(ray->origin, ray->skipped, ray->direction);
    ray->maxDistance -= ray->skipped;
    return true;
}

// The origin of a ray that was advanced is outside for certain; others are tested.
static bool startsInside(const wkShape* shape, wkVec3d origin, wkVec3d* normal)
{
    wkProjection start = wkPointDistance(shape, origin);
    *normal = start.normal;
    return !(start.distance > 0.0);
}

// For rows that handle the core alone, the sphere around it is handled by projections.
static wkRayHit castRounded(const wkShape* shape, wkVec3d origin, wkVec3d direction,
                            double maxDistance)
{
    return wkCastByProjection(shape, wkShapeRadius(shape), origin, direction, maxDistance);
}

static wkRayHit castLocal(const wkShape* shape, localRay* ray)
{
    const wkConvexRow* row = wkConvexRowOf(shape);
    wkRayHit inside = {true, 0.0, {0.0, 0.0, 1.0}};
    if (row->isBounded && !skipToSphere(shape, ray)) {
        return wkRayMiss();
    }
    if (!(ray->skipped > 0.0) && startsInside(shape, ray->origin, &inside.normal)) {
        return inside;
    }
    bool isPlain = row->castsSphere || wkShapeRadius(shape) == 0.0;
    return isPlain ? row->rayCast(shape, ray->origin, ray->direction, ray->maxDistance)
                   : castRounded(shape, ray->origin, ray->direction, ray->maxDistance);
}

wkRayHit wkCastConvex(const wkShape* shape, wkVec3d origin, wkVec3d direction, double maxDistance)
{
    localRay local = {origin, direction, 0.0, maxDistance};
    wkRayHit hit = castLocal(shape, &local);
    hit.distance += local.skipped;
    hit.isHit = hit.isHit && hit.distance <= maxDistance;
    return hit;
}

// A ray in the frame of a shape, and the transform back.
typedef struct placedRay {
    wkLocalRay local;
    wkVec3d worldDirection; // unit
    wkMat3d rotation;
    bool isRotated; // otherwise there is no rotation, as for most maps
} placedRay;

// Directions of unit length are kept, which saves a root and a division; zero where there is no direction.
WK_FORCE_FN wkVec3d unitOf(wkVec3d direction)
{
    bool isUnit = fabs(wkDot(direction, direction) - 1.0) < 1e-15;
    return WK_LIKELY(isUnit) ? direction : wkNormalizeOr(direction, wkVec(0.0, 0.0, 0.0));
}

// One comparison for six coordinates; those near the limit are tested one by one.
WK_FORCE_FN bool areValidPoints(const wkVec3d* a, const wkVec3d* b)
{
    return WK_LIKELY(wkSumAbs(*a) + wkSumAbs(*b) <= WK_MAX_LENGTH) ||
           (wkIsValidPoint(*a) && wkIsValidPoint(*b));
}

WK_FORCE_FN bool isRotated(const wkQuat* q)
{
    return !(q->x == 0.0 && q->y == 0.0 && q->z == 0.0);
}

// @return false when the shape, the pose or the ray is not valid
WK_FORCE_FN bool placeRay(const wkShape* shape, const wkPose* pose, const wkRay* ray,
                          placedRay* placed)
{
    wkVec3d direction = unitOf(ray->direction);
    bool isRay = wkDot(direction, direction) > 0.5 && ray->maxDistance >= 0.0;
    if (!isRay || !wkIsValidShape(shape) || !wkIsValidRotation(pose->rotation) ||
        !areValidPoints(&ray->origin, &pose->position)) {
        return false;
    }
    wkVec3d origin = wkSub(ray->origin, pose->position);
    placed->worldDirection = direction;
    placed->local.maxDistance = ray->maxDistance;
    placed->isRotated = isRotated(&pose->rotation);
    if (placed->isRotated) {
        placed->rotation = wkMatFromQuat(pose->rotation);
        placed->local.origin = wkMulTMV(&placed->rotation, origin);
        placed->local.direction = wkMulTMV(&placed->rotation, direction);
    } else {
        placed->local.origin = origin;
        placed->local.direction = direction;
    }
    return true;
}

// The result in the world. Written at once: copying right after a computation stalls.
WK_FORCE_FN wkRayResult resultOf(const wkRay* ray, const placedRay* placed, double distance,
                                 const wkVec3d* normal, int64_t part, wkStatus status)
{
    wkVec3d n = wkVec(normal->x, normal->y, normal->z);
    wkVec3d rotated = placed->isRotated ? wkMulMV(&placed->rotation, n) : n;
    wkVec3d point = wkMulAdd(ray->origin, distance, placed->worldDirection);
    wkRayResult result = {true, status, distance, point, rotated, part};
    return result;
}

static wkRayResult missOf(const wkRay* ray, wkStatus status)
{
    wkRayResult miss = {status == wk_statusInvalid, status, 0.0, ray->origin, {0.0, 0.0, 1.0}, -1};
    return miss;
}

// Whether the shape is a surface with boxes and without a sphere around it.
WK_FORCE_FN bool isPlainSurface(const wkShape* shape)
{
    return shape != NULL && shape->type == wk_shapeMesh && shape->mesh != NULL &&
           shape->rounding == 0.0 && shape->padding == 0.0 && wkIsBareSurface(shape);
}

// The general path, for every shape and every ray.
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

wkRayResult wkShape_RayCast(const wkShape* shape, wkPose pose, wkRay ray)
{
    return isPlainSurface(shape) ? wkRayLanesOfMachine()->castFirst(shape, &pose, &ray, castAnyRay)
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

bool wkShape_RayHits(const wkShape* shape, wkPose pose, wkRay ray)
{
    return isPlainSurface(shape) ? wkRayLanesOfMachine()->castAny(shape, &pose, &ray, hitsAnyRay)
                                 : hitsAnyRay(shape, &pose, &ray);
}

// Precomputes the parts of castLocal that depend on the convex shape and the origin alone.
static void prepareConvex(wkRayTarget* target)
{
    const wkShape* shape = target->shape;
    const wkConvexRow* row = wkConvexRowOf(shape);
    target->cast = row->castsSphere || wkShapeRadius(shape) == 0.0 ? row->rayCast : castRounded;
    target->skipsNothing = true;
    if (row->isBounded) {
        localSphere sphere = makeLocalSphere(shape, target->origin);
        target->toCenter = sphere.toCenter;
        target->radius = sphere.radius;
        target->noise = sphere.noise;
        // from within the sphere no ray misses it, and there is nothing to skip
        target->skipsNothing = wkLength(sphere.toCenter) <= sphere.radius;
    }
    target->startsInside = startsInside(shape, target->origin, &target->insideNormal);
}

bool wkRayTarget_Init(const wkShape* shape, const wkPose* pose, wkVec3d origin, wkRayTarget* target)
{
    if (!wkIsValidShape(shape) || !wkIsValidRotation(pose->rotation) ||
        !areValidPoints(&origin, &pose->position)) {
        return false;
    }
    memset(target, 0, sizeof *target);
    wkVec3d offset = wkSub(origin, pose->position);
    target->shape = shape;
    target->shapeClass = wkShapeClassOf(shape);
    target->pose = *pose;
    target->rotation = wkMatFromQuat(pose->rotation);
    target->isRotated = isRotated(&pose->rotation);
    target->origin = target->isRotated ? wkMulTMV(&target->rotation, offset) : offset;
    target->worldOrigin = origin;
    target->isPlainSurface = isPlainSurface(shape);
    target->isConvex = (unsigned)shape->type < (unsigned)WK_CONVEX_TYPE_COUNT;
    if (target->isConvex) {
        prepareConvex(target);
    }
    return true;
}

// Surfaces have a fast path of their own, which is used here too.
WK_APART_FN bool castAtSurface(const wkRayTarget* target, const wkVec3d* direction,
                               double maxDistance, wkShapeHit* hit)
{
    wkRay ray = {target->worldOrigin, *direction, maxDistance};
    wkRayResult result = wkShape_RayCast(target->shape, target->pose, ray);
    hit->isHit = result.isHit;
    hit->status = result.status;
    hit->part = result.part;
    hit->distance = result.distance;
    hit->normal = result.normal;
    return hit->isHit;
}

// castLocal with the precomputed parts. Vectors are passed number by number: copying values that were
// just computed would stall until they are written.
WK_FORCE_FN bool castAtConvex(const wkRayTarget* target, wkVec3d direction, double maxDistance,
                              wkShapeHit* hit)
{
    wkVec3d origin = wkVec(target->origin.x, target->origin.y, target->origin.z);
    double skipped = 0.0;
    if (!target->skipsNothing) {
        localSphere sphere = {target->toCenter, target->radius, target->noise};
        if (!findSkip(&sphere, direction, &skipped)) {
            return false;
        }
        origin = wkMulAdd(origin, skipped, direction);
    }
    hit->status = wk_statusExact;
    hit->part = -1;
    if (!(skipped > 0.0) && target->startsInside) {
        hit->isHit = true;
        hit->distance = 0.0;
        hit->normal = target->insideNormal;
        return true;
    }
    const wkRayHit found = target->cast(target->shape, origin, direction, maxDistance - skipped);
    hit->isHit = found.isHit && found.distance + skipped <= maxDistance;
    hit->distance = found.distance + skipped;
    hit->normal = wkVec(found.normal.x, found.normal.y, found.normal.z);
    return hit->isHit;
}

bool wkRayTarget_Cast(const wkRayTarget* target, const wkVec3d* direction, double maxDistance,
                      wkShapeHit* hit)
{
    if (target->isPlainSurface) {
        return castAtSurface(target, direction, maxDistance, hit);
    }
    wkVec3d unit = unitOf(wkVec(direction->x, direction->y, direction->z));
    wkVec3d rotated = target->isRotated ? wkMulTMV(&target->rotation, unit) : unit;
    if (target->isConvex) {
        return castAtConvex(target, rotated, maxDistance, hit);
    }
    wkLocalRay ray = {target->origin, rotated, maxDistance};
    target->shapeClass->cast(target->shape, &ray, hit);
    return hit->isHit;
}

wkVec3d wkRayTarget_Normal(const wkRayTarget* target, const wkShapeHit* hit)
{
    bool isInWorld = target->isPlainSurface || !target->isRotated;
    return isInWorld ? hit->normal : wkMulMV(&target->rotation, hit->normal);
}
