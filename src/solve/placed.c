// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Relative poses, and the two tests that spare most solver calls: balls around the cores that are
// apart, and balls inside them that overlap.

#include "solve/placed.h"

void wkPlacePair(const wkQuestion* q, wkPlaced* placed)
{
    wkPair* pair = &placed->pair;
    pair->a = q->a;
    pair->b = q->b;

    // positions first, so that nothing is lost far from the world's origin
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    wkQuat qa = q->poseA->rotation, qb = q->poseB->rotation;
    double lengthA = wkQuatLengthSquared(qa), lengthB = wkQuatLengthSquared(qb);
    placed->worldFromA = wkMatFromScaledQuat(qa, 2.0 / lengthA);
    pair->bInA.rotation = wkMatFromScaledQuat(wkRelativeQuat(qa, qb), 2.0 / (lengthA * lengthB));
    pair->bInA.position = wkMulTMV(&placed->worldFromA, between);

    placed->ballA = wkConvexTable[q->a->type].ball(q->a);
    placed->ballB = wkConvexTable[q->b->type].ball(q->b);
    pair->centers = wkSub(wkFramePoint(&pair->bInA, placed->ballB.center), placed->ballA.center);
    pair->inner = placed->ballA.innerRadius + placed->ballB.innerRadius;
    pair->scale = wkMaxAbs(between) + wkMaxAbs(placed->ballA.center) +
                  wkMaxAbs(placed->ballB.center) + placed->ballA.radius + placed->ballB.radius;
    placed->slack = WK_ROUNDING * (pair->scale + fabs(q->radiusA) + fabs(q->radiusB));
}

// The answer of two balls: around the cores when they are apart, inside them when they overlap.
static void answerBalls(const wkPlaced* placed, double apart, bool isApart, wkSolution* s)
{
    double radiusA = isApart ? placed->ballA.radius : placed->ballA.innerRadius;
    double radiusB = isApart ? placed->ballB.radius : placed->ballB.innerRadius;
    s->distance = apart - (radiusA + radiusB);
    s->normal = wkNormalizeOr(placed->pair.centers, wkVec(0.0, 0.0, 1.0));
    s->iterations = 0;
    s->status = isApart ? wk_statusBound : wk_statusExact;
    double along = isApart ? radiusA : wkClamp(0.5 * (radiusA + apart - radiusB), 0.0, apart);
    double alongB = isApart ? apart - radiusB : along;
    s->pointA = wkMulAdd(placed->ballA.center, along, s->normal);
    s->pointB = wkMulAdd(placed->ballA.center, alongB, s->normal);
}

// Solves with as little work as the goal allows.
static void solvePlaced(const wkPlaced* placed, const wkGoal* goal, wkSolveFcn* solve,
                        wkSolution* s)
{
    const wkPair* pair = &placed->pair;
    double band = WK_VERDICT_BAND * pair->scale;
    double apart = wkLength(pair->centers);
    if (apart - (placed->ballA.radius + placed->ballB.radius) > goal->cutoff + band) {
        answerBalls(placed, apart, true, s);
        return;
    }
    double overlap = apart - pair->inner;
    if (overlap <= goal->touching - band) {
        answerBalls(placed, apart, false, s);
        return;
    }
    if (!goal->wantsDepth && overlap <= -band) {
        answerBalls(placed, apart, false, s);
        s->distance = 0.0;
        return;
    }
    solve(pair, goal, s);
}

void wkAnswerBySolving(const wkQuestion* q, wkSolveFcn* solve, wkDistanceResult* out)
{
    if (!wkConvexTable[q->a->type].isSound(q->a) || !wkConvexTable[q->b->type].isSound(q->b)) {
        wkRefuse(out);
        return;
    }
    wkPlaced placed;
    wkPlacePair(q, &placed);
    double radii = q->radiusA + q->radiusB + placed.slack;
    double touching = q->touching + radii;

    // a depth is also needed where radii are negative, or where it decides a verdict
    bool isVerdict = touching > -INFINITY;
    bool isDecided = isVerdict && touching < WK_VERDICT_BAND * placed.pair.scale;
    bool wantsDepth = q->isSigned || radii < 0.0 || isDecided;
    wkGoal goal = {
        .cutoff = q->cutoff + radii,
        .touching = touching,
        .tolerance = q->tolerance,
        .wantsDepth = wantsDepth,
        .cache = q->cache,
    };
    wkSolution s;
    solvePlaced(&placed, &goal, solve, &s);
    out->distance = s.distance - radii;
    out->status = s.status;
    out->iterations = s.iterations;
    if (q->wantsPoints) {
        wkVec3d pointA = wkMulAdd(s.pointA, q->radiusA, s.normal);
        wkVec3d pointB = wkMulSub(s.pointB, q->radiusB, s.normal);
        out->pointA = wkAdd(wkMulMV(&placed.worldFromA, pointA), q->poseA->position);
        out->pointB = wkAdd(wkMulMV(&placed.worldFromA, pointB), q->poseA->position);
        out->normal = wkMulMV(&placed.worldFromA, s.normal);
    }
}
