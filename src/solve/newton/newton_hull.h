// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A hull against a core with surface points or an ellipsoid: only the few hull vertices known to matter are
// used. The support across the closest points proves them or adds the next vertex.

#include "solve/newton/newton_ellipsoid.h"
#include "solve/newton/newton_points.h"

#include <float.h>

// Passes before GJK is used instead; four are typical.
#define WK_HULL_PASSES 10

// Larger hulls are not searched for a common point.
#define WK_HULL_FACES 512

// The known vertices, as b of a simplex in the frame of A.
typedef struct wkHullPart {
    wkSimplex simplex;
    int32_t hint;
} wkHullPart;

WK_FN wkVec3d wkHullFurthest(wkHullPart* part, const wkPair* pair, wkVec3d direction)
{
    wkVec3d local = wkMulTMV(&pair->bInA.rotation, direction);
    return wkFramePoint(&pair->bInA, wkSupportHull(pair->b, local, &part->hint));
}

// Returns false when the vertex was known.
WK_FN bool wkAddVertex(wkHullPart* part, wkVec3d vertex)
{
    wkSimplex* s = &part->simplex;
    for (int i = 0; i < s->count; ++i) {
        wkVec3d known = s->point[i].b;
        if (known.x == vertex.x && known.y == vertex.y && known.z == vertex.z) {
            return false;
        }
    }
    s->point[s->count].a = wkVec(0.0, 0.0, 0.0);
    s->point[s->count].b = vertex;
    s->count += 1;
    return true;
}

// Returns the surface point on the known vertices and drops the vertices with zero weight. Tangents are not
// unit vectors, which `give` compensates. The depth of a point inside is unknown.
WK_FN wkSurfacePoint wkSurfacePointOnPart(wkHullPart* part, wkVec3d point)
{
    wkSimplex* s = &part->simplex;
    for (int i = 0; i < s->count; ++i) {
        s->point[i].w = wkSub(s->point[i].b, point);
    }
    wkVec3d to = s->count == 1   ? wkSimplexClosest1(s)
                 : s->count == 2 ? wkSimplexClosest2(s)
                 : s->count == 3 ? wkSimplexClosest3(s)
                                 : wkSimplexClosest4(s);
    wkSurfacePoint surfacePoint = {.point = wkAdd(point, to),
                                   .depth = s->count == 4 ? DBL_MIN : 0.0};
    if (s->count == 2 || s->count == 3) {
        wkVec3d edge = wkCsoEdge(&s->point[0], &s->point[1]);
        surfacePoint.along[0] = edge;
        surfacePoint.give[0] = 1.0 / wkDot(edge, edge);
    }
    if (s->count == 3) {
        wkVec3d edge = wkCsoEdge(&s->point[0], &s->point[2]);
        edge = wkMulSub(edge, surfacePoint.give[0] * wkDot(edge, surfacePoint.along[0]),
                        surfacePoint.along[0]);
        surfacePoint.along[1] = edge;
        surfacePoint.give[1] = 1.0 / wkDot(edge, edge);
    }
    return surfacePoint;
}

// Returns the plane of the hull that a point of its own frame is highest above, and the height.
WK_FN const wkHullPlane* wkHullHighest(const wkHull* hull, wkVec3d point, double* height)
{
    const wkHullPlane* planes = wkHullPlanes(hull);
    const wkHullPlane* highest = planes;
    *height = -INFINITY;
    for (int32_t i = 0; i < hull->faceCount; ++i) {
        double other = wkDot(planes[i].normal, point) - planes[i].offset;
        highest = other > *height ? &planes[i] : highest;
        *height = wkMaxD(other, *height);
    }
    return highest;
}

// Handles surfaces that meet at `point`: overlapping cores have common points behind both.
WK_FN wkMeeting wkMeetBehindHull(wkSurfacePointFcn* surfacePointA, const wkPair* pair,
                                 wkVec3d point, wkSolution* out)
{
    const wkHull* hull = pair->b->hull;
    bool isSolid = hull->faceCount > 3;
    if (!isSolid || hull->faceCount > WK_HULL_FACES) {
        return wk_meetingUnknown;
    }
    double height;
    const wkHullPlane* plane = wkHullHighest(hull, wkFrameLocal(&pair->bInA, point), &height);
    wkVec3d normalB = wkMulMV(&pair->bInA.rotation, plane->normal);
    wkVec3d normalA = wkSurfacePointNormal(surfacePointA, pair->a, point);
    wkVec3d behind =
        wkMulSub(point, WK_SURFACE_POINTS_BEHIND * pair->scale, wkAdd(normalA, normalB));
    wkHullHighest(hull, wkFrameLocal(&pair->bInA, behind), &height);
    return wkMeetInBoth(pair, behind, surfacePointA(pair->a, behind).depth, -height, out);
}

WK_FORCE_FN wkMeeting wkNewtonHull(wkSurfacePointFcn* surfacePointA, wkSupportFcn* supportA,
                                   const wkPair* pair, double gap, wkSolution* out)
{
    wkVec3d b = wkFramePoint(&pair->bInA, pair->b->hull->sphereCenter);
    wkSurfacePoint onA = surfacePointA(pair->a, b);
    wkVec3d a = onA.point;
    wkHullPart part = {.simplex.count = 0};
    wkAddVertex(&part, wkHullFurthest(&part, pair, wkSub(a, b)));
    double nearest = INFINITY, touching = WK_SURFACE_POINTS_TOUCHING * pair->scale;
    bool hasMet = false;
    for (int pass = 1; pass <= WK_HULL_PASSES && !(onA.depth > 0.0); ++pass) {
        wkSurfacePoint onB = wkSurfacePointOnPart(&part, a);
        if (onB.depth > 0.0) {
            return wk_meetingUnknown;
        }
        b = onB.point;
        onA = surfacePointA(pair->a, b);
        wkVec3d between = wkSub(b, onA.point);
        double squared = wkDot(between, between), length = sqrt(squared);
        hasMet = length <= touching;
        if (hasMet) {
            break;
        }
        wkVec3d n = wkScale(1.0 / length, between);
        wkVec3d next = wkHullFurthest(&part, pair, wkNeg(n));
        int32_t hint = 0;
        double lower = wkDot(n, wkSub(next, supportA(pair->a, n, &hint)));
        if (wkIsProven(pair, length, lower, gap)) {
            return wkMeetApart(onA.point, b, n, lower, pass, out);
        }
        if (wkAddVertex(&part, next)) {
            // a new vertex is used at once
            a = onA.point;
            onB = wkSurfacePointOnPart(&part, a);
            b = onB.point;
            onA = surfacePointA(pair->a, b);
            nearest = INFINITY;
        }
        a = squared <= nearest ? wkSurfacePointsStep(a, &onA, &onB) : onA.point;
        nearest = squared;
    }
    if (onA.depth > 0.0) {
        return wkMeetInside(pair, b, onA.depth, out);
    }
    return hasMet ? wkMeetBehindHull(surfacePointA, pair, b, out) : wk_meetingUnknown;
}

// Uses the support of the ellipsoid along x, and its surface point on the hull.
WK_FORCE_FN wkMeeting wkNewtonEllipsoidHull(const wkPair* pair, double gap, wkSolution* out)
{
    wkVec3d radii = pair->a->ellipsoid.radii;
    wkMat3d squares = wkMatOfSquares(&wkAxes, radii);
    wkVec3d x = wkFramePoint(&pair->bInA, pair->b->hull->sphereCenter);
    wkHullPart part = {.simplex.count = 0};
    double nearest = 0.0;
    for (int pass = 1; pass <= WK_HULL_PASSES; ++pass) {
        double xx = wkDot(x, x), length = sqrt(xx);
        wkVec3d next = wkHullFurthest(&part, pair, wkNeg(x));
        wkEllipsoidSupport a = wkMakeEllipsoidSupport(&squares, x, xx);
        wkAddVertex(&part, next);
        wkSurfacePoint onB = wkSurfacePointOnPart(&part, a.h);
        if (onB.depth > 0.0) {
            return wk_meetingUnknown;
        }
        wkVec3d w = wkSub(onB.point, a.h);
        double ww = wkDot(w, w), wx = wkDot(w, x);
        double lower = wkDot(x, wkSub(next, a.h)) / length;
        if (ww * xx - wx * wx <= WK_ELLIPSOID_SAME * ww * xx &&
            wkIsProven(pair, sqrt(ww), lower, gap)) {
            return wkMeetApart(a.h, onB.point, wkScale(1.0 / length, x), lower, pass, out);
        }
        bool isNearer = ww <= nearest && wx > 0.0;
        if (!isNearer && pass > WK_ELLIPSOID_PATIENCE) {
            return wkMeetInside(pair, onB.point, wkEllipsoidDepth(radii, onB.point), out);
        }
        x = wkScale(xx, wkEllipsoidStep(&squares, &a, &onB, w, wkMaxD(wx, 0.0), isNearer));
        nearest = ww;
    }
    return wk_meetingUnknown;
}
