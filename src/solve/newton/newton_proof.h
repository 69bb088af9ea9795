// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Final checks of wkNewtonDistance.

#include "solve/core_support.h"
#include "solve/newton/newton_distance.h"

typedef struct wkProofRule {
    wkSupportFcn* supportA;
    wkSupportFcn* supportB;
} wkProofRule;

// Returns true when the bounds have converged, outside the band in which GJK settles verdicts.
WK_FORCE_FN bool wkIsProven(const wkPair* pair, double upper, double lower, double gap)
{
    return upper - lower <= gap && lower > 2.0 * WK_VERDICT_BAND * pair->scale;
}

WK_FORCE_FN wkMeeting wkMeetApart(wkVec3d pointA, wkVec3d pointB, wkVec3d normal, double distance,
                                  int passes, wkSolution* out)
{
    out->distance = distance;
    out->pointA = pointA;
    out->pointB = pointB;
    out->normal = normal;
    out->status = wk_statusExact;
    out->iterations = passes;
    return wk_meetingApart;
}

// Handles a point of one core that is `depth` inside the other.
WK_FN wkMeeting wkMeetInside(const wkPair* pair, wkVec3d point, double depth, wkSolution* out)
{
    out->pointA = point;
    bool isClear = depth > WK_VERDICT_BAND * pair->scale;
    return isClear ? wk_meetingOverlapping : wk_meetingUnknown;
}

// Handles a point `depthA` and `depthB` inside the two; NaN counts as not inside.
WK_FN wkMeeting wkMeetInBoth(const wkPair* pair, wkVec3d point, double depthA, double depthB,
                             wkSolution* out)
{
    bool isInBoth = depthA > 0.0 && depthB > 0.0;
    return isInBoth ? wkMeetInside(pair, point, wkMinD(depthA, depthB), out) : wk_meetingUnknown;
}

// The points give the upper bound of the distance, the supports across the line between them the lower bound.
WK_FORCE_FN wkMeeting wkProveApart(wkProofRule rule, const wkPair* pair, wkVec3d pointA,
                                   wkVec3d pointB, double gap, int passes, wkSolution* out)
{
    wkVec3d between = wkSub(pointB, pointA);
    double length = wkLength(between);
    wkVec3d n = wkScale(1.0 / length, between);
    int32_t hintA = 0, hintB = 0;
    wkVec3d a = rule.supportA(pair->a, n, &hintA);
    wkVec3d b = rule.supportB(pair->b, wkNeg(wkMulTMV(&pair->bInA.rotation, n)), &hintB);
    wkCsoPoint support = wkMakeCsoPoint(pair, a, wkMulMV(&pair->bInA.rotation, b));
    double lower = wkDot(n, support.w);
    return wkIsProven(pair, length, lower, gap) ? wkMeetApart(pointA, pointB, n, lower, passes, out)
                                                : wk_meetingUnknown;
}
