// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Penetration depth of two cylinders; see depth.h. With axes a1 and a2, half lengths h, radii r and c
// from the middle of A to that of B, the depth along the unit normal n is
//
//     h1 |a1.n| + r1 |a1 x n| + h2 |a2.n| + r2 |a2 x n| - c.n.
//
// Pieces of the surface of B - A that are smooth:
//  - flat: a cap and a rim's point, n along an axis; a line of either side, n across both axes. Cylinders
//    are symmetric about their middles, so that the sign of n follows from c;
//  - a side and a rim, n across the axis of that side: depth_rim.h. The arc of the rim that counts is a
//    quarter of an ellipse, which no point on its inner side is nearer to than to its chord;
//  - two rims: depth_rims.h.
// Caps and sides meet nothing else along more than a line, so this is all. Mirroring n across the
// plane of the axes changes c.n only: normals are looked for on the side of c.

#include "solve/depth.h"
#include "solve/depth_rim.h"
#include "solve/depth_rims.h"
#include "solve/manifold.h"
#include "solve/segment.h"

// Points may be this share of wkPair.scale off a core.
#define WK_DEPTH_OFF 1e-12

// Minima of two rims that are better by less than this share of wkPair.scale are left alone.
#define WK_DEPTH_GAIN 1e-10

// A cylinder in its own frame: x in the plane of both axes, y across it, z along its axis. The
// other's axis is (sine, 0, cosine) in either.
typedef struct cylinderView {
    double radius;
    double half;
    double x, z; // of c; its y is common to both
} cylinderView;

typedef struct axesView {
    cylinderView core[2];
    double sine, cosine; // between the axes; not negative
    double y;            // of c; not negative
    wkVec3d frameX[2];   // axes of either view in the frame of A
    wkVec3d frameY;
    wkVec3d frameZ[2];
} axesView;

typedef enum wayKind {
    capRim,
    sideSide,
    sideRim,
    rimRim
} wayKind;

// The shortest way out so far; the cap or the side that takes part is that of core `i`.
typedef struct wayOut {
    wkRimContact contact; // normal in the view of core i
    wayKind kind;
    int i;
} wayOut;

static axesView viewAxes(const wkPair* pair)
{
    axesView v;
    wkVec3d c = pair->bInA.position, axis = pair->bInA.rotation.z;
    axis = axis.z < 0.0 ? wkNeg(axis) : axis;
    v.cosine = axis.z;
    v.sine = sqrt(axis.x * axis.x + axis.y * axis.y);
    wkVec3d across = v.sine > 0.0 ? axis : c;
    v.frameX[0] = wkNormalizeOr(wkVec(across.x, across.y, 0.0), wkVec(1.0, 0.0, 0.0));
    v.frameY = wkVec(-v.frameX[0].y, v.frameX[0].x, 0.0);
    v.y = wkDot(c, v.frameY);
    v.frameY = v.y < 0.0 ? wkNeg(v.frameY) : v.frameY;
    v.y = fabs(v.y);
    v.frameZ[0] = wkVec(0.0, 0.0, 1.0);
    v.frameZ[1] = axis;
    v.frameX[1] = wkMulSub(wkScale(v.sine, v.frameZ[0]), v.cosine, v.frameX[0]);
    for (int i = 0; i < 2; ++i) {
        const wkShape* shape = i == 0 ? pair->a : pair->b;
        cylinderView core = {shape->cylinder.radius, shape->cylinder.halfLength,
                             wkDot(c, v.frameX[i]), wkDot(c, v.frameZ[i])};
        v.core[i] = core;
    }
    return v;
}

static void keepShallower(wayOut* best, double depth, wkVec3d normal, wayKind kind, int i)
{
    if (depth < best->contact.depth) {
        wayOut way = {{depth, normal}, kind, i};
        *best = way;
    }
}

static void tryFlat(const axesView* v, wayOut* best)
{
    const cylinderView *a = &v->core[0], *b = &v->core[1];
    keepShallower(best, a->radius + b->radius - v->y, wkVec(0.0, 1.0, 0.0), sideSide, 0);
    for (int i = 0; i < 2; ++i) {
        const cylinderView *core = &v->core[i], *other = &v->core[1 - i];
        double depth = core->half + other->half * v->cosine + other->radius * v->sine;
        keepShallower(best, depth - fabs(core->z), wkVec(0.0, 0.0, copysign(1.0, core->z)), capRim,
                      i);
    }
}

// The side of core i, and the rim of the other at its end along x (`side` 1) or against it (-1).
static void trySide(const axesView* v, int i, double side, wayOut* best)
{
    const cylinderView *core = &v->core[i], *other = &v->core[1 - i];
    double r = other->radius, k = v->cosine;
    double px = v->y, py = side * core->x - other->half * v->sine;
    double room = best->contact.depth - core->radius;
    double beyond = r * k - py - k * px;
    if (beyond >= 0.0 && (room <= 0.0 || beyond * beyond >= room * room * (1.0 + k * k))) {
        return;
    }
    double lift = r * v->sine * v->sine;
    double rise = py * k + lift;
    double start = rise > 0.0 ? px * k / rise : 0.0;
    start = px > lift && py > 0.0 ? wkMaxD(start, (px - lift) / py) : start;
    wkRimView rim = {r, k, v->sine, px, py};
    double t;
    if (wkRimNormal(rim, 0.0, INFINITY, start, &t)) {
        double scale = 1.0 / sqrt(1.0 + t * t);
        double depth = core->radius + scale * (r * sqrt(t * t + k * k) - py - t * px);
        keepShallower(best, depth, wkVec(side * scale, t * scale, 0.0), sideRim, i);
    }
}

// False when a pair of rims cannot be decided.
static bool tryRims(const axesView* v, double tolerance, wayOut* best)
{
    int i = v->core[0].radius >= v->core[1].radius ? 0 : 1;
    const cylinderView *a = &v->core[i], *b = &v->core[1 - i];
    wkRimPair rims = {
        .radiusI = a->radius, .radiusJ = b->radius, .cosine = v->cosine, .sine = v->sine};
    // leaning rims reach no deeper than the caps do, but for what they lean
    if (2.0 * b->radius * v->sine <= tolerance) {
        return true;
    }
    for (int end = 0; end < 4; ++end) {
        double sideI = (end & 1) == 0 ? copysign(1.0, a->z) : -copysign(1.0, a->z);
        double sideJ = (end & 2) == 0 ? copysign(1.0, b->z) : -copysign(1.0, b->z);
        double heightI = sideI * a->half, heightJ = sideJ * b->half;
        rims.sideI = sideI, rims.sideJ = sideJ;
        rims.p = wkVec(a->x - heightJ * v->sine, v->y, a->z - heightI - heightJ * v->cosine);
        rims.alongJ = b->z - heightJ - heightI * v->cosine;
        wkRimSearch found = wkSearchRims(&rims, tolerance, &best->contact);
        if (found == wk_rimsUnknown) {
            return false;
        }
        if (found == wk_rimsNearer) {
            best->kind = rimRim;
            best->i = i;
        }
    }
    return true;
}

// Ends of the line of a side that `out` points to, in the frame of A.
static void sideLine(const axesView* v, int i, wkVec3d middle, wkVec3d out, wkVec3d ends[2])
{
    wkVec3d axis = v->frameZ[i];
    wkVec3d across = wkMulSub(out, wkDot(out, axis), axis);
    wkVec3d on = wkMulAdd(middle, v->core[i].radius, wkNormalizeOr(across, v->frameY));
    ends[0] = wkMulSub(on, v->core[i].half, axis);
    ends[1] = wkMulAdd(on, v->core[i].half, axis);
}

static bool isInside(const axesView* v, int i, wkVec3d fromMiddle, double off)
{
    double along = wkDot(v->frameZ[i], fromMiddle);
    double across = wkLength(wkMulSub(fromMiddle, along, v->frameZ[i]));
    return fabs(along) <= v->core[i].half + off && across <= v->core[i].radius + off;
}

// True when the points lie in the cores, up to `off`, and as far apart as the depth says.
static bool arePlaced(const axesView* v, wkVec3d c, const wkSolution* out, double off)
{
    wkVec3d between = wkSub(out->pointB, out->pointA);
    wkVec3d rest = wkMulSub(between, out->distance, out->normal);
    return wkMaxAbs(rest) <= off && isInside(v, 0, out->pointA, off) &&
           isInside(v, 1, wkSub(out->pointB, c), off);
}

// The point of core i furthest along `out`. False where it is not the only one, within `off`.
static bool rimPoint(const axesView* v, int i, wkVec3d middle, wkVec3d out, double off,
                     wkVec3d* point)
{
    const cylinderView* core = &v->core[i];
    wkVec3d axis = v->frameZ[i];
    double along = wkDot(out, axis);
    wkVec3d across = wkMulSub(out, along, axis);
    double length = wkLength(across);
    wkVec3d end = wkMulAdd(middle, copysign(core->half, along), axis);
    *point = wkMulAdd(end, core->radius / length, across);
    return core->radius * length > off && core->half * fabs(along) > off;
}

// Where the features of a way out meet.
static bool placePoints(const axesView* v, wkVec3d c, const wayOut* way, double off,
                        wkSolution* out)
{
    wkVec3d n = out->normal, origin = wkVec(0.0, 0.0, 0.0);
    if (way->kind != sideSide) {
        // the rim decides: of the core that has no cap or side in it
        bool isRimA = way->i == 1;
        bool isOne = isRimA ? rimPoint(v, 0, origin, n, off, &out->pointA)
                            : rimPoint(v, 1, c, wkNeg(n), off, &out->pointB);
        if (isRimA) {
            out->pointB = wkMulAdd(out->pointA, out->distance, n);
        } else {
            out->pointA = wkMulSub(out->pointB, out->distance, n);
        }
        if (isOne || way->kind == rimRim) {
            return isOne && arePlaced(v, c, out, off);
        }
    }
    if (way->kind != capRim) {
        wkVec3d a[2], b[2];
        sideLine(v, 0, origin, n, a);
        sideLine(v, 1, c, wkNeg(n), b);
        wkClosestOnSegments(a, b, &out->pointA, &out->pointB);
        return arePlaced(v, c, out, off);
    }
    return false;
}

bool wkDepthCylinderCylinder(const wkPair* pair, wkSolution* out)
{
    axesView v = viewAxes(pair);
    wayOut best = {.contact = {.depth = INFINITY}};
    tryFlat(&v, &best);
    for (int i = 0; i < 2; ++i) {
        double side = copysign(1.0, v.core[i].x);
        trySide(&v, i, side, &best);
        trySide(&v, i, -side, &best);
    }
    if (!tryRims(&v, WK_DEPTH_GAIN * pair->scale, &best) ||
        !(best.contact.depth > WK_VERDICT_BAND * pair->scale)) {
        return false;
    }
    wkVec3d n = best.contact.normal, c = pair->bInA.position;
    n = wkMulAdd(wkMulAdd(wkScale(n.x, v.frameX[best.i]), n.y, v.frameY), n.z, v.frameZ[best.i]);
    out->normal = wkNormalizeOr(n, v.frameY);
    out->distance = -best.contact.depth;
    out->status = wk_statusExact;
    double off = WK_DEPTH_OFF * pair->scale;
    if (placePoints(&v, c, &best, off, out)) {
        return true;
    }
    wkPlaceWitness(pair, out);
    return arePlaced(&v, c, out, off);
}
