// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkDistance and wkPenetration.

#include "base/assert.h"
#include "query/prepare.h"

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

// A point in both shapes, on the line between the closest points of their cores.
static wkVec3d commonPoint(const wkPrepared* p, const wkSolution* s)
{
    double apart = wkMaxD(s->distance, 0.0);
    double low = wkMaxD(0.0, apart - p->radiusB), high = wkMinD(apart, p->radiusA);
    double along = wkClamp(0.5 * (p->radiusA + apart - p->radiusB), low, wkMaxD(low, high));
    return wkMulAdd(s->pointA, along, s->normal);
}

static wkDistanceResult makeResult(const wkPrepared* p, const wkSolution* s, bool isSigned)
{
    double distance = s->status == wk_statusUnbounded ? s->distance : wkShapeDistance(p, s->distance);
    wkVec3d pointA = wkMulAdd(s->pointA, p->radiusA, s->normal);
    wkVec3d pointB = wkMulSub(s->pointB, p->radiusB, s->normal);
    if (!isSigned && distance <= 0.0) {
        distance = 0.0;
        pointA = pointB = commonPoint(p, s);
    }
    wkVec3d worldA = wkPreparedPoint(p, pointA);
    wkVec3d worldB = wkPreparedPoint(p, pointB);
    wkVec3d normal = wkPreparedDirection(p, s->normal);
    if (p->isSwapped) {
        wkDistanceResult swapped = {distance, worldB, worldA, wkNeg(normal), s->status, s->iterations};
        return swapped;
    }
    wkDistanceResult result = {distance, worldA, worldB, normal, s->status, s->iterations};
    return result;
}

wkDistanceResult wkDistance(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                            const wkDistanceRequest* request)
{
    wkDistanceRequest usual;
    if (request == NULL) {
        usual = wkDefaultDistanceRequest();
        request = &usual;
    }
    WK_ASSERT(request->cookie == WK_DISTANCE_COOKIE);
    wkPrepared p;
    if (!wkPreparePair(a, &poseA, b, &poseB, &p)) {
        return invalidResult();
    }
    wkGoal goal = {
        .cutoff = wkCoreLimit(&p, request->cutoff),
        .touching = -INFINITY,
        .tolerance = request->tolerance,
        .wantsDepth = request->isSigned,
        .cache = request->cache,
    };
    wkSolution solution;
    wkSolvePrepared(&p, &goal, &solution);
    if (solution.distance != solution.distance) {
        return invalidResult();
    }
    return makeResult(&p, &solution, request->isSigned);
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
