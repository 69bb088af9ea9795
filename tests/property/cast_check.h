// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks of a cast against queries at many instants.

#include "kit.h"
#include "scenes/moving_pairs.h"

static inline wkCastResult castPair(const wkMovingPair* pair)
{
    wkCastRequest request = wkDefaultCastRequest();
    request.margin = pair->margin;
    return wkCast(&pair->a, &pair->motionA.motion, &pair->b, &pair->motionB.motion, &request);
}

static inline void printMovingPair(const wkMovingPair* pair, uint64_t state)
{
    wkScenePair shapes = {pair->a, pair->b, wkBodyMotion_PoseAt(&pair->motionA.motion, 0.0),
                          wkBodyMotion_PoseAt(&pair->motionB.motion, 0.0)};
    bool areConvex = pair->a.type <= WK_SCENE_TYPE_COUNT && pair->b.type <= WK_SCENE_TYPE_COUNT;
    if (areConvex) {
        wkPrintPair(stdout, &shapes);
    }
    print_message("%s and %s, motions %s and %s, margin %.17g, random state %llu\n",
                  wkShapeTypeName(pair->a.type), wkShapeTypeName(pair->b.type),
                  wkBodyMotionKindName(pair->motionA.motion.kind),
                  wkBodyMotionKindName(pair->motionB.motion.kind), pair->margin,
                  (unsigned long long)state);
}

// What a distance of curved shapes may be below the truth: a verdict within it of the margin may say touching
// where the proof has more digits.
#define CAST_PRECISION 1e-9

// What the points of a distance may be off across its normal, for shapes of up to 100 m.
#define POINT_PRECISION 1e-4

// Fails when the pair touches before `end`, at `count` instants of which half are random and half evenly spaced.
static inline void checkFreeUntil(const wkMovingPair* pair, double end, int count, uint64_t state)
{
    wkRng rng = wkMakeRng(state);
    for (int i = 0; i < count; i++) {
        double t = end * (i % 2 == 0 ? (double)i / count : wkRngUnit(&rng));
        if (wkMovingPair_TouchesAt(pair, t)) {
            double distance = wkMovingPair_DistanceAt(pair, t).distance;
            if (distance <= pair->margin - CAST_PRECISION) {
                printMovingPair(pair, state);
                fail_msg("touches by %.17g at %.17g, cast says free until %.17g",
                         pair->margin - distance, t, end);
            }
        }
    }
}

// Fails when a result contradicts verdicts at single instants.
static inline void checkCast(const wkMovingPair* pair, const wkCastResult* r, int count,
                             uint64_t state)
{
    bool isExact = r->status == wk_statusExact || r->status == wk_statusNotWatertight;
    bool isBracket = r->touchingBy - r->time <= 1e-6 && wkMovingPair_TouchesAt(pair, r->touchingBy);
    bool isFree = r->time == 1.0 && r->touchingBy == INFINITY;
    bool isBound = r->status == wk_statusBound && r->isTouching;
    if (!(isExact ? (r->isTouching ? isBracket : isFree) : isBound)) {
        printMovingPair(pair, state);
        fail_msg("%s, touching %d, free until %.17g, touching by %.17g after %d queries",
                 wkStatusName(r->status), (int)r->isTouching, r->time, r->touchingBy,
                 (int)r->iterations);
    }
    if (r->time > 0.0) {
        checkFreeUntil(pair, r->time, count, state);
    }

    if (!r->isTouching || r->time == 0.0) {
        return; // without a contact, or with the points of a depth
    }

    // witnesses are those of the time that is proven free
    wkDistanceResult d = wkMovingPair_DistanceAt(pair, r->time);
    wkVec3d between = wkSceneSub(r->pointB, r->pointA);
    wkVec3d error = wkSceneSub(between, wkSceneScale(r->normal, r->distance));
    bool isSame = fabs(r->distance - d.distance) <= 1e-6;
    bool isHuge = d.distance == WK_UNBOUNDED_DISTANCE;
    if (!isHuge && (!isSame || wkSceneLength(error) > POINT_PRECISION)) {
        printMovingPair(pair, state);
        fail_msg("witnesses of distance %.17g, distance %.17g, off by %g", r->distance, d.distance,
                 wkSceneLength(error));
    }
}
