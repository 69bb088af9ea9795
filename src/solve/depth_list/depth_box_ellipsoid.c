// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Penetration depth of a box and an ellipsoid; see depth_list.h. In the frame of the box, with half edges e
// and an ellipsoid sqrt(n.M n) about c, the depth along the unit normal n is
//
//     e.|n| + sqrt(n.M n) - c.n.
//
// Pieces of the surface of B - A:
//  - flat, over a face: n along an axis of the box;
//  - over an edge, n across it: an arc of the ellipse that the ellipsoid projects to along the edge;
//  - over a vertex, n in its octant: a triangle of the ellipsoid.
// Arcs and triangles have their vertices where n is along an axis of the box. A point of one is a sum of
// these vertices, about the middle of the ellipsoid, with weights that are not negative and sum to at least
// 1, as for arcs of a circle and triangles on a sphere, of which these are affine images. So the piece lies
// beyond the chord or the plane through its vertices, and is evaluated only when that is nearer than the best
// way out so far. With r_i = sqrt(M_ii) and C_ij = M_ij / (r_i r_j), in coordinates x_i / r_i the vertices
// are the columns of C, with the signs s of the octant; the plane through them is y.x = 1 with C y = s.

#include "solve/closed_form/cyclic.h"
#include "solve/closed_form/ellipse.h"
#include "solve/depth_list/depth_ellipsoid.h"
#include "solve/depth_list/depth_list.h"

// Rounding error of the plane through three vertices, as a share of its inputs.
#define WK_DEPTH_PLANE_ERROR 4e-14

// Coordinates are cyclic, see cyclic.h.
typedef struct boxView {
    const wkPair* pair;
    const wkMat3d* axes; // of the ellipsoid
    double half[5];
    double center[5];
    double reach[5];  // of the ellipsoid along the box's axes
    double square[5]; // its square
    double mixed[3];  // M between the axes k + 1 and k + 2
} boxView;

typedef struct wayOut {
    double depth;
    wkVec3d normal;
} wayOut;

static void viewFromBox(const wkPair* pair, boxView* s)
{
    s->axes = &pair->bInA.rotation;
    s->pair = pair;
    wkVec3d square = wkMulVec(pair->b->ellipsoid.radii, pair->b->ellipsoid.radii);
    wkVec3d x = s->axes->x, y = s->axes->y, z = s->axes->z;
    wkVec3d sx = wkScale(square.x, x), sy = wkScale(square.y, y), sz = wkScale(square.z, z);
    wkVec3d m = wkAdd(wkAdd(wkMulVec(sx, x), wkMulVec(sy, y)), wkMulVec(sz, z));
    s->mixed[0] = sx.y * x.z + sy.y * y.z + sz.y * z.z;
    s->mixed[1] = sx.z * x.x + sy.z * y.x + sz.z * z.x;
    s->mixed[2] = sx.x * x.y + sy.x * y.y + sz.x * z.y;
    wkSpread(m, s->square);
    wkSpread(wkVec(sqrt(m.x), sqrt(m.y), sqrt(m.z)), s->reach);
    wkSpread(pair->a->box.half, s->half);
    wkSpread(pair->bInA.position, s->center);
}

static double depthAlong(const boxView* s, wkVec3d n)
{
    return wkDot(wkGather(s->half), wkAbs(n)) + wkLength(wkEllipsoidStretch(s->pair, n)) -
           wkDot(wkGather(s->center), n);
}

static void keepShallower(const boxView* s, wkVec3d normal, wayOut* best)
{
    wayOut way = {depthAlong(s, normal), normal};
    *best = way.depth < best->depth ? way : *best;
}

static void tryFaces(const boxView* s, wayOut* best)
{
    int nearest = 0;
    best->depth = INFINITY;
    for (int k = 0; k < 3; ++k) {
        double depth = s->half[k] + s->reach[k] - fabs(s->center[k]);
        nearest = depth < best->depth ? k : nearest;
        best->depth = wkMinD(depth, best->depth);
    }
    best->normal = wkAlongAxes(nearest, copysign(1.0, s->center[nearest]), 0.0, 0.0);
}

// A quarter of the view along an edge, oriented so that the vertex of the box and the normals have positive
// coordinates.
typedef struct edgeView {
    int k;
    double signX, signY;
    double mixed;
    double x, y; // middle of the ellipsoid from the vertex
} edgeView;

// Finds the minima of the arc, in the frame of the ellipse's axes.
static void solveArc(const boxView* s, const edgeView* view, wayOut* best)
{
    double xx = s->square[view->k + 1], yy = s->square[view->k + 2], xy = view->mixed;
    double half = 0.5 * (xx - yy), mean = 0.5 * (xx + yy);
    double apart = sqrt(half * half + xy * xy);
    double longSquare = mean + apart;
    double shortSquare = wkMaxD(xx * yy - xy * xy, 0.0) / longSquare;
    wkEllipse ellipse = {sqrt(longSquare), sqrt(shortSquare), 2.0 * apart};
    // direction of the long axis, from the more accurate half plane
    wkPlaneVec axis = half >= 0.0 ? wkPlaneUnit(apart + half, xy) : wkPlaneUnit(xy, apart - half);
    double along = axis.x * view->x + axis.y * view->y;
    double across = axis.x * view->y - axis.y * view->x;
    wkPlaneVec n = wkEllipseNormal(&ellipse, fabs(along), fabs(across));
    for (int i = 0;; ++i) {
        n.x = copysign(n.x, along), n.y = copysign(n.y, across);
        double nx = axis.x * n.x - axis.y * n.y, ny = axis.y * n.x + axis.x * n.y;
        keepShallower(s, wkAlongAxes(view->k, 0.0, view->signX * nx, view->signY * ny), best);
        across = -across;
        if ((nx >= 0.0 && ny >= 0.0) || i == 1 ||
            !wkEllipseOtherNormal(&ellipse, fabs(along), fabs(across), &n)) {
            return;
        }
    }
}

// Two chords, meeting at the arc's middle, are nearer to it than one. That middle is at (h, h) in
// coordinates x / reach, h the cosine of half the angle of the arc on the circle.
static bool isArcFar(const boxView* s, const edgeView* view, double limit)
{
    double rx = s->reach[view->k + 1], ry = s->reach[view->k + 2];
    double xx = s->square[view->k + 1], yy = s->square[view->k + 2];
    double product = rx * ry;
    double middle = sqrt(wkMaxD(0.5 * (product + view->mixed) / product, 0.0));
    double more = 1.0 + 2.0 * middle, level = middle * (1.0 + more) * product;
    double first = level - more * ry * view->x - rx * view->y;
    double second = level - ry * view->x - more * rx * view->y;
    return first >= limit * sqrt(more * more * yy + xx) &&
           second >= limit * sqrt(yy + more * more * xx);
}

static void tryArc(const boxView* s, int k, double signX, double signY, wayOut* best)
{
    edgeView view = {k,
                     signX,
                     signY,
                     signX * signY * s->mixed[k],
                     signX * s->center[k + 1] - s->half[k + 1],
                     signY * s->center[k + 2] - s->half[k + 2]};
    if (!isArcFar(s, &view, best->depth)) {
        solveArc(s, &view, best);
    }
}

// Tests the arcs projected along the edges k: two, and their opposites.
static void tryEdges(const boxView* s, int k, wayOut* best)
{
    double rx = s->reach[k + 1], ry = s->reach[k + 2];
    double length = sqrt(s->square[k + 1] + s->square[k + 2]);
    double reach = rx * ry + ry * s->half[k + 1] + rx * s->half[k + 2];
    for (int i = 0; i < 2; ++i) {
        double sign = i == 0 ? -1.0 : 1.0;
        double level = reach + sign * s->mixed[k];
        double offset = ry * s->center[k + 1] + sign * rx * s->center[k + 2];
        if (level - fabs(offset) < best->depth * length) {
            double side = copysign(1.0, offset);
            tryArc(s, k, side, side * sign, best);
            if (level + fabs(offset) < best->depth * length) {
                tryArc(s, k, -side, -side * sign, best);
            }
        }
    }
}

static bool isInOctant(wkVec3d n, wkVec3d sign)
{
    wkVec3d along = wkMulVec(sign, n);
    return wkMinD(wkMinD(along.x, along.y), along.z) >= 0.0;
}

// Finds the minima of the distance from a vertex to the ellipsoid. The second one matters only when the first
// has its normal in another octant.
static void solveVertex(const boxView* s, wkVec3d sign, wayOut* best)
{
    wkVec3d vertex = wkMulVec(sign, wkGather(s->half));
    wkVec3d point = wkMulTMV(s->axes, wkSub(wkGather(s->center), vertex)), other;
    wkVec3d n = wkMulMV(s->axes, wkProjectEllipsoid(s->pair->b, point).normal);
    keepShallower(s, n, best);
    if (!isInOctant(n, sign) &&
        wkEllipsoidOtherNormal(s->pair->b->ellipsoid.radii, point, &other)) {
        keepShallower(s, wkMulMV(s->axes, other), best);
    }
}

// Inverse of C times its determinant.
typedef struct vertexPlanes {
    double xx, yy, zz, xy, xz, yz;
    double det;
    wkVec3d inverse; // of the reaches
    double error;
} vertexPlanes;

static void findPlanes(const boxView* s, vertexPlanes* p)
{
    wkVec3d inverse = wkVec(1.0 / s->reach[0], 1.0 / s->reach[1], 1.0 / s->reach[2]);
    double yz = s->mixed[0] * inverse.y * inverse.z, xz = s->mixed[1] * inverse.x * inverse.z,
           xy = s->mixed[2] * inverse.x * inverse.y;
    p->xx = 1.0 - yz * yz, p->yy = 1.0 - xz * xz, p->zz = 1.0 - xy * xy;
    p->xy = xz * yz - xy, p->xz = xy * yz - xz, p->yz = xy * xz - yz;
    p->det = p->xx + xy * p->xy + xz * p->xz;
    p->inverse = inverse;
    double size = 1.0 + wkDot(inverse, wkAdd(wkGather(s->half), wkAbs(wkGather(s->center))));
    p->error = WK_DEPTH_PLANE_ERROR * size;
}

// Tests the triangles of the octants with signs 1, t, u and their opposites.
static void tryVertices(const boxView* s, const vertexPlanes* p, double t, double u, wayOut* best)
{
    wkVec3d normal =
        wkMulVec(p->inverse, wkVec(p->xx + t * p->xy + u * p->xz, p->xy + t * p->yy + u * p->yz,
                                   p->xz + t * p->yz + u * p->zz));
    wkVec3d sign = wkVec(1.0, t, u);
    double level = p->det - p->error + wkDot(normal, wkMulVec(sign, wkGather(s->half)));
    double offset = wkDot(normal, wkGather(s->center));
    double length = wkLength(normal);
    if (level - fabs(offset) < best->depth * length) {
        sign = offset < 0.0 ? wkNeg(sign) : sign;
        solveVertex(s, sign, best);
        if (level + fabs(offset) < best->depth * length) {
            solveVertex(s, wkNeg(sign), best);
        }
    }
}

// Returns false where the normal leads to no point of the box: another piece is equally near, up to rounding.
static bool answer(const boxView* s, const wayOut* way, wkSolution* out)
{
    wkEllipsoidDeepest(s->pair, way->normal, way->depth, out);
    return wkIsInBox(wkGather(s->half), out->pointA, WK_DEPTH_OFF * s->pair->scale);
}

bool wkDepthBoxEllipsoid(const wkPair* pair, wkSolution* out)
{
    if (!wkIsEllipsoidSafe(pair)) {
        return false;
    }
    boxView s;
    viewFromBox(pair, &s);
    wayOut best;
    tryFaces(&s, &best);
    for (int k = 0; k < 3; ++k) {
        tryEdges(&s, k, &best);
    }
    vertexPlanes planes;
    findPlanes(&s, &planes);
    for (int i = 0; i < 4; ++i) {
        tryVertices(&s, &planes, i & 1 ? -1.0 : 1.0, i & 2 ? -1.0 : 1.0, &best);
    }
    if (!(best.depth > WK_VERDICT_BAND * pair->scale)) {
        return false;
    }
    return answer(&s, &best, out) || wkGlobalDepth(pair, out);
}
