// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// simplex.h in double-double precision. A triangle of B - A may have an edge of a huge body and one of a tiny
// body: doubles lose the tiny one in products of the long edges, and with it the side that the origin is on.

#include "math/double_double.h"
#include "solve/core_support.h"

typedef struct wkDdPoint {
    wkCsoPoint point;
    wkDdVec w; // the same without rounding, in units of about wkPair.scale
} wkDdPoint;

// Up to four points, each with its weight in the closest point.
typedef struct wkDdSimplex {
    int count;
    wkDdPoint point[4];
    wkDoubleDouble weight[4];
} wkDdSimplex;

typedef struct wkDdRegion {
    wkDdVec closest;
    wkDoubleDouble weight[3];
} wkDdRegion;

WK_FN wkDdRegion wkDdAtVertex(wkDdVec closest, int vertex)
{
    wkDdRegion region = {closest, {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}};
    region.weight[vertex].high = 1.0;
    return region;
}

// Returns the point from `start` along `edge` by the share `part / whole` of it.
WK_FN wkDdRegion wkDdOnEdge(wkDdVec start, wkDdVec edge, wkDoubleDouble part, wkDoubleDouble whole,
                            int from, int to)
{
    wkDoubleDouble t = wkDdDiv(part, whole);
    wkDdRegion region = wkDdAtVertex(wkDdVecAdd(start, wkDdScale(t, edge)), from);
    region.weight[from] = wkDdSub(region.weight[from], t);
    region.weight[to] = t;
    return region;
}

// As wkClosestOnTriangle.
WK_FN wkDdRegion wkDdClosestOnTriangle(wkDdVec a, wkDdVec b, wkDdVec c)
{
    wkDdVec ab = wkDdVecSub(b, a), ac = wkDdVecSub(c, a);
    wkDoubleDouble alongAB = wkDdNeg(wkDdDot(ab, a)), alongAC = wkDdNeg(wkDdDot(ac, a));
    if (alongAB.high <= 0.0 && alongAC.high <= 0.0) {
        return wkDdAtVertex(a, 0);
    }
    wkDoubleDouble bb = wkDdDot(ab, ab), cc = wkDdDot(ac, ac), bc = wkDdDot(ab, ac);
    wkDoubleDouble beyondB = wkDdSub(alongAB, bb), besideB = wkDdSub(alongAC, bc);
    wkDoubleDouble fromB = wkDdSub(besideB, beyondB);
    if (beyondB.high >= 0.0 && fromB.high <= 0.0) {
        return wkDdAtVertex(b, 1);
    }
    wkDoubleDouble besideC = wkDdSub(alongAB, bc), beyondC = wkDdSub(alongAC, cc);
    wkDoubleDouble fromC = wkDdSub(besideC, beyondC);
    if (beyondC.high >= 0.0 && fromC.high <= 0.0) {
        return wkDdAtVertex(c, 2);
    }
    wkDdVec normal = wkDdCross(ab, ac);
    wkDoubleDouble area = wkDdDot(normal, normal);
    wkDoubleDouble areaC = wkDdDot(normal, wkDdCross(a, ab));
    wkDoubleDouble areaB = wkDdDot(normal, wkDdCross(ac, a));
    wkDoubleDouble areaA = wkDdSub(wkDdSub(area, areaB), areaC);
    if (areaC.high <= 0.0 && alongAB.high >= 0.0 && beyondB.high <= 0.0 && bb.high > 0.0) {
        return wkDdOnEdge(a, ab, alongAB, bb, 0, 1);
    }
    if (areaB.high <= 0.0 && alongAC.high >= 0.0 && beyondC.high <= 0.0 && cc.high > 0.0) {
        return wkDdOnEdge(a, ac, alongAC, cc, 0, 2);
    }
    wkDoubleDouble whole = wkDdAdd(fromB, fromC);
    if (areaA.high <= 0.0 && fromB.high >= 0.0 && fromC.high >= 0.0 && whole.high > 0.0) {
        return wkDdOnEdge(b, wkDdVecSub(c, b), fromB, whole, 1, 2);
    }
    if (!(area.high > 0.0)) {
        return wkDdAtVertex(a, 0);
    }
    wkDoubleDouble height = wkDdDiv(wkDdDot(normal, a), area);
    wkDdRegion inside = {wkDdScale(height, normal),
                         {wkDdDiv(areaA, area), wkDdDiv(areaB, area), wkDdDiv(areaC, area)}};
    return inside;
}

WK_FN wkDdVec wkDdKeepTriangle(wkDdSimplex* s, const int vertex[3], const wkDdRegion* region)
{
    int count = 0;
    for (int m = 0; m < 3; ++m) {
        if (region->weight[m].high > 0.0) {
            s->point[count] = s->point[vertex[m]];
            s->weight[count] = region->weight[m];
            count += 1;
        }
    }
    s->count = count;
    return region->closest;
}

WK_FN wkDdVec wkDdClosest2(wkDdSimplex* s)
{
    wkDdVec start = s->point[0].w, end = s->point[1].w, edge = wkDdVecSub(end, start);
    wkDoubleDouble along = wkDdNeg(wkDdDot(start, edge)), square = wkDdDot(edge, edge);
    wkDdRegion region = !(along.high > 0.0) ? wkDdAtVertex(start, 0)
                        : !(wkDdSub(square, along).high > 0.0)
                            ? wkDdAtVertex(end, 1)
                            : wkDdOnEdge(start, edge, along, square, 0, 1);
    const int vertex[3] = {0, 1, 2};
    return wkDdKeepTriangle(s, vertex, &region);
}

// Tetrahedra flatter than this (volume squared over the product of squared edges) contain nothing.
#define WK_DD_FLAT_SQUARED 1e-56

// As wkSimplexClosest4: inside, all four stay and the zero vector is returned.
WK_FN wkDdVec wkDdClosest4(wkDdSimplex* s)
{
    static const int faces[4][4] = {{0, 1, 3, 2}, {1, 2, 3, 0}, {0, 2, 3, 1}, {0, 1, 2, 3}};
    const wkDdPoint* p = s->point;
    wkDdVec a = wkDdVecSub(p[0].w, p[3].w), b = wkDdVecSub(p[1].w, p[3].w);
    wkDdVec c = wkDdVecSub(p[2].w, p[3].w);
    double volume = wkDdDot(wkDdCross(a, b), c).high;
    double edges = wkDdDot(a, a).high * wkDdDot(b, b).high * wkDdDot(c, c).high;
    bool isFlat = !(volume * volume > WK_DD_FLAT_SQUARED * edges), isInside = true;
    wkDdRegion best = wkDdAtVertex(p[3].w, 0);
    double bestSquared = INFINITY;
    int bestFace = 0;
    for (int f = 0; f < (isFlat ? 4 : 3); ++f) {
        const int* i = faces[f];
        wkDdVec start = p[i[0]].w;
        wkDdVec normal = wkDdCross(wkDdVecSub(p[i[1]].w, start), wkDdVecSub(p[i[2]].w, start));
        double inward = wkDdDot(normal, wkDdVecSub(p[i[3]].w, start)).high;
        if (!isFlat && -wkDdDot(normal, start).high * inward > 0.0) {
            continue;
        }
        isInside = false;
        wkDdRegion region = wkDdClosestOnTriangle(start, p[i[1]].w, p[i[2]].w);
        double squared = wkDdDot(region.closest, region.closest).high;
        if (squared < bestSquared) {
            best = region, bestSquared = squared, bestFace = f;
        }
    }
    if (isInside) {
        return wkDdVecOf(wkVec(0.0, 0.0, 0.0));
    }
    return wkDdKeepTriangle(s, faces[bestFace], &best);
}

WK_FN wkDdVec wkDdClosest(wkDdSimplex* s)
{
    if (s->count == 1) {
        s->weight[0].high = 1.0, s->weight[0].low = 0.0;
        return s->point[0].w;
    }
    if (s->count == 3) {
        static const int vertex[3] = {0, 1, 2};
        wkDdRegion region = wkDdClosestOnTriangle(s->point[0].w, s->point[1].w, s->point[2].w);
        return wkDdKeepTriangle(s, vertex, &region);
    }
    return s->count == 2 ? wkDdClosest2(s) : wkDdClosest4(s);
}
