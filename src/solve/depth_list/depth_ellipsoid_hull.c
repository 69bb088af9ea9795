// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Penetration depth of an ellipsoid and a hull; see depth_list.h. In the frame of the hull, with the matrix M
// of the ellipsoid, whose middle is at -way, the depth along the unit normal n out of the hull is
//
//     v.n + way.n + sqrt(n.M n),   v the hull's furthest vertex along n.
//
// Smooth pieces of the surface of hull - ellipsoid:
//  - flat: a face of the hull, offset by the ellipsoid;
//  - an edge and the ellipsoid, n across the edge and between the normals of its two faces: projected
//    along the edge the ellipsoid is an ellipse, see depth_arc.h;
//  - a vertex and the ellipsoid: the surface of the ellipsoid about the vertex. Its nearest point is
//    the projection of a point inside an ellipsoid, or the other local minimum, beyond the shortest axis.
// For the sphere inside the ellipsoid, the depth over an edge or a vertex is nowhere less than at the faces
// around it: this culls most of them.

#include "solve/closed_form/ellipse.h"
#include "solve/core_support.h"
#include "solve/depth_list/depth_arc.h"
#include "solve/depth_list/depth_hull.h"
#include "solve/depth_list/depth_list.h"
#include "solve/global_depth/support_sum.h"

#include <string.h>

// Thinner ellipsoids, as a share of their size, are left to the general solver.
#define WK_ELLIPSOID_HULL_THIN 1e-3

typedef struct ellipsoidHull {
    const wkHull* hull;
    const wkShape* ellipsoid;
    wkSym3d matrix;
    wkVec3d inverseRadii;
    wkVec3d way;
    double scale; // of the pair
    wkMat3d axes; // of the ellipsoid
    double sphereRadius;
    wkPlaneLanes planes;
    double depth; // of the best way out so far
    wkVec3d normal;

    // of each face: depth, plane's offset including `way`, and the ellipsoid's furthest point along n
    double height[WK_LISTED_FACES];
    double offset[WK_LISTED_FACES];
    double x[WK_LISTED_FACES];
    double y[WK_LISTED_FACES];
    double z[WK_LISTED_FACES];
} ellipsoidHull;

static void keep(ellipsoidHull* s, double depth, wkVec3d normal)
{
    if (depth < s->depth) {
        s->depth = depth;
        s->normal = normal;
    }
}

static void tryFaces(ellipsoidHull* s)
{
    // cppcheck-suppress ctuuninitvar
    const double* restrict nx = s->planes.x;
    const double* restrict ny = s->planes.y;
    const double* restrict nz = s->planes.z;
    const double* restrict base = s->planes.offset;
    double* restrict heights = s->height;
    double* restrict offsets = s->offset;
    double* restrict xs = s->x;
    double* restrict ys = s->y;
    double* restrict zs = s->z;
    const wkSym3d m = s->matrix;
    const wkVec3d w = s->way;
    const int32_t count = s->hull->faceCount;
    for (int32_t i = 0; i < count; ++i) {
        double x = m.xx * nx[i] + m.xy * ny[i] + m.xz * nz[i];
        double y = m.xy * nx[i] + m.yy * ny[i] + m.yz * nz[i];
        double z = m.xz * nx[i] + m.yz * ny[i] + m.zz * nz[i];
        double reach = sqrt(nx[i] * x + ny[i] * y + nz[i] * z), inverse = 1.0 / reach;
        double offset = base[i] + (nx[i] * w.x + ny[i] * w.y + nz[i] * w.z);
        offsets[i] = offset;
        heights[i] = offset + reach;
        xs[i] = inverse * x, ys[i] = inverse * y, zs[i] = inverse * z;
    }
    int32_t best = wkLowestOf(s->height, count);
    keep(s, s->height[best], wkLaneNormal(&s->planes, best));
}

// Returns true when the sphere inside the ellipsoid proves that nothing between faces with this least offset
// is nearer than the best.
static bool isRuledOut(const ellipsoidHull* s, double offset)
{
    return offset >= 0.0 && offset + s->sphereRadius >= s->depth;
}

// Computes the ellipse that the ellipsoid projects to along an edge: half axes from the matrix between two
// directions across the edge.
static bool viewEdge(const ellipsoidHull* s, int32_t index, wkArcView* view)
{
    const wkHullEdge* edge = &wkHullEdgesOf(s->hull)[index];
    wkVec3d from = wkHullVertex(s->hull, edge->vertices[0]);
    wkVec3d along = wkSub(wkHullVertex(s->hull, edge->vertices[1]), from), u, v;
    wkTangents(wkScale(1.0 / wkLength(along), along), &u, &v);
    const wkSym3d* m = &s->matrix;
    wkVec3d mu = wkMulSV(m, u);
    double uu = wkDot(u, mu), uv = wkDot(v, mu), vv = wkDot(v, wkMulSV(m, v));
    double half = 0.5 * (uu - vv), middle = 0.5 * (uu + vv);
    double spread = sqrt(half * half + uv * uv);
    double longer = middle + spread, shorter = (uu * vv - uv * uv) / longer;

    // the longer axis is at half the angle of (half, uv)
    double c = spread > 0.0 ? sqrt(0.5 * (1.0 + fabs(half) / spread)) : 1.0;
    double sn = spread > 0.0 ? 0.5 * fabs(uv) / (spread * c) : 0.0;
    double cu = half < 0.0 ? sn : c, cv = copysign(half < 0.0 ? c : sn, uv);
    view->from = wkAdd(from, s->way);
    view->x = wkMulAdd(wkScale(cu, u), cv, v);
    view->y = wkMulAdd(wkScale(-cv, u), cu, v);
    view->radius = sqrt(longer);
    view->cosine = sqrt(shorter / longer);
    view->sine = sqrt(wkMaxD(1.0 - shorter / longer, 0.0));
    view->rise = 0.0;
    return longer > 0.0;
}

static void tryEdges(ellipsoidHull* s)
{
    const wkHullEdge* edges = wkHullEdgesOf(s->hull);
    for (int32_t i = 0; i < s->hull->edgeCount; ++i) {
        int32_t f = edges[i].faces[0], g = edges[i].faces[1];
        if (isRuledOut(s, wkMinD(s->offset[f], s->offset[g]))) {
            continue;
        }
        wkVec3d m = wkLaneNormal(&s->planes, f), n = wkLaneNormal(&s->planes, g);
        double pn = s->offset[g] + wkDot(wkVec(s->x[f], s->y[f], s->z[f]), n);
        double qm = s->offset[f] + wkDot(wkVec(s->x[g], s->y[g], s->z[g]), m);
        wkArcView view;
        if (wkIsChordNear(s->height[f], pn, qm, s->height[g], wkDot(m, n), s->depth) &&
            viewEdge(s, i, &view)) {
            wkArcPiece pieces[2];
            int count = wkFindArcPieces(&view, m, n, pieces);
            for (int k = 0; k < count; ++k) {
                keep(s, pieces[k].depth, pieces[k].normal);
            }
        }
    }
}

// Returns the depth along a normal, for whichever vertex it belongs to.
static double depthAlong(const ellipsoidHull* s, wkVec3d n)
{
    wkVec3d vertex = wkHullVertex(s->hull, wkHullSupport(s->hull, n, 0));
    double reach = sqrt(wkDot(n, wkMulSV(&s->matrix, n)));
    return wkDot(wkAdd(vertex, s->way), n) + reach;
}

// Tests the other local minimum of the distance from a point, on the far side of the shortest axis.
static void tryFarSide(ellipsoidHull* s, wkVec3d point)
{
    wkVec3d normal;
    if (wkEllipsoidOtherNormal(s->ellipsoid->ellipsoid.radii, point, &normal)) {
        wkVec3d n = wkMulMV(&s->axes, normal);
        keep(s, depthAlong(s, n), n);
    }
}

// Tests a vertex. The depth is positive: a vertex outside the ellipsoid can only touch from the far side.
static void tryVertex(ellipsoidHull* s, int32_t vertex)
{
    wkVec3d from = wkAdd(wkHullVertex(s->hull, vertex), s->way);
    wkVec3d local = wkNeg(wkMulTMV(&s->axes, from));
    wkVec3d scaled = wkMulVec(local, s->inverseRadii);
    double squared = wkDot(scaled, scaled), spare = 1.0 - s->depth / s->sphereRadius;
    if (spare > 0.0 && squared <= spare * spare) {
        return; // the ellipsoid, shrunk to the point, is further in than the best
    }
    if (squared < 1.0) {
        wkProjection nearest = wkConvexTable[wk_shapeEllipsoid].project(s->ellipsoid, local);
        if (!(-nearest.distance < s->depth)) {
            return;
        }
        wkVec3d n = wkMulMV(&s->axes, nearest.normal);
        double depth = depthAlong(s, n);
        keep(s, depth, n);
        if (depth <= -nearest.distance + WK_DEPTH_OFF * s->scale) {
            return;
        }
    }
    tryFarSide(s, local);
}

static void tryVertices(ellipsoidHull* s)
{
    uint8_t isNear[WK_LISTED_VERTICES];
    memset(isNear, 0, sizeof isNear);
    const int32_t *starts = wkHullFaceStarts(s->hull), *vertices = wkHullVertices(s->hull);
    for (int32_t i = 0; i < s->hull->faceCount; ++i) {
        for (int32_t k = starts[i]; !isRuledOut(s, s->offset[i]) && k < starts[i + 1]; ++k) {
            isNear[vertices[k]] = 1;
        }
    }
    for (int32_t i = 0; i < s->hull->vertexCount; ++i) {
        if (isNear[i]) {
            tryVertex(s, i);
        }
    }
}

// Returns false when the features of the best way out are not where they were assumed: on slivers.
static bool answer(const ellipsoidHull* s, const wkPair* pair, wkSolution* out)
{
    const wkMat3d* r = &pair->bInA.rotation;
    wkVec3d n = wkMulMV(r, s->normal);
    double depth = wkDepthAlong(pair, n), off = WK_DEPTH_OFF * pair->scale;
    if (!(fabs(depth - s->depth) <= off)) {
        return false;
    }
    wkVec3d q = wkMulSV(&s->matrix, s->normal);
    out->distance = -depth;
    out->normal = wkNeg(n);
    out->pointA = wkNeg(wkMulMV(r, wkScale(1.0 / sqrt(wkDot(s->normal, q)), q)));
    out->pointB = wkMulAdd(out->pointA, depth, n);
    out->status = wk_statusExact;
    wkVec3d local = wkFrameLocal(&pair->bInA, out->pointB);
    return wkConvexTable[pair->b->type].project(pair->b, local).distance <= off;
}

bool wkDepthEllipsoidHull(const wkPair* pair, wkSolution* out)
{
    const wkHull* hull = pair->b->hull;
    wkVec3d radii = pair->a->ellipsoid.radii;
    double least = wkMinD(wkMinD(radii.x, radii.y), radii.z);
    if (!wkIsListedHull(hull) || !(least > WK_ELLIPSOID_HULL_THIN * wkMaxAbs(radii))) {
        return false;
    }
    ellipsoidHull s;
    s.hull = hull;
    s.ellipsoid = pair->a;
    const wkMat3d* r = &pair->bInA.rotation;
    wkMat3d axes = {{r->x.x, r->y.x, r->z.x}, {r->x.y, r->y.y, r->z.y}, {r->x.z, r->y.z, r->z.z}};
    s.axes = axes;
    s.way = wkMulTMV(r, pair->bInA.position);
    s.matrix = wkSumOfSquares(&axes, wkMulVec(radii, radii));
    s.inverseRadii = wkVec(1.0 / radii.x, 1.0 / radii.y, 1.0 / radii.z);
    s.scale = pair->scale;
    s.sphereRadius = least;
    s.planes = wkMakePlaneLanes(hull);
    s.depth = INFINITY;
    tryFaces(&s);
    tryEdges(&s);

    // a sphere of the smallest radius of curvature is a summand of the ellipsoid: within that depth there is
    // only one contact
    double roundness = least * least / wkMaxAbs(radii), none = WK_VERDICT_BAND * pair->scale;
    if (s.depth > none && s.depth < roundness && answer(&s, pair, out)) {
        return true;
    }
    tryVertices(&s);
    return s.depth > none && answer(&s, pair, out);
}
