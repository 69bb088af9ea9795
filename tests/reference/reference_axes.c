// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Polytopes by brute force. Overlapping: the facets of A - B have the normals of A's faces, of B's
// faces, or of two crossing edges; all are tried, on both sides. Apart: the closest features are a
// vertex and a triangle or two edges; all are tried. No case is left out and none is clever.

#include "reference_body.h"

#include <math.h>

typedef struct axisSearch {
    const wkRefBody* a;
    const wkRefBody* b;
    wkReal best; // largest g
    wkVec3r normal;
    wkReal shortest; // squared length of the shortest way between points of the two bodies
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

// Bodies without volume may have a difference without volume: then a
// direction across it is an axis.
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

// Two ways of the same length, as far as their squares can tell, may differ in direction by the
// square root of that: all of them are axes.
#define SAME_LENGTH 1e-12L

// A way from a point of A to a point of B.
static void tryWay(axisSearch* s, wkVec3r way)
{
    wkReal squared = wkRefDot(way, way);
    if (squared <= s->shortest * (1.0L + SAME_LENGTH)) {
        s->shortest = fminl(s->shortest, squared);
        tryAxis(s, way);
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

// From a segment to a point. The way to the inside of a segment is at right angles to it;
// cancellation has left a rest along it, which is taken out.
static wkVec3r wayToPoint(wkVec3r from, wkVec3r edge, wkVec3r point)
{
    wkReal t = closestOnSegment(from, edge, point);
    wkVec3r way = wkRefSub(point, pointOnSegment(from, edge, t));
    if (t > 0.0L && t < 1.0L) {
        way = wkRefSub(way, wkRefScale(edge, wkRefDot(way, edge) / wkRefDot(edge, edge)));
    }
    return way;
}

// Two segments: the four end points against the other segment, and the crossing inside both.
static void trySegments(axisSearch* s, wkVec3r p, wkVec3r u, wkVec3r q, wkVec3r v)
{
    for (int i = 0; i < 2; i++) {
        tryWay(s, wayToPoint(p, u, pointOnSegment(q, v, i)));
        tryWay(s, wkRefScale(wayToPoint(q, v, pointOnSegment(p, u, i)), -1.0L));
    }
    wkVec3r across = wkRefCross(u, v);
    wkReal squared = wkRefDot(across, across);
    if (squared > 0.0L && isfinite(1.0L / squared)) {
        wkVec3r between = wkRefSub(q, p);
        wkReal onP = wkRefDot(wkRefCross(between, v), across) / squared;
        wkReal onQ = wkRefDot(wkRefCross(between, u), across) / squared;
        if (onP >= 0.0L && onP <= 1.0L && onQ >= 0.0L && onQ <= 1.0L) {
            tryWay(s, wkRefScale(across, wkRefDot(between, across) / squared));
        }
    }
}

// A point above the inside of a triangle; its edges are tried elsewhere. `sign` is 1 when the point
// belongs to A.
static void tryPointTriangle(axisSearch* s, wkVec3r point, const wkRefBody* body, int index,
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
    tryWay(s, wkRefScale(n, -sign * wkRefDot(ap, n) / squared));
}

static void tryEdges(axisSearch* s, const wkRefBody* a, const wkRefBody* b)
{
    for (int i = 0; i < a->edgeCount; i++) {
        wkVec3r p = a->points[a->edges[i].from];
        for (int j = 0; j < b->edgeCount; j++) {
            trySegments(s, p, edgeOf(a, i), b->points[b->edges[j].from], edgeOf(b, j));
        }
    }
}

// Vertices of one body against edges and triangles of the other.
static void tryVertices(axisSearch* s, const wkRefBody* a, const wkRefBody* b, wkReal sign)
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
    axisSearch s = {a, b, -INFINITY, {1.0L, 0.0L, 0.0L}, INFINITY};
    tryAllAxes(&s);

    // the way between the closest features proves that bodies are apart; points and
    // segments may have no other axis
    tryWay(&s, wkRefSub(b->points[0], a->points[0]));
    tryEdges(&s, a, b);
    tryVertices(&s, a, b, 1.0L);
    tryVertices(&s, b, a, -1.0L);

    // overlapping: the best axis is exact; apart: points of the bodies bound from above
    wkReal upper = s.best > 0.0L ? sqrtl(s.shortest) : s.best;
    wkRefBracket bracket = {s.best, fmaxl(upper, s.best), s.normal};
    return bracket;
}
