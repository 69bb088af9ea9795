// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pairs with a closed form: from the closest points of two cores, which each pair computes in its own way, to
// the three answers of the pair table. These queries take only a few dozen operations, so everything is
// inlined, query and answer stay in registers, and no branch depends on whether the shapes touch: it would be
// unpredictable.

#include "geom/check.h"
#include "geom/project.h"
#include "solve/closed_form/packed_vec.h"
#include "solve/pair.h"

// Returns the answer of a pair by value, so that entry points pass it on without a copy. typeA <= typeB;
// where the types are equal, exchanging the arguments exchanges the answer to the last bit (see
// solve/order.h).
typedef wkDistanceResult wkClosestFcn(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                      const wkPose* poseB, bool isSigned);

// Writes the contact at the closest points when the shapes are no further apart than `margin`, and returns
// their signed distance, or one beyond the margin. NaN when a parameter is not valid.
typedef double wkTouchFcn(const wkShape* a, const wkPose* poseA, const wkShape* b,
                          const wkPose* poseB, double margin, wkContact* contact);

// Returns a verdict only: any distance on the correct side of `margin`.
typedef double wkGapFcn(const wkShape* a, const wkPose* poseA, const wkShape* b,
                        const wkPose* poseB, double margin);

// Closest points of two cores, in the world frame.
typedef struct wkCores {
    double distance; // signed
    double scale;    // largest length that entered the computation, radii aside
    wkVec3d pointA;
    wkVec3d pointB;
    wkVec3d normal;     // unit, from A to B
    bool isNeverInside; // points and segments: the distance cannot be negative
    bool isRare;        // better left to the thorough query
} wkCores;

// The closed form itself. Shapes and poses have not been checked: the result for invalid ones does not
// matter.
typedef wkCores wkCoresFcn(const wkQuestion* question);

// The slow path to the three answers, for unusual input: all checks, radii of any sign, and a thorough query.
wkDistanceResult wkClosestThoroughly(wkCoresFcn* cores, const wkShape* a, const wkPose* poseA,
                                     const wkShape* b, const wkPose* poseB, bool isSigned);
double wkTouchThoroughly(wkCoresFcn* cores, const wkShape* a, const wkPose* poseA, const wkShape* b,
                         const wkPose* poseB, wkContact* contact);
double wkGapThoroughly(wkCoresFcn* cores, const wkShape* a, const wkPose* poseA, const wkShape* b,
                       const wkPose* poseB);

// Sign and exponent as an integer, checked in parallel with the arithmetic that occupies the floating-point
// units. Only the upper half, so that compilers do not convert it back to a floating-point test.
#define WK_SIGN_BIT (1u << 31)
#define WK_AT_LEAST_TWO_BIT (1u << 30)
#define WK_NOT_TINY_BIT (1u << 29)

WK_FORCE_FN uint32_t wkBitsOf(const double* number)
{
    uint32_t half;
    bool isUpperLast = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    memcpy(&half, (const char*)number + (isUpperLast ? sizeof half : 0), sizeof half);
    return half;
}

// Combines all numbers of a shape that must not be negative, and its padding, by bitwise or: the sign bit is
// set when one of them is negative.
WK_FORCE_FN uint32_t wkSignOfMargins(const wkShape* shape)
{
    return wkBitsOf(&shape->rounding) | wkBitsOf(&shape->padding);
}

WK_FORCE_FN uint32_t wkSignOfVec(const wkVec3d* v)
{
    return wkBitsOf(&v->x) | wkBitsOf(&v->y) | wkBitsOf(&v->z);
}

WK_FORCE_FN uint32_t wkSignOfSphere(const wkShape* shape)
{
    return wkSignOfMargins(shape) | wkBitsOf(&shape->sphere.radius);
}

WK_FORCE_FN uint32_t wkSignOfCapsule(const wkShape* shape)
{
    return wkSignOfMargins(shape) | wkBitsOf(&shape->capsule.radius) |
           wkBitsOf(&shape->capsule.halfLength);
}

WK_FORCE_FN uint32_t wkSignOfBox(const wkShape* shape)
{
    return wkSignOfMargins(shape) | wkSignOfVec(&shape->box.half);
}

WK_FORCE_FN uint32_t wkSignOfCylinder(const wkShape* shape)
{
    return wkSignOfMargins(shape) | wkBitsOf(&shape->cylinder.radius) |
           wkBitsOf(&shape->cylinder.halfLength);
}

WK_FORCE_FN uint32_t wkSignOfCone(const wkShape* shape)
{
    return wkSignOfMargins(shape) | wkBitsOf(&shape->cone.radius) |
           wkBitsOf(&shape->cone.halfLength);
}

WK_FORCE_FN uint32_t wkSignOfEllipsoid(const wkShape* shape)
{
    return wkSignOfMargins(shape) | wkSignOfVec(&shape->ellipsoid.radii);
}

// Input that is invalid in another way counts as negative.
WK_FORCE_FN uint32_t wkSignOfTriangle(const wkShape* shape)
{
    return wkIsValidTriangle(shape) ? wkSignOfMargins(shape) : WK_SIGN_BIT;
}

WK_FORCE_FN uint32_t wkSignOfHull(const wkShape* shape)
{
    return shape->hull != NULL ? wkSignOfMargins(shape) : WK_SIGN_BIT;
}

WK_FORCE_FN uint32_t wkSignOfHalfspace(const wkShape* shape)
{
    return wkIsValidNormal(shape->halfspace.normal) ? wkSignOfMargins(shape) : WK_SIGN_BIT;
}

WK_FORCE_FN uint32_t wkSignOfPlane(const wkShape* shape)
{
    return wkSignOfHalfspace(shape);
}

// Combines the numbers of a rotation by bitwise or: shows whether one of them is 2 or more or NaN, and
// whether one of them is more than tiny.
WK_FORCE_FN uint32_t wkSizeOfQuat(const wkQuat* q)
{
    return wkBitsOf(&q->x) | wkBitsOf(&q->y) | wkBitsOf(&q->z) | wkBitsOf(&q->w);
}

WK_FORCE_FN wkQuestion wkMakeClosedQuestion(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                            const wkPose* poseB)
{
    wkQuestion question = {.a = a,
                           .b = b,
                           .poseA = poseA,
                           .poseB = poseB,
                           .radiusA = wkShapeRadius(a),
                           .radiusB = wkShapeRadius(b),
                           .cutoff = INFINITY,
                           .touching = -INFINITY,
                           .isSigned = true};
    return question;
}

// Returns true when the fast path applies: nothing is negative, and rotations have about unit length.
WK_FORCE_FN bool wkAreOrdinary(uint32_t sign, const wkPose* poseA, const wkPose* poseB)
{
    uint32_t sizeA = wkSizeOfQuat(&poseA->rotation), sizeB = wkSizeOfQuat(&poseB->rotation);
    uint32_t wrong = (sign & WK_SIGN_BIT) | ((sizeA | sizeB) & WK_AT_LEAST_TWO_BIT) |
                     (~(sizeA & sizeB) & WK_NOT_TINY_BIT);
    return WK_LIKELY(wrong == 0);
}

// Returns true when the fast path was valid: the sum of all numbers is within the limits of each. The sum is
// NaN where one of its numbers is; `scale` includes the sizes of the cores and the distance of the frames.
WK_FORCE_FN bool wkIsOrdinary(const wkQuestion* q, const wkCores* cores)
{
    bool isWithin = cores->scale + (q->radiusA + q->radiusB) <= WK_MAX_LENGTH;
    return WK_LIKELY(!cores->isRare) && WK_LIKELY(isWithin);
}

// Returns the signed distance of the shapes with rounding subtracted; `size` is the sum of the absolute
// radii.
WK_FORCE_FN double wkClosedDistance(const wkQuestion* q, const wkCores* cores, double size)
{
    return cores->distance - (q->radiusA + q->radiusB) - WK_ROUNDING * (cores->scale + size);
}

// The same for radii of any sign.
WK_FN double wkThoroughDistance(const wkQuestion* q, const wkCores* cores)
{
    return wkClosedDistance(q, cores, fabs(q->radiusA) + fabs(q->radiusB));
}

// Fills in the answer. The closest points of the surfaces lie `toward`, times the radii, away from those of
// the cores.
WK_FORCE_FN void wkFillAnswer(const wkQuestion* q, const wkCores* cores, double distance,
                              wkPackedVec toward, wkDistanceResult* result)
{
    wkPackedVec pointA =
        wkAddPackedVec(wkPack(cores->pointA), wkScalePackedVec(q->radiusA, toward));
    wkPackedVec pointB =
        wkSubPackedVec(wkPack(cores->pointB), wkScalePackedVec(q->radiusB, toward));
    result->distance = distance;
    wkStorePackedVec(pointA, &result->pointA);
    wkStorePackedVec(pointB, &result->pointB);
    wkStorePackedVec(wkPack(cores->normal), &result->normal);
    result->status = wk_statusExact;
    result->iterations = 0;
    wkFillNoParts(result);
}

// Returns, in both lanes, the share of the radii between the closest points of the cores and those of an
// unsigned answer. It is 1 when the shapes are apart. When they overlap, both points divide the line between
// the cores in the ratio of the radii: the radii together are longer than the line, so that point is within
// both shapes. For two points, 0 / 0 selects the second operand.
WK_FORCE_FN wkTwin wkShareOfRadii(const wkQuestion* q, const wkCores* cores)
{
    double apart = cores->isNeverInside ? cores->distance : wkPositive(cores->distance);
    double share = apart * (1.0 / (q->radiusA + q->radiusB));
    return wkMinTwin(wkTwinOf(share), wkTwinOf(1.0));
}

// Makes a wkClosestFcn from a closed form.
WK_FORCE_FN wkDistanceResult wkClosestBy(wkCoresFcn* find, bool areOrdinary, const wkShape* a,
                                         const wkPose* poseA, const wkShape* b, const wkPose* poseB,
                                         bool isSigned)
{
    if (!areOrdinary) {
        return wkClosestThoroughly(find, a, poseA, b, poseB, isSigned);
    }
    wkQuestion q = wkMakeClosedQuestion(a, poseA, b, poseB);
    q.isSigned = isSigned;
    q.wantsPoints = true;
    wkCores cores = find(&q);
    if (!wkIsOrdinary(&q, &cores)) {
        return wkClosestThoroughly(find, a, poseA, b, poseB, isSigned);
    }
    double distance = wkClosedDistance(&q, &cores, q.radiusA + q.radiusB);
    wkPackedVec toward = wkPack(cores.normal);
    if (!isSigned) {
        if (!cores.isNeverInside) {
            // inside, pointA is kept and pointB moves to it
            cores.pointB = wkMulSub(cores.pointB, wkMinD(cores.distance, 0.0), cores.normal);
        }
        wkTwin share = wkShareOfRadii(&q, &cores);
        toward.xy *= share;
        toward.z *= share[0];
        distance = wkMaxTwin(wkTwinOf(distance), wkTwinOf(0.0))[0];
    }
    wkDistanceResult result;
    wkFillAnswer(&q, &cores, distance, toward, &result);
    return result;
}

// Makes a wkTouchFcn from a closed form.
WK_FORCE_FN double wkTouchBy(wkCoresFcn* find, bool areOrdinary, const wkShape* a,
                             const wkPose* poseA, const wkShape* b, const wkPose* poseB,
                             double margin, wkContact* contact)
{
    if (!areOrdinary) {
        return wkTouchThoroughly(find, a, poseA, b, poseB, contact);
    }
    wkQuestion q = wkMakeClosedQuestion(a, poseA, b, poseB);
    q.wantsPoints = true;
    q.cutoff = margin;
    wkCores cores = find(&q);
    if (!wkIsOrdinary(&q, &cores)) {
        return wkTouchThoroughly(find, a, poseA, b, poseB, contact);
    }
    double distance = wkClosedDistance(&q, &cores, q.radiusA + q.radiusB);
    wkPackedVec normal = wkPack(cores.normal);
    wkPackedVec halfA = wkScalePackedVec(0.5, wkPack(cores.pointA));
    wkPackedVec halfB = wkScalePackedVec(0.5, wkPack(cores.pointB));
    wkPackedVec beside = wkScalePackedVec(0.5 * (q.radiusA - q.radiusB), normal);
    wkStorePackedVec(wkAddPackedVec(wkAddPackedVec(halfA, halfB), beside), &contact->point);
    wkStorePackedVec(normal, &contact->normal);
    contact->depth = -distance;
    contact->partA = contact->partB = -1;
    return distance;
}

// Writes the contact of an answer; returns the distance, NaN when it is not valid.
WK_FN double wkTouchAt(const wkDistanceResult* r, wkContact* contact)
{
    if (r->status == wk_statusInvalid) {
        return NAN;
    }
    contact->point = wkMiddle(r->pointA, r->pointB);
    contact->normal = r->normal;
    contact->depth = -r->distance;
    contact->partA = contact->partB = -1;
    return r->distance;
}

// Makes a wkGapFcn from a closed form. The compiler removes what a verdict does not need.
WK_FORCE_FN double wkGapBy(wkCoresFcn* find, bool areOrdinary, const wkShape* a,
                           const wkPose* poseA, const wkShape* b, const wkPose* poseB,
                           double margin)
{
    if (!areOrdinary) {
        return wkGapThoroughly(find, a, poseA, b, poseB);
    }
    wkQuestion q = wkMakeClosedQuestion(a, poseA, b, poseB);
    q.cutoff = margin;
    q.touching = margin;
    wkCores cores = find(&q);
    if (!wkIsOrdinary(&q, &cores)) {
        return wkGapThoroughly(find, a, poseA, b, poseB);
    }
    return wkClosedDistance(&q, &cores, q.radiusA + q.radiusB);
}

// Decides a verdict by two spheres about the origins of the frames, whose distance is `apart`: one around the
// cores and one inside, with `outer` and `inner` the sums of their radii.
// @return false when the spheres do not decide, or when more than a verdict is requested
WK_FORCE_FN bool wkAreCoresDecidedBySpheres(const wkQuestion* q, double apart, double outer,
                                            double inner, wkCores* cores)
{
    double radii = q->radiusA + q->radiusB;
    cores->scale = apart + outer;
    double band = WK_VERDICT_BAND * (cores->scale + fabs(q->radiusA) + fabs(q->radiusB));
    bool isApart = q->cutoff < INFINITY && apart - outer - radii > q->cutoff + band;
    bool isTouching = !q->wantsPoints && apart - inner - radii <= q->touching - band;
    cores->distance = apart - (isApart ? outer : inner);
    return isApart || isTouching;
}

// Returns true when no contact is needed: the spheres around the shapes, about the origins of the frames, are
// further apart than the margin. The gap exceeds rounding by far, so that the full distance gives the same
// verdict. `square` is the squared distance of the origins, `outer` the sum of the radii around the cores.
// Without a square root a mispredicted branch is detected earlier.
WK_FORCE_FN bool wkAreSpheresApart(const wkQuestion* q, double square, double outer, wkCores* cores)
{
    double reach = outer + (q->radiusA + q->radiusB) + q->cutoff;
    double limit = (1.0 + WK_VERDICT_BAND) * (reach * reach) + WK_TINY_SQUARED;
    cores->scale = 0.0;
    cores->distance = INFINITY;
    return q->cutoff >= 0.0 && q->cutoff < INFINITY && square > limit && square < WK_MAX_LENGTH;
}

// `cores##A##B` is a wkCoresFcn; defines the closed forms of the pair table with it. `ORDINARY` is
// wkAreOrdinary, or a weaker check where the form itself checks the rest.
#define WK_DEFINE_CLOSED_FORM_IF(ORDINARY, A, B)                                                   \
    wkDistanceResult wkClosest##A##B(const wkShape* a, const wkPose* poseA, const wkShape* b,      \
                                     const wkPose* poseB, bool isSigned)                           \
    {                                                                                              \
        WK_ASSUME(a->type == wk_shape##A && b->type == wk_shape##B);                               \
        bool areOrdinary = ORDINARY(wkSignOf##A(a) | wkSignOf##B(b), poseA, poseB);                \
        return wkClosestBy(cores##A##B, areOrdinary, a, poseA, b, poseB, isSigned);                \
    }                                                                                              \
    double wkTouch##A##B(const wkShape* a, const wkPose* poseA, const wkShape* b,                  \
                         const wkPose* poseB, double margin, wkContact* contact)                   \
    {                                                                                              \
        WK_ASSUME(a->type == wk_shape##A && b->type == wk_shape##B);                               \
        bool areOrdinary = ORDINARY(wkSignOf##A(a) | wkSignOf##B(b), poseA, poseB);                \
        return wkTouchBy(cores##A##B, areOrdinary, a, poseA, b, poseB, margin, contact);           \
    }                                                                                              \
    double wkGap##A##B(const wkShape* a, const wkPose* poseA, const wkShape* b,                    \
                       const wkPose* poseB, double margin)                                         \
    {                                                                                              \
        WK_ASSUME(a->type == wk_shape##A && b->type == wk_shape##B);                               \
        bool areOrdinary = ORDINARY(wkSignOf##A(a) | wkSignOf##B(b), poseA, poseB);                \
        return wkGapBy(cores##A##B, areOrdinary, a, poseA, b, poseB, margin);                      \
    }

#define WK_DEFINE_CLOSED_FORM(A, B) WK_DEFINE_CLOSED_FORM_IF(wkAreOrdinary, A, B)

// Longer closed forms produce the answer themselves: `answer##PAIR` is a wkAnswerFcn.
WK_FORCE_FN wkDistanceResult wkClosestByAnswer(void answer(const wkQuestion*, wkDistanceResult*),
                                               const wkShape* a, const wkPose* poseA,
                                               const wkShape* b, const wkPose* poseB, bool isSigned)
{
    if (!wkAreValidPoses(poseA, poseB)) {
        return wkInvalidAnswer();
    }
    wkQuestion question = wkMakeClosedQuestion(a, poseA, b, poseB);
    question.isSigned = isSigned;
    question.wantsPoints = true;
    wkDistanceResult result;
    answer(&question, &result);
    if (result.distance != result.distance) {
        return wkInvalidAnswer();
    }
    if (!isSigned) {
        wkAnswerUnsigned(&question, &result);
    }
    return result;
}

WK_FORCE_FN double wkGapByAnswer(void answer(const wkQuestion*, wkDistanceResult*),
                                 const wkShape* a, const wkPose* poseA, const wkShape* b,
                                 const wkPose* poseB, double margin)
{
    if (!wkAreValidPoses(poseA, poseB)) {
        return NAN;
    }
    wkQuestion question = wkMakeClosedQuestion(a, poseA, b, poseB);
    question.cutoff = margin;
    question.touching = margin;
    question.isSigned = false;
    wkDistanceResult result;
    answer(&question, &result);
    return result.distance;
}

#define WK_DEFINE_CLOSEST(PAIR)                                                                    \
    wkDistanceResult wkClosest##PAIR(const wkShape* a, const wkPose* poseA, const wkShape* b,      \
                                     const wkPose* poseB, bool isSigned)                           \
    {                                                                                              \
        return wkClosestByAnswer(answer##PAIR, a, poseA, b, poseB, isSigned);                      \
    }                                                                                              \
    double wkTouch##PAIR(const wkShape* a, const wkPose* poseA, const wkShape* b,                  \
                         const wkPose* poseB, double margin, wkContact* contact)                   \
    {                                                                                              \
        (void)margin;                                                                              \
        wkDistanceResult closest = wkClosest##PAIR(a, poseA, b, poseB, true);                      \
        return wkTouchAt(&closest, contact);                                                       \
    }

#define WK_DEFINE_GAP(PAIR)                                                                        \
    double wkGap##PAIR(const wkShape* a, const wkPose* poseA, const wkShape* b,                    \
                       const wkPose* poseB, double margin)                                         \
    {                                                                                              \
        return wkGapByAnswer(answer##PAIR, a, poseA, b, poseB, margin);                            \
    }
