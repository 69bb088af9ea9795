// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Penetration depth of a hull and a cylinder or a cone; see depth_list.h. Both are the hull of two rims about
// an axis: the upper rim of a cone has radius 0. In the frame of the hull, with the unit axis a, half length
// h, radii r and the middle at -way, the depth along the unit normal n out of the hull is
//
//     v.n + way.n + max(r_upper |a x n| + h a.n, r_lower |a x n| - h a.n),
//
// v being the hull's furthest vertex along n. (A is negated in B - A: the axis of a cone points from the apex
// to the base.) Smooth pieces of the surface of B - A:
//  - flat: a face of the hull and a rim's point; a cap and a vertex, n along +-a; an edge of the hull and
//    a line of the side, n across the edge and on the circle of side normals, where both rims are
//    equally far;
//  - a vertex and the side, n on that circle: least where the vertex is furthest back;
//  - an edge and a rim, n across the edge and between the normals of its two faces: see depth_rim.h.
//    No point of such an arc is nearer than its chord or one of its ends, and the ends are flat pieces.
//    So only an arc whose chord is nearer than the best way out so far is evaluated.
// A vertex and a rim form a curve on the surface, which is no smooth piece. Any normal gives an upper bound
// of the depth, so that a false candidate does no harm.

#include "solve/core_support.h"
#include "solve/depth_list/depth_arc.h"
#include "solve/depth_list/depth_hull.h"
#include "solve/depth_list/depth_list.h"
#include "solve/manifold.h"

// Edges closer to parallel to the axis than this (sine) count as parallel.
#define WK_REVOLVED_PARALLEL 1e-12

// The cap is level with a face at a smaller angle (sine) between that and the axis: its middle is used in
// place of a point of the rim, which would have lost its digits. Chords are compared with the best way out
// plus this share of wkPair.scale, which exceeds the error of either.
#define WK_REVOLVED_LEVEL 1e-8
#define WK_REVOLVED_CHORD_OFF 1e-6

typedef enum wayKind {
    wayRim,    // a face or an edge and a rim
    wayVertex, // a vertex and a cap or the side
    wayEdge,   // an edge and a line of the side
} wayKind;

// The best way out so far.
typedef struct wayOut {
    wayKind kind;
    double depth;
    int32_t index; // vertex or edge of the hull
    wkVec3d normal;
} wayOut;

typedef struct revolvedHull {
    const wkHull* hull;
    wkVec3d axis;
    wkVec3d way;
    double half;         // h
    double radius[2];    // of the lower rim, of the upper
    double latitude;     // a.n of the side's normals
    double acrossSide;   // |a x n| of them
    double alongSide;    // depth of the body along them
    double sphereRadius; // of the sphere inside the body
    double sphereHeight; // centre of that sphere, along the axis
    wkPlaneLanes planes;
    double chordOff; // error bound of chords
    wayOut best;

    // of each face: a.n, depth, plane's offset including `way`, and the body's furthest point along n, which
    // is out * n + up * a
    double lean[WK_LISTED_FACES];
    double height[WK_LISTED_FACES];
    double offset[WK_LISTED_FACES];
    double out[WK_LISTED_FACES];
    double up[WK_LISTED_FACES];
    double floor[WK_LISTED_FACES]; // depth of the sphere inside the body, a lower bound
    double side[WK_LISTED_FACES];  // 1 where the furthest point is on the upper rim, else -1
} revolvedHull;

static void keep(revolvedHull* s, wayKind kind, double depth, int32_t index, wkVec3d normal)
{
    if (depth < s->best.depth) {
        wayOut way = {kind, depth, index, normal};
        s->best = way;
    }
}

// Computes the depth along each face.
static void checkFaces(revolvedHull* s)
{
    const double* restrict nx = s->planes.x;
    const double* restrict ny = s->planes.y;
    const double* restrict nz = s->planes.z;
    const double* restrict base = s->planes.offset;
    double* restrict leans = s->lean;
    double* restrict heights = s->height;
    double* restrict offsets = s->offset;
    double* restrict outs = s->out;
    double* restrict ups = s->up;
    double* restrict sides = s->side;
    double* restrict floors = s->floor;
    const double sphereRadius = s->sphereRadius, sphereHeight = s->sphereHeight;
    const wkVec3d a = s->axis, w = s->way;
    const double h = s->half, lower = s->radius[0], upper = s->radius[1];
    const int32_t count = s->hull->paddedFaceCount;
    WK_ASSUME(count >= WK_HULL_LANES); // padded, and not empty
    for (int32_t i = 0; i < count; ++i) {
        double lean = nx[i] * a.x + ny[i] * a.y + nz[i] * a.z;
        double x = ny[i] * a.z - nz[i] * a.y, y = nz[i] * a.x - nx[i] * a.z,
               z = nx[i] * a.y - ny[i] * a.x;
        double sine = sqrt(x * x + y * y + z * z);
        double above = upper * sine + h * lean, below = lower * sine - h * lean;
        double side = above > below ? 1.0 : -1.0, r = above > below ? upper : lower;
        double out = sine > WK_REVOLVED_LEVEL ? r / sine : 0.0;
        double offset = base[i] + (nx[i] * w.x + ny[i] * w.y + nz[i] * w.z);
        leans[i] = lean;
        sides[i] = side;
        offsets[i] = offset;
        floors[i] = offset + sphereHeight * lean + sphereRadius;
        heights[i] = offset + wkMaxD(above, below);
        outs[i] = out;
        ups[i] = side * h - out * lean;
    }
}

static void tryFaces(revolvedHull* s)
{
    int32_t best = wkLowestOf(s->height, s->hull->faceCount);
    keep(s, wayRim, s->height[best], best, wkLaneNormal(&s->planes, best));
}

// Tests the furthest vertex along n.
static void tryVertex(revolvedHull* s, wkVec3d n, double body)
{
    int32_t vertex = wkHullSupport(s->hull, n, 0);
    double depth = wkDot(wkAdd(wkHullVertex(s->hull, vertex), s->way), n) + body;
    keep(s, wayVertex, depth, vertex, n);
}

// An edge of the hull, and the plane across it: `x` is across the axis too.
typedef struct edgeView {
    int32_t index;
    wkVec3d from; // one end, including `way`
    wkVec3d x, y;
    double sine, cosine; // of the angle between the edge and the axis
} edgeView;

// For an edge along the axis, where every rim is a circle, `y` is midway between the faces' normals.
static edgeView viewEdge(const revolvedHull* s, int32_t index)
{
    const wkHullEdge* edge = &wkHullEdgesOf(s->hull)[index];
    wkVec3d from = wkHullVertex(s->hull, edge->vertices[0]);
    wkVec3d along = wkSub(wkHullVertex(s->hull, edge->vertices[1]), from);
    wkVec3d u = wkScale(1.0 / wkLength(along), along), across = wkCross(u, s->axis);
    edgeView view = {.index = index, .from = wkAdd(from, s->way)};
    view.cosine = wkDot(u, s->axis);
    view.sine = wkLength(across);
    if (view.sine > WK_REVOLVED_PARALLEL) {
        view.x = wkScale(1.0 / view.sine, across);
        view.y = wkCross(view.x, u);
    } else {
        wkVec3d first = wkLaneNormal(&s->planes, edge->faces[0]);
        wkVec3d both = wkAdd(first, wkLaneNormal(&s->planes, edge->faces[1]));
        view.cosine = 1.0, view.sine = 0.0;
        view.y = wkNormalizeOr(both, first);
        view.x = wkCross(view.y, u);
    }
    return view;
}

static void solveArc(revolvedHull* s, const edgeView* e, bool isUpper, wkVec3d first,
                     wkVec3d second)
{
    if (!(s->radius[isUpper] > 0.0) || e->cosine == 0.0) {
        return; // an apex, or the cap replaces the arc
    }
    wkArcView view = {e->from,
                      e->x,
                      e->y,
                      s->radius[isUpper],
                      fabs(e->cosine),
                      e->sine,
                      e->sine * (isUpper ? s->half : -s->half)};
    wkArcPiece pieces[2];
    int count = wkFindArcPieces(&view, first, second, pieces);
    for (int i = 0; i < count; ++i) {
        keep(s, wayRim, pieces[i].depth, e->index, pieces[i].normal);
    }
}

// Tests the part of an arc between a face and a normal of the side.
static void tryPart(revolvedHull* s, const edgeView* e, int32_t face, wkVec3d n, double depth)
{
    bool isUpper = s->side[face] > 0.0;
    if (!(s->radius[isUpper] > 0.0)) {
        return; // an apex does not move
    }
    wkVec3d f = wkLaneNormal(&s->planes, face);
    double r = s->radius[isUpper], top = isUpper ? s->half : -s->half;
    double cosine = wkDot(f, n);

    // the rim's point along n is out * n + up * a again
    double out = r / s->acrossSide, up = top - out * s->latitude;
    double along = wkDot(e->from, n), alongFace = s->offset[face];
    double pn = along + s->out[face] * cosine + s->up[face] * s->latitude;
    double qm = alongFace + out * cosine + up * s->lean[face];
    if (wkIsChordNear(s->height[face], pn, qm, depth, cosine, s->best.depth + s->chordOff)) {
        solveArc(s, e, isUpper, f, n);
    }
}

// Computes the normal of the side across an edge, on the given side of the plane of edge and axis; returns
// false when there is none.
static bool sideNormal(const revolvedHull* s, const edgeView* e, double side, wkVec3d* n)
{
    double y = s->latitude / e->sine, rest = 1.0 - y * y;
    *n = wkMulAdd(wkScale(y, e->y), side * sqrt(wkMaxD(rest, 0.0)), e->x);
    return rest >= 0.0;
}

// Finds where the arc of an edge whose faces have their furthest points on different rims meets the side's
// normals. The side of the plane of edge and axis is known when both ends are on it; otherwise the arc passes
// over the top, and the lower end rises through these normals, or around the bottom.
static bool findCrossing(const revolvedHull* s, const edgeView* e, const int32_t faces[2],
                         wkVec3d* crossing)
{
    bool isFirst = s->side[faces[0]] > 0.0;
    wkVec3d m = wkLaneNormal(&s->planes, faces[isFirst]);
    wkVec3d n = wkLaneNormal(&s->planes, faces[!isFirst]);
    double mx = wkDot(m, e->x), nx = wkDot(n, e->x);
    bool isOverTop = (wkDot(m, e->y) * nx - wkDot(n, e->y) * mx) * (nx - mx) > 0.0;
    return sideNormal(s, e, copysign(1.0, isOverTop ? mx : nx), crossing);
}

static void tryCrossing(revolvedHull* s, const edgeView* e, const int32_t faces[2])
{
    wkVec3d crossing;
    if (findCrossing(s, e, faces, &crossing)) {
        double depth = wkDot(e->from, crossing) + s->alongSide;
        keep(s, wayEdge, depth, e->index, crossing);
        tryPart(s, e, faces[0], crossing, depth);
        tryPart(s, e, faces[1], crossing, depth);
    }
}

// Tests an edge whose arc rises over the side's normals and falls back: it meets them on either side.
static void tryPassing(revolvedHull* s, const edgeView* e, const int32_t faces[2])
{
    for (int end = 0; end < 2; ++end) {
        wkVec3d n = wkLaneNormal(&s->planes, faces[end]), crossing;
        if (sideNormal(s, e, copysign(1.0, wkDot(n, e->x)), &crossing)) {
            double depth = wkDot(e->from, crossing) + s->alongSide;
            keep(s, wayEdge, depth, e->index, crossing);
            tryPart(s, e, faces[end], crossing, depth);
        }
    }
}

// Returns true when an arc between two normals below the side's passes over those: its highest normal along
// the axis is inside it and above them.
static bool passesOver(const revolvedHull* s, int32_t f, int32_t g, double cosine)
{
    double lean = s->lean[f], other = s->lean[g];
    double sineSquared = 1.0 - cosine * cosine;
    double peak = lean * lean + other * other - 2.0 * cosine * lean * other;
    return lean * cosine < other && other * cosine < lean &&
           peak > s->latitude * s->latitude * sineSquared;
}

// Tests an edge that may have a piece nearer than the best. An edge along the axis has the wider rim all
// along its arc.
static void tryEdge(revolvedHull* s, int32_t index, double cosine)
{
    const int32_t* faces = wkHullEdgesOf(s->hull)[index].faces;
    int32_t f = faces[0], g = faces[1];
    edgeView e = viewEdge(s, index);
    bool isAlong = e.sine == 0.0;
    if (s->side[f] != s->side[g] && !isAlong) {
        tryCrossing(s, &e, faces);
    } else if (s->latitude > 0.0 && s->side[f] < 0.0 && passesOver(s, f, g, cosine) && !isAlong) {
        tryPassing(s, &e, faces);
    } else {
        bool isUpper = s->side[f] > 0.0 && !isAlong;
        solveArc(s, &e, isUpper, wkLaneNormal(&s->planes, f), wkLaneNormal(&s->planes, g));
    }
}

// For the sphere inside the body, with its centre inside the hull, no normal of an arc has less depth than
// both ends.
static void tryEdges(revolvedHull* s)
{
    const wkHullEdge* edges = wkHullEdgesOf(s->hull);
    for (int32_t i = 0; i < s->hull->edgeCount; ++i) {
        int32_t f = edges[i].faces[0], g = edges[i].faces[1];
        if (wkMinD(s->floor[f], s->floor[g]) >= wkMaxD(s->best.depth, s->sphereRadius)) {
            continue;
        }
        double cosine = wkDot(wkLaneNormal(&s->planes, f), wkLaneNormal(&s->planes, g));
        double pn = s->offset[g] + s->out[f] * cosine + s->up[f] * s->lean[g];
        double qm = s->offset[f] + s->out[g] * cosine + s->up[g] * s->lean[f];
        if (wkIsChordNear(s->height[f], pn, qm, s->height[g], cosine,
                          s->best.depth + s->chordOff)) {
            tryEdge(s, i, cosine);
        }
    }
}

// Tests a vertex and the side, where n is the normal of the side that has the vertex furthest back. When that
// vertex is the hull's furthest along n, it lies beyond the sphere inside the hull. The same sphere proves
// when no vertex can be nearer than the best, and a cylinder whose axis passes through it is met by edges
// only.
static void trySide(revolvedHull* s)
{
    const wkHull* hull = s->hull;
    const double k = s->acrossSide, latitude = s->latitude;
    wkVec3d center = wkAdd(hull->sphereCenter, s->way);
    double alongCenter = wkDot(center, s->axis);
    wkVec3d acrossCenter = wkMulSub(center, alongCenter, s->axis);
    double sphere = latitude * alongCenter - k * wkLength(acrossCenter) + hull->innerRadius;
    if (s->alongSide + sphere >= s->best.depth || (latitude == 0.0 && sphere > 0.0)) {
        return;
    }
    double beyond = latitude * alongCenter + hull->innerRadius;
    for (int32_t i = 0; i < hull->vertexCount; ++i) {
        wkVec3d from = wkAdd(wkHullVertex(hull, i), s->way);
        double along = wkDot(from, s->axis);
        wkVec3d across = wkMulSub(from, along, s->axis);
        double length = wkLength(across), reach = latitude * along - k * length;
        bool isBeyond = (reach - beyond) * length + k * wkDot(across, acrossCenter) >= 0.0;
        if (isBeyond && reach + s->alongSide < s->best.depth) {
            // repeated to remove the rounding error; on the axis all directions are equally far back
            across = wkMulSub(across, wkDot(across, s->axis), s->axis);
            wkVec3d back = wkNormalizeOr(across, wkPerpendicular(s->axis));
            tryVertex(s, wkMulSub(wkScale(latitude, s->axis), k, back), s->alongSide);
        }
    }
}

// Returns the point of the hull's edge that meets a line of the side, projected along the normal.
static wkVec3d onEdge(const revolvedHull* s)
{
    const wkHullEdge* edge = &wkHullEdgesOf(s->hull)[s->best.index];
    wkVec3d from = wkHullVertex(s->hull, edge->vertices[0]);
    wkVec3d along = wkSub(wkHullVertex(s->hull, edge->vertices[1]), from);
    wkVec3d across = wkCross(s->axis, s->best.normal);
    double t = -wkDot(wkAdd(from, s->way), across) / wkDot(along, across);
    return wkMulAdd(from, wkClamp(t, 0.0, 1.0), along);
}

// Returns the body's point of the contact, relative to its middle.
static wkVec3d onBody(const revolvedHull* s)
{
    wkVec3d n = s->best.normal;
    if (s->best.kind == wayRim) {
        double lean = wkDot(s->axis, n);
        wkVec3d across = wkMulSub(n, lean, s->axis);
        double sine = wkLength(across);
        bool isUpper = s->radius[1] * sine + s->half * lean > s->radius[0] * sine - s->half * lean;
        double out = sine > 0.0 ? s->radius[isUpper] / sine : 0.0;
        return wkNeg(wkMulAdd(wkScale(out, across), isUpper ? s->half : -s->half, s->axis));
    }
    wkVec3d onHull = s->best.kind == wayEdge ? onEdge(s) : wkHullVertex(s->hull, s->best.index);
    return wkMulSub(wkAdd(onHull, s->way), s->best.depth, n);
}

// Returns false when the features of the best way out are not where they were assumed: on slivers.
static bool answer(revolvedHull* s, const wkPair* pair, wkSolution* out)
{
    const wkMat3d* r = &pair->bInA.rotation;
    wkVec3d n = wkMulMV(r, s->best.normal);
    double depth = wkDepthAlong(pair, n), off = WK_DEPTH_OFF * pair->scale;
    if (!(fabs(depth - s->best.depth) <= off)) {
        return false;
    }
    s->best.depth = depth;
    out->distance = -depth;
    out->normal = wkNeg(n);
    out->pointA = wkMulMV(r, onBody(s));
    out->pointB = wkMulAdd(out->pointA, s->best.depth, n);
    out->status = wk_statusExact;
    if (wkAreInCores(pair, out, off)) {
        return true;
    }
    wkPlaceWitness(pair, out);
    return wkAreInCores(pair, out, off);
}

// `sign` is 1 or -1: from the lower rim to the upper along the axis of A or against it.
static bool findDepth(const wkPair* pair, double half, double lower, double upper, double sign,
                      wkSolution* out)
{
    const wkHull* hull = pair->b->hull;
    if (!wkIsListedHull(hull) || !(lower > 0.0)) {
        return false;
    }
    bool isDisc = !(half > 0.0); // a cylinder whose side has no height
    upper = isDisc ? lower : upper;
    const wkMat3d* r = &pair->bInA.rotation;
    double slant = sqrt((lower - upper) * (lower - upper) + 4.0 * half * half);
    revolvedHull s;
    s.hull = hull;
    s.axis = wkScale(sign, wkVec(r->x.z, r->y.z, r->z.z));
    s.way = wkMulTMV(r, pair->bInA.position);
    s.half = half;
    s.radius[0] = lower, s.radius[1] = upper;
    s.latitude = isDisc ? 0.0 : (lower - upper) / slant;
    s.acrossSide = isDisc ? 1.0 : 2.0 * half / slant;
    s.alongSide = upper * s.acrossSide + half * s.latitude;
    s.sphereRadius = isDisc ? 0.0 : wkMinD(half, 2.0 * half * lower / (slant + lower - upper));
    s.sphereHeight = upper < lower ? s.sphereRadius - half : 0.0;
    s.planes = wkMakePlaneLanes(hull);
    s.chordOff = WK_REVOLVED_CHORD_OFF * pair->scale;
    s.best.depth = INFINITY;
    checkFaces(&s);
    tryFaces(&s);
    tryVertex(&s, s.axis, half);
    tryVertex(&s, wkNeg(s.axis), half);
    tryEdges(&s);
    trySide(&s);
    return s.best.depth > WK_VERDICT_BAND * pair->scale && answer(&s, pair, out);
}

bool wkDepthCylinderHull(const wkPair* pair, wkSolution* out)
{
    const wkCylinder* c = &pair->a->cylinder;
    return findDepth(pair, c->halfLength, c->radius, c->radius, 1.0, out);
}

bool wkDepthConeHull(const wkPair* pair, wkSolution* out)
{
    const wkCone* c = &pair->a->cone;
    return findDepth(pair, c->halfLength, c->radius, 0.0, -1.0, out);
}
