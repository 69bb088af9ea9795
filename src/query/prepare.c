// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Canonical order and relative pose of a pair.

#include "query/prepare.h"

#include "query/pair_table.h"

#include <string.h>

static const wkMat3d identity = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

// A total order of placed shapes of one type, so that swapped arguments meet the same computation.
static bool isAfter(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB)
{
    if (poseA->position.x != poseB->position.x) {
        return poseA->position.x > poseB->position.x;
    }
    int order = compare(poseA->position.y, poseB->position.y);
    order = order != 0 ? order : compare(poseA->position.z, poseB->position.z);
    order = order != 0 ? order : memcmp(&poseA->rotation, &poseB->rotation, sizeof poseA->rotation);
    order = order != 0 ? order : memcmp(a, b, sizeof *a);
    return order > 0;
}

// Relative pose. A ball may be turned at will: it is given the orientation of B, or the world's when B is
// a ball too.
static bool placePair(const wkPose* poseA, const wkPose* poseB, wkVec3d between, wkPrepared* out)
{
    wkPair* pair = &out->pair;
    double lengthA = wkQuatLengthSquared(poseA->rotation);
    double lengthB = wkQuatLengthSquared(poseB->rotation);
    bool isSphereA = pair->a->type == wk_shapeSphere;
    out->isTurned = !(isSphereA && pair->b->type == wk_shapeSphere);
    out->worldFromA.position = poseA->position;
    if (!out->isTurned) {
        pair->bInA.position = between;
    } else if (isSphereA) {
        out->worldFromA.rotation = wkMatFromScaledQuat(poseB->rotation, 2.0 / lengthB);
        pair->bInA.rotation = identity;
        pair->bInA.position = wkMulTMV(&out->worldFromA.rotation, between);
    } else {
        wkQuat aFromB = wkRelativeQuat(poseA->rotation, poseB->rotation);
        out->worldFromA.rotation = wkMatFromScaledQuat(poseA->rotation, 2.0 / lengthA);
        pair->bInA.rotation = wkMatFromScaledQuat(aFromB, 2.0 / (lengthA * lengthB));
        pair->bInA.position = wkMulTMV(&out->worldFromA.rotation, between);
    }

    // lengths whose product leaves the range of double turn the matrix into NaN, which is caught later
    double sum = lengthA + lengthB;
    return lengthA > 0.0 && lengthB > 0.0 && sum < INFINITY && wkIsFiniteVec(between);
}

static bool prepareOrdered(const wkShape* a, const wkPose* poseA, const wkShape* b,
                           const wkPose* poseB, wkPrepared* out)
{
    const wkConvexRow* rowA = wkConvexRowOf(a);
    const wkConvexRow* rowB = wkConvexRowOf(b);
    wkPair* pair = &out->pair;
    pair->a = a;
    pair->b = b;
    wkVec3d between = wkSub(poseB->position, poseA->position);
    if (!rowA->isSound(a) || !rowB->isSound(b) || !placePair(poseA, poseB, between, out)) {
        return false;
    }

    wkBall ballA = rowA->ball(a), ballB = rowB->ball(b);
    wkVec3d centerB = ballB.center;
    if (centerB.x != 0.0 || centerB.y != 0.0 || centerB.z != 0.0) {
        centerB = wkMulMV(&pair->bInA.rotation, centerB);
    }
    pair->centers = wkSub(wkAdd(centerB, pair->bInA.position), ballA.center);
    double balls = ballA.radius + ballB.radius;
    out->radiusA = wkShapeRadius(a);
    out->radiusB = wkShapeRadius(b);
    out->ballGap = wkLength(pair->centers) - balls;
    pair->scale = wkMaxAbs(between) + wkMaxAbs(ballA.center) + wkMaxAbs(ballB.center) + balls;
    out->slack = WK_ROUNDING * (pair->scale + fabs(out->radiusA) + fabs(out->radiusB));
    return true;
}

bool wkPreparePair(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB,
                   wkPrepared* out)
{
    if (a == NULL || b == NULL) {
        return false;
    }
    out->isSwapped = a->type > b->type || (a->type == b->type && isAfter(a, poseA, b, poseB));
    return out->isSwapped ? prepareOrdered(b, poseB, a, poseA, out)
                          : prepareOrdered(a, poseA, b, poseB, out);
}

void wkSolvePrepared(const wkPrepared* prepared, const wkGoal* goal, wkSolution* solution)
{
    const wkPair* pair = &prepared->pair;
    wkPairTable[pair->a->type][pair->b->type].solve(pair, goal, solution);
}
