// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Closest point of a simplex to the origin: the inner step of GJK. After C. Ericson's region tests,
// in double, with the plane's own normal where the origin projects inside a triangle.

#include "math/vec.h"

// Up to four points of B - A, with the point of A each came from and its
// weight in the closest point.
typedef struct wkSimplex {
    int count;
    wkVec3d w[4];
    wkVec3d a[4];
    double weight[4];
} wkSimplex;

WK_FN void wkSimplexKeep1(wkSimplex* s, int i)
{
    s->w[0] = s->w[i], s->a[0] = s->a[i];
    s->weight[0] = 1.0;
    s->count = 1;
}

// Keeps i < j.
WK_FN void wkSimplexKeep2(wkSimplex* s, int i, int j, double weightJ)
{
    s->w[0] = s->w[i], s->a[0] = s->a[i];
    s->w[1] = s->w[j], s->a[1] = s->a[j];
    s->weight[0] = 1.0 - weightJ, s->weight[1] = weightJ;
    s->count = 2;
}

WK_FN wkVec3d wkSimplexClosest1(wkSimplex* s)
{
    s->weight[0] = 1.0;
    return s->w[0];
}

WK_FN wkVec3d wkSimplexClosest2(wkSimplex* s)
{
    wkVec3d edge = wkSub(s->w[1], s->w[0]);
    double along = -wkDot(s->w[0], edge);
    double lengthSquared = wkDot(edge, edge);
    if (!(along > 0.0)) {
        wkSimplexKeep1(s, 0);
        return s->w[0];
    }
    if (!(along < lengthSquared)) {
        wkSimplexKeep1(s, 1);
        return s->w[0];
    }
    double t = along / lengthSquared;
    s->weight[0] = 1.0 - t, s->weight[1] = t;
    return wkMulAdd(s->w[0], t, edge);
}

// A triangle's answer before it is written back: which corners stay and with which weights.
typedef struct wkTriangleRegion {
    wkVec3d closest;
    double weight[3]; // zero: the corner does not stay
} wkTriangleRegion;

WK_FN wkTriangleRegion wkTriangleEdge(wkVec3d p, wkVec3d q, int i, int j, double t)
{
    wkTriangleRegion region = {wkLerp(p, q, t), {0.0, 0.0, 0.0}};
    region.weight[i] = 1.0 - t;
    region.weight[j] = t;
    return region;
}

WK_FN wkTriangleRegion wkTriangleCorner(wkVec3d p, int i)
{
    wkTriangleRegion region = {p, {0.0, 0.0, 0.0}};
    region.weight[i] = 1.0;
    return region;
}

// Closest point of triangle abc to the origin.
WK_FN wkTriangleRegion wkClosestOnTriangle(wkVec3d a, wkVec3d b, wkVec3d c)
{
    wkVec3d ab = wkSub(b, a), ac = wkSub(c, a);
    double d1 = -wkDot(ab, a), d2 = -wkDot(ac, a);
    if (d1 <= 0.0 && d2 <= 0.0) {
        return wkTriangleCorner(a, 0);
    }
    double d3 = -wkDot(ab, b), d4 = -wkDot(ac, b);
    if (d3 >= 0.0 && d4 <= d3) {
        return wkTriangleCorner(b, 1);
    }
    double d5 = -wkDot(ab, c), d6 = -wkDot(ac, c);
    if (d6 >= 0.0 && d5 <= d6) {
        return wkTriangleCorner(c, 2);
    }

    // the signed areas come from the normal, which loses less than products of the six dots
    wkVec3d normal = wkCross(ab, ac);
    double areaC = wkDot(normal, wkCross(a, b));
    double areaB = wkDot(normal, wkCross(c, a));
    double areaA = wkDot(normal, wkCross(b, c));
    if (areaC <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        return wkTriangleEdge(a, b, 0, 1, d1 > d3 ? d1 / (d1 - d3) : 0.0);
    }
    if (areaB <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        return wkTriangleEdge(a, c, 0, 2, d2 > d6 ? d2 / (d2 - d6) : 0.0);
    }
    double toC = d4 - d3, toB = d5 - d6;
    if (areaA <= 0.0 && toC >= 0.0 && toB >= 0.0) {
        return wkTriangleEdge(b, c, 1, 2, toC + toB > 0.0 ? toC / (toC + toB) : 0.0);
    }
    double normalSquared = wkDot(normal, normal);
    double sum = areaA + areaB + areaC;
    if (!(sum > 0.0) || !(normalSquared > 0.0)) {
        return wkTriangleCorner(a, 0);
    }
    wkTriangleRegion inside = {wkScale(wkDot(normal, a) / normalSquared, normal),
                               {areaA / sum, areaB / sum, areaC / sum}};
    return inside;
}

// Writes a triangle's answer back; i < j < k are its corners in the simplex.
WK_FN wkVec3d wkSimplexKeepTriangle(wkSimplex* s, int i, int j, int k,
                                    const wkTriangleRegion* region)
{
    const int corner[3] = {i, j, k};
    int count = 0;
    for (int m = 0; m < 3; ++m) {
        if (region->weight[m] > 0.0) {
            s->w[count] = s->w[corner[m]];
            s->a[count] = s->a[corner[m]];
            s->weight[count] = region->weight[m];
            count += 1;
        }
    }
    s->count = count;
    return region->closest;
}

WK_FN wkVec3d wkSimplexClosest3(wkSimplex* s)
{
    wkTriangleRegion region = wkClosestOnTriangle(s->w[0], s->w[1], s->w[2]);
    return wkSimplexKeepTriangle(s, 0, 1, 2, &region);
}

// Keeps the better of the best triangle so far and the one of corners i < j < k.
WK_FN void wkKeepNearerTriangle(const wkSimplex* s, int i, int j, int k, wkTriangleRegion* best,
                                double* bestSquared, int corners[3])
{
    wkTriangleRegion region = wkClosestOnTriangle(s->w[i], s->w[j], s->w[k]);
    double squared = wkDot(region.closest, region.closest);
    if (squared < *bestSquared) {
        *best = region;
        *bestSquared = squared;
        corners[0] = i, corners[1] = j, corners[2] = k;
    }
}

// Flatter tetrahedra than this (volume squared over the product of squared edges) contain nothing.
#define WK_SIMPLEX_FLAT_SQUARED 1e-26

// Four points, the newest last: inside, all four stay and the zero vector is
// returned; else the answer of the closest face. The face without the newest point is
// never it, unless the four are flat.
WK_FN wkVec3d wkSimplexClosest4(wkSimplex* s)
{
    wkVec3d d = s->w[3];
    wkVec3d a = wkSub(s->w[0], d), b = wkSub(s->w[1], d), c = wkSub(s->w[2], d);
    wkVec3d ab = wkCross(a, b), bc = wkCross(b, c), ca = wkCross(c, a);
    double volume = wkDot(ab, c);
    double edges = wkDot(a, a) * wkDot(b, b) * wkDot(c, c);
    bool isFlat = !(volume * volume > WK_SIMPLEX_FLAT_SQUARED * edges);

    // the origin is beyond a face when its side differs from that of the fourth point
    bool isBeyondAB = isFlat || !(-wkDot(ab, d) * volume > 0.0);
    bool isBeyondBC = isFlat || !(-wkDot(bc, d) * volume > 0.0);
    bool isBeyondCA = isFlat || !(-wkDot(ca, d) * volume > 0.0);
    if (!isBeyondAB && !isBeyondBC && !isBeyondCA) {
        return wkVec(0.0, 0.0, 0.0);
    }
    wkTriangleRegion best = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double bestSquared = INFINITY;
    int corners[3] = {0, 1, 2};
    if (isBeyondAB) {
        wkKeepNearerTriangle(s, 0, 1, 3, &best, &bestSquared, corners);
    }
    if (isBeyondBC) {
        wkKeepNearerTriangle(s, 1, 2, 3, &best, &bestSquared, corners);
    }
    if (isBeyondCA) {
        wkKeepNearerTriangle(s, 0, 2, 3, &best, &bestSquared, corners);
    }
    if (isFlat) {
        wkKeepNearerTriangle(s, 0, 1, 2, &best, &bestSquared, corners);
    }
    return wkSimplexKeepTriangle(s, corners[0], corners[1], corners[2], &best);
}
