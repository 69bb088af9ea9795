// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Polytopes by brute force. Overlapping: the facets of A - B have the normals of A's faces, of B's
// faces, or of two crossing edges; all are tried, on both sides. Apart: the closest features are a
// corner and a triangle or two edges; all are tried. No case is left out and none is clever.

#include "body.h"

#include <math.h>

typedef struct axisSearch {
    const wkRefBody* a;
    const wkRefBody* b;
    wkReal best; // largest g
    wkVec3r normal;
} axisSearch;

// g(n) for one side of an axis.
static void trySide(axisSearch* s, wkVec3r n)
{
    wkReal gap = -wkRefDot(n, wkRefDifference(s->a, s->b, n));
    if (gap > s->best) {
        s->best = gap;
        s->normal = n;
    }
}

static void tryAxis(axisSearch* s, wkVec3r axis)
{
    wkReal length = wkRefLength(axis);
    if (length > 0.0L && isfinite(1.0L / length)) {
        wkVec3r n = wkRefScale(axis, 1.0L / length);
        trySide(s, n);
        trySide(s, wkRefScale(n, -1.0L));
    }
}

static wkVec3r edgeOf(const wkRefBody* body, int index)
{
    return wkRefSub(body->points[body->edges[index].to], body->points[body->edges[index].from]);
}

// Bodies without volume may have a difference without volume: then a direction across it is an axis.
static void tryAcross(axisSearch* s, wkVec3r edge)
{
    tryAxis(s, wkRefCross(edge, wkRefVec(1.0L, 0.0L, 0.0L)));
    tryAxis(s, wkRefCross(edge, wkRefVec(0.0L, 1.0L, 0.0L)));
    tryAxis(s, wkRefCross(edge, wkRefVec(0.0L, 0.0L, 1.0L)));
}

static void tryOwnAxes(axisSearch* s, const wkRefBody* body)
{
    for (int i = 0; i < body->triangleCount; i++) {
        const int32_t* t = body->triangles[i].index;
        wkVec3r first = wkRefSub(body->points[t[1]], body->points[t[0]]);
        wkVec3r second = wkRefSub(body->points[t[2]], body->points[t[0]]);
        tryAxis(s, wkRefCross(first, second));
    }
    for (int i = 0; i < body->edgeCount; i++) {
        tryAcross(s, edgeOf(body, i));
    }
}

static void tryAllAxes(axisSearch* s)
{
    tryAxis(s, wkRefVec(1.0L, 0.0L, 0.0L));
    tryOwnAxes(s, s->a);
    tryOwnAxes(s, s->b);
    for (int i = 0; i < s->a->edgeCount; i++) {
        wkVec3r edgeA = edgeOf(s->a, i);
        for (int j = 0; j < s->b->edgeCount; j++) {
            tryAxis(s, wkRefCross(edgeA, edgeOf(s->b, j)));
        }
    }
}

// Keeps the shortest vector between points of the two bodies.
typedef struct featureSearch {
    wkReal best; // squared
    wkVec3r between;
} featureSearch;

static void tryPoints(featureSearch* s, wkVec3r a, wkVec3r b)
{
    wkVec3r between = wkRefSub(b, a);
    wkReal squared = wkRefDot(between, between);
    if (squared < s->best) {
        s->best = squared;
        s->between = between;
    }
}

static wkReal clampUnit(wkReal t)
{
    return t > 0.0L ? (t < 1.0L ? t : 1.0L) : 0.0L;
}

// Parameter of the point of a segment closest to `point`.
static wkReal closestOnSegment(wkVec3r from, wkVec3r edge, wkVec3r point)
{
    wkReal squared = wkRefDot(edge, edge);
    return squared > 0.0L ? clampUnit(wkRefDot(edge, wkRefSub(point, from)) / squared) : 0.0L;
}

static wkVec3r pointOnSegment(wkVec3r from, wkVec3r edge, wkReal t)
{
    return wkRefAdd(from, wkRefScale(edge, t));
}

// Two segments: the four end points against the other segment, and the crossing inside both.
static void trySegments(featureSearch* s, wkVec3r p, wkVec3r u, wkVec3r q, wkVec3r v)
{
    for (int i = 0; i < 2; i++) {
        wkVec3r endP = pointOnSegment(p, u, i);
        wkVec3r endQ = pointOnSegment(q, v, i);
        tryPoints(s, endP, pointOnSegment(q, v, closestOnSegment(q, v, endP)));
        tryPoints(s, pointOnSegment(p, u, closestOnSegment(p, u, endQ)), endQ);
    }
    wkVec3r across = wkRefCross(u, v);
    wkReal squared = wkRefDot(across, across);
    if (squared > 0.0L && isfinite(1.0L / squared)) {
        wkVec3r between = wkRefSub(q, p);
        wkReal t = clampUnit(wkRefDot(wkRefCross(between, v), across) / squared);
        wkVec3r onP = pointOnSegment(p, u, t);
        tryPoints(s, onP, pointOnSegment(q, v, closestOnSegment(q, v, onP)));
    }
}

// A point above the inside of a triangle; its edges are tried elsewhere. `sign` is 1 when the point
// belongs to A.
static void tryPointTriangle(featureSearch* s, wkVec3r point, const wkRefBody* body, int index,
                             wkReal sign)
{
    const int32_t* t = body->triangles[index].index;
    wkVec3r a = body->points[t[0]];
    wkVec3r ab = wkRefSub(body->points[t[1]], a);
    wkVec3r ac = wkRefSub(body->points[t[2]], a);
    wkVec3r n = wkRefCross(ab, ac);
    wkReal squared = wkRefDot(n, n);
    if (!(squared > 0.0L) || !isfinite(1.0L / squared)) {
        return;
    }
    wkVec3r ap = wkRefSub(point, a);
    wkReal weightB = wkRefDot(wkRefCross(ap, ac), n) / squared;
    wkReal weightC = wkRefDot(wkRefCross(ab, ap), n) / squared;
    if (weightB < 0.0L || weightC < 0.0L || weightB + weightC > 1.0L) {
        return;
    }
    // the foot lies in the plane: the way to it is along the normal, without cancellation
    wkVec3r way = wkRefScale(n, -sign * wkRefDot(ap, n) / squared);
    wkReal length = wkRefDot(way, way);
    if (length < s->best) {
        s->best = length;
        s->between = way;
    }
}

static void tryEdges(featureSearch* s, const wkRefBody* a, const wkRefBody* b)
{
    for (int i = 0; i < a->edgeCount; i++) {
        wkVec3r p = a->points[a->edges[i].from];
        for (int j = 0; j < b->edgeCount; j++) {
            trySegments(s, p, edgeOf(a, i), b->points[b->edges[j].from], edgeOf(b, j));
        }
    }
}

// Corners of one body against edges and triangles of the other.
static void tryCorners(featureSearch* s, const wkRefBody* a, const wkRefBody* b, wkReal sign)
{
    wkVec3r zero = {0.0L, 0.0L, 0.0L};
    for (int i = 0; i < a->pointCount; i++) {
        for (int j = 0; j < b->triangleCount; j++) {
            tryPointTriangle(s, a->points[i], b, j, sign);
        }
        for (int j = 0; a->edgeCount == 0 && j < b->edgeCount; j++) {
            wkVec3r from = b->points[b->edges[j].from];
            if (sign > 0.0L) {
                trySegments(s, a->points[i], zero, from, edgeOf(b, j));
            } else {
                trySegments(s, from, edgeOf(b, j), a->points[i], zero);
            }
        }
    }
}

wkRefBracket wkRefSolveAxes(const wkRefBody* a, const wkRefBody* b)
{
    axisSearch axes = {a, b, -INFINITY, {1.0L, 0.0L, 0.0L}};
    tryAllAxes(&axes);
    if (axes.best <= 0.0L) {
        wkRefBracket overlap = {axes.best, axes.best, axes.normal};
        return overlap;
    }

    featureSearch features = {INFINITY, {0.0L, 0.0L, 0.0L}};
    tryPoints(&features, a->points[0], b->points[0]);
    tryEdges(&features, a, b);
    tryCorners(&features, a, b, 1.0L);
    tryCorners(&features, b, a, -1.0L);

    // points of the bodies bound from above, their direction or the best axis from below
    wkReal upper = wkRefLength(features.between);
    tryAxis(&axes, features.between);
    wkRefBracket apart = {axes.best, fmaxl(upper, axes.best), axes.normal};
    return apart;
}
