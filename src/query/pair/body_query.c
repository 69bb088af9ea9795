// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The way in and the way out of every query about a hierarchy or a map: validity, canonical order, the relative
// pose; then margins, status, contacts, the world, and the order of the caller. Queries about two convex shapes
// have theirs in question.h.

#include "geom/check.h"
#include "query/pair/body_question.h"
#include "query/pair/shape_class.h"
#include "query/pair/shape_order.h"
#include "solve/order.h"

#include <float.h>

wkBodyAnswer wkNoAnswer(void)
{
    wkBodyAnswer answer = {
        .closest = {.distance = DBL_MAX, .status = wk_statusExact, .partA = -1, .partB = -1},
    };
    return answer;
}

// Puts the pair in canonical order and prepares both bodies.
// @return their row; NULL when a shape or a pose is not valid
static const wkBodyRow* placePair(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                  const wkPose* poseB, wkBodyQuestion* q)
{
    if (!wkIsValidShape(a) || !wkIsValidShape(b) || !wkAreValidPoses(poseA, poseB)) {
        return NULL;
    }
    bool isSwapped = wkAreBodiesSwapped(a, poseA, b, poseB);
    q->isSwapped = isSwapped;
    q->a = isSwapped ? b : a;
    q->b = isSwapped ? a : b;
    q->poseA = isSwapped ? poseB : poseA;
    q->poseB = isSwapped ? poseA : poseB;
    const wkBodyRow* row = wkShapeClassOf(q->b)->bodies;
    row->setFrames(q);

    // items and cells are queried at home, where they must remain valid
    bool isNear = wkMaxAbs(q->positionA) + wkMaxAbs(q->positionB) <= 0.1 * WK_MAX_LENGTH;
    return isNear ? row : NULL;
}

// The result further apart than the cutoff; for empty bodies, the largest distance.
static void answerFar(const wkBodyQuestion* q, wkDistanceResult* r)
{
    r->distance = wkMinD(nextafter(q->cutoff, INFINITY), DBL_MAX);
    r->normal = wkNormalizeOr(wkSub(q->positionB, q->positionA), wkVec(0.0, 0.0, 1.0));
    r->pointA = q->positionA;
    r->pointB = wkMulAdd(r->pointA, fabs(r->distance) < 1e60 ? r->distance : 0.0, r->normal);
    r->status = wk_statusBound;
    r->partA = r->partB = -1;
}

static wkVec3d pointInWorld(const wkBodyQuestion* q, wkVec3d point)
{
    return wkAdd(wkMulMV(&q->worldFromHome, point), q->homePosition);
}

// A result of the search as the caller gets it.
static wkDistanceResult finishDistance(const wkBodyRow* row, const wkBodyQuestion* q,
                                       const wkBodyAnswer* answer)
{
    wkDistanceResult r = answer->closest;
    r.distance = q->isCommon ? wkPositive(r.distance) : r.distance;
    r.status = row->distanceStatus(q, answer, r.distance);
    if (!(r.distance < DBL_MAX) || r.distance > q->cutoff) {
        answerFar(q, &r);
    } else if (q->tolerance > 0.0) {
        bool isKept = r.status == wk_statusUnknown || r.status == wk_statusUnbounded;
        r.status = r.distance > 0.0 && !isKept ? wk_statusBound : r.status;
        r.distance = wkLowered(r.distance, q->tolerance);
    }
    if (row->nameParts != NULL) {
        row->nameParts(q, answer, &r);
    }
    r.iterations = answer->visitCount;
    r.pointA = pointInWorld(q, r.pointA);
    r.pointB = pointInWorld(q, r.pointB);
    r.normal = wkMulMV(&q->worldFromHome, r.normal);
    return q->isSwapped ? wkSwapAnswer(r) : r;
}

// Sets what a distance query looks for. One by one, here and below: a literal would clear the whole question
// first, views included, which takes longer than some verdicts.
static void aimAtDistance(const wkDistanceRequest* request, wkBodyQuestion* q)
{
    q->cutoff = request->cutoff;
    q->enough = request->isSigned ? -INFINITY : 0.0;
    q->tolerance = wkMinD(wkPositive(request->tolerance), 1e100);
    q->isSigned = request->isSigned;
    q->isCommon = !request->isSigned;
    q->front = request->front;
    q->contacts = NULL;
    q->contactCapacity = 0;
    q->stopsWhenFull = false;
    q->wantsAll = false;
    q->nearB = NULL;
}

wkDistanceResult wkDistanceByWalk(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                  const wkPose* poseB, const wkDistanceRequest* request)
{
    wkBodyQuestion q;
    aimAtDistance(request, &q);
    const wkBodyRow* row = placePair(a, poseA, b, poseB, &q);
    if (row == NULL || request->cutoff != request->cutoff) {
        return wkInvalidAnswer();
    }
    if (row->widen != NULL) {
        row->widen(&q);
    }
    wkBodyAnswer answer = wkNoAnswer();
    row->search(&q, &answer);
    q.cutoff = request->cutoff;
    return finishDistance(row, &q, &answer);
}

// Transforms a contact into the world, and into the order of the caller.
static void finishContact(const wkBodyQuestion* q, wkContact* contact)
{
    wkVec3d normal = wkMulMV(&q->worldFromHome, contact->normal);
    int64_t partA = contact->partA, partB = contact->partB;
    contact->point = pointInWorld(q, contact->point);
    contact->normal = q->isSwapped ? wkNeg(normal) : normal;
    contact->partA = q->isSwapped ? partB : partA;
    contact->partB = q->isSwapped ? partA : partB;
}

// Sorts the contacts, drops those beyond the margin and returns the number of the others.
static int32_t finishContacts(const wkBodyQuestion* q, int32_t count, double margin)
{
    wkSortContacts(q->contacts, count);
    while (count > 0 && -q->contacts[count - 1].depth > margin) {
        --count;
    }
    for (int32_t i = 0; i < count; ++i) {
        finishContact(q, &q->contacts[i]);
    }
    return count;
}

static void aimAtContacts(const wkCollideRequest* request, const wkCubes* nearCubes,
                          wkBodyQuestion* q)
{
    bool wantsContacts = request->contacts != NULL && request->contactCapacity > 0;
    q->cutoff = request->margin;
    q->enough = wantsContacts ? -INFINITY : request->margin;
    q->tolerance = 0.0;
    q->isSigned = wantsContacts;
    q->isCommon = false;
    q->front = request->front;
    q->contacts = wantsContacts ? request->contacts : NULL;
    q->contactCapacity = request->contactCapacity;
    q->stopsWhenFull = request->stopsWhenFull;
    q->wantsAll = false;
    q->nearB = wantsContacts ? NULL : nearCubes;
}

wkCollideResult wkCollideNearMap(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                 const wkPose* poseB, const wkCollideRequest* request,
                                 const wkCubes* nearCubes)
{
    wkCollideResult result = {true, wk_statusInvalid, 0, 0};
    wkBodyQuestion q;
    aimAtContacts(request, nearCubes, &q);
    const wkBodyRow* row = placePair(a, poseA, b, poseB, &q);
    if (row == NULL || request->margin != request->margin) {
        return result;
    }
    row->prepare(&q);
    wkBodyAnswer answer = wkNoAnswer();
    row->decide(&q, &answer);
    result.isTouching = answer.closest.distance <= request->margin;
    result.status = row->verdictStatus(&q, &answer, request->margin);
    result.iterations = answer.visitCount;
    result.contactCount = finishContacts(&q, answer.contactCount, request->margin);
    return result;
}

wkCollideResult wkCollideByWalk(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                const wkPose* poseB, const wkCollideRequest* request)
{
    return wkCollideNearMap(a, poseA, b, poseB, request, NULL);
}
