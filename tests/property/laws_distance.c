// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Laws of the signed distance, its witness points and its normal.

#include "laws.h"

#include "reference/reference.h"

#include <string.h>

static wkDistanceResult ask(const wkScenePair* pair)
{
    return wkDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, NULL);
}

static bool isFinite(wkVec3d v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool isSame(wkVec3d a, wkVec3d b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool isUnbounded(const wkShape* shape)
{
    return shape->type == wk_shapeHalfspace || shape->type == wk_shapePlane;
}

bool wkLawAnswersAreFinite(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    wkDistanceResult r = ask(pair);
    if (r.status == wk_statusInvalid) {
        return wkBroken(message, "valid input is called invalid");
    }
    if (r.status == wk_statusUnbounded && !(isUnbounded(&pair->a) && isUnbounded(&pair->b))) {
        return wkBroken(message, "a bounded shape is called unbounded");
    }
    if (!isfinite(r.distance) || !isFinite(r.pointA) || !isFinite(r.pointB) ||
        !isFinite(r.normal)) {
        return wkBroken(message, "distance %g, a number is not finite", r.distance);
    }
    double length = wkSceneLength(r.normal);
    if (!(fabs(length - 1.0) < 1e-14)) {
        return wkBroken(message, "normal has length 1 + %g", length - 1.0);
    }
    return true;
}

// Exchanging two equal bodies is no exchange: nothing tells A from B.
static bool isMirrorPair(const wkScenePair* pair)
{
    return pair->a.type == pair->b.type && isSame(pair->poseA.position, pair->poseB.position) &&
           memcmp(&pair->poseA.rotation, &pair->poseB.rotation, sizeof(wkQuat)) == 0;
}

bool wkLawOrderDoesNotMatter(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    wkScenePair swapped = wkSwapPair(pair);
    wkDistanceResult r = ask(pair);
    wkDistanceResult s = ask(&swapped);
    if (r.distance != s.distance || r.status != s.status || r.status == wk_statusNone) {
        return wkBroken(message, "distance %.17g (%s), swapped %.17g (%s)", r.distance,
                        wkStatusName(r.status), s.distance, wkStatusName(s.status));
    }
    wkVec3d mirrored = wkSceneScale(s.normal, -1.0);
    bool isMirrored =
        isSame(r.pointA, s.pointB) && isSame(r.pointB, s.pointA) && isSame(r.normal, mirrored);
    if (!isMirrored && !isMirrorPair(pair)) {
        return wkBroken(
            message,
            "normal %.17g %.17g %.17g, swapped and mirrored %.17g %.17g %.17g; points differ "
            "by %g %g",
            r.normal.x, r.normal.y, r.normal.z, mirrored.x, mirrored.y, mirrored.z,
            wkSceneLength(wkSceneSub(r.pointA, s.pointB)),
            wkSceneLength(wkSceneSub(r.pointB, s.pointA)));
    }
    return true;
}

bool wkLawPointsAreApartByTheDistance(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    wkDistanceResult r = ask(pair);
    if (r.status == wk_statusUnbounded) {
        return true;
    }
    wkVec3d error = wkSceneSub(wkSceneSub(r.pointB, r.pointA), wkSceneScale(r.normal, r.distance));
    double tolerance = wkPairRounding(pair) + wkPairTolerance(pair);
    if (!(wkSceneLength(error) <= tolerance)) {
        return wkBroken(message,
                        "pointB - pointA differs from distance * normal by %g, tolerance %g",
                        wkSceneLength(error), tolerance);
    }
    return true;
}

// The surface of a core shrunk by negative padding is not where the core's distance says.
static bool isShrunk(const wkShape* shape)
{
    bool isRound = shape->type == wk_shapeSphere || shape->type == wk_shapeCapsule;
    return (isRound ? shape->sphere.radius : 0.0) + shape->rounding + shape->padding < 0.0;
}

static bool isOnSurface(const wkShape* shape, wkPose pose, wkVec3d point, double tolerance,
                        wkMessage* message, const char* name)
{
    double distance = wkShape_PointDistance(shape, pose, point);
    if (!isShrunk(shape) && !(fabs(distance) <= tolerance)) {
        return wkBroken(message, "%s is off its surface by %g, tolerance %g", name, distance,
                        tolerance);
    }
    return true;
}

bool wkLawPointsLieOnTheSurfaces(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    wkDistanceResult r = ask(pair);
    double tolerance = wkPairRounding(pair) + wkPairTolerance(pair);
    return r.status == wk_statusUnbounded ||
           (isOnSurface(&pair->a, pair->poseA, r.pointA, tolerance, message, "pointA") &&
            isOnSurface(&pair->b, pair->poseB, r.pointB, tolerance, message, "pointB"));
}

// No point of B lies further back along the normal than `distance` ahead of A: this alone proves
// that the distance is no over-estimate.
bool wkLawNormalProvesTheDistance(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    wkDistanceResult r = ask(pair);
    if (r.status == wk_statusUnbounded) {
        return true;
    }
    double proven = wkReferenceGap(&pair->a, pair->poseA, &pair->b, pair->poseB, r.normal);
    // a plane's extent along a normal that is off by one bit is
    // infinite: compare with its own normal
    if (proven == -INFINITY) {
        proven = wkReferenceDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, 1).lower;
    }
    double tolerance = wkPairRounding(pair) + wkPairTolerance(pair);
    if (!(fabs(r.distance - proven) <= tolerance)) {
        return wkBroken(message,
                        "distance %.17g, its normal proves %.17g (difference %g, tolerance %g)",
                        r.distance, proven, r.distance - proven, tolerance);
    }
    return true;
}

bool wkLawMotionOfTheWorldDoesNotMatter(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    wkRng rng = wkMakeRng(seed);
    wkPose motion = {wkSceneScale(wkRngDirection(&rng), wkRngLogRange(&rng, 0.1, 100.0)),
                     wkRngRotation(&rng)};
    wkScenePair moved = *pair;
    moved.poseA = wkMulPose(motion, pair->poseA);
    moved.poseB = wkMulPose(motion, pair->poseB);
    wkDistanceResult r = ask(pair);
    wkDistanceResult s = ask(&moved);
    // two planes that are parallel by accident of rounding may cease to be so
    if (isUnbounded(&pair->a) && isUnbounded(&pair->b)) {
        return true;
    }
    double tolerance = wkPairTolerance(pair) + wkPairRounding(pair) + wkPairRounding(&moved);
    if (!(fabs(r.distance - s.distance) <= tolerance)) {
        return wkBroken(message, "distance %.17g, after a rigid motion %.17g (difference %g)",
                        r.distance, s.distance, s.distance - r.distance);
    }
    return true;
}

bool wkLawInflationLowersTheDistance(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    wkRng rng = wkMakeRng(seed);
    double more = wkRngLogRange(&rng, 1e-6, 1.0) * wkPairScale(pair);
    wkScenePair rounded = *pair;
    wkScenePair padded = *pair;
    rounded.a.rounding += more;
    padded.b.padding += more;
    wkDistanceResult r = ask(pair);
    if (r.status == wk_statusUnbounded) {
        return true;
    }
    double tolerance = wkPairTolerance(pair) + wkPairRounding(pair) + wkPairRounding(&rounded);
    double byRounding = ask(&rounded).distance + more - r.distance;
    double byPadding = ask(&padded).distance + more - r.distance;
    if (!(fabs(byRounding) <= tolerance) || !(fabs(byPadding) <= tolerance)) {
        return wkBroken(message, "distance %.17g; rounding by %.17g is off by %g, padding by %g",
                        r.distance, more, byRounding, byPadding);
    }
    return true;
}

bool wkLawMovingBackMakesThemTouch(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    wkDistanceResult r = ask(pair);
    // with a radius below zero "touching" lies inside the core, where
    // another direction may be shorter
    if (r.status == wk_statusUnbounded || pair->a.padding < 0.0 || pair->b.padding < 0.0) {
        return true;
    }
    wkScenePair moved = *pair;
    moved.poseB.position = wkSceneSub(moved.poseB.position, wkSceneScale(r.normal, r.distance));
    double left = ask(&moved).distance;
    double tolerance = wkPairTolerance(pair) + wkPairRounding(pair);
    if (!(fabs(left) <= tolerance)) {
        return wkBroken(message,
                        "distance %.17g; after moving B back by it %g is left, tolerance %g",
                        r.distance, left, tolerance);
    }
    return true;
}
