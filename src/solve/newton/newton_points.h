// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two cores with surface points. Alternating projections, from a point of A to its surface point on B and
// back to A, converge to the closest points, but slowly (von Neumann). The round trip is piecewise smooth,
// though, with derivative D = (derivative on A) (derivative on B): where it goes from a to a + r, the fixed
// point is a + d with (1 - D) d = r. Features that are wrong at first are corrected by the surface points of
// the next point: Newton's method on a piecewise smooth function (Qi, Sun 1993).

#include "solve/newton/newton_proof.h"
#include "solve/newton/surface_point.h"

typedef struct wkSurfacePointsRule {
    wkSurfacePointFcn* surfacePointA;
    wkSurfacePointFcn* surfacePointB;
    wkProofRule proof;
} wkSurfacePointsRule;

// Round trips before GJK is used instead; three or four are typical.
#define WK_SURFACE_POINTS_PASSES 9

// A displacement r shorter than this share (squared) of the distance is worth a proof.
#define WK_SURFACE_POINTS_PROOF 1e-11

// Shares of wkPair.scale: distance of points that have met, and how far behind the surfaces a common point is
// searched.
#define WK_SURFACE_POINTS_TOUCHING 1e-7
#define WK_SURFACE_POINTS_BEHIND 1e-6

// How much further from the middle a point is moved to obtain the normal.
#define WK_SURFACE_POINTS_OUTSIDE 1e-3

// Features with a common direction make 1 - D singular, where any of their points is valid: a value slightly
// above one is used.
#define WK_SURFACE_POINTS_ONE (1.0 + 1e-7)

WK_FORCE_FN void wkPlaceSurfacePoint(const wkFrame* frame, wkSurfacePoint* surfacePoint)
{
    surfacePoint->point = wkFramePoint(frame, surfacePoint->point);
    surfacePoint->along[0] = wkMulMV(&frame->rotation, surfacePoint->along[0]);
    surfacePoint->along[1] = wkMulMV(&frame->rotation, surfacePoint->along[1]);
}

// Returns the fixed point of the round trip from `from` to A.point by way of B: A.point plus the rest of d, a
// combination of the two tangents on A.
WK_FORCE_FN wkVec3d wkSurfacePointsStep(wkVec3d from, const wkSurfacePoint* a,
                                        const wkSurfacePoint* b)
{
    wkVec3d way = wkSub(a->point, from), b0 = b->along[0], b1 = b->along[1];
    double c00 = wkDot(a->along[0], b0), c01 = wkDot(a->along[0], b1);
    double c10 = wkDot(a->along[1], b0), c11 = wkDot(a->along[1], b1);
    double way0 = b->give[0] * wkDot(b0, way), way1 = b->give[1] * wkDot(b1, way);

    // the derivative on B between the tangents on A
    double t00 = b->give[0] * c00 * c00 + b->give[1] * c01 * c01;
    double t01 = b->give[0] * c00 * c10 + b->give[1] * c01 * c11;
    double t11 = b->give[0] * c10 * c10 + b->give[1] * c11 * c11;
    double m00 = WK_SURFACE_POINTS_ONE - a->give[0] * t00, m01 = -a->give[0] * t01;
    double m10 = -a->give[1] * t01, m11 = WK_SURFACE_POINTS_ONE - a->give[1] * t11;
    double r0 = a->give[0] * (c00 * way0 + c01 * way1);
    double r1 = a->give[1] * (c10 * way0 + c11 * way1);
    double scale = 1.0 / (m00 * m11 - m01 * m10);
    wkVec3d to = wkMulAdd(a->point, scale * (m11 * r0 - m01 * r1), a->along[0]);
    return wkMulAdd(to, scale * (m00 * r1 - m10 * r0), a->along[1]);
}

// Returns the unit normal of a surface near `point`, from a point a little further out from the middle.
WK_FORCE_FN wkVec3d wkSurfacePointNormal(wkSurfacePointFcn* surfacePointOf, const wkShape* shape,
                                         wkVec3d point)
{
    wkVec3d outside = wkScale(1.0 + WK_SURFACE_POINTS_OUTSIDE, point);
    return wkNormalizeOr(wkSub(outside, surfacePointOf(shape, outside).point), point);
}

// Handles surfaces that meet at `point`: overlapping cores have common points behind both.
WK_FORCE_FN wkMeeting wkMeetBehind(wkSurfacePointsRule rule, const wkPair* pair, wkVec3d point,
                                   wkSolution* out)
{
    wkVec3d inB = wkFrameLocal(&pair->bInA, point);
    wkVec3d normalA = wkSurfacePointNormal(rule.surfacePointA, pair->a, point);
    wkVec3d normalB =
        wkMulMV(&pair->bInA.rotation, wkSurfacePointNormal(rule.surfacePointB, pair->b, inB));
    double step = WK_SURFACE_POINTS_BEHIND * pair->scale;
    wkVec3d behind = wkMulSub(point, step, wkAdd(normalA, normalB));
    double depthA = rule.surfacePointA(pair->a, behind).depth;
    double depthB = rule.surfacePointB(pair->b, wkFrameLocal(&pair->bInA, behind)).depth;
    return wkMeetInBoth(pair, behind, depthA, depthB, out);
}

WK_FORCE_FN wkMeeting wkNewtonPoints(wkSurfacePointsRule rule, const wkPair* pair, double gap,
                                     wkSolution* out)
{
    // the middle of B is in B
    wkVec3d b = pair->bInA.position;
    wkSurfacePoint onA = rule.surfacePointA(pair->a, b);
    wkVec3d a = onA.point;
    double touching = WK_SURFACE_POINTS_TOUCHING * pair->scale,
           touchingSquared = touching * touching;
    double nearest = INFINITY;
    bool hasMet = false;
    for (int pass = 1; pass <= WK_SURFACE_POINTS_PASSES && !(onA.depth > 0.0); ++pass) {
        wkSurfacePoint onB = rule.surfacePointB(pair->b, wkFrameLocal(&pair->bInA, a));
        if (onB.depth > 0.0 && nearest < INFINITY) {
            // the step overshot, into B
            a = onA.point;
            nearest = INFINITY;
            continue;
        }
        if (onB.depth > 0.0) {
            return wkMeetInside(pair, a, onB.depth, out);
        }
        wkPlaceSurfacePoint(&pair->bInA, &onB);
        b = onB.point;
        onA = rule.surfacePointA(pair->a, b);
        wkVec3d between = wkSub(b, onA.point);
        double squared = wkDot(between, between);
        hasMet = squared <= touchingSquared;
        if (hasMet) {
            break;
        }
        wkVec3d way = wkSub(onA.point, a);
        if (wkDot(way, way) <= WK_SURFACE_POINTS_PROOF * squared &&
            wkProveApart(rule.proof, pair, onA.point, b, gap, pass, out) == wk_meetingApart) {
            return wk_meetingApart;
        }
        // a step that leads away is not continued
        a = squared <= nearest ? wkSurfacePointsStep(a, &onA, &onB) : onA.point;
        nearest = squared;
    }
    if (onA.depth > 0.0) {
        return wkMeetInside(pair, b, onA.depth, out);
    }
    return hasMet ? wkMeetBehind(rule, pair, b, out) : wk_meetingUnknown;
}
