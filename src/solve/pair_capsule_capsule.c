// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two capsules: the closest points of two segments, each centred in its frame and along z there.

#include "geom/check.h"
#include "solve/pairs.h"

// Below this squared sine the segments count as parallel: the error in t, times the sine, is rounding.
#define WK_PARALLEL_SQUARED 1e-28

// Gaps below this share of the largest length have lost too many digits to be a direction.
#define WK_CROSSING 1e-4

WK_FORCE_FN void answerCapsuleCapsule(const wkQuestion* q, wkDistanceResult* out)
{
    if (!wkIsSoundCapsule(q->a) || !wkIsSoundCapsule(q->b)) {
        wkRefuse(out);
        return;
    }
    double halfA = q->a->capsule.halfLength, halfB = q->b->capsule.halfLength;
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    double scale = wkMaxAbs(between) + halfA + halfB;
    if (!q->wantsPoints &&
        wkIsDecidedByBalls(q, wkLength(between), halfA + halfB, 0.0, scale, out)) {
        return;
    }
    wkVec3d axisA = wkAxisZFromQuat(q->poseA->rotation),
            axisB = wkAxisZFromQuat(q->poseB->rotation);

    // minimise |between + t axisB - s axisA| over |s| <= halfA, |t| <= halfB
    wkVec3d normal = wkCross(axisA, axisB);
    double sineSquared = wkDot(normal, normal), cosine = wkDot(axisA, axisB);
    double alongA = wkDot(axisA, between), alongB = wkDot(axisB, between);
    double s;
    if (sineSquared > WK_PARALLEL_SQUARED) {
        // the optimum of the endless lines; the cross product keeps its digits near parallel axes
        double t = wkDot(wkCross(axisA, between), normal) / -sineSquared;
        s = wkClamp(alongA + wkClamp(t, -halfB, halfB) * cosine, -halfA, halfA);
    } else {
        // parallel: the middle of the part where they lie side by side
        double low = wkMaxD(-halfA, alongA - halfB), high = wkMinD(halfA, alongA + halfB);
        s = wkClamp(0.5 * (low + high), -halfA, halfA);
    }
    double t = wkClamp(s * cosine - alongB, -halfB, halfB);
    s = wkClamp(alongA + t * cosine, -halfA, halfA);

    wkVec3d gap = wkMulSub(wkMulAdd(between, t, axisB), s, axisA);
    double distance = wkLength(gap);
    wkFillDistance(q, distance, scale, out);
    if (q->wantsPoints) {
        // segments that all but cross leave a gap with few digits: their axes tell the normal
        bool isInside = fabs(s) < halfA && fabs(t) < halfB;
        bool isCrossing =
            !(distance > WK_ROUNDING * scale) || (isInside && distance < WK_CROSSING * scale);
        wkVec3d across = wkNormalizeOr(normal, wkPerpendicular(axisA));
        normal = isCrossing ? wkScale(wkDot(across, gap) < 0.0 ? -1.0 : 1.0, across)
                            : wkScale(1.0 / distance, gap);
        wkVec3d pointA = wkMulAdd(q->poseA->position, s, axisA);
        wkVec3d pointB = wkMulAdd(q->poseB->position, t, axisB);
        wkFillPoints(q, pointA, pointB, normal, out);
    }
}

WK_DEFINE_NEAR(CapsuleCapsule)
WK_DEFINE_GAP(CapsuleCapsule)
