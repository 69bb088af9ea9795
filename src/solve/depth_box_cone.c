// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Penetration depth of a box and a cone; see depth.h, and depth_box_cylinder.c for a shorter list of the
// same kind. The axis g points from the apex to the base. With half edges e of the box, half height h and
// base radius r of the cone about c, the depth along the unit normal n is
//
//     e.|n| + max(h g.n, r |g x n| - h g.n) - c.n:
//
// the apex touches where g.n > u = r / sqrt(r r + 4 h h), the rim where g.n < u, and a line of the side
// where they are equal. Pieces of the surface of B - A that are smooth:
//  - flat: a face and the apex or a point of the rim, n along an edge, on either side; the base and a
//    corner, n = -g; an edge and a line of the side, n across the edge with g.n = u: two or none;
//  - a corner and the side, n = u g + w q with a unit q across g. For the corner v the depth is
//    u (h - g.(c - v)) - w q.(c - v), least where q points from v to c; it counts when v is the
//    corner furthest along this n;
//  - an edge and the rim, n across the edge with g.n < u: arcs of an ellipse as for a cylinder, cut
//    where g.n = u. A quarter circle with both ends beyond u lies beyond it altogether.
// A corner or an edge and the apex, or a corner and the rim, are no smooth pieces.

#include "solve/depth_box.h"

// The side's normal, along the axis and across it.
typedef struct coneSide {
    double along;
    double across;
} coneSide;

// Normals across an edge where the side takes over from the rim.
typedef struct edgeCut {
    bool exists;
    double x[2], y[2]; // along the axes k + 1 and k + 2; the first is nearer to k + 2
} edgeCut;

static coneSide sideOf(const wkBoxView* s)
{
    double height = 2.0 * s->halfLength;
    double inverse = wkInverseOf(sqrt(s->radius * s->radius + height * height));
    coneSide side = {s->radius * inverse, height * inverse};
    return side;
}

static double depthAlong(const wkBoxView* s, wkVec3d n)
{
    wkVec3d axis = wkGather(s->axis);
    double apex = s->halfLength * wkDot(axis, n);
    double rim = s->radius * wkLength(wkCross(axis, n)) - apex;
    return wkDot(wkGather(s->half), wkAbs(n)) + wkMaxD(apex, rim) - wkDot(wkGather(s->center), n);
}

static void keepFlat(wkWayOut* best, double depth, wkWayKind kind, int k, double side)
{
    bool isBetter = depth < best->depth;
    best->depth = isBetter ? depth : best->depth;
    best->kind = isBetter ? kind : best->kind;
    best->k = isBetter ? k : best->k;
    best->side = isBetter ? side : best->side;
}

static void keepCurved(const wkBoxView* s, wkWayOut* best, wkVec3d n, wkWayKind kind, int k)
{
    wkWayOut way = {depthAlong(s, n), kind, k, 1.0, n};
    *best = way.depth < best->depth ? way : *best;
}

static void tryFaces(const wkBoxView* s, wkWayOut* best)
{
    double base = s->halfLength;
    for (int k = 0; k < 3; ++k) {
        double apex = s->halfLength * s->axis[k], rim = s->radius * s->sine[k];
        double up = s->half[k] + wkMaxD(apex, rim - apex) - s->center[k];
        double down = s->half[k] + rim + apex + s->center[k];
        keepFlat(best, up, wk_wayFace, k, 1.0);
        keepFlat(best, down, wk_wayFace, k, -1.0);
        base += (s->half[k] + s->center[k]) * s->axis[k];
    }
    keepFlat(best, base, wk_wayCap, 0, -1.0);
}

static edgeCut cutOf(const wkBoxView* s, const coneSide* side, int k)
{
    edgeCut cut = {.x = {0.0, 0.0}, .y = {0.0, 0.0}};
    // u and the axis are of unit length both: the smaller of their coordinates have the better digits
    double u = side->along, w = side->across;
    double rest = u < w ? (s->sine[k] - u) * (s->sine[k] + u) : (w - s->axis[k]) * (w + s->axis[k]);
    cut.exists = rest > 0.0 && s->sine[k] > 0.0;
    if (cut.exists) {
        double ux = s->seenX[k], uy = s->seenY[k];
        double cosine = u * s->inverse[k], sine = sqrt(rest) * s->inverse[k];
        cut.x[0] = cosine * ux - sine * uy, cut.y[0] = cosine * uy + sine * ux;
        cut.x[1] = cosine * ux + sine * uy, cut.y[1] = cosine * uy - sine * ux;
    }
    return cut;
}

static void tryEdge(const wkBoxView* s, const coneSide* side, const edgeCut* cut, int k,
                    wkWayOut* best)
{
    for (int i = 0; i < 2; ++i) {
        double x = cut->x[i], y = cut->y[i];
        double depth = s->half[k + 1] * fabs(x) + s->half[k + 2] * fabs(y) +
                       s->halfLength * side->along - s->center[k + 1] * x - s->center[k + 2] * y;
        keepFlat(best, depth, wk_wayEdgeSide, k, i == 0 ? 1.0 : -1.0);
    }
}

static void tryCorners(const wkBoxView* s, const coneSide* side, wkWayOut* best)
{
    wkVec3d axis = wkGather(s->axis);
    for (int i = 0; i < 8; ++i) {
        wkVec3d turn = wkVec(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
        wkVec3d between = wkSub(wkGather(s->center), wkMulVec(turn, wkGather(s->half)));
        double along = wkDot(axis, between);
        wkVec3d across = wkMulSub(between, along, axis);
        double length = wkLength(across);
        if (!(side->along * (s->halfLength - along) - side->across * length < best->depth)) {
            continue;
        }
        // n times length, to see whether this is the corner furthest along it
        wkVec3d n = wkMulAdd(wkScale(side->along * length, axis), side->across, across);
        wkVec3d lean = wkMulVec(turn, n);
        if (!(wkMinD(lean.x, wkMinD(lean.y, lean.z)) >= 0.0)) {
            continue;
        }
        across = wkAcrossAxis(across, axis);
        double scale = side->across * wkInverseOf(wkLength(across));
        n = wkMulAdd(wkScale(side->along, axis), scale, across);
        keepCurved(s, best, wkNormalizeOr(n, axis), wk_wayCornerSide, 0);
    }
}

// Slopes of the normals of an arc that lean one way, see wkArcNormal; none when both are the same.
typedef struct slopeRange {
    double low;
    double high;
} slopeRange;

static void tryLean(const wkBoxView* s, int k, const wkRimArc* arc, double along, slopeRange slopes,
                    wkWayOut* best)
{
    double x = s->center[k + 1] + s->halfLength * s->axis[k + 1];
    double y = s->center[k + 2] + s->halfLength * s->axis[k + 2];
    wkVec3d n;
    if (slopes.low < slopes.high &&
        wkArcNormal(s, k, arc, x, y, along, slopes.low, slopes.high, &n)) {
        keepCurved(s, best, n, wk_wayEdgeRim, k);
    }
}

// An arc with normals that lean along the axis, against it, or some this way and some that.
static void tryArc(const wkBoxView* s, int k, const wkRimArc* arc, slopeRange along,
                   slopeRange against, wkWayOut* best)
{
    double x = s->center[k + 1] + s->halfLength * s->axis[k + 1];
    double y = s->center[k + 2] + s->halfLength * s->axis[k + 2];
    double reach = wkChordReach(arc, x, y);
    if (reach <= 0.0 || reach * reach <= best->depth * best->depth * wkChordSquared(arc)) {
        tryLean(s, k, arc, 1.0, along, best);
        tryLean(s, k, arc, -1.0, against, best);
    }
}

// The four quarters of the normals across the edge k, from the one along axis k + 1 around.
static void tryRims(const wkBoxView* s, const coneSide* side, const edgeCut* cut, int k,
                    wkWayOut* best)
{
    if (s->axis[k] == 0.0) {
        return; // the base takes the place of its rim
    }
    double gx = s->axis[k + 1], gy = s->axis[k + 2], r = s->radius;
    double ex = s->half[k + 1], ey = s->half[k + 2];
    double flat = s->seenY[k] / s->seenX[k], steep = s->seenX[k] / s->seenY[k];
    const slopeRange none = {0.0, 0.0};

    // the rim's points at the ends of the quarters, and at the cut instead of those beyond it
    double firstX = r * s->sine[k + 1], firstY = -r * gx * gy * s->inverse[k + 1];
    double secondX = -r * gx * gy * s->inverse[k + 2], secondY = r * s->sine[k + 2];
    bool isFirstCut = cut->exists && gx >= side->along;
    bool isSecondCut = cut->exists && gy >= side->along;
    double scale = r * wkInverseOf(side->across);
    double cutX[2], cutY[2];
    for (int i = 0; i < 2; ++i) {
        cutX[i] = scale * (cut->x[i] - side->along * gx);
        cutY[i] = scale * (cut->y[i] - side->along * gy);
    }
    wkRimArc first = {ex, ey, firstX, firstY, secondX, secondY};
    wkRimArc second = {-ex, ey, secondX, secondY, -firstX, -firstY};
    wkRimArc third = {-ex, -ey, -firstX, -firstY, -secondX, -secondY};
    wkRimArc fourth = {ex, -ey, -secondX, -secondY, firstX, firstY};
    if (isFirstCut) {
        first.fromX = cutX[0], first.fromY = cutY[0];
        fourth.toX = cutX[1], fourth.toY = cutY[1];
    }
    if (isSecondCut) {
        first.toX = cutX[1], first.toY = cutY[1];
        second.fromX = cutX[0], second.fromY = cutY[0];
    }
    if (!isFirstCut || !isSecondCut) {
        tryArc(s, k, &first, (slopeRange){-flat, steep}, none, best);
    }
    tryArc(s, k, &second, (slopeRange){steep, INFINITY}, (slopeRange){flat, INFINITY}, best);
    tryArc(s, k, &third, none, (slopeRange){-steep, flat}, best);
    tryArc(s, k, &fourth, (slopeRange){-INFINITY, -flat}, (slopeRange){-INFINITY, -steep}, best);
}

static wkVec3d normalOf(const wkBoxView* s, const edgeCut* cuts, const wkWayOut* way)
{
    int k = way->k;
    if (way->kind == wk_wayFace) {
        return wkAlongAxes(k, way->side, 0.0, 0.0);
    }
    if (way->kind == wk_wayCap) {
        return wkNeg(wkGather(s->axis));
    }
    if (way->kind == wk_wayEdgeSide) {
        int i = way->side > 0.0 ? 0 : 1;
        return wkAlongAxes(k, 0.0, cuts[k].x[i], cuts[k].y[i]);
    }
    return way->normal;
}

static bool areInside(const wkBoxView* s, const wkSolution* solution, double off)
{
    coneSide side = sideOf(s);
    wkVec3d axis = wkGather(s->axis);
    wkVec3d b = wkSub(solution->pointB, wkGather(s->center));
    double along = wkDot(axis, b), across = wkLength(wkMulSub(b, along, axis));
    double outside = side.across * across - side.along * (along + s->halfLength);
    return wkIsInBox(s, solution->pointA, off) && fabs(along) <= s->halfLength + off &&
           across <= s->radius + off && outside <= off;
}

// The cone's point furthest against n.
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

// Where the edge through `middle` crosses the line of the side, seen along n.
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
    wkVec3d n = out->normal;
    if (way->kind == wk_wayFace || way->kind == wk_wayEdgeRim) {
        return placeOnCone(s, way, off, out);
    }
    out->pointA = wkCornerAlong(s, n);
    if (way->kind == wk_wayCap) {
        wkVec3d rise = wkMulVec(wkAbs(n), wkGather(s->half));
        if (!(wkMinD(rise.x, wkMinD(rise.y, rise.z)) > off)) {
            return false;
        }
    } else if (way->kind == wk_wayEdgeSide) {
        double* pointK = wkCoordinate(&out->pointA, way->k);
        *pointK = 0.0;
        *pointK = crossingOnEdge(s, way, n, out->pointA);
    }
    out->pointB = wkMulSub(out->pointA, way->depth, n);
    return true;
}

bool wkDepthBoxCone(const wkPair* pair, wkSolution* out)
{
    wkBoxView s = wkViewFromBox(pair, wkNeg(pair->bInA.rotation.z));
    coneSide side = sideOf(&s);
    edgeCut cuts[3];
    wkWayOut best = {.depth = INFINITY};
    tryFaces(&s, &best);
    for (int k = 0; k < 3; ++k) {
        cuts[k] = cutOf(&s, &side, k);
        if (cuts[k].exists) {
            tryEdge(&s, &side, &cuts[k], k, &best);
        }
    }
    tryCorners(&s, &side, &best);
    for (int k = 0; k < 3; ++k) {
        tryRims(&s, &side, &cuts[k], k, &best);
    }
    best.normal = normalOf(&s, cuts, &best);
    if (best.kind == wk_wayEdgeSide) {
        best.depth = depthAlong(&s, best.normal);
    }
    wkWayRule rule = {placePoints, areInside};
    return wkAnswerWayOut(rule, pair, &s, &best, out);
}
