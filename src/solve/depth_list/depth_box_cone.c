// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Penetration depth of a box and a cone; see depth_list.h, and depth_box_cylinder.c for a shorter list of the
// same kind. The axis g points from the apex to the base. With half edges e of the box, half height h and
// base radius r of the cone about c, the depth along the unit normal n is
//
//     e.|n| + max(h g.n, r |g x n| - h g.n) - c.n:
//
// the apex touches where g.n > u = r / sqrt(r r + 4 h h), the rim where g.n < u, and a line of the side where
// they are equal. Smooth pieces of the surface of B - A:
//  - flat: a face and the apex or a point of the rim, n along an edge, on either side; the base and
//    a vertex, n = -g; an edge and a line of the side, n across the edge with g.n = u: two or none;
//  - a vertex and the side, n = u g + w q with a unit q across g. For the vertex v the depth is
//    u (h - g.(c - v)) - w q.(c - v), least where q points from v to c; it counts when v is the
//    vertex furthest along this n;
//  - an edge and the rim, n across the edge with g.n < u: arcs of an ellipse as for a cylinder, cut
//    where g.n = u. A quarter circle with both ends beyond u lies beyond it altogether.
// A vertex or an edge and the apex, or a vertex and the rim, form no smooth pieces.

#include "solve/depth_list/depth_box.h"

// Makes a depth larger than any other without a branch; its product with a length stays finite.
#define WK_DEPTH_OUT_OF_REACH 1e200

static void findSide(wkBoxView* s)
{
    double height = 2.0 * s->halfLength;
    double inverse = wkInverseOf(sqrt(s->radius * s->radius + height * height));
    s->sideAlong = s->radius * inverse;
    s->sideAcross = height * inverse;
}

static double depthAlong(const wkBoxView* s, wkVec3d n)
{
    wkVec3d axis = wkGather(s->axis);
    double apex = s->halfLength * wkDot(axis, n);
    double rim = s->radius * wkLength(wkCross(axis, n)) - apex;
    return wkDot(wkGather(s->half), wkAbs(n)) + wkMaxD(apex, rim) - wkDot(wkGather(s->center), n);
}

static void keepCurved(const wkBoxView* s, wkWayOut* best, wkVec3d n, wkWayKind kind, int k)
{
    wkWayOut way = {depthAlong(s, n), kind, k, n};
    *best = way.depth < best->depth ? way : *best;
}

static wkEdgeCut cutOf(const wkBoxView* s, int k)
{
    wkEdgeCut cut = {.x = {0.0, 0.0}, .y = {0.0, 0.0}};
    // both normal and axis have unit length: the smaller of their coordinates are more accurate
    double u = s->sideAlong, w = s->sideAcross;
    double rest = u < w ? (s->sine[k] - u) * (s->sine[k] + u) : (w - s->axis[k]) * (w + s->axis[k]);
    cut.exists = rest > 0.0 && s->sine[k] > 0.0;
    if (cut.exists) {
        double ux = s->projectedX[k], uy = s->projectedY[k];
        double cosine = u * s->inverse[k], sine = sqrt(rest) * s->inverse[k];
        cut.x[0] = cosine * ux - sine * uy, cut.y[0] = cosine * uy + sine * ux;
        cut.x[1] = cosine * ux + sine * uy, cut.y[1] = cosine * uy - sine * ux;
    }
    return cut;
}

// Lists the flat pieces: a face on either side, an edge at either cut, three of each, and the base.
static void listFlat(const wkBoxView* s, const wkEdgeCut cuts[3], double depth[13])
{
    depth[12] = s->halfLength;
    for (int k = 0; k < 3; ++k) {
        double apex = s->halfLength * s->axis[k], rim = s->radius * s->sine[k];
        depth[k] = s->half[k] + wkMaxD(apex, rim - apex) - s->center[k];
        depth[3 + k] = s->half[k] + rim + apex + s->center[k];
        depth[12] += (s->half[k] + s->center[k]) * s->axis[k];
        for (int i = 0; i < 2; ++i) {
            double x = cuts[k].x[i], y = cuts[k].y[i];
            double reach =
                s->half[k + 1] * fabs(x) + s->half[k + 2] * fabs(y) + s->halfLength * s->sideAlong;
            double offset = s->center[k + 1] * x + s->center[k + 2] * y;
            depth[6 + 3 * i + k] = cuts[k].exists ? reach - offset : INFINITY;
        }
    }
}

// Finds the shallowest of the vertices that are furthest along their own normal.
static void tryVertices(const wkBoxView* s, wkWayOut* best)
{
    static const double signX[8] = {-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0};
    static const double signY[8] = {-1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, 1.0};
    static const double signZ[8] = {-1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0};
    const double u = s->sideAlong, w = s->sideAcross, height = s->halfLength;
    const double gx = s->axis[0], gy = s->axis[1], gz = s->axis[2];
    const double cx = s->center[0], cy = s->center[1], cz = s->center[2];
    const double ex = s->half[0], ey = s->half[1], ez = s->half[2];
    double depth[8];
    for (int i = 0; i < 8; ++i) {
        double x = cx - signX[i] * ex, y = cy - signY[i] * ey, z = cz - signZ[i] * ez;
        double along = x * gx + y * gy + z * gz;
        x -= along * gx, y -= along * gy, z -= along * gz;
        double length = sqrt(x * x + y * y + z * z);

        // the normal times the length: where it does not point to the vertex, the depth is made too large to
        // win
        double lift = u * length;
        double leanX = signX[i] * (lift * gx + w * x);
        double leanY = signY[i] * (lift * gy + w * y);
        double leanZ = signZ[i] * (lift * gz + w * z);
        double least = wkMinD(wkMinD(leanX, leanY), wkMinD(leanZ, 0.0));
        depth[i] = u * (height - along) - w * length - WK_DEPTH_OUT_OF_REACH * least;
    }
    double shallowest = wkLeastOf(depth, 8);
    if (shallowest < best->depth) {
        int i = wkIndexOf(depth, 8, shallowest);
        wkVec3d axis = wkGather(s->axis), half = wkGather(s->half);
        wkVec3d vertex = wkMulVec(wkVec(signX[i], signY[i], signZ[i]), half);
        wkVec3d across = wkAcrossAxis(wkSub(wkGather(s->center), vertex), axis);
        double scale = w * wkInverseOf(wkLength(across));
        wkVec3d n = wkMulAdd(wkScale(u, axis), scale, across);
        keepCurved(s, best, wkNormalizeOr(n, axis), wk_wayVertexSide, 0);
    }
}

static void solveArc(const wkBoxView* s, int k, wkRimArc arc, double x, double y, wkWayOut* best)
{
    wkVec3d n;
    if (arc.quarter != 2 && wkArcNormal(s, k, &arc, x, y, 1.0, &n)) {
        keepCurved(s, best, n, wk_wayEdgeRim, k);
    }
    if (arc.quarter != 0 && wkArcNormal(s, k, &arc, x, y, -1.0, &n)) {
        keepCurved(s, best, n, wk_wayEdgeRim, k);
    }
}

WK_FORCE_FN void tryArc(const wkBoxView* s, int k, wkRimArc arc, wkWayOut* best)
{
    // the base's middle
    double x = s->center[k + 1] + s->halfLength * s->axis[k + 1];
    double y = s->center[k + 2] + s->halfLength * s->axis[k + 2];
    if (WK_UNLIKELY(wkIsRimArcNear(&arc, x, y, best->depth))) {
        solveArc(s, k, arc, x, y, best);
    }
}

// Tests the four quarters of the normals across the edge k, starting with the one along axis k + 1.
static void tryRims(const wkBoxView* s, const wkEdgeCut* cut, int k, wkWayOut* best)
{
    if (s->axis[k] == 0.0) {
        return; // the base replaces its rim
    }
    double gx = s->axis[k + 1], gy = s->axis[k + 2], r = s->radius;
    double ex = s->half[k + 1], ey = s->half[k + 2];

    // the rim's points at the ends of the quarters
    double firstX = r * s->sine[k + 1], firstY = -r * gx * gy * s->inverse[k + 1];
    double secondX = -r * gx * gy * s->inverse[k + 2], secondY = r * s->sine[k + 2];
    wkRimArc first = {0, ex, ey, firstX, firstY, secondX, secondY};
    wkRimArc second = {1, -ex, ey, secondX, secondY, -firstX, -firstY};
    wkRimArc third = {2, -ex, -ey, -firstX, -firstY, -secondX, -secondY};
    wkRimArc fourth = {3, ex, -ey, -secondX, -secondY, firstX, firstY};

    // the points at a cut instead of those beyond it
    bool isFirstCut = cut->exists && gx >= s->sideAlong;
    bool isSecondCut = cut->exists && gy >= s->sideAlong;
    if (isFirstCut || isSecondCut) {
        double scale = r / s->sideAcross;
        double cutX[2], cutY[2];
        for (int i = 0; i < 2; ++i) {
            cutX[i] = scale * (cut->x[i] - s->sideAlong * gx);
            cutY[i] = scale * (cut->y[i] - s->sideAlong * gy);
        }
        if (isFirstCut) {
            first.fromX = cutX[0], first.fromY = cutY[0];
            fourth.toX = cutX[1], fourth.toY = cutY[1];
        }
        if (isSecondCut) {
            first.toX = cutX[1], first.toY = cutY[1];
            second.fromX = cutX[0], second.fromY = cutY[0];
        }
    }
    if (!isFirstCut || !isSecondCut) {
        tryArc(s, k, first, best);
    }
    tryArc(s, k, second, best);
    tryArc(s, k, third, best);
    tryArc(s, k, fourth, best);
}

static void nameFlat(wkBoxSearch* search)
{
    wkWayOut* best = &search->best;
    int i = wkIndexOf(search->flat, search->flatCount, best->depth), k = i % 3;
    best->k = k;
    if (i < 6) {
        best->kind = wk_wayFace;
        best->normal = wkAlongAxes(k, i < 3 ? 1.0 : -1.0, 0.0, 0.0);
    } else if (i < 12) {
        int side = i < 9 ? 0 : 1;
        best->kind = wk_wayEdgeSide;
        best->normal = wkAlongAxes(k, 0.0, search->cuts[k].x[side], search->cuts[k].y[side]);
        best->depth = depthAlong(&search->view, best->normal);
    } else {
        best->kind = wk_wayCap;
        best->normal = wkNeg(wkGather(search->view.axis));
    }
}

static bool contains(const wkBoxView* s, wkVec3d point, double off)
{
    wkVec3d axis = wkGather(s->axis), local = wkSub(point, wkGather(s->center));
    double along = wkDot(axis, local), across = wkLength(wkMulSub(local, along, axis));
    double outside = s->sideAcross * across - s->sideAlong * (along + s->halfLength);
    return fabs(along) <= s->halfLength + off && across <= s->radius + off && outside <= off;
}

// Returns the cone's point furthest against n.
static bool placeOnCone(const wkBoxView* s, const wkWayOut* way, double off, wkSolution* out)
{
    wkVec3d axis = wkGather(s->axis), center = wkGather(s->center), n = out->normal;
    double lean = wkDot(axis, n);
    wkVec3d across = wkMulSub(n, lean, axis);
    double sine = wkLength(across);
    double beyond = 2.0 * s->halfLength * lean - s->radius * sine;
    if (!(fabs(beyond) > off)) {
        return false; // a line of the side
    }
    if (beyond > 0.0) {
        out->pointB = wkMulSub(center, s->halfLength, axis);
    } else if (s->radius * sine > off) {
        out->pointB = wkMulAdd(center, s->halfLength, axis);
        out->pointB = wkMulSub(out->pointB, s->radius / sine, across);
    } else {
        return false; // the base
    }
    out->pointA = wkMulAdd(out->pointB, way->depth, n);
    return true;
}

// Returns where the edge through `middle` crosses the line of the side, projected along n.
static double crossingOnEdge(const wkBoxView* s, const wkWayOut* way, wkVec3d n, wkVec3d middle)
{
    wkVec3d axis = wkGather(s->axis);
    wkVec3d apex = wkMulSub(wkGather(s->center), s->halfLength, axis);
    wkVec3d around = wkCross(axis, n);
    wkVec3d line = wkCross(n, around); // along the side, because n is across it
    wkVec3d side = wkCross(line, n);
    double slope = *wkCoordinate(&side, way->k);
    wkVec3d between = wkSub(wkMulAdd(apex, way->depth, n), middle);
    return slope != 0.0 ? wkDot(between, side) / slope : 0.0;
}

static bool placePoints(const wkBoxView* s, const wkWayOut* way, double off, wkSolution* out)
{
    if (way->kind == wk_wayFace || way->kind == wk_wayEdgeRim) {
        return placeOnCone(s, way, off, out);
    }
    return wkPlaceOnVertex(crossingOnEdge, s, way, off, out);
}

static void start(const wkPair* pair, wkBoxSearch* search)
{
    wkViewFromBox(pair, wkNeg(pair->bInA.rotation.z), &search->view);
    findSide(&search->view);
    for (int k = 0; k < 3; ++k) {
        search->cuts[k] = cutOf(&search->view, k);
    }
    search->flatCount = 13;
    memset(search->flat, 0, sizeof search->flat);
    listFlat(&search->view, search->cuts, search->flat);
    search->best.depth = wkLeastOf(search->flat, 13);
    search->best.kind = wk_wayFlat;
}

static void finish(wkBoxSearch* search)
{
    tryVertices(&search->view, &search->best);
    for (int k = 0; k < 3; ++k) {
        tryRims(&search->view, &search->cuts[k], k, &search->best);
    }
}

static bool findWayOut(const wkPair* pair, double limit, wkSolution* out)
{
    wkRoundRule rule = {start, finish, nameFlat, placePoints, contains};
    return wkFindWayOut(rule, pair, limit, out);
}

bool wkDepthBoxCone(const wkPair* pair, wkSolution* out)
{
    return findWayOut(pair, -INFINITY, out);
}

void wkSolveBoxCone(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    wkSolveContact(findWayOut, wkGjkBoxCone, pair, goal, out);
}
