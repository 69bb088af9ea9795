// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkDistance and wkPenetration.

#include "base/assert.h"
#include "query/question.h"

#define WK_DISTANCE_COOKIE 0x6b774431u // "1Dwk"

wkDistanceRequest wkDefaultDistanceRequest(void)
{
    wkDistanceRequest request = {INFINITY, 0.0, true, NULL, WK_DISTANCE_COOKIE};
    return request;
}

const char* wkStatusName(wkStatus status)
{
    static const char* const names[] = {
        [wk_statusExact] = "exact",
        [wk_statusBound] = "bound",
        [wk_statusUnbounded] = "unbounded",
        [wk_statusInvalid] = "invalid",
    };
    return (unsigned)status <= (unsigned)wk_statusInvalid ? names[status] : "unknown";
}

static void answerInvalid(wkDistanceResult* r)
{
    wkDistanceResult invalid = {.distance = -INFINITY, .status = wk_statusInvalid};
    invalid.normal = wkVec(0.0, 0.0, 1.0);
    *r = invalid;
}

static void swapAnswer(wkDistanceResult* r)
{
    wkVec3d point = r->pointA;
    r->pointA = r->pointB;
    r->pointB = point;
    r->normal = wkNeg(r->normal);
}

// The answer of a pair without a closed form, in canonical order.
static void solve(wkSolveFcn* solver, const wkShape* a, const wkPose* poseA, const wkShape* b,
                  const wkPose* poseB, const wkDistanceRequest* request, wkDistanceResult* result)
{
    wkQuestion q;
    if (!wkMakeQuestion(a, poseA, b, poseB, &q)) {
        wkRefuse(result);
        return;
    }
    q.cutoff = request->cutoff;
    q.touching = -INFINITY;
    q.tolerance = request->tolerance;
    q.isSigned = request->isSigned;
    q.wantsPoints = true;
    q.wantsFar = true;
    q.cache = request->cache;
    wkAnswerBySolving(&q, solver, result);
    if (!q.isSigned && result->distance == result->distance) {
        wkAnswerUnsigned(&q, result);
    }
}

wkDistanceResult wkDistance(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                            const wkDistanceRequest* request)
{
    static const wkDistanceRequest usual = {INFINITY, 0.0, true, NULL, WK_DISTANCE_COOKIE};
    request = request != NULL ? request : &usual;
    WK_ASSERT(request->cookie == WK_DISTANCE_COOKIE);
    // one variable, returned everywhere: the compiler builds it in the caller's memory
    wkDistanceResult result;
    if (!wkHasKnownType(a) || !wkHasKnownType(b)) {
        answerInvalid(&result);
        return result;
    }
    const wkPairRow* row = wkPairRowOf(a, b);
    bool isSwapped = wkIsSwapped(a, &poseA, b, &poseB);
    if (row->near == NULL) {
        solve(row->solve, a, &poseA, b, &poseB, request, &result);
    } else if (isSwapped) {
        row->near(b, &poseB, a, &poseA, request->isSigned, &result);
    } else {
        row->near(a, &poseA, b, &poseB, request->isSigned, &result);
    }
    if (result.distance != result.distance) {
        answerInvalid(&result);
        return result;
    }
    if (isSwapped) {
        swapAnswer(&result);
    }
    return result;
}

wkPenetrationResult wkPenetration(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB)
{
    wkDistanceResult d = wkDistance(a, poseA, b, poseB, NULL);
    bool isApart = d.distance > 0.0;
    bool isFinite = d.status == wk_statusExact || d.status == wk_statusBound;
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
