// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Canonical order and relative pose of a pair.

#include "query/prepare.h"

#include "query/pair_table.h"

#include <string.h>

static bool isFinitePose(const wkPose* pose)
{
    wkQuat q = pose->rotation;
    double lengthSquared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return wkIsFiniteVec(pose->position) && lengthSquared > 0.0 && lengthSquared < INFINITY;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

// A total order of placed shapes of one type, so that swapped arguments meet the same computation.
static bool isAfter(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB)
{
    int order = compare(poseA->position.x, poseB->position.x);
    order = order != 0 ? order : compare(poseA->position.y, poseB->position.y);
    order = order != 0 ? order : compare(poseA->position.z, poseB->position.z);
    if (order != 0) {
        return order > 0;
    }
    order = memcmp(&poseA->rotation, &poseB->rotation, sizeof poseA->rotation);
    return (order != 0 ? order : memcmp(a, b, sizeof *a)) > 0;
}

bool wkPreparePair(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB,
                   wkPrepared* out)
{
    const wkConvexRow* rowA = wkConvexRowOf(a);
    const wkConvexRow* rowB = wkConvexRowOf(b);
    if (!rowA->isSound(a) || !rowB->isSound(b) || !isFinitePose(poseA) || !isFinitePose(poseB)) {
        return false;
    }
    out->isSwapped = a->type > b->type || (a->type == b->type && isAfter(a, poseA, b, poseB));
    if (out->isSwapped) {
        const wkShape* shape = a;
        const wkPose* pose = poseA;
        const wkConvexRow* row = rowA;
        a = b, poseA = poseB, rowA = rowB;
        b = shape, poseB = pose, rowB = row;
    }

    wkPair* pair = &out->pair;
    pair->a = a;
    pair->b = b;
    wkFrame frameB = wkFrameFromPose(*poseB);
    out->worldFromA.position = poseA->position;
    wkVec3d between = wkSub(frameB.position, poseA->position);
    if (a->type == wk_shapeSphere) {
        // a ball may be turned at will: give it the orientation of B
        static const wkMat3d identity = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
        out->worldFromA.rotation = frameB.rotation;
        pair->bInA.rotation = identity;
    } else {
        out->worldFromA.rotation = wkMatFromQuat(poseA->rotation);
        pair->bInA.rotation = wkMulTMM(&out->worldFromA.rotation, &frameB.rotation);
    }
    pair->bInA.position = wkMulTMV(&out->worldFromA.rotation, between);

    wkBall ballA = rowA->ball(a), ballB = rowB->ball(b);
    pair->centers = wkSub(wkFramePoint(&pair->bInA, ballB.center), ballA.center);
    double apart = wkLength(pair->centers);
    out->radiusA = wkShapeRadius(a);
    out->radiusB = wkShapeRadius(b);
    out->ballGap = apart - (ballA.radius + ballB.radius);
    pair->scale = wkMaxAbs(between) + wkMaxAbs(ballA.center) + wkMaxAbs(ballB.center) +
                  ballA.radius + ballB.radius;
    out->slack = WK_ROUNDING * (pair->scale + fabs(out->radiusA) + fabs(out->radiusB));
    return true;
}

void wkSolvePrepared(const wkPrepared* prepared, const wkGoal* goal, wkSolution* solution)
{
    const wkPair* pair = &prepared->pair;
    wkPairTable[pair->a->type][pair->b->type].solve(pair, goal, solution);
}
