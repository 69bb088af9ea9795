// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkCollide: a verdict with early exits, and contacts when there is a buffer for them.

#include "base/assert.h"
#include "query/contacts.h"
#include "query/question.h"

#define WK_COLLIDE_COOKIE 0x6b774331u // "1Cwk"

wkCollideRequest wkDefaultCollideRequest(void)
{
    wkCollideRequest request = {0.0, NULL, NULL, 0, WK_COLLIDE_COOKIE};
    return request;
}

// The verdict of a pair with a closed form; the question and its answer stay out of memory.
WK_FORCE_FN wkCollideResult decide(wkGapFcn* gap, const wkShape* a, const wkPose* poseA,
                                   const wkShape* b, const wkPose* poseB, double margin)
{
    bool isSwapped = wkIsSwapped(a, poseA, b, poseB);
    double distance = isSwapped ? gap(b, poseB, a, poseA, margin) : gap(a, poseA, b, poseB, margin);
    double beyond = distance - margin;
    bool isValid = beyond == beyond;
    wkCollideResult result = {!(distance > margin), isValid ? wk_statusExact : wk_statusInvalid, 0,
                              0};
    return result;
}

wkCollideResult wkCollide(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                          const wkCollideRequest* request)
{
    static const wkCollideRequest usual = {0.0, NULL, NULL, 0, WK_COLLIDE_COOKIE};
    request = request != NULL ? request : &usual;
    WK_ASSERT(request->cookie == WK_COLLIDE_COOKIE);
    wkCollideResult result = {true, wk_statusInvalid, 0, 0};
    if (!wkHasKnownType(a) || !wkHasKnownType(b)) {
        return result;
    }
    bool wantsContacts = request->contacts != NULL && request->contactCapacity > 0;
    const wkPairRow* row = wkPairRowOf(a, b);
    if (!wantsContacts && row->gap != NULL) {
        return decide(row->gap, a, &poseA, b, &poseB, request->margin);
    }

    // closed forms ask for themselves; a manifold needs the question too
    wkQuestion q;
    if (row->near == NULL || (wantsContacts && request->contactCapacity > 1)) {
        if (!wkMakeQuestion(a, &poseA, b, &poseB, &q)) {
            return result;
        }
        q.cutoff = request->margin;
        q.touching = wantsContacts ? -INFINITY : request->margin;
        q.tolerance = 0.0;
        q.isSigned = wantsContacts;
        q.wantsPoints = wantsContacts;
        q.wantsFar = false;
        q.cache = request->cache;
    }

    wkDistanceResult answer;
    bool isSwapped = wkIsSwapped(a, &poseA, b, &poseB);
    if (row->near == NULL) {
        wkAnswerBySolving(&q, row->solve, &answer);
    } else if (isSwapped) {
        row->near(b, &poseB, a, &poseA, true, &answer);
    } else {
        row->near(a, &poseA, b, &poseB, true, &answer);
    }
    if (answer.distance != answer.distance || request->margin != request->margin) {
        return result;
    }
    result.isTouching = answer.distance <= request->margin;
    result.status = answer.status == wk_statusUnbounded ? wk_statusUnbounded : wk_statusExact;
    result.iterations = answer.iterations;
    if (result.isTouching && wantsContacts) {
        result.contactCount =
            wkMakeContacts(&q, &answer, isSwapped, request->contacts, request->contactCapacity);
    }
    return result;
}
