// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Ray casts: the world frame, rays that start inside, and what rows cannot do in closed form.

#include "geom/cast.h"
#include "query/point.h"
#include "whisker/query.h"

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
    wkBall ball = wkConvexRowOf(shape)->ball(shape);
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

wkRayResult wkRayCast(const wkShape* shape, wkPose pose, wkRay ray)
{
    wkRayResult result = {true, 0.0, ray.origin, {0.0, 0.0, 1.0}, wk_statusInvalid, -1};
    wkVec3d direction = wkNormalizeOr(ray.direction, wkVec(0.0, 0.0, 0.0));
    bool isRay =
        wkIsSoundPoint(ray.origin) && wkDot(direction, direction) > 0.5 && ray.maxDistance >= 0.0;
    if (!isRay || !wkConvexRowOf(shape)->isSound(shape) || !wkIsValidPose(pose) ||
        !wkIsSoundPoint(pose.position)) {
        return result;
    }

    wkFrame frame = wkFrameFromPose(pose);
    localRay local = {wkFrameLocal(&frame, ray.origin), wkMulTMV(&frame.rotation, direction), 0.0,
                      ray.maxDistance};
    wkRayHit hit = castLocal(shape, &local);
    double distance = hit.distance + local.skipped;
    result.status = wk_statusExact;
    result.isHit = hit.isHit && distance <= ray.maxDistance;
    if (result.isHit) {
        result.distance = distance;
        result.point = wkMulAdd(ray.origin, distance, direction);
        result.normal = wkMulMV(&frame.rotation, hit.normal);
    }
    return result;
}
