// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Laws of single shapes, on the shapes and poses of the pair scenes: B's position serves as the
// point, and the way from A to B as the ray.

#include "laws.h"

#include "reference/reference.h"

// Sizes of the shape and of the way to the point, for tolerances.
static double toleranceOf(const wkScenePair* pair, double relative)
{
    return relative * wkPairScale(pair) + wkPairRounding(pair);
}

bool wkLawPointDistanceIsTheTruth(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    wkShape point = wkMakeSphere(0.0);
    wkVec3d p = pair->poseB.position;
    wkPose pose = wkMakePose(p.x, p.y, p.z);
    wkReference truth =
        wkReferenceDistance(&pair->a, pair->poseA, &point, pose, WK_REFERENCE_BUDGET / 10);
    double distance = wkShape_PointDistance(&pair->a, pair->poseA, p);
    double tolerance = toleranceOf(pair, 1e-9);
    if (!(distance >= truth.lower - tolerance && distance <= truth.upper + tolerance)) {
        return wkBroken(message, "point distance %.17g, truth %.17g ... %.17g", distance,
                        truth.lower, truth.upper);
    }
    bool isInside = wkShape_ContainsPoint(&pair->a, pair->poseA, p);
    if (fabs(distance) > tolerance && isInside != (distance < 0.0)) {
        return wkBroken(message, "point distance %.17g, inside %d", distance, isInside);
    }
    return true;
}

// What is left of a core under negative padding has no simple extent.
static bool hasExtent(const wkShape* shape)
{
    return shape->type != wk_shapeHalfspace && shape->type != wk_shapePlane &&
           shape->padding >= 0.0;
}

bool wkLawSupportIsTheFurthestPoint(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    if (!hasExtent(&pair->a)) {
        return true;
    }
    wkRng rng = wkMakeRng(seed);
    wkVec3d n = wkRngDirection(&rng);
    wkShape origin = wkMakeSphere(0.0);
    wkVec3d center = pair->poseA.position;
    wkPose pose = wkMakePose(center.x, center.y, center.z);
    wkVec3d s =
        wkShape_Support(&pair->a, pair->poseA, wkSceneScale(n, wkRngLogRange(&rng, 1e-9, 1e9)));
    // the gap between the shape and its own centre along n is minus the extent
    double extent = -wkReferenceGap(&pair->a, pair->poseA, &origin, pose, n);
    double reached = wkSceneDot(n, wkSceneSub(s, center));
    if (!(fabs(extent - reached) <= toleranceOf(pair, 1e-13))) {
        return wkBroken(message, "support reaches %.17g of %.17g", reached, extent);
    }
    wkAabb box = wkShape_Bounds(&pair->a, pair->poseA);
    bool isKept = s.x >= box.lower.x && s.y >= box.lower.y && s.z >= box.lower.z &&
                  s.x <= box.upper.x && s.y <= box.upper.y && s.z <= box.upper.z;
    return isKept || wkBroken(message, "support point %.17g %.17g %.17g lies outside the bounds",
                              s.x, s.y, s.z);
}

bool wkLawBoundsAreTight(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    if (!hasExtent(&pair->a)) {
        return true;
    }
    wkAabb box = wkShape_Bounds(&pair->a, pair->poseA);
    wkShape origin = wkMakeSphere(0.0);
    wkVec3d c = pair->poseA.position;
    double upper[3] = {box.upper.x - c.x, box.upper.y - c.y, box.upper.z - c.z};
    double lower[3] = {c.x - box.lower.x, c.y - box.lower.y, c.z - box.lower.z};
    for (int i = 0; i < 6; i++) {
        double sign = i < 3 ? 1.0 : -1.0;
        wkVec3d n = {i % 3 == 0 ? sign : 0.0, i % 3 == 1 ? sign : 0.0, i % 3 == 2 ? sign : 0.0};
        double extent =
            -wkReferenceGap(&pair->a, pair->poseA, &origin, wkMakePose(c.x, c.y, c.z), n);
        double excess = (i < 3 ? upper[i] : lower[i - 3]) - extent;
        // the difference of two rounded coordinates may itself round down
        double slack = wkPairRounding(pair) / 16.0;
        if (!(excess >= -slack && excess <= toleranceOf(pair, 1e-12))) {
            return wkBroken(message, "bounds exceed the shape by %g along axis %d", excess, i);
        }
    }
    return true;
}

bool wkLawRayStopsAtTheSurface(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    wkRng rng = wkMakeRng(seed);
    double scale = fmax(wkPairScale(pair), 1e-6);
    wkVec3d aim =
        wkSceneAdd(pair->poseA.position,
                   wkSceneScale(wkRngDirection(&rng), wkShapeReach(&pair->a) * wkRngUnit(&rng)));
    wkVec3d origin =
        wkSceneAdd(aim, wkSceneScale(wkRngDirection(&rng), scale * wkRngRange(&rng, 0.1, 2.0)));
    wkVec3d way = wkSceneSub(aim, origin);
    wkVec3d unit = wkSceneScale(way, 1.0 / wkSceneLength(way));
    wkRay ray = {origin, way, INFINITY};
    wkRayResult r = wkShape_RayCast(&pair->a, pair->poseA, ray);
    if (r.status != wk_statusExact || (r.isHit && !(r.distance >= 0.0 && r.distance < INFINITY))) {
        return wkBroken(message, "status %s, distance %g", wkStatusName(r.status), r.distance);
    }
    // grazing rays turn an error of the surface into its square root along the ray
    double tolerance = toleranceOf(pair, 1e-9);
    double length = r.isHit ? r.distance : 4.0 * scale;
    double step = wkShape_PointDistance(&pair->a, pair->poseA, origin);
    // no surface before the hit: walk in steps that cannot jump over one
    for (double t = 0.0; t < length - tolerance && step < length; t += step) {
        wkVec3d p = wkSceneAdd(origin, wkSceneScale(unit, t));
        step = wkShape_PointDistance(&pair->a, pair->poseA, p);
        if (step < -tolerance) {
            return wkBroken(message, "hit %d at %.17g, but at %.17g the ray is %g inside", r.isHit,
                            r.distance, t, step);
        }
        step = fmax(step, 1e-3 * scale);
    }
    double off = r.isHit ? wkShape_PointDistance(&pair->a, pair->poseA, r.point) : 0.0;
    if (r.isHit && !(r.distance > 0.0 ? fabs(off) <= tolerance : off <= tolerance)) {
        return wkBroken(message, "hit at %.17g is %g off the surface", r.distance, off);
    }
    if (r.isHit && !(fabs(wkSceneLength(r.normal) - 1.0) < 1e-14)) {
        return wkBroken(message, "normal of length 1 + %g", wkSceneLength(r.normal) - 1.0);
    }
    return true;
}
