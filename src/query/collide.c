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

wkCollideResult wkCollide(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                          const wkCollideRequest* request)
{
    static const wkCollideRequest usual = {0.0, NULL, NULL, 0, WK_COLLIDE_COOKIE};
    request = request != NULL ? request : &usual;
    WK_ASSERT(request->cookie == WK_COLLIDE_COOKIE);
    wkCollideResult result = {true, wk_statusInvalid, 0, 0};
    wkQuestion q;
    if (!wkMakeQuestion(a, &poseA, b, &poseB, &q)) {
        return result;
    }
    bool wantsContacts = request->contacts != NULL && request->contactCapacity > 0;
    q.cutoff = request->margin;
    q.touching = wantsContacts ? -INFINITY : request->margin;
    q.tolerance = 0.0;
    q.isSigned = wantsContacts;
    q.wantsPoints = wantsContacts;
    q.cache = request->cache;

    wkDistanceResult answer;
    wkAsk(&q, &answer);
    if (answer.distance != answer.distance || request->margin != request->margin) {
        return result;
    }
    result.isTouching = answer.distance <= request->margin;
    result.status = answer.status == wk_statusUnbounded ? wk_statusUnbounded : wk_statusExact;
    result.iterations = answer.iterations;
    if (result.isTouching && wantsContacts) {
        bool isSwapped = q.a != a || q.poseA != &poseA;
        result.contactCount =
            wkMakeContacts(&q, &answer, isSwapped, request->contacts, request->contactCapacity);
    }
    return result;
}
