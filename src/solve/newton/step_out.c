// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Moved by the depth along its normal the cores touch. Moved by a little more, the clearance, they are apart
// by it, at the same two points: the planes across the normal through them prove it. So the points of a depth
// are those of a distance, which GJK finds to the last digits. Where the normal is not that of the shortest
// way out, the distance exceeds the clearance, along a normal that is nearer to it.

#include "solve/newton/step_out.h"

#include "solve/gjk/gjk.h"
#include "solve/gjk/gjk_double_double.h"

// The clearance, as a share of wkPair.scale.
#define WK_STEP_CLEAR 1e-5

// Limit of steps, the excess distance (share of wkPair.scale) at which the search has converged, and the one
// that is acceptable for an answer without a proof.
#define WK_STEP_COUNT 32
#define WK_STEP_MET 1e-12
#define WK_STEP_GOOD 1e-8

// Finds the closest points of cores that are apart.
static bool findGap(const wkPair* pair, wkSolution* out)
{
    wkGjkRule rule = {wkCoreSupportTable[pair->a->type], wkCoreSupportTable[pair->b->type],
                      wkConvexTable[pair->a->type].isPolytope &&
                          wkConvexTable[pair->b->type].isPolytope};
    wkGoal goal = {.cutoff = INFINITY, .touching = -INFINITY, .wantsDepth = false};
    wkGjkState state;
    wkGjkEnd end = wkGjkSearch(rule, pair, &goal, false, &state, out);
    if (end == wk_gjkUnclear) {
        wkSolveFinely(pair, &goal, out);
    }
    return end != wk_gjkOverlapping && out->distance > 0.0;
}

// Continues in the direction of one step while that reduces the depth: where the depth is nearly the same in
// many directions, steps are short. Returns false when the step itself did not reduce it.
static bool goOn(const wkPair* pair, wkVec3d next, wkSolution* out)
{
    wkVec3d from = out->normal, sign = wkSub(next, from);
    double depth = wkDepthAlong(pair, wkNeg(next));
    bool isLess = depth < -out->distance;
    double far = 2.0;
    while (depth < -out->distance) {
        out->distance = -depth;
        out->normal = next;
        next = wkNormalizeOr(wkMulAdd(from, far, sign), next);
        depth = wkDepthAlong(pair, wkNeg(next));
        far *= 2.0;
    }
    return isLess;
}

bool wkStepOut(const wkPair* pair, wkSolution* out)
{
    double clear = WK_STEP_CLEAR * pair->scale;
    for (int step = 0; step < WK_STEP_COUNT; ++step) {
        wkVec3d way = wkScale(clear - out->distance, out->normal);
        wkPair moved = *pair;
        moved.bInA.position = wkAdd(pair->bInA.position, way);
        moved.centers = wkAdd(pair->centers, way);
        wkSolution gap;
        if (!findGap(&moved, &gap)) {
            return false;
        }
        double excess = gap.distance - clear;
        out->pointA = gap.pointA;
        out->pointB = wkSub(gap.pointB, way);
        bool isLast = excess <= WK_STEP_MET * pair->scale || step == WK_STEP_COUNT - 1;
        if (isLast || !goOn(pair, gap.normal, out)) {
            return excess <= WK_STEP_GOOD * pair->scale;
        }
    }
    return false;
}
