// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Penetration depth of a box and a cylinder; see depth_list.h. In the frame of the box, with half edges e,
// and a cylinder of axis a, half length h and radius r about c, the depth along the unit normal n is
//
//     e.|n| + h |a.n| + r |a x n| - c.n.
//
// Smooth pieces of the surface of B - A:
//  - flat: a face of the box and a rim's point, n along an edge; a cap and a vertex, n along a; an
//    edge of the box and a line of the side, n across both. Boxes and cylinders are symmetric about
//    their middles, so that the sign of n follows from c;
//  - a vertex and the side, n across a: projected along a, a disc of radius r about c and the shadow of
//    the box. With c in the shadow the way out is across one of its sides, an edge above; else it
//    is r less the distance of the shadow, from a side again or from a vertex;
//  - an edge and a rim, n across the edge: see depth_rim.h. Between the normals where the edge or the rim
//    is replaced by another one, the surface projected along the edge is one arc of an ellipse. No point of
//    it is nearer than its chord or one of its ends, and the ends are flat pieces. So only an arc whose
//    chord is nearer than the best way out so far is evaluated.
// A vertex and a rim form a curve on the surface, which is no smooth piece.

#include "solve/depth_list/depth_box.h"

// In the search for a vertex of the shadow one step is usually enough.
#define WK_DEPTH_VERTEX_STEPS 4

static double depthAlong(const wkBoxView* s, wkVec3d n)
{
    wkVec3d axis = wkGather(s->axis);
    return wkDot(wkGather(s->half), wkAbs(n)) + s->halfLength * fabs(wkDot(axis, n)) +
           s->radius * wkLength(wkCross(axis, n)) - wkDot(wkGather(s->center), n);
}

static void keepCurved(const wkBoxView* s, wkWayOut* best, wkVec3d n, wkWayKind kind, int k)
{
    wkWayOut way = {depthAlong(s, n), kind, k, n};
    *best = way.depth < best->depth ? way : *best;
}

// Lists the flat pieces: three with a face, three with an edge, and the cap. `spare` is how far the
// cylinder's axis lies inside the line of each edge, projected along it; negative outside.
static void listFlat(const wkBoxView* s, double spare[3], double depth[7])
{
    double cap = s->halfLength, along = 0.0;
    for (int k = 0; k < 3; ++k) {
        depth[k] =
            s->half[k] + s->halfLength * s->axis[k] + s->radius * s->sine[k] - fabs(s->center[k]);
        cap += s->half[k] * s->axis[k];
        along += s->center[k] * s->axis[k];
        double across = s->center[k + 2] * s->projectedX[k] - s->center[k + 1] * s->projectedY[k];
        double reach = s->half[k + 1] * s->projectedY[k] + s->half[k + 2] * s->projectedX[k];
        spare[k] = s->sine[k] > 0.0 ? reach - fabs(across) : INFINITY;
        depth[3 + k] = spare[k] + s->radius;
    }
    depth[6] = cap - fabs(along);
}

// Returns the normal across the edge k and the cylinder's axis, from the box to the cylinder.
static wkVec3d edgeNormal(const wkBoxView* s, int k)
{
    double u = -s->projectedY[k], v = s->projectedX[k];
    double sign = u * s->center[k + 1] + v * s->center[k + 2] < 0.0 ? -1.0 : 1.0;
    return wkAlongAxes(k, 0.0, sign * u, sign * v);
}

// Returns where the line of the edge k through `point` is nearest to the cylinder's axis.
static double nearestOnEdge(const wkBoxView* s, int k, wkVec3d point)
{
    wkVec3d axis = wkGather(s->axis), between = wkSub(wkGather(s->center), point);
    return (*wkCoordinate(&between, k) - s->axis[k] * wkDot(axis, between)) *
           (s->inverse[k] * s->inverse[k]);
}

// The disc's middle lies outside the shadow, nearest to the line of the edge k. If it is beyond the edge's
// end, a vertex of the shadow is nearest. Of all sides the two at that vertex have the lines that are
// furthest from the disc, so k is one of them.
static void tryVertex(const wkBoxView* s, int k, wkWayOut* best)
{
    wkVec3d axis = wkGather(s->axis), n = edgeNormal(s, k);
    wkVec3d vertex = wkVertexAlong(s, n);
    double* vertexK = wkCoordinate(&vertex, k);
    *vertexK = 0.0;
    double t = nearestOnEdge(s, k, vertex);
    if (fabs(t) <= s->half[k]) {
        return;
    }
    *vertexK = copysign(s->half[k], t);
    for (int step = 0; step < WK_DEPTH_VERTEX_STEPS; ++step) {
        wkVec3d across = wkAcrossAxis(wkSub(wkGather(s->center), vertex), axis);
        double length = wkLength(across);
        if (!(length > 0.0) || !(s->radius - length < best->depth)) {
            return;
        }
        n = wkScale(1.0 / length, across);
        wkVec3d next = wkVertexAlong(s, n);
        if (next.x == vertex.x && next.y == vertex.y && next.z == vertex.z) {
            keepCurved(s, best, n, wk_wayVertexSide, k);
            return;
        }
        vertex = next;
    }
}

static void solveArc(const wkBoxView* s, int k, wkRimArc arc, double along, double side,
                     wkWayOut* best)
{
    wkVec3d n;
    if (wkArcNormal(s, k, &arc, side * s->center[k + 1], side * s->center[k + 2], along, &n)) {
        keepCurved(s, best, wkScale(side, n), wk_wayEdgeRim, k);
    }
}

// Arcs come in pairs, on opposite sides of the middle of B - A.
WK_FORCE_FN void tryArc(const wkBoxView* s, int k, wkRimArc arc, double along, wkWayOut* best)
{
    double x = s->center[k + 1], y = s->center[k + 2];
    if (WK_UNLIKELY(wkIsRimArcNear(&arc, x, y, best->depth))) {
        solveArc(s, k, arc, along, 1.0, best);
    }
    if (WK_UNLIKELY(wkIsRimArcNear(&arc, -x, -y, best->depth))) {
        solveArc(s, k, arc, along, -1.0, best);
    }
}

// Tests the arcs projected along the edge k: from the normal along axis k + 1 to the one along k + 2, on to
// the one across the cylinder's axis, and to the opposite of the first.
static void tryRims(const wkBoxView* s, int k, wkWayOut* best)
{
    if (!(s->sine[k] > 0.0) || s->axis[k] == 0.0) {
        return; // the side replaces the rim, or the cap its arcs
    }
    double ux = s->axis[k + 1], uy = s->axis[k + 2], r = s->radius;
    double ex = s->half[k + 1], ey = s->half[k + 2];
    double hx = s->halfLength * ux, hy = s->halfLength * uy;
    double firstX = r * s->sine[k + 1], firstY = -r * ux * uy * s->inverse[k + 1];
    double secondX = -r * ux * uy * s->inverse[k + 2], secondY = r * s->sine[k + 2];
    double lastX = -r * s->projectedY[k], lastY = r * s->projectedX[k];
    const wkRimArc both = {0, ex + hx, ey + hy, firstX, firstY, secondX, secondY};
    const wkRimArc second = {1, hx - ex, ey + hy, secondX, secondY, lastX, lastY};
    const wkRimArc first = {1, -ex - hx, ey - hy, lastX, lastY, -firstX, -firstY};
    tryArc(s, k, both, 1.0, best);
    tryArc(s, k, second, 1.0, best);
    tryArc(s, k, first, -1.0, best);
}

static void nameFlat(wkBoxSearch* search)
{
    const wkBoxView* s = &search->view;
    wkWayOut* best = &search->best;
    int i = wkIndexOf(search->flat, search->flatCount, best->depth);
    best->k = i % 3;
    if (i < 3) {
        best->kind = wk_wayFace;
        best->normal = wkAlongAxes(i, copysign(1.0, s->center[i]), 0.0, 0.0);
    } else if (i < 6) {
        best->kind = wk_wayEdgeSide;
        best->normal = edgeNormal(s, best->k);
    } else {
        wkVec3d axis = wkGather(s->axis);
        best->kind = wk_wayCap;
        best->normal = wkDot(axis, wkGather(s->center)) < 0.0 ? wkNeg(axis) : axis;
    }
}

static bool contains(const wkBoxView* s, wkVec3d point, double off)
{
    wkVec3d axis = wkGather(s->axis), local = wkSub(point, wkGather(s->center));
    double along = wkDot(axis, local), across = wkLength(wkMulSub(local, along, axis));
    return fabs(along) <= s->halfLength + off && across <= s->radius + off;
}

static double crossingOnEdge(const wkBoxView* s, const wkWayOut* way, wkVec3d n, wkVec3d middle)
{
    (void)n;
    return nearestOnEdge(s, way->k, middle);
}

static bool placePoints(const wkBoxView* s, const wkWayOut* way, double off, wkSolution* out)
{
    wkVec3d axis = wkGather(s->axis), n = out->normal;
    double lean = wkDot(axis, n);
    if (way->kind == wk_wayFace || way->kind == wk_wayEdgeRim) {
        wkVec3d across = wkMulSub(n, lean, axis);
        double sine = wkLength(across);
        if (!(s->radius * sine > off) || !(s->halfLength * fabs(lean) > off)) {
            return false;
        }
        out->pointB = wkMulSub(wkGather(s->center), copysign(s->halfLength, lean), axis);
        out->pointB = wkMulSub(out->pointB, s->radius / sine, across);
        out->pointA = wkMulAdd(out->pointB, way->depth, n);
        return true;
    }
    return wkPlaceOnVertex(crossingOnEdge, s, way, off, out);
}

static void start(const wkPair* pair, wkBoxSearch* search)
{
    wkViewFromBox(pair, pair->bInA.rotation.z, &search->view);
    search->flatCount = 7;
    listFlat(&search->view, search->spare, search->flat);
    search->best.depth = wkLeastOf(search->flat, 7);
    search->best.kind = wk_wayFlat;
}

static void finish(wkBoxSearch* search)
{
    double inside = wkLeastOf(search->spare, 3);
    if (inside < 0.0) {
        tryVertex(&search->view, wkIndexOf(search->spare, 3, inside), &search->best);
    }
    for (int k = 0; k < 3; ++k) {
        tryRims(&search->view, k, &search->best);
    }
}

static bool findWayOut(const wkPair* pair, double limit, wkSolution* out)
{
    wkRoundRule rule = {start, finish, nameFlat, placePoints, contains};
    return wkFindWayOut(rule, pair, limit, out);
}

bool wkDepthBoxCylinder(const wkPair* pair, wkSolution* out)
{
    return findWayOut(pair, -INFINITY, out);
}

void wkSolveBoxCylinder(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    wkSolveContact(findWayOut, wkGjkBoxCylinder, pair, goal, out);
}
