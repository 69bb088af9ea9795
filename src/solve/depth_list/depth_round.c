// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Penetration depth of cylinders and cones with each other; see depth_list.h. B is point-reflected about its
// middle, so that n points out of both cores, and A and B touch with their points furthest along it. With c
// from the middle of A to that of B, and an axis g, half length h and radius r of either core (the apex of a
// cone at h g), the depth along the unit normal n is s1(n) + s2(n) - c.n, where
//
//     s(n) = h |g.n| + r |g x n|  or  max(h g.n, r |g x n| - h g.n)
//
// for a cylinder or a cone: it touches with its apex where g.n > u = r / sqrt(r r + 4 h h).
// The side of either touches where g.n = u, with u = 0 for a cylinder. Smooth pieces of the
// surface of B - A:
//  - flat: a cap and the other core's furthest feature along it, n = +-g or -g; lines of both sides,
//    n.g1 = u1 and n.g2 = u2;
//  - a side and an apex e from c, n = u g + w q with a unit q across g: least where q is
//    along c - e;
//  - a side and a rim, the same n with q = (cos t, sin t): depth_side.h;
//  - two rims: depth_rims.h.
// Caps meet other features along a line at most, and two apices, or an apex and a rim, form no surface. So
// the list is complete. Mirroring n across the plane of the axes changes c.n only: normals are searched on
// the side of c.

#include "solve/closed_form/segment_pair.h"
#include "solve/depth_list/depth_list.h"
#include "solve/depth_list/depth_points.h"
#include "solve/depth_list/depth_rims.h"
#include "solve/depth_list/depth_side.h"
#include "solve/manifold.h"

// Minima of two rims that are better by less than this share of wkPair.scale are ignored.
#define WK_DEPTH_GAIN 1e-10

// A core in its own frame: x in the plane of both axes, y across it, z along its axis.
typedef struct roundCore {
    double radius;
    double half;
    double along, across; // of the normals of its side, against the axis: u and w
    double x, z;          // of c; its y is common to both
    bool isCone;
} roundCore;

typedef struct axesView {
    roundCore core[2];
    double sine, cosine; // of the other axis, the same in either view: (sine, 0, cosine)
    double y;            // of c; not negative
    wkVec3d frameX[2];   // axes of either view in the frame of A
    wkVec3d frameY;
    wkVec3d frameZ[2];
    wkVec3d c;
} axesView;

// Features that touch: a cap or a side of core i and a point of the other; two lines; two rims.
typedef enum wayKind {
    capPoint,
    sidePoint,
    sideSide,
    rimRim
} wayKind;

// The shortest way out so far.
typedef struct wayOut {
    wkRimContact contact; // normal in the view of core i
    wayKind kind;
    int i;
} wayOut;

static roundCore viewCore(const wkShape* shape)
{
    double radius = shape->cylinder.radius, height = 2.0 * shape->cylinder.halfLength;
    bool isCone = shape->type == wk_shapeCone;
    double slant = sqrt(radius * radius + height * height);
    bool isSloped = isCone && slant > 0.0;
    roundCore core = {.radius = radius,
                      .half = shape->cylinder.halfLength,
                      .along = isSloped ? radius / slant : 0.0,
                      .across = isSloped ? height / slant : 1.0,
                      .isCone = isCone};
    return core;
}

static axesView viewAxes(const wkPair* pair)
{
    axesView v;
    wkVec3d c = pair->bInA.position, axis = wkNeg(pair->bInA.rotation.z);
    v.core[0] = viewCore(pair->a);
    v.core[1] = viewCore(pair->b);
    v.c = c;
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
        v.core[i].x = wkDot(c, v.frameX[i]);
        v.core[i].z = wkDot(c, v.frameZ[i]);
    }
    return v;
}

// Returns s(n) of a core, from the parts of n along its axis and across it.
static double reachOf(const roundCore* core, double along, double across)
{
    double end = core->half * along, rim = core->radius * across;
    return core->isCone ? wkMaxD(end, rim - end) : fabs(end) + rim;
}

// Returns s(n) of the normals of a side.
static double reachOfSide(const roundCore* core)
{
    return core->isCone ? core->half * core->along : core->radius;
}

static void keepShallower(wayOut* best, double depth, wkVec3d normal, wayKind kind, int i)
{
    if (depth < best->contact.depth) {
        wayOut way = {{depth, normal}, kind, i};
        *best = way;
    }
}

// The far end of a cone's axis counts when the cone is flat.
static void tryCaps(const axesView* v, wayOut* best)
{
    for (int i = 0; i < 2; ++i) {
        const roundCore *core = &v->core[i], *other = &v->core[1 - i];
        double up = core->half + reachOf(other, v->cosine, v->sine) - core->z;
        double down = core->half + reachOf(other, -v->cosine, v->sine) + core->z;
        keepShallower(best, wkMinD(up, down), wkVec(0.0, 0.0, up < down ? 1.0 : -1.0), capPoint, i);
    }
}

// Keeps a normal of the side of core i; the other core contributes its reach along it.
static void keepOnSide(const axesView* v, wkVec3d n, wayKind kind, int i, wayOut* best)
{
    const roundCore *core = &v->core[i], *other = &v->core[1 - i];
    double otherX = v->cosine * n.x - v->sine * n.z, otherZ = v->sine * n.x + v->cosine * n.z;
    double depth = reachOfSide(core) + reachOf(other, otherZ, sqrt(otherX * otherX + n.y * n.y)) -
                   (core->x * n.x + v->y * n.y + core->z * n.z);
    keepShallower(best, depth, n, kind, i);
}

static void tryLines(const axesView* v, wayOut* best)
{
    double z = v->core[0].along, w = v->core[0].across;
    double x = v->sine > 0.0 ? (v->core[1].along - z * v->cosine) / v->sine : INFINITY;
    if (fabs(x) <= w) {
        keepOnSide(v, wkVec(x, sqrt((w - x) * (w + x)), z), sideSide, 0, best);
    }
}

// Tests the side of core i and the apex of the other.
static void tryApex(const axesView* v, int i, wayOut* best)
{
    const roundCore *core = &v->core[i], *other = &v->core[1 - i];
    double x = core->x - other->half * v->sine, y = v->y;
    double z = core->z - other->half * v->cosine;
    double length = sqrt(x * x + y * y);
    if (reachOfSide(core) - core->along * z - core->across * length < best->contact.depth) {
        double scale = length > 0.0 ? core->across / length : 0.0;
        y = length > 0.0 ? scale * y : core->across;
        keepOnSide(v, wkVec(scale * x, y, core->along), sidePoint, i, best);
    }
}

// Returns where e changes from convex to concave, with cosine >= 0; the opposite without.
static wkSidePosition bendOfSide(const axesView* v, int i)
{
    double u = v->core[i].along, w = v->core[i].across, r = v->core[1 - i].radius;
    double left = w * fabs(v->cosine), right = u * v->sine;
    double rest = (left - right) * (left + right);
    wkSidePosition bend = {right > 0.0 ? WK_SIDE_STEEP : 0.0, 0.0, INFINITY};
    if (left > right) {
        double inverse = 1.0 / sqrt(rest);
        bend.x = right * inverse;
        bend.term = r * bend.x;
        bend.rate = r * v->sine * v->sine / (w * w);
    } else if (right > left) {
        double inverse = 1.0 / sqrt(-rest);
        bend.x = left * inverse;
        bend.term = r * v->sine * fabs(v->cosine) * inverse;
        bend.rate = r * w / v->sine;
    }
    return bend;
}

// Returns where the other core's side replaces its rims, unmirrored; x is infinite where one rim has all
// normals.
static wkSidePosition edgeOfSide(const axesView* v, int i)
{
    const roundCore *core = &v->core[i], *other = &v->core[1 - i];
    double slope = core->across * v->sine, spare = other->along - core->along * v->cosine;
    double rest = (slope - spare) * (slope + spare);
    wkSidePosition edge = {copysign(INFINITY, spare), 0.0, 0.0};
    if (rest > 0.0) {
        double height = sqrt(rest);
        double lean = height / (slope * other->across);
        edge.x = spare / height;
        edge.term =
            other->along > 0.0 ? other->radius * v->sine * other->along / other->across : 0.0;
        edge.rate = other->radius * slope * v->sine * (lean * lean * lean);
    }
    return edge;
}

// Tests the side of core i and the rims of the other, with t mirrored or not.
static void trySide(const axesView* v, int i, wkSidePosition bend, wkSidePosition edge,
                    double mirror, wayOut* best)
{
    const roundCore *core = &v->core[i], *other = &v->core[1 - i];
    double u = core->along, w = core->across;
    double sign = mirror * v->cosine < 0.0 ? -1.0 : 1.0;
    double bendX = sign * bend.x, edgeX = mirror * edge.x;
    bool hasEdge = edgeX > bendX && edgeX < INFINITY;
    bool isAny = core->across * v->sine == 0.0;
    wkSideRim rim = {.along = u,
                     .across = w,
                     .radius = other->radius,
                     .cosine = mirror * v->cosine,
                     .sine = v->sine,
                     .py = v->y};
    for (int end = 0; end < (other->isCone ? 1 : 2); ++end) {
        double side = end == 0 ? -1.0 : 1.0;
        // the rim has the normals up to the edge, or those from there on
        bool isUpTo = side * mirror < 0.0;
        if (!hasEdge && isUpTo != (edgeX > bendX) && !isAny) {
            continue;
        }
        bool isFrom = hasEdge && !isUpTo;
        rim.px = mirror * (core->x - side * other->half * v->sine);
        rim.first = isFrom ? edgeX : bendX;
        rim.firstTerm = isFrom ? mirror * edge.term : sign * bend.term;
        rim.firstRate = isFrom ? edge.rate : bend.rate;
        rim.last = hasEdge && isUpTo ? edgeX : INFINITY;
        rim.lastTerm = mirror * edge.term;
        double depth = reachOfSide(core) - u * (core->z - side * other->half * v->cosine);
        double c, s;
        if (wkIsSideWorthwhile(&rim, depth, best->contact.depth) && wkSideNormal(&rim, &c, &s)) {
            keepOnSide(v, wkVec(mirror * w * c, w * s, u), sidePoint, i, best);
        }
    }
}

static void tryRims(const axesView* v, double sideI, double sideJ, int i, double tolerance,
                    bool* isKnown, wayOut* best)
{
    const roundCore *a = &v->core[i], *b = &v->core[1 - i];
    double heightI = sideI * a->half, heightJ = sideJ * b->half;
    wkRimPair rims = {
        .radiusI = a->radius,
        .radiusJ = b->radius,
        .cosine = v->cosine,
        .sine = v->sine,
        .p = {a->x - heightJ * v->sine, v->y, a->z - heightI - heightJ * v->cosine},
        .alongJ = b->z - heightJ - heightI * v->cosine,
        .sideI = sideI,
        .sideJ = sideJ,
        .leanI = a->along,
        .leanJ = b->along,
    };
    wkRimSearch found = wkSearchRims(&rims, tolerance, &best->contact);
    if (found == wk_rimsNearer) {
        best->kind = rimRim;
        best->i = i;
    }
    *isKnown = *isKnown && found != wk_rimsUnknown;
}

// Returns false when the least depth cannot be separated from others.
static bool findWayOut(const axesView* v, double tolerance, wayOut* best)
{
    tryCaps(v, best);
    tryLines(v, best);
    for (int i = 0; i < 2; ++i) {
        wkSidePosition bend = bendOfSide(v, i), edge = edgeOfSide(v, i);
        trySide(v, i, bend, edge, 1.0, best);
        trySide(v, i, bend, edge, -1.0, best);
        if (v->core[1 - i].isCone) {
            tryApex(v, i, best);
        }
    }

    // Parallel rims bend the surface one way only, so they have no minimum; and rotating nearly parallel
    // cores to be parallel moves them little.
    int i = v->core[0].radius >= v->core[1].radius ? 0 : 1;
    const roundCore *a = &v->core[i], *b = &v->core[1 - i];
    if (2.0 * (b->radius + 2.0 * b->half) * v->sine <= tolerance) {
        return true;
    }
    bool isKnown = true;
    for (int end = 0; end < 4; ++end) {
        double sideI = (end & 1) == 0 ? -1.0 : 1.0, sideJ = (end & 2) == 0 ? -1.0 : 1.0;
        bool isRimI = sideI < 0.0 || !a->isCone, isRimJ = sideJ < 0.0 || !b->isCone;
        if (isKnown && isRimI && isRimJ) {
            tryRims(v, sideI, sideJ, i, tolerance, &isKnown, best);
        }
    }
    return isKnown;
}

// Returns a point of core i in the frame of A, given relative to its middle as oriented for n.
static wkVec3d placed(const axesView* v, int i, wkVec3d fromMiddle)
{
    return i == 0 ? fromMiddle : wkSub(v->c, fromMiddle);
}

static wkVec3d acrossAxis(const axesView* v, int i, wkVec3d n)
{
    wkVec3d axis = v->frameZ[i];
    return wkMulSub(n, wkDot(n, axis), axis);
}

// Computes the ends of the line of a side that n points to.
static void sideLine(const axesView* v, int i, wkVec3d n, wkVec3d ends[2])
{
    const roundCore* core = &v->core[i];
    wkVec3d out = wkScale(core->radius, wkNormalizeOr(acrossAxis(v, i, n), v->frameY));
    wkVec3d top = core->isCone ? wkVec(0.0, 0.0, 0.0) : out;
    ends[0] = placed(v, i, wkMulSub(out, core->half, v->frameZ[i]));
    ends[1] = placed(v, i, wkMulAdd(top, core->half, v->frameZ[i]));
}

// Finds the point of core i furthest along n. Returns false where it is not unique, within `off`.
static bool furthestPoint(const axesView* v, int i, wkVec3d n, double off, wkVec3d* point)
{
    const roundCore* core = &v->core[i];
    wkVec3d axis = v->frameZ[i], across = acrossAxis(v, i, n);
    double along = wkDot(n, axis), length = wkLength(across);
    double rim = core->radius * length, top = 2.0 * core->half * along;
    double lead = core->isCone ? top - rim : top;
    bool isApex = core->isCone && lead > 0.0;
    wkVec3d end = wkScale(copysign(core->half, lead), axis);
    *point = placed(v, i, isApex ? end : wkMulAdd(end, core->radius / length, across));
    return fabs(lead) > off && (isApex || rim > off);
}

static bool isInside(const axesView* v, int i, wkVec3d point, double off)
{
    const roundCore* core = &v->core[i];
    wkVec3d fromMiddle = i == 0 ? point : wkSub(v->c, point);
    double along = wkDot(v->frameZ[i], fromMiddle);
    double across = wkLength(acrossAxis(v, i, fromMiddle));
    double side = core->isCone ? core->along * (core->half - along) : core->radius;
    return fabs(along) <= core->half + off && across <= core->radius + off &&
           core->across * across <= side + off;
}

// Returns true when the points lie in the cores, up to `off`, and their distance equals the depth.
static bool arePlaced(const axesView* v, const wkSolution* out, double off)
{
    wkVec3d between = wkSub(out->pointB, out->pointA);
    wkVec3d rest = wkMulSub(between, out->distance, out->normal);
    return wkMaxAbs(rest) <= off && isInside(v, 0, out->pointA, off) &&
           isInside(v, 1, out->pointB, off);
}

// Computes where the features of a way out meet.
static bool placePoints(const axesView* v, const wayOut* way, double off, wkSolution* out)
{
    wkVec3d n = out->normal;
    if (way->kind != sideSide) {
        // the core whose cap or side is not involved decides
        bool isOnA = way->i == 1;
        bool isOne = furthestPoint(v, 1 - way->i, n, off, isOnA ? &out->pointA : &out->pointB);
        if (isOnA) {
            out->pointB = wkMulAdd(out->pointA, out->distance, n);
        } else {
            out->pointA = wkMulSub(out->pointB, out->distance, n);
        }
        if (isOne || way->kind == rimRim || way->kind == capPoint) {
            return isOne && arePlaced(v, out, off);
        }
    }
    wkVec3d a[2], b[2];
    sideLine(v, 0, n, a);
    sideLine(v, 1, n, b);
    wkClosestOnSegments(a, b, &out->pointA, &out->pointB);
    return arePlaced(v, out, off);
}

bool wkDepthRound(const wkPair* pair, wkSolution* out)
{
    axesView v = viewAxes(pair);
    wayOut best = {.contact = {.depth = INFINITY}};
    if (!findWayOut(&v, WK_DEPTH_GAIN * pair->scale, &best) ||
        !(best.contact.depth > WK_VERDICT_BAND * pair->scale)) {
        return false;
    }
    wkVec3d n = best.contact.normal;
    n = wkMulAdd(wkMulAdd(wkScale(n.x, v.frameX[best.i]), n.y, v.frameY), n.z, v.frameZ[best.i]);
    out->normal = wkNormalizeOr(n, v.frameY);
    out->distance = -best.contact.depth;
    out->status = wk_statusExact;
    double off = WK_DEPTH_OFF * pair->scale;
    if (placePoints(&v, &best, off, out)) {
        return true;
    }
    wkPlaceWitness(pair, out);
    return arePlaced(&v, out, off);
}
