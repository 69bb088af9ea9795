// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkCollide: a verdict with early exits, and contacts when a buffer is given.

#include "base/assert.h"
#include "base/cookie.h"
#include "query/pair/pair_contacts.h"
#include "query/pair/question.h"

wkCollideRequest wkDefaultCollideRequest(void)
{
    wkCollideRequest request = {.cookie = WK_COOKIE(wkCollideRequest)};
    return request;
}

// Both closed forms below keep query and result in registers and do not branch on whether the shapes
// touch: that is unpredictable, and mispredictions would be too frequent.
WK_FORCE_FN wkCollideResult classify(double distance, double margin, int32_t contactCount)
{
    double beyond = distance - margin;
    bool isValid = beyond == beyond, isTouching = !(distance > margin);
    wkCollideResult result = {isTouching, isValid ? wk_statusExact : wk_statusInvalid,
                              (isTouching & isValid) ? contactCount : 0, 0};
    return result;
}

// Decides without a contact.
WK_FORCE_FN wkCollideResult decide(wkGapFcn* gap, const wkShape* a, const wkPose* poseA,
                                   const wkShape* b, const wkPose* poseB, double margin)
{
    bool isSwapped = a->type > b->type;
    double distance = isSwapped ? gap(b, poseB, a, poseA, margin) : gap(a, poseA, b, poseB, margin);
    return classify(distance, margin, 0);
}

// The same with one contact, written whether they touch or not.
WK_FORCE_FN wkCollideResult touchOnce(wkTouchFcn* touch, const wkShape* a, const wkPose* poseA,
                                      const wkShape* b, const wkPose* poseB, double margin,
                                      wkContact* contact)
{
    if (a->type <= b->type) {
        return classify(touch(a, poseA, b, poseB, margin, contact), margin, 1);
    }
    wkCollideResult result = classify(touch(b, poseB, a, poseA, margin, contact), margin, 1);
    contact->normal = wkNeg(contact->normal);
    return result;
}

// Decides all other pairs.
WK_APART_FN wkCollideResult solve(const wkPairRow* row, const wkShape* a, const wkPose* poseA,
                                  const wkShape* b, const wkPose* poseB,
                                  const wkCollideRequest* request)
{
    wkCollideResult result = {true, wk_statusInvalid, 0, 0};
    wkQuestion q;
    if (!wkMakeQuestion(a, poseA, b, poseB, &q)) {
        return result;
    }
    bool wantsContacts = request->contacts != NULL && request->contactCapacity > 0;
    q.cutoff = request->margin;
    q.touching = wantsContacts ? -INFINITY : request->margin;
    q.tolerance = 0.0;
    q.isSigned = wantsContacts;
    q.wantsPoints = wantsContacts;
    q.wantsFar = false;
    q.cache = request->cache;
    wkDistanceResult answer;
    wkPairInFrame framed;
    bool isFramed = wantsContacts && row->closest == NULL;
    if (isFramed) {
        wkAnswerInFrame(&q, row->solve, &framed, &answer);
    } else {
        wkAnswerPair(row, &q, &answer);
    }
    bool isValid = answer.distance == answer.distance && answer.status != wk_statusInvalid;
    if (!isValid || request->margin != request->margin) {
        return result;
    }
    result.isTouching = answer.distance <= request->margin;
    result.status = answer.status == wk_statusUnbounded ? wk_statusUnbounded : wk_statusExact;
    result.iterations = answer.iterations;
    if (result.isTouching && wantsContacts) {
        result.contactCount =
            wkMakeContacts(&q, isFramed ? &framed : NULL, &answer, q.poseA != poseA,
                           request->contacts, request->contactCapacity);
    }
    return result;
}

static wkCollideResult refuseRequest(const wkCollideRequest* request)
{
    bool isUsable = WK_HAS_COOKIE(request, wkCollideRequest);
    WK_ASSERT(isUsable);
    WK_FAIL_COOKIE(request, wkCollideRequest);
    return (wkCollideResult){.isTouching = true, .status = wk_statusInvalid};
}

wkCollideResult wkCollide(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                          const wkCollideRequest* request)
{
    static const wkCollideRequest defaultRequest = {.cookie = WK_COOKIE(wkCollideRequest)};
    request = request != NULL ? request : &defaultRequest;
    if (WK_UNLIKELY(request->cookie != WK_COOKIE(wkCollideRequest))) {
        return refuseRequest(request);
    }
    if (WK_UNLIKELY(!wkHasConvexType(a) || !wkHasConvexType(b))) {
        return wkPairRowOf(a, b)->collide(a, &poseA, b, &poseB, request);
    }
    int32_t capacity = request->contacts != NULL ? request->contactCapacity : 0;
    const wkPairRow* row = wkConvexPairRowOf(a, b);
    if (capacity <= 0 && row->gap != NULL) {
        return decide(row->gap, a, &poseA, b, &poseB, request->margin);
    }
    if (capacity == 1 && row->touch != NULL) {
        return touchOnce(row->touch, a, &poseA, b, &poseB, request->margin, request->contacts);
    }
    return solve(row, a, &poseA, b, &poseB, request);
}
