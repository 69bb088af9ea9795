// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two capsules: the closest points of two segments, each centred in its frame and along z there.

#include "simd/twin.h"
#include "solve/order.h"
#include "solve/pairs.h"

// Below this sine the segments count as parallel: the error in t, times the sine, is rounding.
#define WK_PARALLEL_SINE 1e-14

// Gaps shorter than this share of the largest length lean by more than rounding, and longer ones do
// where the squared sine is small: the product is asked for.
#define WK_SHORT_GAP 1e-3

// Quaternions whose squared length is this close to one are taken for unit length: the slack of
// every distance covers several times as much.
#define WK_UNIT 1e-15

// Two segments, each along its own axis.
typedef struct segments {
    wkTwin x, y, z; // axes
    wkTwin half;
    wkTwin toward; // where the middle of the other one lies
    wkTwin cosine; // between the axes, twice
} segments;

WK_FORCE_FN segments placeSegments(const wkQuestion* q, wkVec3d between)
{
    wkQuat qa = q->poseA->rotation, qb = q->poseB->rotation;
    wkTwin x = {qa.x, qb.x}, y = {qa.y, qb.y}, z = {qa.z, qb.z}, w = {qa.w, qb.w};

    // the third columns of the rotations, times the squared length of the quaternions
    wkTwin low = x * x + y * y, high = z * z + w * w;
    segments s = {.x = 2.0 * (x * z + y * w), .y = 2.0 * (y * z - x * w), .z = high - low};
    wkTwin square = high + low, beyond = square - 1.0;
    if (WK_UNLIKELY(!(wkMaxD(fabs(beyond[0]), fabs(beyond[1])) < WK_UNIT))) {
        wkTwin inverse = 1.0 / square;
        s.x *= inverse;
        s.y *= inverse;
        s.z *= inverse;
    }
    s.half = wkMakeTwin(q->a->capsule.halfLength, q->b->capsule.halfLength);
    s.toward = s.x * between.x + s.y * between.y + s.z * between.z;
    s.toward = s.toward * wkMakeTwin(1.0, -1.0);
    s.cosine = s.x * wkSwapTwin(s.x) + s.y * wkSwapTwin(s.y) + s.z * wkSwapTwin(s.z);
    return s;
}

WK_FORCE_FN wkTwin clampTo(const segments* s, wkTwin along)
{
    return wkMaxTwin(-s->half, wkMinTwin(s->half, along));
}

// On each segment the point closest to that of the other one.
WK_FORCE_FN wkTwin closestTo(const segments* s, wkTwin along)
{
    return clampTo(s, wkSwapTwin(along) * s->cosine + s->toward);
}

// Where two segments are closest, from where their endless lines are: on each the point closest to
// the line's optimum on the other one, clamped. That is exact, because the clamp is on the side of
// the segment's own optimum (Ericson 2005, section 5.1.9).
WK_FORCE_FN wkTwin closestAlong(const segments* s, wkTwin lines)
{
    return closestTo(s, clampTo(s, lines));
}

// The same with all digits. Products with `across` keep theirs also near parallel axes, where
// cosines do not. Another step from both points mends what rounding did to either; of the two pairs
// of closest points that are found the middle is one, too, and symmetric to the last bit.
static wkTwin closestAlongThoroughly(const segments* s, wkVec3d axisA, wkVec3d axisB,
                                     wkVec3d between)
{
    wkVec3d across = wkCross(axisA, axisB), beside = wkCross(across, between);
    double sineSquared = wkDot(across, across);
    if (sineSquared > WK_PARALLEL_SINE * WK_PARALLEL_SINE) {
        wkTwin lines = {wkDot(axisB, beside), wkDot(axisA, beside)};
        wkTwin along = closestAlong(s, lines / sineSquared);
        return 0.5 * (along + closestTo(s, along));
    }

    // the middle of the part where they lie side by side, or the ends nearest to it
    wkTwin other = wkSwapTwin(s->half);
    wkTwin low = wkMaxTwin(-s->half, s->toward - other);
    wkTwin high = wkMinTwin(s->half, s->toward + other);
    return clampTo(s, 0.5 * (low + high));
}

// Normal of a short gap, from the segment that comes first to the other. Rounding leans it; where
// it starts or ends within a segment it is at right angles to that one.
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
// symmetric to the last bit.
WK_FORCE_FN wkCores coresCapsuleCapsule(const wkQuestion* q)
{
    double halfA = q->a->capsule.halfLength, halfB = q->b->capsule.halfLength;
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    wkCores c;
    if (!q->wantsPoints && wkAreCoresDecidedByBalls(q, wkLength(between), halfA + halfB, 0.0, &c)) {
        return c;
    }

    // with s along A and t along B the gap is between + t axisB - s axisA
    segments pair = placeSegments(q, between);
    wkVec3d axisA = wkVec(pair.x[0], pair.y[0], pair.z[0]);
    wkVec3d axisB = wkVec(pair.x[1], pair.y[1], pair.z[1]);
    wkTwin sineSquared = 1.0 - pair.cosine * pair.cosine;
    wkTwin lines = (pair.toward + pair.cosine * wkSwapTwin(pair.toward)) / sineSquared;
    wkTwin along = q->isThorough ? closestAlongThoroughly(&pair, axisA, axisB, between)
                                 : closestAlong(&pair, lines);
    wkTwin x = along * pair.x, y = along * pair.y, z = along * pair.z;
    wkVec3d alongA = wkVec(x[0], y[0], z[0]), alongB = wkVec(x[1], y[1], z[1]);
    wkVec3d gap = wkAdd(between, wkSub(alongB, alongA));
    double square = wkDot(gap, gap);
    c.distance = sqrt(square);
    c.scale = wkSumAbs(between) + (halfA + halfB);
    c.pointA = wkAdd(q->poseA->position, alongA);
    c.pointB = wkAdd(q->poseB->position, alongB);
    c.normal = wkScale(c.distance * (1.0 / square), gap);
    double limit = WK_SHORT_GAP * c.scale;
    bool isShort = !(square * (sineSquared[0] * sineSquared[0]) > limit * limit);
    if (WK_UNLIKELY(isShort)) {
        bool isWithinA = fabs(along[0]) < halfA, isWithinB = fabs(along[1]) < halfB;
        if (!q->isThorough) {
            c.scale = NAN;
        } else if (!wkIsAfter(q->a, q->poseA, q->b, q->poseB)) {
            c.normal = straightenGap(gap, axisA, axisB, isWithinA, isWithinB, c.scale);
        } else {
            c.normal =
                wkNeg(straightenGap(wkNeg(gap), axisB, axisA, isWithinB, isWithinA, c.scale));
        }
    }
    return c;
}

WK_DEFINE_CLOSED_FORM(Capsule, Capsule)
