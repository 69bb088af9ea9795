// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two half-spaces or planes: apart only when their surfaces are parallel.

#include "solve/closed_form/closed_form_list.h"
#include "solve/order.h"

// Surfaces count as parallel below this sine: they would intersect outside of any real world.
#define WK_PARALLEL_SINE 1e-12

// Two surfaces: `cosine` is 1 or -1 when they are parallel, else 0.
typedef struct surfaces {
    wkVec3d normal; // of A
    wkVec3d pointA; // of A's surface, below the point of B's surface that is nearest B's origin
    double gap;     // from A's surface to B's along A's normal
    double cosine;
    double scale;
} surfaces;

static surfaces placeSurfaces(const wkQuestion* q)
{
    double offsetA = q->a->halfspace.offset, offsetB = q->b->halfspace.offset;
    wkVec3d normalA = wkRotateByQuat(q->poseA->rotation, q->a->halfspace.normal);
    wkVec3d normalB = wkRotateByQuat(q->poseB->rotation, q->b->halfspace.normal);
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    wkVec3d onB = wkMulAdd(between, offsetB, normalB);
    wkVec3d across = wkCross(normalA, normalB);
    bool isParallel = wkDot(across, across) <= WK_PARALLEL_SINE * WK_PARALLEL_SINE;
    double gap = wkDot(normalA, onB) - offsetA;
    surfaces s = {normalA, wkAdd(wkMulSub(onB, gap, normalA), q->poseA->position), gap,
                  isParallel ? copysign(1.0, wkDot(normalA, normalB)) : 0.0,
                  wkMaxAbs(between) + fabs(offsetA) + fabs(offsetB)};
    return s;
}

// Fills in the answer, except for radii that reach across the gap.
static wkDistanceResult answerSurfaces(const wkQuestion* q, const surfaces* s, double distance,
                                       wkVec3d normal)
{
    wkCores cores = {.distance = distance,
                     .scale = s->scale,
                     .pointA = s->pointA,
                     .pointB = wkMulAdd(s->pointA, distance, normal),
                     .normal = normal};
    wkDistanceResult result;
    wkFillAnswer(q, &cores, wkThoroughDistance(q, &cores), wkPack(cores.normal), &result);
    return result;
}

static wkDistanceResult answerUnbounded(const wkQuestion* q, const surfaces* s)
{
    wkDistanceResult result = answerSurfaces(q, s, 0.0, s->normal);
    result.distance = WK_UNBOUNDED_DISTANCE;
    result.status = wk_statusUnbounded;
    return result;
}

static wkDistanceResult answerHalfspaceHalfspace(const wkQuestion* q)
{
    surfaces s = placeSurfaces(q);
    return s.cosine < 0.0 ? answerSurfaces(q, &s, s.gap, s.normal) : answerUnbounded(q, &s);
}

static wkDistanceResult answerHalfspacePlane(const wkQuestion* q)
{
    surfaces s = placeSurfaces(q);
    if (s.cosine == 0.0) {
        return answerUnbounded(q, &s);
    }
    if (s.gap <= 0.0 && !q->isSigned && q->radiusA + q->radiusB >= 0.0) {
        // the plane runs inside: all its points are common
        s.pointA = wkMulAdd(s.pointA, s.gap, s.normal);
        return answerSurfaces(q, &s, 0.0, s.normal);
    }
    return answerSurfaces(q, &s, s.gap, s.normal);
}

static wkDistanceResult answerPlanePlane(const wkQuestion* q)
{
    surfaces s = placeSurfaces(q);
    if (s.cosine == 0.0) {
        return answerUnbounded(q, &s);
    }
    return answerSurfaces(q, &s, fabs(s.gap), s.gap < 0.0 ? wkNeg(s.normal) : s.normal);
}

static wkDistanceResult closestOfSurfaces(wkDistanceResult answer(const wkQuestion*),
                                          const wkShape* a, const wkPose* poseA, const wkShape* b,
                                          const wkPose* poseB, bool isSigned)
{
    if (!wkAreValidPoses(poseA, poseB) || !wkIsValidSurface(a) || !wkIsValidSurface(b)) {
        return wkInvalidAnswer();
    }
    wkQuestion q = wkMakeClosedQuestion(a, poseA, b, poseB);
    q.isSigned = isSigned;
    wkDistanceResult result = answer(&q);
    if (!isSigned) {
        wkAnswerUnsigned(&q, &result);
    }
    return result;
}

// The same for two equal types, which need an order of their own.
static wkDistanceResult closestOrdered(wkDistanceResult answer(const wkQuestion*), const wkShape* a,
                                       const wkPose* poseA, const wkShape* b, const wkPose* poseB,
                                       bool isSigned)
{
    if (wkIsAfter(a, poseA, b, poseB)) {
        return wkSwapAnswer(closestOfSurfaces(answer, b, poseB, a, poseA, isSigned));
    }
    return closestOfSurfaces(answer, a, poseA, b, poseB, isSigned);
}

wkDistanceResult wkClosestHalfspaceHalfspace(const wkShape* a, const wkPose* poseA,
                                             const wkShape* b, const wkPose* poseB, bool isSigned)
{
    return closestOrdered(answerHalfspaceHalfspace, a, poseA, b, poseB, isSigned);
}

wkDistanceResult wkClosestHalfspacePlane(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                         const wkPose* poseB, bool isSigned)
{
    return closestOfSurfaces(answerHalfspacePlane, a, poseA, b, poseB, isSigned);
}

wkDistanceResult wkClosestPlanePlane(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                     const wkPose* poseB, bool isSigned)
{
    return closestOrdered(answerPlanePlane, a, poseA, b, poseB, isSigned);
}
