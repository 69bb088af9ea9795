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

// Unsigned answers: overlapping shapes get one point in both, on the line between the cores' closest
// ones. Minima and maxima leave the points of shapes that are apart where they are: whether they
// are is a matter of chance, and a branch would be guessed wrong too often.
static void answerUnsigned(const wkQuestion* q, wkDistanceResult* r)
{
    // surfaces without end that cross have such a point already
    double cores = r->distance + (q->radiusA + q->radiusB);
    cores = r->status != wk_statusUnbounded ? cores : 0.0;
    double radiusA = wkMaxD(q->radiusA, 0.0), radiusB = wkMaxD(q->radiusB, 0.0);
    double apart = wkMaxD(cores, 0.0);
    double middle = wkClamp(0.5 * (radiusA + apart - radiusB), 0.0, apart);
    double alongA = wkMinD(middle, radiusA), alongB = wkMaxD(middle, apart - radiusB);
    r->pointA = wkMulAdd(r->pointA, alongA - q->radiusA, r->normal);
    r->pointB = wkMulAdd(r->pointB, alongB - (cores - q->radiusB), r->normal);
    r->distance = 0.5 * (r->distance + fabs(r->distance));
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
    // one variable, returned everywhere: the compiler builds it in the caller's memory
    wkDistanceResult result;
    wkQuestion q;
    if (!wkMakeQuestion(a, &poseA, b, &poseB, &q)) {
        answerInvalid(&result);
        return result;
    }
    q.cutoff = request->cutoff;
    q.touching = -INFINITY;
    q.tolerance = request->tolerance;
    q.isSigned = request->isSigned;
    q.wantsPoints = true;
    q.cache = request->cache;

    wkAsk(&q, &result);
    if (result.distance != result.distance) {
        answerInvalid(&result);
        return result;
    }
    bool hasRadii = q.radiusA >= 0.0 && q.radiusB >= 0.0;
    if (!q.isSigned && (hasRadii || result.distance <= 0.0)) {
        answerUnsigned(&q, &result);
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
