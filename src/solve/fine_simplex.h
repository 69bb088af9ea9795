// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// simplex.h with twice the digits. A triangle of B - A may have an edge of a huge body and one of a
// tiny body: doubles lose the tiny one in products of the long edges, and with it the side that the
// origin is on.

#include "math/fine.h"
#include "solve/core_support.h"

typedef struct wkFinePoint {
    wkCsoPoint point;
    wkFineVec w; // the same without rounding, in units of about wkPair.scale
} wkFinePoint;

// Up to four points, each with its weight in the closest point.
typedef struct wkFineSimplex {
    int count;
    wkFinePoint point[4];
    wkFine weight[4];
} wkFineSimplex;

typedef struct wkFineRegion {
    wkFineVec closest;
    wkFine weight[3];
} wkFineRegion;

WK_FN wkFineRegion wkFineAtCorner(wkFineVec closest, int corner)
{
    wkFineRegion region = {closest, {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}};
    region.weight[corner].high = 1.0;
    return region;
}

// The point from `start` along `edge` by the share `part / whole` of it.
WK_FN wkFineRegion wkFineOnEdge(wkFineVec start, wkFineVec edge, wkFine part, wkFine whole,
                                int from, int to)
{
    wkFine t = wkFineDiv(part, whole);
    wkFineRegion region = wkFineAtCorner(wkFineVecAdd(start, wkFineScale(t, edge)), from);
    region.weight[from] = wkFineSub(region.weight[from], t);
    region.weight[to] = t;
    return region;
}

// As wkClosestOnTriangle.
WK_FN wkFineRegion wkFineClosestOnTriangle(wkFineVec a, wkFineVec b, wkFineVec c)
{
    wkFineVec ab = wkFineVecSub(b, a), ac = wkFineVecSub(c, a);
    wkFine alongAB = wkFineNeg(wkFineDot(ab, a)), alongAC = wkFineNeg(wkFineDot(ac, a));
    if (alongAB.high <= 0.0 && alongAC.high <= 0.0) {
        return wkFineAtCorner(a, 0);
    }
    wkFine bb = wkFineDot(ab, ab), cc = wkFineDot(ac, ac), bc = wkFineDot(ab, ac);
    wkFine beyondB = wkFineSub(alongAB, bb), besideB = wkFineSub(alongAC, bc);
    wkFine fromB = wkFineSub(besideB, beyondB);
    if (beyondB.high >= 0.0 && fromB.high <= 0.0) {
        return wkFineAtCorner(b, 1);
    }
    wkFine besideC = wkFineSub(alongAB, bc), beyondC = wkFineSub(alongAC, cc);
    wkFine fromC = wkFineSub(besideC, beyondC);
    if (beyondC.high >= 0.0 && fromC.high <= 0.0) {
        return wkFineAtCorner(c, 2);
    }
    wkFineVec normal = wkFineCross(ab, ac);
    wkFine area = wkFineDot(normal, normal);
    wkFine areaC = wkFineDot(normal, wkFineCross(a, ab));
    wkFine areaB = wkFineDot(normal, wkFineCross(ac, a));
    wkFine areaA = wkFineSub(wkFineSub(area, areaB), areaC);
    if (areaC.high <= 0.0 && alongAB.high >= 0.0 && beyondB.high <= 0.0 && bb.high > 0.0) {
        return wkFineOnEdge(a, ab, alongAB, bb, 0, 1);
    }
    if (areaB.high <= 0.0 && alongAC.high >= 0.0 && beyondC.high <= 0.0 && cc.high > 0.0) {
        return wkFineOnEdge(a, ac, alongAC, cc, 0, 2);
    }
    wkFine whole = wkFineAdd(fromB, fromC);
    if (areaA.high <= 0.0 && fromB.high >= 0.0 && fromC.high >= 0.0 && whole.high > 0.0) {
        return wkFineOnEdge(b, wkFineVecSub(c, b), fromB, whole, 1, 2);
    }
    if (!(area.high > 0.0)) {
        return wkFineAtCorner(a, 0);
    }
    wkFine height = wkFineDiv(wkFineDot(normal, a), area);
    wkFineRegion inside = {
        wkFineScale(height, normal),
        {wkFineDiv(areaA, area), wkFineDiv(areaB, area), wkFineDiv(areaC, area)}};
    return inside;
}

WK_FN wkFineVec wkFineKeepTriangle(wkFineSimplex* s, const int corner[3],
                                   const wkFineRegion* region)
{
    int count = 0;
    for (int m = 0; m < 3; ++m) {
        if (region->weight[m].high > 0.0) {
            s->point[count] = s->point[corner[m]];
            s->weight[count] = region->weight[m];
            count += 1;
        }
    }
    s->count = count;
    return region->closest;
}

WK_FN wkFineVec wkFineClosest2(wkFineSimplex* s)
{
    wkFineVec start = s->point[0].w, end = s->point[1].w, edge = wkFineVecSub(end, start);
    wkFine along = wkFineNeg(wkFineDot(start, edge)), square = wkFineDot(edge, edge);
    wkFineRegion region = !(along.high > 0.0) ? wkFineAtCorner(start, 0)
                          : !(wkFineSub(square, along).high > 0.0)
                              ? wkFineAtCorner(end, 1)
                              : wkFineOnEdge(start, edge, along, square, 0, 1);
    const int corner[3] = {0, 1, 2};
    return wkFineKeepTriangle(s, corner, &region);
}

// Flatter tetrahedra than this (volume squared over the product of squared edges) contain nothing.
#define WK_FINE_FLAT_SQUARED 1e-56

// As wkSimplexClosest4: inside, all four stay and the zero vector is returned.
WK_FN wkFineVec wkFineClosest4(wkFineSimplex* s)
{
    static const int faces[4][4] = {{0, 1, 3, 2}, {1, 2, 3, 0}, {0, 2, 3, 1}, {0, 1, 2, 3}};
    const wkFinePoint* p = s->point;
    wkFineVec a = wkFineVecSub(p[0].w, p[3].w), b = wkFineVecSub(p[1].w, p[3].w);
    wkFineVec c = wkFineVecSub(p[2].w, p[3].w);
    double volume = wkFineDot(wkFineCross(a, b), c).high;
    double edges = wkFineDot(a, a).high * wkFineDot(b, b).high * wkFineDot(c, c).high;
    bool isFlat = !(volume * volume > WK_FINE_FLAT_SQUARED * edges), isInside = true;
    wkFineRegion best = wkFineAtCorner(p[3].w, 0);
    double bestSquared = INFINITY;
    int bestFace = 0;
    for (int f = 0; f < (isFlat ? 4 : 3); ++f) {
        const int* i = faces[f];
        wkFineVec start = p[i[0]].w;
        wkFineVec normal =
            wkFineCross(wkFineVecSub(p[i[1]].w, start), wkFineVecSub(p[i[2]].w, start));
        double inward = wkFineDot(normal, wkFineVecSub(p[i[3]].w, start)).high;
        if (!isFlat && -wkFineDot(normal, start).high * inward > 0.0) {
            continue;
        }
        isInside = false;
        wkFineRegion region = wkFineClosestOnTriangle(start, p[i[1]].w, p[i[2]].w);
        double squared = wkFineDot(region.closest, region.closest).high;
        if (squared < bestSquared) {
            best = region, bestSquared = squared, bestFace = f;
        }
    }
    if (isInside) {
        return wkFineVecOf(wkVec(0.0, 0.0, 0.0));
    }
    return wkFineKeepTriangle(s, faces[bestFace], &best);
}

WK_FN wkFineVec wkFineClosest(wkFineSimplex* s)
{
    if (s->count == 1) {
        s->weight[0].high = 1.0, s->weight[0].low = 0.0;
        return s->point[0].w;
    }
    if (s->count == 3) {
        static const int corner[3] = {0, 1, 2};
        wkFineRegion region = wkFineClosestOnTriangle(s->point[0].w, s->point[1].w, s->point[2].w);
        return wkFineKeepTriangle(s, corner, &region);
    }
    return s->count == 2 ? wkFineClosest2(s) : wkFineClosest4(s);
}
