// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two capsules: the closest points of two segments, both centred in their frames and along z there.

#include "solve/pairs.h"

// Below this squared sine the segments count as parallel.
#define WK_PARALLEL_SQUARED 1e-20

// Direction across the two axes for segments that cross, where the gap tells nothing.
static wkVec3d normalOfCrossing(wkVec3d axisB)
{
    wkVec3d axisA = wkVec(0.0, 0.0, 1.0);
    return wkNormalizeOr(wkCross(axisA, axisB), wkVec(1.0, 0.0, 0.0));
}

void wkPairCapsuleCapsule(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    (void)goal;
    double halfA = pair->a->capsule.halfLength, halfB = pair->b->capsule.halfLength;
    wkVec3d axis = pair->bInA.rotation.z, center = pair->bInA.position;

    // minimise |center + t axis - s z| over |s| <= halfA, |t| <= halfB
    double cosine = axis.z;
    double sineSquared = axis.x * axis.x + axis.y * axis.y;
    double alongB = wkDot(axis, center);
    double s;
    if (sineSquared > WK_PARALLEL_SQUARED) {
        // the unclamped optimum from the parts across z, which keep their digits near parallel axes
        double t = -(center.x * axis.x + center.y * axis.y) / sineSquared;
        s = wkClamp(center.z + wkClamp(t, -halfB, halfB) * cosine, -halfA, halfA);
    } else {
        // parallel: the middle of the part where they lie side by side
        double reach = fabs(cosine) * halfB;
        double low = wkMaxD(-halfA, center.z - reach), high = wkMinD(halfA, center.z + reach);
        s = wkClamp(0.5 * (low + high), -halfA, halfA);
    }
    double t = wkClamp(s * cosine - alongB, -halfB, halfB);
    s = wkClamp(center.z + t * cosine, -halfA, halfA);

    wkVec3d pointA = wkVec(0.0, 0.0, s);
    wkVec3d pointB = wkMulAdd(center, t, axis);
    wkVec3d gap = wkSub(pointB, pointA);
    double distance = wkLength(gap);
    bool isCrossing = !(distance > WK_ROUNDING * pair->scale);
    out->distance = distance;
    out->pointA = pointA;
    out->pointB = pointB;
    out->normal = isCrossing ? normalOfCrossing(axis) : wkScale(1.0 / distance, gap);
    out->status = wk_statusExact;
    out->iterations = 0;
}
