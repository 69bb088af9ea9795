// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Classifies two bodies in a whole box of joint values. They are apart in all of it when their distance in
// its middle is larger than the motion bound. They touch in all of it when a point in the middle is so deep
// inside both that the motion bound leaves a part of the overlap: a sphere about that point is inside A,
// another is inside B, and these two meet even after one of them has moved. Such a point is found by descent
// on the sum of the signed distances of both bodies, from where they touch.

#include "robot/chain_bound.h"
#include "whisker/detail/counts.h"
#include "whisker/query.h"

// Metres added to the motion bound: more than the error of queries.
#define VERDICT_SLACK 1e-6
// Steps of the descent, and the factors of its step length after a step that descended or did not.
#define STEP_COUNT 24
#define LONGER_STEP 1.5
#define SHORTER_STEP 0.5

// The sum of the signed distances at a point, and the direction of descent.
typedef struct depthAt {
    double sum;
    wkVec3d downhill;
} depthAt;

// Returns whether distances are exact. The lids of a mesh that is not watertight are part of its surface.
static bool isExact(wkStatus status)
{
    return status == wk_statusExact || status == wk_statusNotWatertight;
}

static depthAt measure(const wkChainBound* b, wkVec3d point)
{
    wkPointResult a = wkShape_ClosestPoint(&b->pair->a->shape, b->placed.poseA, point, INFINITY);
    wkPointResult other =
        wkShape_ClosestPoint(&b->pair->b->shape, b->placed.poseB, point, INFINITY);
    depthAt depth = {a.distance + other.distance, wkNeg(wkAdd(a.normal, other.normal))};
    depth.sum = isExact(a.status) && isExact(other.status) ? depth.sum : INFINITY;
    return depth;
}

// Returns whether some point is so deep inside both bodies that the sum of its distances is at most
// `target`.
static bool findDeepPoint(const wkChainBound* b, wkVec3d point, double target)
{
    depthAt best = measure(b, point);
    double length = 0.5 * wkMaxD(best.sum - target, 0.0);
    for (int i = 0; i < STEP_COUNT && best.sum > target; ++i) {
        wkVec3d next = wkMulAdd(point, length, best.downhill);
        depthAt there = measure(b, next);
        bool isDeeper = there.sum < best.sum;
        length *= isDeeper ? LONGER_STEP : SHORTER_STEP;
        point = isDeeper ? next : point;
        best = isDeeper ? there : best;
    }
    return best.sum <= target;
}

bool wkCanClassifyBoxes(const wkCollisionBody* body)
{
    const wkShape* shape = &body->shape;
    bool isKnown = (unsigned)shape->type < WK_CONVEX_TYPE_COUNT || shape->type == wk_shapeMesh;
    return isKnown && shape->padding >= 0.0 && wkSumAbs(body->half) < INFINITY;
}

static wkChainBound boundPair(const wkChainPair* pair, const wkChainBox* box)
{
    wkChainBound b = {.pair = pair,
                      .convexA = wkSafeConvexAround(pair->a),
                      .convexB = wkSafeConvexAround(pair->b)};
    wkBoundChain(&b, box);
    return b;
}

// Returns whether the bodies are further apart in the middle of a box than they can move within it.
static bool areApart(const wkChainBound* b, double motion)
{
    const wkChainPair* pair = b->pair;
    wkStatus status;
    return motion < INFINITY && !wkCollideBodies(pair->a, b->placed.poseA, pair->b, b->placed.poseB,
                                                 pair->margin + motion, &status);
}

bool wkIsChainBoxApart(const wkChainPair* pair, const wkChainBox* box)
{
    wkChainBound b = boundPair(pair, box);
    return areApart(&b, b.bound + VERDICT_SLACK);
}

wkBoxVerdict wkClassifyChainBox(const wkChainPair* pair, const wkChainBox* box)
{
    wkChainBound b = boundPair(pair, box);
    double motion = b.bound + VERDICT_SLACK;
    if (areApart(&b, motion)) {
        return wk_boxApart;
    }
    // the search for a common point is slow where there is none
    wkStatus status;
    if (!(motion < INFINITY) ||
        !wkCollideBodies(pair->a, b.placed.poseA, pair->b, b.placed.poseB, 0.0, &status)) {
        return wk_boxOpen;
    }
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = false;
    wkVec3d common =
        wkDistance(&pair->a->shape, b.placed.poseA, &pair->b->shape, b.placed.poseB, &request)
            .pointA;
    return findDeepPoint(&b, common, pair->margin - motion) ? wk_boxTouching : wk_boxOpen;
}
