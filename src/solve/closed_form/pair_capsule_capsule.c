// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two capsules: the closest points of two segments, each centred in its frame and along z there.

#include "solve/closed_form/closed_form_list.h"
#include "solve/order.h"

// Below this sine the segments count as parallel: the error in t, times the sine, is of rounding size.
#define WK_PARALLEL_SINE 1e-14

// Gaps shorter than this share of the largest length are tilted by more than rounding, and longer ones are
// where the squared sine is small: the product is tested.
#define WK_SHORT_GAP 3e-4

// A gap shorter than this share of the largest length has no direction: it is rounding error.
#define WK_TOUCHING (8.0 * WK_ROUNDING)

// Two segments, each along its own axis: A's points are s axisA from its middle, B's points -t axisB. The gap
// between them is between - s axisA - t axisB, symmetric in s and t.
typedef struct segments {
    wkTwin axisA, axisB; // x and y of each
    wkTwin z;            // of both
    wkTwin half;
    wkTwin toward; // position of the other segment's middle
    wkTwin cosine; // between the axes, in both lanes
    wkTwin sineSquared;
} segments;

WK_FORCE_FN segments placeSegments(const wkQuestion* q, wkPackedVec between)
{
    wkQuat qa = q->poseA->rotation, qb = q->poseB->rotation;
    wkTwin x = {qa.x, qb.x}, y = {qa.y, qb.y}, z = {qa.z, qb.z}, w = {qa.w, qb.w};

    // the third columns of the rotations, times the squared length of the quaternions
    wkTwin low = x * x + y * y, high = z * z + w * w;
    wkTwin twiceX = x + x, twiceY = y + y;
    wkTwin axisX = twiceX * z + twiceY * w, axisY = twiceY * z - twiceX * w, axisZ = high - low;
    wkTwin square = high + low, beyond = 1.0 - square;
    if (WK_UNLIKELY(!wkAreBothBelow(beyond * beyond, WK_UNIT * WK_UNIT))) {
        // NaN leads to the thorough query, like all invalid input
        bool isKnown = q->isThorough || wkAreOrdinary(0, q->poseA, q->poseB);
        wkTwin inverse = (isKnown ? 1.0 : NAN) / square;
        axisX *= inverse;
        axisY *= inverse;
        axisZ *= inverse;
    }
    segments s = {.axisA = wkFirsts(axisX, axisY), .axisB = wkSeconds(axisX, axisY), .z = axisZ};
    s.half = wkMakeTwin(q->a->capsule.halfLength, q->b->capsule.halfLength);
    s.toward = axisX * between.xy[0] + axisY * between.xy[1] + axisZ * between.z;
    wkTwin products = s.axisA * s.axisB;
    s.cosine = products + wkSwapTwin(products) + axisZ * wkSwapTwin(axisZ);
    s.sineSquared = 1.0 - s.cosine * s.cosine;
    return s;
}

WK_FORCE_FN wkTwin clampTo(const segments* s, wkTwin along)
{
    return wkMaxTwin(0.0 - s->half, wkMinTwin(s->half, along));
}

// Returns on each segment the point closest to that of the other one.
WK_FORCE_FN wkTwin closestTo(const segments* s, wkTwin along)
{
    return clampTo(s, s->toward - wkSwapTwin(along) * s->cosine);
}

// Returns the closest points of two segments, from those of their infinite lines: on each segment the point
// closest to the line's optimum on the other one, clamped. That is exact, because the clamp is on the side of
// the segment's own optimum (Ericson 2005, section 5.1.9).
WK_FORCE_FN wkTwin closestFromLines(const segments* s, wkTwin lines)
{
    return closestTo(s, clampTo(s, lines));
}

WK_FORCE_FN wkTwin closestAlong(const segments* s)
{
    return closestFromLines(s, (s->toward - s->cosine * wkSwapTwin(s->toward)) / s->sineSquared);
}

// The same with full precision. Products with `across` keep their digits also near parallel axes, where
// cosines do not. Another step from both points corrects their rounding error. The middle of the two pairs of
// closest points found is also one, and symmetric to the last bit.
static wkTwin closestAlongThoroughly(const segments* s, wkVec3d axisA, wkVec3d axisB,
                                     wkVec3d between)
{
    wkVec3d across = wkCross(axisA, axisB), beside = wkCross(across, between);
    double sineSquared = wkDot(across, across);
    if (sineSquared > WK_PARALLEL_SINE * WK_PARALLEL_SINE) {
        wkTwin lines = {wkDot(axisB, beside), -wkDot(axisA, beside)};
        wkTwin along = closestFromLines(s, lines / sineSquared);
        return 0.5 * (along + closestTo(s, along));
    }

    // the middle of the part where they overlap side by side, or the ends nearest to it
    wkTwin other = wkSwapTwin(s->half);
    wkTwin low = wkMaxTwin(-s->half, s->toward - other);
    wkTwin high = wkMinTwin(s->half, s->toward + other);
    return clampTo(s, 0.5 * (low + high));
}

// Returns the normal of a short gap, from the segment that comes first to the other. Rounding tilts the gap;
// where it starts or ends within a segment it is made perpendicular to that one.
static wkVec3d alignGap(wkVec3d gap, wkVec3d first, wkVec3d second, bool isWithinFirst,
                        bool isWithinSecond, double scale)
{
    wkVec3d across = wkCross(first, second);
    double sine = wkLength(across), distance = wkLength(gap);
    bool isCrossing = isWithinFirst && isWithinSecond && sine * scale > distance;
    if (isCrossing || !(distance > WK_TOUCHING * scale)) {
        // the axes have full precision
        wkVec3d normal = sine > WK_PARALLEL_SINE
                             ? wkNormalizeOr(wkAcross(across, wkDot(across, first), first), first)
                             : wkPerpendicular(first);
        return wkDot(normal, gap) < 0.0 ? wkNeg(normal) : normal;
    }
    gap = isWithinFirst ? wkMulSub(gap, wkDot(gap, first), first) : gap;
    gap = isWithinSecond ? wkMulSub(gap, wkDot(gap, second), second) : gap;
    return wkNormalizeOr(gap, wkPerpendicular(first));
}

// Returns true when a gap starts within a segment, as far as rounding allows: at an end it points away from
// the segment, and elsewhere it should be perpendicular.
static bool isWithin(double along, double half, double lean)
{
    return fabs(along) < half || along * lean < 0.0;
}

// Spheres decide verdicts where they can, and skip the contact of shapes that are apart. They ignore
// rotations, so those are checked here.
WK_FORCE_FN bool areSpheresEnough(const wkQuestion* q, double square, double outer, wkCores* c)
{
    bool isEnough = q->wantsPoints ? wkAreSpheresApart(q, square, outer, c)
                                   : wkAreCoresDecidedBySpheres(q, sqrt(square), outer, 0.0, c);
    return isEnough && wkAreOrdinary(0, q->poseA, q->poseB);
}

// In the world frame: only the directions of the segments are needed of the frames. Everything is symmetric
// to the last bit: exchanging A and B negates `between`, and with it s, t and the gap.
WK_FORCE_FN wkCores coresCapsuleCapsule(const wkQuestion* q)
{
    double halfA = q->a->capsule.halfLength, halfB = q->b->capsule.halfLength;
    wkPackedVec middleA = wkPack(q->poseA->position), middleB = wkPack(q->poseB->position);
    wkPackedVec between = wkSubPackedVec(middleB, middleA);
    wkCores c = {0};
    if (areSpheresEnough(q, wkDotPackedVec(between, between), halfA + halfB, &c)) {
        return c;
    }

    segments pair = placeSegments(q, between);
    wkVec3d axisA = wkVec(pair.axisA[0], pair.axisA[1], pair.z[0]);
    wkVec3d axisB = wkVec(pair.axisB[0], pair.axisB[1], pair.z[1]);
    wkTwin along = q->isThorough ? closestAlongThoroughly(&pair, axisA, axisB, wkUnpack(between))
                                 : closestAlong(&pair);
    wkTwin z = along * pair.z;
    wkPackedVec alongA = {along[0] * pair.axisA, z[0]}, alongB = {along[1] * pair.axisB, z[1]};
    wkPackedVec gap = wkSubPackedVec(between, wkAddPackedVec(alongA, alongB));
    double square = wkDotPackedVec(gap, gap);
    c.distance = sqrt(square);
    c.scale = wkSumAbs(wkUnpack(between)) + (halfA + halfB);
    WK_READ_AGAIN();
    c.pointA = wkUnpack(wkAddPackedVec(wkPack(q->poseA->position), alongA));
    c.pointB = wkUnpack(wkSubPackedVec(wkPack(q->poseB->position), alongB));
    c.normal = wkUnpack(wkScalePackedVec(c.distance * (1.0 / square), gap));
    c.isNeverInside = true;
    double limit = WK_SHORT_GAP * c.scale;
    bool isShort = !(square * (pair.sineSquared[0] * pair.sineSquared[0]) > limit * limit);
    if (WK_UNLIKELY(isShort)) {
        wkVec3d open = wkUnpack(gap);
        bool isWithinA = isWithin(along[0], halfA, wkDot(open, axisA));
        bool isWithinB = isWithin(along[1], halfB, wkDot(open, axisB));
        if (!q->isThorough) {
            c.isRare = true;
        } else if (!wkIsAfter(q->a, q->poseA, q->b, q->poseB)) {
            c.normal = alignGap(open, axisA, axisB, isWithinA, isWithinB, c.scale);
        } else {
            c.normal = wkNeg(alignGap(wkNeg(open), axisB, axisA, isWithinB, isWithinA, c.scale));
        }
    }
    return c;
}

// Rotations are checked above, where they are not of unit length.
WK_FORCE_FN bool areOrdinaryShapes(uint32_t sign, const wkPose* poseA, const wkPose* poseB)
{
    (void)poseA, (void)poseB;
    return WK_LIKELY((sign & WK_SIGN_BIT) == 0);
}

// wkClosestCapsuleCapsule, wkTouchCapsuleCapsule, wkGapCapsuleCapsule
WK_DEFINE_CLOSED_FORM_IF(areOrdinaryShapes, Capsule, Capsule)
