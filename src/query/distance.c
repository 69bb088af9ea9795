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

static wkDistanceResult invalidResult(void)
{
    wkDistanceResult result = {.distance = -INFINITY, .status = wk_statusInvalid};
    result.normal = wkVec(0.0, 0.0, 1.0);
    return result;
}

// Overlapping shapes in an unsigned answer: one point in both, on the line
// between the cores' closest ones.
static void answerCommonPoint(const wkQuestion* q, wkDistanceResult* r)
{
    wkVec3d coreA = wkMulSub(r->pointA, q->radiusA, r->normal);
    wkVec3d coreB = wkMulAdd(r->pointB, q->radiusB, r->normal);
    double apart = wkMaxD(wkDot(r->normal, wkSub(coreB, coreA)), 0.0);
    double low = wkMaxD(0.0, apart - q->radiusB), high = wkMinD(apart, q->radiusA);
    double along = wkClamp(0.5 * (q->radiusA + apart - q->radiusB), low, wkMaxD(low, high));
    r->pointA = r->pointB = wkMulAdd(coreA, along, r->normal);
    r->distance = 0.0;
}

static void swapAnswer(wkDistanceResult* r)
{
    wkVec3d point = r->pointA;
    r->pointA = r->pointB;
    r->pointB = point;
    r->normal = wkNeg(r->normal);
}

wkDistanceResult wkDistance(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                            const wkDistanceRequest* request)
{
    static const wkDistanceRequest usual = {INFINITY, 0.0, true, NULL, WK_DISTANCE_COOKIE};
    request = request != NULL ? request : &usual;
    WK_ASSERT(request->cookie == WK_DISTANCE_COOKIE);
    wkQuestion q;
    if (!wkMakeQuestion(a, &poseA, b, &poseB, &q)) {
        return invalidResult();
    }
    q.cutoff = request->cutoff;
    q.touching = -INFINITY;
    q.tolerance = request->tolerance;
    q.isSigned = request->isSigned;
    q.wantsPoints = true;
    q.cache = request->cache;

    wkDistanceResult result;
    wkAsk(&q, &result);
    if (result.distance != result.distance) {
        return invalidResult();
    }
    if (!request->isSigned && result.distance <= 0.0) {
        answerCommonPoint(&q, &result);
    }
    if (q.a != a || q.poseA != &poseA) {
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
