// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Everything against half-spaces and planes: one or two supports along the normal. Two unbounded shapes
// are apart only when their surfaces are parallel.

#include "solve/core_support.h"
#include "solve/pairs.h"

// Surfaces count as parallel below this sine: they would meet further away than any world reaches.
#define WK_PARALLEL_SINE 1e-12

// Plane of B in the frame of A. Halfspaces and planes keep theirs in the same place.
typedef struct surface {
    wkVec3d normal;
    double offset;
} surface;

static surface surfaceOfB(const wkPair* pair)
{
    wkVec3d normal = wkMulMV(&pair->bInA.rotation, pair->b->halfspace.normal);
    surface s = {normal, pair->b->halfspace.offset + wkDot(normal, pair->bInA.position)};
    return s;
}

static wkVec3d supportOfA(const wkPair* pair, wkVec3d direction)
{
    int32_t hint = 0;
    return wkCoreSupportTable[pair->a->type](pair->a, direction, &hint);
}

// `height` of pointA over the surface, `normal` from A to B.
static void answer(wkVec3d pointA, double distance, wkVec3d normal, wkSolution* out)
{
    out->distance = distance;
    out->pointA = pointA;
    out->pointB = wkMulAdd(pointA, distance, normal);
    out->normal = normal;
    out->status = wk_statusExact;
    out->iterations = 0;
}

void wkPairAnyHalfspace(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    (void)goal;
    surface s = surfaceOfB(pair);
    wkVec3d lowest = supportOfA(pair, wkNeg(s.normal));
    answer(lowest, wkDot(s.normal, lowest) - s.offset, wkNeg(s.normal), out);
}

void wkPairAnyPlane(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    (void)goal;
    surface s = surfaceOfB(pair);
    wkVec3d lowest = supportOfA(pair, wkNeg(s.normal)), highest = supportOfA(pair, s.normal);
    double low = wkDot(s.normal, lowest) - s.offset, high = wkDot(s.normal, highest) - s.offset;

    // the way out is to the side where less of A lies
    if (low >= -high) {
        answer(lowest, low, wkNeg(s.normal), out);
    } else {
        answer(highest, -high, s.normal, out);
    }
}

static void answerUnbounded(wkVec3d point, wkVec3d normal, wkSolution* out)
{
    answer(point, 0.0, normal, out);
    out->distance = WK_UNBOUNDED_DISTANCE;
    out->status = wk_statusUnbounded;
}

// Cosine of the angle between the surfaces: +-1 when parallel, else 0.
static double parallelSign(wkVec3d a, wkVec3d b)
{
    wkVec3d across = wkCross(a, b);
    bool isParallel = wkDot(across, across) <= WK_PARALLEL_SINE * WK_PARALLEL_SINE;
    return isParallel ? copysign(1.0, wkDot(a, b)) : 0.0;
}

// How far B's surface lies beyond A's along A's normal, and the point of A's surface below B's origin.
static double gapAlongA(const wkPair* pair, surface b, wkVec3d* pointA)
{
    wkVec3d normal = pair->a->halfspace.normal;
    wkVec3d onB = wkMulAdd(pair->bInA.position,
                           b.offset - wkDot(b.normal, pair->bInA.position), b.normal);
    double gap = wkDot(normal, onB) - pair->a->halfspace.offset;
    *pointA = wkMulSub(onB, gap, normal);
    return gap;
}

void wkPairHalfspaceHalfspace(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    (void)goal;
    surface b = surfaceOfB(pair);
    wkVec3d normal = pair->a->halfspace.normal, pointA;
    double gap = gapAlongA(pair, b, &pointA);
    if (parallelSign(normal, b.normal) < 0.0) {
        answer(pointA, gap, normal, out);
    } else {
        answerUnbounded(pointA, normal, out);
    }
}

void wkPairHalfspacePlane(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    (void)goal;
    surface b = surfaceOfB(pair);
    wkVec3d normal = pair->a->halfspace.normal, pointA;
    double gap = gapAlongA(pair, b, &pointA);
    if (parallelSign(normal, b.normal) != 0.0) {
        answer(pointA, gap, normal, out);
    } else {
        answerUnbounded(pointA, normal, out);
    }
}

void wkPairPlanePlane(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    (void)goal;
    surface b = surfaceOfB(pair);
    wkVec3d normal = pair->a->plane.normal, pointA;
    double gap = gapAlongA(pair, b, &pointA);
    if (parallelSign(normal, b.normal) != 0.0) {
        answer(pointA, fabs(gap), gap < 0.0 ? wkNeg(normal) : normal, out);
    } else {
        answerUnbounded(pointA, normal, out);
    }
}
