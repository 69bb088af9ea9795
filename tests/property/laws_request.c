// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Laws of the distance request: cutoff, tolerance, unsigned mode and cache.

#include "laws.h"

#include <string.h>

static wkDistanceResult ask(const wkScenePair* pair, const wkDistanceRequest* request)
{
    return wkDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, request);
}

bool wkLawCutoffKeepsTheVerdict(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    wkRng rng = wkMakeRng(seed);
    wkDistanceResult r = ask(pair, NULL);
    double scale = wkPairScale(pair);
    double tolerance = wkPairTolerance(pair) + wkPairRounding(pair);
    double cutoffs[] = {0.0,
                        r.distance,
                        nextafter(r.distance, -INFINITY),
                        scale,
                        r.distance + scale * wkRngRange(&rng, -1.0, 1.0),
                        r.distance * wkRngUnit(&rng)};
    wkDistanceRequest request = wkDefaultDistanceRequest();
    for (int i = 0; i < (int)(sizeof cutoffs / sizeof cutoffs[0]); i++) {
        request.cutoff = cutoffs[i];
        wkDistanceResult c = ask(pair, &request);
        bool isBeyond = r.distance > cutoffs[i];
        bool isSafe = isBeyond ? c.distance > cutoffs[i] && c.distance <= r.distance + tolerance
                               : c.distance == r.distance;
        if (!isSafe) {
            return wkBroken(message, "distance %.17g, with cutoff %.17g it is %.17g (%s)",
                            r.distance, cutoffs[i], c.distance, wkStatusName(c.status));
        }
    }
    return true;
}

bool wkLawToleranceGivesALowerBound(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    wkRng rng = wkMakeRng(seed);
    wkDistanceResult r = ask(pair, NULL);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.tolerance = wkPairScale(pair) * wkRngLogRange(&rng, 1e-6, 0.5);
    wkDistanceResult t = ask(pair, &request);
    double rounding = wkPairTolerance(pair) + wkPairRounding(pair);
    bool isWithin = t.distance <= r.distance + rounding &&
                    t.distance >= r.distance - request.tolerance - rounding;
    if (r.status != wk_statusUnbounded && !isWithin) {
        return wkBroken(message, "distance %.17g, with tolerance %g it is %.17g (%s)", r.distance,
                        request.tolerance, t.distance, wkStatusName(t.status));
    }
    return true;
}

bool wkLawUnsignedDistanceIsZeroInside(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    wkDistanceResult r = ask(pair, NULL);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = false;
    wkDistanceResult u = ask(pair, &request);
    double expected = r.distance > 0.0 ? r.distance : 0.0;
    if (!(u.distance == expected)) {
        return wkBroken(message, "signed %.17g, unsigned %.17g", r.distance, u.distance);
    }
    if (!isfinite(u.pointA.x + u.pointA.y + u.pointA.z + u.pointB.x + u.pointB.y + u.pointB.z) ||
        !(fabs(wkSceneLength(u.normal) - 1.0) < 1e-14)) {
        return wkBroken(message,
                        "unsigned: a number is not finite or the normal is no unit vector");
    }
    // negative padding may leave no common point
    bool hasPoint = r.distance <= 0.0 && r.status != wk_statusUnbounded && pair->a.padding >= 0.0 &&
                    pair->b.padding >= 0.0;
    // the point comes from a simplex of the difference, so its error is a share of the whole size
    double tolerance = fmax(wkPairTolerance(pair), 1e-8 * wkPairScale(pair)) + wkPairRounding(pair);
    double inA = wkShape_PointDistance(&pair->a, pair->poseA, u.pointA);
    double inB = wkShape_PointDistance(&pair->b, pair->poseB, u.pointA);
    if (hasPoint && (!(inA <= tolerance) || !(inB <= tolerance))) {
        return wkBroken(message, "signed %g, the common point lies %g from A and %g from B",
                        r.distance, inA, inB);
    }
    return true;
}

bool wkLawCacheKeepsTheAnswer(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    wkRng rng = wkMakeRng(seed);
    wkPairCache cache;
    memset(&cache, 0, sizeof cache);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cache = &cache;
    wkScenePair moved = *pair;
    for (int step = 0; step < 4; step++) {
        wkDistanceResult cold = ask(&moved, NULL);
        wkDistanceResult warm = ask(&moved, &request);
        double tolerance = wkPairTolerance(&moved) + wkPairRounding(&moved);
        if (cold.status != warm.status &&
            (cold.status > wk_statusBound || warm.status > wk_statusBound)) {
            return wkBroken(message, "step %d: cold %s, warm %s", step, wkStatusName(cold.status),
                            wkStatusName(warm.status));
        }
        if (!(fabs(cold.distance - warm.distance) <= tolerance)) {
            return wkBroken(message, "step %d: cold %.17g, warm %.17g (difference %g)", step,
                            cold.distance, warm.distance, warm.distance - cold.distance);
        }
        wkVec3d drift = wkSceneScale(wkRngDirection(&rng), 0.02 * wkPairScale(pair));
        moved.poseB.position = wkSceneAdd(moved.poseB.position, drift);
        wkPose turn = {{0.0, 0.0, 0.0}, wkMakeQuat(wkRngDirection(&rng), 0.02)};
        moved.poseB.rotation = wkMulPose(moved.poseB, turn).rotation;
    }
    return true;
}

// A cache left over from other shapes must cost time at most.
bool wkLawForeignCacheDoesNoHarm(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    wkRng rng = wkMakeRng(seed);
    wkPairCache cache = {.direction = wkRngDirection(&rng), .count = wkRngBelow(&rng, 5)};
    for (int i = 0; i < 3; ++i) {
        cache.vertexA[i] = wkRngBelow(&rng, 30);
        cache.vertexB[i] = wkRngBelow(&rng, 30);
    }
    if (wkRngChance(&rng, 4)) {
        cache.count = 1000000;
        cache.vertexA[1] = -7;
        cache.direction = wkSceneScale(cache.direction, 1e-200);
    }
    wkPairCache copy = cache;
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cache = &cache;
    wkDistanceResult cold = ask(pair, NULL);
    wkDistanceResult warm = ask(pair, &request);
    double tolerance = wkPairTolerance(pair) + wkPairRounding(pair);
    if (!(fabs(cold.distance - warm.distance) <= tolerance)) {
        return wkBroken(message, "cold %.17g, warm %.17g from direction %.17g %.17g %.17g",
                        cold.distance, warm.distance, copy.direction.x, copy.direction.y,
                        copy.direction.z);
    }
    wkCollideRequest collide = wkDefaultCollideRequest();
    collide.cache = &copy;
    collide.margin = cold.distance + 4.0 * tolerance;
    bool isTouching = wkCollide(&pair->a, pair->poseA, &pair->b, pair->poseB, &collide).isTouching;
    collide.margin = cold.distance - 4.0 * tolerance;
    bool isFree = !wkCollide(&pair->a, pair->poseA, &pair->b, pair->poseB, &collide).isTouching;
    if (!isTouching || !(isFree || cold.status == wk_statusUnbounded)) {
        return wkBroken(message,
                        "distance %.17g: warm collide says touching %d above, free %d below",
                        cold.distance, isTouching, isFree);
    }
    return true;
}
