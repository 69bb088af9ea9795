// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Penetration depth of a box and a cylinder; see depth.h. In the frame of the box, with half edges e,
// and a cylinder of axis a, half length h and radius r about c, the depth along the unit normal n is
//
//     e.|n| + h |a.n| + r |a x n| - c.n.
//
// Pieces of the surface of B - A that are smooth:
//  - flat: a face of the box and a rim's point, n along an edge; a cap and a corner, n along a; an edge
//    of the box and a line of the side, n across both. Boxes and cylinders are symmetric about
//    their middles, so that the sign of n follows from c;
//  - a corner and the side, n across a: seen along a, a disc of radius r about c and the shadow of the
//    box. With c in the shadow the way out is across one of its sides, an edge above; else it is r
//    less the distance of the shadow, from a side again or from a corner;
//  - an edge and a rim, n across the edge: see depth_rim.h. Between the normals where the edge or the
//    rim gives way to another one, the surface seen along the edge is one arc of an ellipse. No point of
//    it is nearer than its chord or one of its ends, and the ends are flat pieces. So only an arc whose
//    chord is nearer than the best way out so far is looked at.
// A corner and a rim make a curve on the surface, which is no smooth piece.

#include "solve/depth.h"
#include "solve/depth_rim.h"
#include "solve/manifold.h"

// Points may be this share of wkPair.scale off a core.
#define WK_DEPTH_OFF 1e-12

// Where a corner of the shadow is looked for, one step is mostly enough.
#define WK_DEPTH_CORNER_STEPS 4

// Coordinates as x y z x y: the axes after k are k + 1 and k + 2.
typedef struct boxView {
    double half[5];
    double axis[5];
    double center[5];
    double sine[5];    // between the cylinder's axis and each edge
    double inverse[5]; // of the sine, zero when that is
    double radius;
    double halfLength;
} boxView;

typedef enum wayKind {
    faceRim,
    capCorner,
    edgeSide,
    cornerSide,
    edgeRim
} wayKind;

// The shortest way out so far; `k` is the box's edge or face that takes part.
typedef struct wayOut {
    double depth;
    wayKind kind;
    int k;
    wkVec3d normal; // of the last two kinds; the others' is known from kind and k
} wayOut;

static void spread(wkVec3d v, double cyclic[5])
{
    cyclic[0] = cyclic[3] = v.x;
    cyclic[1] = cyclic[4] = v.y;
    cyclic[2] = v.z;
}

static boxView viewFromBox(const wkPair* pair)
{
    boxView s;
    wkVec3d axis = pair->bInA.rotation.z;
    wkVec3d square = wkMulVec(axis, axis);
    wkVec3d sine =
        wkVec(sqrt(square.y + square.z), sqrt(square.z + square.x), sqrt(square.x + square.y));
    spread(pair->a->box.half, s.half);
    spread(axis, s.axis);
    spread(pair->bInA.position, s.center);
    spread(sine, s.sine);
    spread(wkVec(sine.x > 0.0 ? 1.0 / sine.x : 0.0, sine.y > 0.0 ? 1.0 / sine.y : 0.0,
                 sine.z > 0.0 ? 1.0 / sine.z : 0.0),
           s.inverse);
    s.radius = pair->b->cylinder.radius;
    s.halfLength = pair->b->cylinder.halfLength;
    return s;
}

static void keepShallower(wayOut* best, double depth, wayKind kind, int k)
{
    bool isBetter = depth < best->depth;
    best->depth = isBetter ? depth : best->depth;
    best->kind = isBetter ? kind : best->kind;
    best->k = isBetter ? k : best->k;
}

// The flat pieces. Returns how far the cylinder's axis lies inside the shadow of the box, with the
// edge that is nearest to it; negative outside.
static double tryFlat(const boxView* s, wayOut* best, int* nearest)
{
    double inside = INFINITY;
    double capDepth = s->halfLength, along = 0.0;
    for (int k = 0; k < 3; ++k) {
        double lean = fabs(s->axis[k]);
        double depth = s->half[k] + s->halfLength * lean + s->radius * s->sine[k];
        keepShallower(best, depth - fabs(s->center[k]), faceRim, k);
        capDepth += s->half[k] * lean;
        along += s->center[k] * s->axis[k];
    }
    keepShallower(best, capDepth - fabs(along), capCorner, 0);
    for (int k = 0; k < 3; ++k) {
        if (s->sine[k] > 0.0) {
            double u = s->axis[k + 1], v = s->axis[k + 2];
            double across = s->center[k + 2] * u - s->center[k + 1] * v;
            double reach = s->half[k + 1] * fabs(v) + s->half[k + 2] * fabs(u);
            double room = (reach - fabs(across)) * s->inverse[k];
            *nearest = room < inside ? k : *nearest;
            inside = wkMinD(inside, room);
            keepShallower(best, room + s->radius, edgeSide, k);
        }
    }
    return inside;
}

static wkVec3d axisOf(const boxView* s)
{
    return wkVec(s->axis[0], s->axis[1], s->axis[2]);
}

static wkVec3d centerOf(const boxView* s)
{
    return wkVec(s->center[0], s->center[1], s->center[2]);
}

static wkVec3d cornerAlong(const boxView* s, wkVec3d n)
{
    return wkVec(copysign(s->half[0], n.x), copysign(s->half[1], n.y), copysign(s->half[2], n.z));
}

static double depthAlong(const boxView* s, wkVec3d n)
{
    wkVec3d axis = axisOf(s);
    wkVec3d half = wkVec(s->half[0], s->half[1], s->half[2]);
    return wkDot(half, wkAbs(n)) + s->halfLength * fabs(wkDot(axis, n)) +
           s->radius * wkLength(wkCross(axis, n)) - wkDot(centerOf(s), n);
}

// Vector with the given coordinates along the axes k + 1 and k + 2.
static wkVec3d acrossAxis(int k, double u, double v)
{
    return k == 0 ? wkVec(0.0, u, v) : k == 1 ? wkVec(v, 0.0, u) : wkVec(u, v, 0.0);
}

// Across the edge k and the cylinder's axis, from the box to the cylinder.
static wkVec3d edgeNormal(const boxView* s, int k)
{
    double u = -s->axis[k + 2] * s->inverse[k], v = s->axis[k + 1] * s->inverse[k];
    double turn = u * s->center[k + 1] + v * s->center[k + 2] < 0.0 ? -1.0 : 1.0;
    return acrossAxis(k, turn * u, turn * v);
}

// The disc's middle lies outside the shadow, nearest to the line of the edge k: if it is beyond the
// edge's end, a corner of the shadow is nearest. The edges at that corner are the ones whose lines
// are furthest from the disc among all, so that one of them is k.
static void tryCorner(const boxView* s, int k, wayOut* best)
{
    wkVec3d axis = axisOf(s), center = centerOf(s);
    wkVec3d n = edgeNormal(s, k);
    wkVec3d corner = cornerAlong(s, n);
    double* cornerK = k == 0 ? &corner.x : k == 1 ? &corner.y : &corner.z;
    *cornerK = 0.0;
    double t = s->center[k] - s->axis[k] * wkDot(axis, wkSub(center, corner));
    if (fabs(t) <= s->half[k] * s->sine[k] * s->sine[k]) {
        return;
    }
    *cornerK = copysign(s->half[k], t);
    for (int step = 0; step < WK_DEPTH_CORNER_STEPS; ++step) {
        wkVec3d between = wkSub(center, corner);
        // twice, because what is left may be much shorter than what is taken away
        wkVec3d across = wkMulSub(between, wkDot(axis, between), axis);
        across = wkMulSub(across, wkDot(axis, across), axis);
        double length = wkLength(across);
        if (!(length > 0.0) || !(s->radius - length < best->depth)) {
            return;
        }
        n = wkScale(1.0 / length, across);
        wkVec3d next = cornerAlong(s, n);
        if (next.x == corner.x && next.y == corner.y && next.z == corner.z) {
            wayOut way = {depthAlong(s, n), cornerSide, k, n};
            *best = way.depth < best->depth ? way : *best;
            return;
        }
        corner = next;
    }
}

// The view along the edge k. Coordinates are those along the axes k + 1 and k + 2, the first with
// its sign turned so that the cylinder's axis has both of them positive.
typedef struct edgeView {
    int k;
    double turn;
    double axisX, axisY; // of length sine
    double centerX, centerY;
} edgeView;

// A quarter or less of the surface seen along an edge: ellipse points `from` and `to` about a corner.
typedef struct rimArc {
    double cornerX, cornerY;
    double fromX, fromY;
    double toX, toY;
    double along;     // 1 where the normal leans along the axis, -1 against it
    double low, high; // slopes of the normals at the ends, in the view of depth_rim.h
} rimArc;

// The minimum of the arc on the side of `side` (1 or -1: the arc opposite), if it has one.
static void solveArc(const boxView* s, const edgeView* view, const rimArc* arc, double side,
                     wayOut* best)
{
    double inverse = s->inverse[view->k];
    double yx = arc->along * view->axisX * inverse, yy = arc->along * view->axisY * inverse;
    double xx = -view->axisY * inverse, xy = view->axisX * inverse;
    double px = side * view->centerX - arc->cornerX, py = side * view->centerY - arc->cornerY;
    double dx = arc->toX - arc->fromX, dy = arc->toY - arc->fromY;
    wkRimView rim = {s->radius, fabs(s->axis[view->k]), s->sine[view->k], px * xx + py * xy,
                     px * yx + py * yy};
    double start = (dy * xx - dx * xy) / (dy * yx - dx * yy);
    double t;
    if (wkRimNormal(rim, arc->low, arc->high, start, &t)) {
        double scale = side / sqrt(1.0 + t * t);
        wkVec3d n = acrossAxis(view->k, view->turn * scale * (t * xx + yx), scale * (t * xy + yy));
        wayOut way = {depthAlong(s, n), edgeRim, view->k, n};
        *best = way.depth < best->depth ? way : *best;
    }
}

static void tryArc(const boxView* s, const edgeView* view, const rimArc* arc, wayOut* best)
{
    double dx = arc->toX - arc->fromX, dy = arc->toY - arc->fromY;
    double reach = (arc->cornerX + arc->fromX) * dy - (arc->cornerY + arc->fromY) * dx;
    double offset = view->centerX * dy - view->centerY * dx;
    double limitSquared = best->depth * best->depth * (dx * dx + dy * dy);
    double nearer = reach - fabs(offset), further = reach + fabs(offset);
    if (nearer <= 0.0 || nearer * nearer <= limitSquared) {
        solveArc(s, view, arc, copysign(1.0, offset), best);
        if (further * further <= limitSquared) {
            solveArc(s, view, arc, -copysign(1.0, offset), best);
        }
    }
}

// The arcs seen along the edge k, from the normal along axis k + 1 by way of k + 2 and the one across
// the cylinder's axis to the opposite of the first; the other half is their mirror image.
static void tryRims(const boxView* s, int k, wayOut* best)
{
    double ux = fabs(s->axis[k + 1]), uy = fabs(s->axis[k + 2]);
    double turn = s->axis[k + 1] * s->axis[k + 2] < 0.0 ? -1.0 : 1.0;
    if (!(s->sine[k] > 0.0) || s->axis[k] == 0.0) {
        return; // the side takes the place of the rim, or the cap that of its arc
    }
    edgeView view = {k, turn, ux, uy, turn * s->center[k + 1], s->center[k + 2]};
    double r = s->radius, ex = s->half[k + 1], ey = s->half[k + 2];
    double hx = s->halfLength * ux, hy = s->halfLength * uy;
    double firstX = r * s->sine[k + 1], firstY = -r * ux * uy * s->inverse[k + 1];
    double secondX = -r * ux * uy * s->inverse[k + 2], secondY = r * s->sine[k + 2];
    double lastX = -r * uy * s->inverse[k], lastY = r * ux * s->inverse[k];
    const rimArc arcs[3] = {
        {ex + hx, ey + hy, firstX, firstY, secondX, secondY, 1.0, -uy / ux, ux / uy},
        {hx - ex, ey + hy, secondX, secondY, lastX, lastY, 1.0, ux / uy, INFINITY},
        {-ex - hx, ey - hy, lastX, lastY, -firstX, -firstY, -1.0, uy / ux, INFINITY},
    };
    for (int i = 0; i < 3; ++i) {
        tryArc(s, &view, &arcs[i], best);
    }
}

static wkVec3d normalOf(const boxView* s, const wayOut* way)
{
    if (way->kind == faceRim) {
        double turn = copysign(1.0, s->center[way->k]);
        return way->k == 0   ? wkVec(turn, 0.0, 0.0)
               : way->k == 1 ? wkVec(0.0, turn, 0.0)
                             : wkVec(0.0, 0.0, turn);
    }
    if (way->kind == capCorner) {
        wkVec3d axis = axisOf(s);
        return wkDot(axis, centerOf(s)) < 0.0 ? wkNeg(axis) : axis;
    }
    return way->kind == edgeSide ? edgeNormal(s, way->k) : way->normal;
}

// True when the points of the solution lie in the cores, up to `off`.
static bool areInside(const boxView* s, const wkSolution* solution, double off)
{
    wkVec3d a = wkAbs(solution->pointA), axis = axisOf(s);
    wkVec3d b = wkSub(solution->pointB, centerOf(s));
    double along = wkDot(axis, b);
    double across = wkLength(wkMulSub(b, along, axis));
    return a.x <= s->half[0] + off && a.y <= s->half[1] + off && a.z <= s->half[2] + off &&
           fabs(along) <= s->halfLength + off && across <= s->radius + off;
}

// Where the features of a way out meet. False where more than a point of them does, within `off`.
static bool placePoints(const boxView* s, const wayOut* way, double off, wkSolution* out)
{
    wkVec3d axis = axisOf(s), center = centerOf(s), n = out->normal;
    double lean = wkDot(axis, n);
    if (way->kind == faceRim || way->kind == edgeRim) {
        wkVec3d across = wkMulSub(n, lean, axis);
        double sine = wkLength(across);
        if (!(s->radius * sine > off) || !(s->halfLength * fabs(lean) > off)) {
            return false;
        }
        out->pointB = wkMulSub(center, copysign(s->halfLength, lean), axis);
        out->pointB = wkMulSub(out->pointB, s->radius / sine, across);
        out->pointA = wkMulAdd(out->pointB, way->depth, n);
        return true;
    }
    out->pointA = cornerAlong(s, n);
    if (way->kind == capCorner) {
        wkVec3d rise = wkMulVec(wkAbs(n), wkVec(s->half[0], s->half[1], s->half[2]));
        if (!(wkMinD(rise.x, wkMinD(rise.y, rise.z)) > off)) {
            return false;
        }
    } else if (way->kind == edgeSide) {
        // pointA moves along the edge to where the line of the side crosses it
        int k = way->k;
        double* onEdge = k == 0 ? &out->pointA.x : k == 1 ? &out->pointA.y : &out->pointA.z;
        *onEdge = 0.0;
        double along = wkDot(axis, wkSub(center, out->pointA));
        *onEdge = (s->center[k] - s->axis[k] * along) * (s->inverse[k] * s->inverse[k]);
    }
    out->pointB = wkMulSub(out->pointA, way->depth, n);
    return true;
}

bool wkDepthBoxCylinder(const wkPair* pair, wkSolution* out)
{
    boxView s = viewFromBox(pair);
    wayOut best = {.depth = INFINITY};
    int nearest = 0;
    double inside = tryFlat(&s, &best, &nearest);
    if (inside < 0.0) {
        tryCorner(&s, nearest, &best);
    }
    for (int k = 0; k < 3; ++k) {
        tryRims(&s, k, &best);
    }
    if (!(best.depth > WK_VERDICT_BAND * pair->scale)) {
        return false;
    }
    double off = WK_DEPTH_OFF * pair->scale;
    out->distance = -best.depth;
    out->normal = normalOf(&s, &best);
    out->status = wk_statusExact;
    if (placePoints(&s, &best, off, out) && areInside(&s, out, off)) {
        return true;
    }
    wkPlaceWitness(pair, out);
    return areInside(&s, out, off);
}
