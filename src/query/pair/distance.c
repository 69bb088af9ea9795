// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkDistance and wkPenetration.

#include "base/assert.h"
#include "base/cookie.h"
#include "query/pair/question.h"

wkDistanceRequest wkDefaultDistanceRequest(void)
{
    wkDistanceRequest request = {
        .cookie = WK_COOKIE(wkDistanceRequest), .cutoff = INFINITY, .isSigned = true};
    return request;
}

const char* wkStatusName(wkStatus status)
{
    static const char* const names[] = {
        [wk_statusNone] = "none",
        [wk_statusExact] = "exact",
        [wk_statusBound] = "bound",
        [wk_statusUnbounded] = "unbounded",
        [wk_statusInvalid] = "invalid",
        [wk_statusLocal] = "local",
        [wk_statusNotWatertight] = "not watertight",
        [wk_statusUnknown] = "unknown",
    };
    return (unsigned)status <= (unsigned)wk_statusUnknown ? names[status] : "none";
}

// Solves a pair without a closed form.
WK_APART_FN wkDistanceResult solve(wkSolveFcn* solver, const wkShape* a, const wkPose* poseA,
                                   const wkShape* b, const wkPose* poseB,
                                   const wkDistanceRequest* request)
{
    wkQuestion q;
    if (!wkMakeQuestion(a, poseA, b, poseB, &q)) {
        return wkInvalidAnswer();
    }
    q.cutoff = request->cutoff;
    q.touching = -INFINITY;
    q.tolerance = request->tolerance;
    q.isSigned = request->isSigned;
    q.wantsPoints = true;
    q.wantsFar = true;
    q.cache = request->cache;
    wkDistanceResult result;
    wkAnswerBySolving(&q, solver, &result);
    if (result.distance != result.distance) {
        return wkInvalidAnswer();
    }
    if (!q.isSigned) {
        wkAnswerUnsigned(&q, &result);
    }
    return q.poseA == poseA ? result : wkSwapAnswer(result);
}

static wkDistanceResult refuseRequest(const wkDistanceRequest* request)
{
    bool isUsable = WK_HAS_COOKIE(request, wkDistanceRequest);
    WK_ASSERT(isUsable);
    WK_FAIL_COOKIE(request, wkDistanceRequest);
    return wkInvalidAnswer();
}

wkDistanceResult wkDistance(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                            const wkDistanceRequest* request)
{
    static const wkDistanceRequest defaultRequest = {
        .cookie = WK_COOKIE(wkDistanceRequest), .cutoff = INFINITY, .isSigned = true};
    request = request != NULL ? request : &defaultRequest;
    if (WK_UNLIKELY(request->cookie != WK_COOKIE(wkDistanceRequest))) {
        return refuseRequest(request);
    }
    if (WK_UNLIKELY(!wkHasConvexType(a) || !wkHasConvexType(b))) {
        return wkPairRowOf(a, b)->distance(a, &poseA, b, &poseB, request);
    }
    // every result is constructed in the caller's memory
    const wkPairRow* row = wkConvexPairRowOf(a, b);
    if (row->closest == NULL) {
        return solve(row->solve, a, &poseA, b, &poseB, request);
    }
    if (a->type <= b->type) {
        // cppcheck-suppress returnDanglingLifetime
        return row->closest(a, &poseA, b, &poseB, request->isSigned);
    }
    return wkSwapAnswer(row->closest(b, &poseB, a, &poseA, request->isSigned));
}

wkPenetrationResult wkPenetration(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB)
{
    wkDistanceResult d = wkDistance(a, poseA, b, poseB, NULL);
    bool isApart = d.distance > 0.0;
    bool isFinite = d.status != wk_statusUnbounded && d.status != wk_statusInvalid;
    double depth = isApart ? 0.0 : -d.distance;
    wkPenetrationResult result = {
        .depth = depth,
        .translation = wkScale(isFinite ? depth : 0.0, d.normal),
        .pointA = d.pointA,
        .pointB = d.pointB,
        .status = d.status,
    };
    return result;
}
