// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two capsules: the closest points of two segments, each centred in its frame and along z there.

#include "solve/order.h"
#include "solve/pairs.h"

// Below this sine the segments count as parallel: the error in t, times the sine, is rounding.
#define WK_PARALLEL_SINE 1e-14

// Gaps shorter than this share of the largest length lean by more than rounding.
#define WK_SHORT_GAP 1e-3

// One of two segments, along its own axis.
typedef struct segment {
    double half;
    double toward; // where the middle of the other one lies
    double ahead;  // where the endless lines are closest, times the squared sine between the axes
    double along;  // where the segments are closest
} segment;

// Closest points of two segments: a line's clamped optimum, then twice the closest point of the
// other segment. The first clamp is on the side of the optimum or, when it was in vain, on the
// optimum itself, so one step would do; the second mends its rounding.
WK_FORCE_FN void closestAlong(segment* a, segment* b, double cosine, double sineSquared)
{
    double s;
    if (WK_LIKELY(sineSquared > WK_PARALLEL_SINE * WK_PARALLEL_SINE)) {
        double t = wkClamp(b->ahead / sineSquared, -b->half, b->half);
        s = wkClamp(a->toward + t * cosine, -a->half, a->half);
    } else {
        // parallel: the middle of the part where they lie side by side
        double low = wkMaxD(-a->half, a->toward - b->half);
        double high = wkMinD(a->half, a->toward + b->half);
        s = wkClamp(0.5 * (low + high), -a->half, a->half);
    }
    b->along = wkClamp(s * cosine + b->toward, -b->half, b->half);
    a->along = wkClamp(a->toward + b->along * cosine, -a->half, a->half);
}

// Normal of a short gap, from the segment that comes first to the other. Rounding leans it; where it
// starts or ends within a segment it is at right angles to that one.
static wkVec3d straightenGap(wkVec3d gap, wkVec3d first, wkVec3d second, bool isWithinFirst,
                             bool isWithinSecond, double scale)
{
    wkVec3d across = wkCross(first, second);
    double sine = wkLength(across), distance = wkLength(gap);
    bool isCrossing = isWithinFirst && isWithinSecond && sine * scale > distance;
    if (isCrossing || !(distance > WK_ROUNDING * scale)) {
        // the axes have all their digits
        wkVec3d normal = sine > WK_PARALLEL_SINE
                             ? wkNormalizeOr(wkAcross(across, wkDot(across, first), first), first)
                             : wkPerpendicular(first);
        return wkDot(normal, gap) < 0.0 ? wkNeg(normal) : normal;
    }
    gap = isWithinFirst ? wkMulSub(gap, wkDot(gap, first), first) : gap;
    gap = isWithinSecond ? wkMulSub(gap, wkDot(gap, second), second) : gap;
    return wkNormalizeOr(gap, wkPerpendicular(first));
}

// In the world: the directions of the segments are all that is needed of the frames. Everything is
// symmetric to the last bit but for the segment to start with.
WK_FORCE_FN wkCores coresCapsuleCapsule(const wkQuestion* q)
{
    double halfA = q->a->capsule.halfLength, halfB = q->b->capsule.halfLength;
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    wkCores c;
    c.scale = wkSumAbs(between) + (halfA + halfB);
    if (!q->wantsPoints && wkAreCoresDecidedByBalls(q, wkLength(between), halfA + halfB, 0.0, &c)) {
        return c;
    }

    // with s along A and t along B the gap is between + t axisB - s axisA; the products with `across`
    // keep their digits near parallel axes
    wkVec3d axisA = wkAxisZFromQuat(q->poseA->rotation);
    wkVec3d axisB = wkAxisZFromQuat(q->poseB->rotation);
    wkVec3d across = wkCross(axisA, axisB);
    wkVec3d beside = wkCross(across, between);
    segment segments[2] = {
        {halfA, wkDot(axisA, between), wkDot(axisB, beside), 0.0},
        {halfB, -wkDot(axisB, between), wkDot(axisA, beside), 0.0},
    };
    int first = wkIsAfter(q->a, q->poseA, q->b, q->poseB);
    closestAlong(&segments[first], &segments[1 - first], wkDot(axisA, axisB),
                 wkDot(across, across));
    double s = segments[0].along, t = segments[1].along;
    wkVec3d gap = wkAdd(between, wkMulSub(wkScale(t, axisB), s, axisA));
    c.distance = wkLength(gap);
    c.pointA = wkMulAdd(q->poseA->position, s, axisA);
    c.pointB = wkMulAdd(q->poseB->position, t, axisB);
    c.normal = wkScale(1.0 / c.distance, gap);
    if (q->wantsPoints && WK_UNLIKELY(!(c.distance > WK_SHORT_GAP * c.scale))) {
        bool isWithinA = fabs(s) < halfA, isWithinB = fabs(t) < halfB;
        if (!q->isThorough) {
            c.scale = NAN;
        } else if (first == 0) {
            c.normal = straightenGap(gap, axisA, axisB, isWithinA, isWithinB, c.scale);
        } else {
            c.normal =
                wkNeg(straightenGap(wkNeg(gap), axisB, axisA, isWithinB, isWithinA, c.scale));
        }
    }
    return c;
}

WK_DEFINE_CLOSED_FORM(Capsule, Capsule)
