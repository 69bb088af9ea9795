// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Closest point of a simplex to the origin: the inner step of GJK. Uses C. Ericson's region tests in double
// precision, with the plane's own normal where the origin projects inside a triangle.

#include "math/vec.h"

// A point of B - A and the two points it came from. Differences of points are computed part by part: when one
// body is tiny compared with the other its vertices would be lost in the rounding of w.
typedef struct wkCsoPoint {
    wkVec3d w;     // b - a plus the vector between the frames
    wkVec3d a;     // in the frame of A
    wkVec3d b;     // rotated into the frame of A, about B's origin
    int32_t hintA; // index of the vertex, for hulls
    int32_t hintB;
} wkCsoPoint;

// Returns the vector from p to q.
WK_FN wkVec3d wkCsoEdge(const wkCsoPoint* p, const wkCsoPoint* q)
{
    return wkSub(wkSub(q->b, p->b), wkSub(q->a, p->a));
}

// Up to four points, each with its weight in the closest point.
typedef struct wkSimplex {
    int count;
    wkCsoPoint point[4];
    double weight[4];
} wkSimplex;

WK_FN void wkSimplexKeep1(wkSimplex* s, int i)
{
    s->point[0] = s->point[i];
    s->weight[0] = 1.0;
    s->count = 1;
}

WK_FN wkVec3d wkSimplexClosest1(wkSimplex* s)
{
    s->weight[0] = 1.0;
    return s->point[0].w;
}

WK_FN wkVec3d wkSimplexClosest2(wkSimplex* s)
{
    wkVec3d start = s->point[0].w;
    wkVec3d edge = wkCsoEdge(&s->point[0], &s->point[1]);
    double along = -wkDot(start, edge);
    double lengthSquared = wkDot(edge, edge);
    if (!(along > 0.0)) {
        wkSimplexKeep1(s, 0);
        return start;
    }
    if (!(along < lengthSquared)) {
        wkSimplexKeep1(s, 1);
        return s->point[0].w;
    }
    double t = along / lengthSquared;
    s->weight[0] = 1.0 - t, s->weight[1] = t;
    return wkMulAdd(start, t, edge);
}

// Result for a triangle: the closest point and the weights of the vertices, zero for those that are not
// involved.
typedef struct wkTriangleRegion {
    wkVec3d closest;
    double weight[3];
} wkTriangleRegion;

WK_FN wkTriangleRegion wkTriangleAnswer(wkVec3d closest, double weight0, double weight1,
                                        double weight2)
{
    wkTriangleRegion region = {closest, {weight0, weight1, weight2}};
    return region;
}

// Finds the closest point to the origin of the triangle with vertex `a` and the edges from it to b and to c.
WK_FN wkTriangleRegion wkClosestOnTriangle(wkVec3d a, wkVec3d ab, wkVec3d ac)
{
    // position of the origin along the edges, relative to each vertex
    double alongAB = -wkDot(ab, a), alongAC = -wkDot(ac, a);
    if (alongAB <= 0.0 && alongAC <= 0.0) {
        return wkTriangleAnswer(a, 1.0, 0.0, 0.0);
    }
    double bb = wkDot(ab, ab), cc = wkDot(ac, ac), bc = wkDot(ab, ac);
    double beyondB = alongAB - bb, besideB = alongAC - bc;
    if (beyondB >= 0.0 && besideB <= beyondB) {
        return wkTriangleAnswer(wkAdd(a, ab), 0.0, 1.0, 0.0);
    }
    double besideC = alongAB - bc, beyondC = alongAC - cc;
    if (beyondC >= 0.0 && besideC <= beyondC) {
        return wkTriangleAnswer(wkAdd(a, ac), 0.0, 0.0, 1.0);
    }

    // the signed areas opposite to each vertex come from the normal, which loses fewer digits than products
    // of dot products
    wkVec3d normal = wkCross(ab, ac);
    double area = wkDot(normal, normal);
    double areaC = wkDot(normal, wkCross(a, ab));
    double areaB = wkDot(normal, wkCross(ac, a));
    double areaA = area - areaB - areaC;
    if (areaC <= 0.0 && alongAB >= 0.0 && beyondB <= 0.0) {
        double t = bb > 0.0 ? alongAB / bb : 0.0;
        return wkTriangleAnswer(wkMulAdd(a, t, ab), 1.0 - t, t, 0.0);
    }
    if (areaB <= 0.0 && alongAC >= 0.0 && beyondC <= 0.0) {
        double t = cc > 0.0 ? alongAC / cc : 0.0;
        return wkTriangleAnswer(wkMulAdd(a, t, ac), 1.0 - t, 0.0, t);
    }
    double fromB = besideB - beyondB, fromC = besideC - beyondC;
    if (areaA <= 0.0 && fromB >= 0.0 && fromC >= 0.0) {
        double t = fromB + fromC > 0.0 ? fromB / (fromB + fromC) : 0.0;
        wkVec3d closest = wkMulAdd(wkMulAdd(a, 1.0 - t, ab), t, ac);
        return wkTriangleAnswer(closest, 0.0, 1.0 - t, t);
    }
    if (!(area > 0.0)) {
        return wkTriangleAnswer(a, 1.0, 0.0, 0.0);
    }
    double scale = 1.0 / area;
    return wkTriangleAnswer(wkScale(scale * wkDot(normal, a), normal), scale * areaA, scale * areaB,
                            scale * areaC);
}

// Writes the result for a triangle back; i < j < k are its vertices in the simplex.
WK_FN wkVec3d wkSimplexKeepTriangle(wkSimplex* s, int i, int j, int k,
                                    const wkTriangleRegion* region)
{
    const int vertex[3] = {i, j, k};
    int count = 0;
    for (int m = 0; m < 3; ++m) {
        if (region->weight[m] > 0.0) {
            if (count != vertex[m]) {
                s->point[count] = s->point[vertex[m]];
            }
            s->weight[count] = region->weight[m];
            count += 1;
        }
    }
    s->count = count;
    return region->closest;
}

WK_FN wkVec3d wkSimplexClosest3(wkSimplex* s)
{
    const wkCsoPoint* p = s->point;
    wkTriangleRegion region =
        wkClosestOnTriangle(p[0].w, wkCsoEdge(&p[0], &p[1]), wkCsoEdge(&p[0], &p[2]));
    return wkSimplexKeepTriangle(s, 0, 1, 2, &region);
}

// The best triangle so far, and its vertices.
typedef struct wkBestTriangle {
    wkTriangleRegion region;
    double squared;
    int i, j, k;
} wkBestTriangle;

// Keeps the result for the triangle i < j < k of a simplex when it is the nearest so far.
WK_FN void wkKeepNearerTriangle(wkBestTriangle* best, wkTriangleRegion region, int i, int j, int k)
{
    double squared = wkDot(region.closest, region.closest);
    if (squared < best->squared) {
        best->region = region;
        best->squared = squared;
        best->i = i, best->j = j, best->k = k;
    }
}

// Tetrahedra flatter than this (volume squared over the product of squared edges) contain nothing.
#define WK_SIMPLEX_FLAT_SQUARED 1e-26

// Handles four points, the newest last: inside, all four stay and the zero vector is returned; else the
// result of the closest face. The face without the newest point is never the closest, unless the four are
// flat.
WK_FN wkVec3d wkSimplexClosest4(wkSimplex* s)
{
    const wkCsoPoint* p = s->point;
    wkVec3d d = p[3].w;
    wkVec3d a = wkCsoEdge(&p[3], &p[0]), b = wkCsoEdge(&p[3], &p[1]), c = wkCsoEdge(&p[3], &p[2]);
    wkVec3d ab = wkCross(a, b), bc = wkCross(b, c), ca = wkCross(c, a);
    double volume = wkDot(ab, c);
    double edges = wkDot(a, a) * wkDot(b, b) * wkDot(c, c);
    bool isFlat = !(volume * volume > WK_SIMPLEX_FLAT_SQUARED * edges);

    // the origin is beyond a face when it is on the other side than the fourth point
    bool isBeyondAB = isFlat || !(-wkDot(ab, d) * volume > 0.0);
    bool isBeyondBC = isFlat || !(-wkDot(bc, d) * volume > 0.0);
    bool isBeyondCA = isFlat || !(-wkDot(ca, d) * volume > 0.0);
    if (!isBeyondAB && !isBeyondBC && !isBeyondCA) {
        return wkVec(0.0, 0.0, 0.0);
    }
    wkBestTriangle best = {.squared = INFINITY};
    if (isBeyondAB) {
        wkTriangleRegion r = wkClosestOnTriangle(d, a, b);
        wkKeepNearerTriangle(
            &best, wkTriangleAnswer(r.closest, r.weight[1], r.weight[2], r.weight[0]), 0, 1, 3);
    }
    if (isBeyondBC) {
        wkTriangleRegion r = wkClosestOnTriangle(d, b, c);
        wkKeepNearerTriangle(
            &best, wkTriangleAnswer(r.closest, r.weight[1], r.weight[2], r.weight[0]), 1, 2, 3);
    }
    if (isBeyondCA) {
        wkTriangleRegion r = wkClosestOnTriangle(d, a, c);
        wkKeepNearerTriangle(
            &best, wkTriangleAnswer(r.closest, r.weight[1], r.weight[2], r.weight[0]), 0, 2, 3);
    }
    if (isFlat) {
        wkVec3d ab0 = wkCsoEdge(&p[0], &p[1]), ac0 = wkCsoEdge(&p[0], &p[2]);
        wkKeepNearerTriangle(&best, wkClosestOnTriangle(p[0].w, ab0, ac0), 0, 1, 2);
    }
    return wkSimplexKeepTriangle(s, best.i, best.j, best.k, &best.region);
}

// Returns the weighted sum of the points: the closest point. For a sliver, whose normal has few digits, it is
// more certainly a point of B - A than v is.
WK_FN wkVec3d wkSimplexPoint(const wkSimplex* s)
{
    wkVec3d point = wkScale(s->weight[0], s->point[0].w);
    for (int i = 1; i < s->count; ++i) {
        point = wkMulAdd(point, s->weight[i], s->point[i].w);
    }
    return point;
}

// Returns the weighted sum of the points of A.
WK_FN wkVec3d wkSimplexPointA(const wkSimplex* s)
{
    wkVec3d point = wkScale(s->weight[0], s->point[0].a);
    for (int i = 1; i < s->count; ++i) {
        point = wkMulAdd(point, s->weight[i], s->point[i].a);
    }
    return point;
}
