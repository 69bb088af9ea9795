// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkCollide: a verdict with early exits, and contacts when there is a buffer for them.

#include "base/assert.h"
#include "query/contacts.h"
#include "query/prepare.h"

#define WK_COLLIDE_COOKIE 0x6b774331u // "1Cwk"

wkCollideRequest wkDefaultCollideRequest(void)
{
    wkCollideRequest request = {0.0, NULL, NULL, 0, WK_COLLIDE_COOKIE};
    return request;
}

wkCollideResult wkCollide(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                          const wkCollideRequest* request)
{
    wkCollideRequest usual;
    if (request == NULL) {
        usual = wkDefaultCollideRequest();
        request = &usual;
    }
    WK_ASSERT(request->cookie == WK_COLLIDE_COOKIE);
    wkCollideResult result = {true, wk_statusInvalid, 0, 0};
    wkPrepared p;
    if (!wkPreparePair(a, &poseA, b, &poseB, &p) || request->margin != request->margin) {
        return result;
    }

    // the balls around the shapes are apart
    double limit = wkCoreLimit(&p, request->margin);
    if (p.ballGap > limit + WK_VERDICT_BAND * p.pair.scale) {
        result.isTouching = false;
        result.status = wk_statusExact;
        return result;
    }

    bool wantsContacts = request->contacts != NULL && request->contactCapacity > 0;
    wkGoal goal = {
        .cutoff = limit,
        .touching = wantsContacts ? -INFINITY : limit,
        .tolerance = 0.0,
        .wantsDepth = wantsContacts || limit < 0.0,
        .cache = request->cache,
    };
    wkSolution solution;
    wkSolvePrepared(&p, &goal, &solution);
    if (solution.distance != solution.distance) {
        return result;
    }
    result.isTouching = !(wkShapeDistance(&p, solution.distance) > request->margin);
    result.status = solution.status == wk_statusUnbounded ? wk_statusUnbounded : wk_statusExact;
    result.iterations = solution.iterations;
    if (result.isTouching && wantsContacts) {
        result.contactCount =
            wkMakeContacts(&p, &solution, request->margin, request->contacts, request->contactCapacity);
    }
    return result;
}
