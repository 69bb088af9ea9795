// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth of two hulls, from the surface of B - A: faces of A with a vertex of B, faces of B with a vertex of
// A, and parallelograms spanned by an edge of each. The depth D(n) along a unit direction n is the reach of A
// along n less the reach of B against it; its minimum is found among the pieces.
//
// Most pieces are culled without evaluating the other hull's vertices, since that hull contains its inner
// sphere. Along an edge of A, n goes from the normal of one face to that of the other, and D(n) is the
// largest n . (V - b) over the vertices b of B, with V on the edge. Two vertices that are furthest at the
// ends give a lower bound for all directions in between, least where they are level; there either they are
// the furthest, which gives a piece, or a third vertex splits the arc.

#include "solve/depth_list/depth_hull.h"
#include "solve/depth_list/depth_list.h"
#include "solve/manifold.h"

#include <string.h>

// Larger hulls are left to the general solver. This is about half of the stack that a function may use, and
// as many vertices as most tools put into a convex piece.
#define WK_HULL_VERTICES 256
#define WK_HULL_FACES (2 * WK_HULL_VERTICES)
#define WK_HULL_EDGES (3 * WK_HULL_VERTICES)

// Capacity for parts of an arc still to be evaluated.
#define WK_ARC_CAPACITY 32

// Edges whose cross product is shorter (squared, share of the squared edges) define no plane.
#define WK_ARC_PARALLEL_SQUARED 1e-24

typedef enum pieceKind {
    pieceFaceOfA,
    pieceFaceOfB,
    pieceEdges,
} pieceKind;

// The nearest piece so far.
typedef struct piece {
    pieceKind kind;
    double depth;
    wkVec3d normal;      // in the frame of A, out of it
    int32_t index;       // the face, or the edge of A
    int32_t vertices[2]; // the vertex over the face, or those of the edge of B
} piece;

typedef struct hullPair {
    const wkPair* pair;
    const wkHull* a;
    const wkHull* b;
    piece best;
} hullPair;

// As wkIsListedHull.
static bool isListed(const wkHull* hull)
{
    return hull->faceCount >= 4 && hull->vertexCount <= WK_HULL_VERTICES && hull->innerRadius > 0.0;
}

static wkVec3d vertexOfB(const hullPair* s, int32_t vertex)
{
    return wkFramePoint(&s->pair->bInA, wkHullVertex(s->b, vertex));
}

// Returns the opposite of the outward normal of a face of A, in the frame of B.
static wkVec3d behindFaceOfA(const hullPair* s, int32_t face)
{
    return wkNeg(wkMulTMV(&s->pair->bInA.rotation, wkHullPlanes(s->a)[face].normal));
}

// Returns the opposite of the outward normal of a face of B, in the frame of A.
static wkVec3d behindFaceOfB(const hullPair* s, int32_t face)
{
    return wkNeg(wkMulMV(&s->pair->bInA.rotation, wkHullPlanes(s->b)[face].normal));
}

static void tryFaceOfA(hullPair* s, int32_t face, int32_t vertex)
{
    wkHullPlane plane = wkHullPlanes(s->a)[face];
    double depth = plane.offset - wkDot(plane.normal, vertexOfB(s, vertex));
    if (depth < s->best.depth) {
        piece found = {pieceFaceOfA, depth, plane.normal, face, {vertex, vertex}};
        s->best = found;
    }
}

static void tryFaceOfB(hullPair* s, int32_t face, int32_t vertex)
{
    wkHullPlane plane = wkHullPlanes(s->b)[face];
    wkVec3d local = wkFrameLocal(&s->pair->bInA, wkHullVertex(s->a, vertex));
    double depth = plane.offset - wkDot(plane.normal, local);
    if (depth < s->best.depth) {
        piece found = {pieceFaceOfB, depth, behindFaceOfB(s, face), face, {vertex, vertex}};
        s->best = found;
    }
}

// Returns the limit that the depth of B's inner-sphere centre below one of the faces of an edge of A must not
// reach for the edge to belong to the nearest piece. A unit vector between two normals is a combination of
// them, with weights that sum to at least 1 and at most 1 over the cosine of half the angle: its depth is at
// least the lesser of the two, or that multiple of it when it is negative.
static double edgeLimit(const hullPair* s)
{
    double limit = s->best.depth - s->b->innerRadius;
    return limit < 0.0 ? limit * s->a->edgeCosine : limit;
}

// Lists the edges of A that are near enough, and the faces that they need.
static int findNearEdges(const wkHull* a, const double* depths, double limit, uint16_t* edges,
                         uint8_t* isNeeded)
{
    const wkHullEdge* all = wkHullEdgesOf(a);
    int count = 0;
    for (int32_t i = 0; i < a->edgeCount; ++i) {
        const int32_t* faces = all[i].faces;
        bool isNear = wkMinD(depths[faces[0]], depths[faces[1]]) < limit;
        edges[count] = (uint16_t)i;
        count += isNear;
    }
    for (int i = 0; i < count; ++i) {
        isNeeded[all[edges[i]].faces[0]] = 1;
        isNeeded[all[edges[i]].faces[1]] = 1;
    }
    return count;
}

// Finds where two vertices of B are level along the arc of an edge of A, and the depth that they prove.
// @return false when there is no such direction, or it is as deep as the best
static bool findLevel(const hullPair* s, const wkHullEdge* edge, const int32_t ends[2],
                      wkVec3d* normal, double* bound)
{
    wkVec3d from = wkHullVertex(s->a, edge->vertices[0]);
    wkVec3d along = wkSub(wkHullVertex(s->a, edge->vertices[1]), from);
    wkVec3d b = vertexOfB(s, ends[0]), across = wkSub(vertexOfB(s, ends[1]), b);
    wkVec3d n = wkCross(along, across);
    double squared = wkDot(n, n);
    if (!(squared > WK_ARC_PARALLEL_SQUARED * wkDot(along, along) * wkDot(across, across))) {
        return false;
    }
    const wkHullPlane* planes = wkHullPlanes(s->a);
    wkVec3d outward = wkAdd(planes[edge->faces[0]].normal, planes[edge->faces[1]].normal);
    double sign = copysign(1.0, wkDot(n, outward));
    double depth = sign * wkDot(n, wkSub(from, b));
    if (depth > 0.0 && depth * depth >= s->best.depth * s->best.depth * squared) {
        return false;
    }
    *normal = wkScale(sign / sqrt(squared), n);
    *bound = wkDot(*normal, wkSub(from, b));
    return *bound < s->best.depth;
}

// Finds the nearest piece along the arc of an edge of A, between the vertices of B at its ends.
// @return false when there are too many vertices in between
static bool searchArc(hullPair* s, int32_t index, int32_t first, int32_t last)
{
    const wkHullEdge* edge = &wkHullEdgesOf(s->a)[index];
    int32_t arcs[WK_ARC_CAPACITY][2];
    arcs[0][0] = first, arcs[0][1] = last;
    for (int count = 1; count > 0;) {
        const int32_t ends[2] = {arcs[count - 1][0], arcs[count - 1][1]};
        count -= 1;
        wkVec3d normal;
        double bound;
        if (!findLevel(s, edge, ends, &normal, &bound)) {
            continue;
        }
        wkVec3d behind = wkNeg(wkMulTMV(&s->pair->bInA.rotation, normal));
        int32_t top = wkHullSupport(s->b, behind, ends[0]);
        wkVec3d from = wkHullVertex(s->a, edge->vertices[0]);
        double depth = wkDot(normal, wkSub(from, vertexOfB(s, top)));
        if (top == ends[0] || top == ends[1] || depth - bound <= WK_ROUNDING * s->pair->scale) {
            piece found = {pieceEdges, bound, normal, index, {ends[0], ends[1]}};
            s->best = found;
        } else if (count + 2 > WK_ARC_CAPACITY) {
            return false;
        } else {
            arcs[count][0] = ends[0], arcs[count][1] = top;
            arcs[count + 1][0] = top, arcs[count + 1][1] = ends[1];
            count += 2;
        }
    }
    return true;
}

// Tests the faces and edges of A. `depths` are those of the centre of B's inner sphere.
static bool tryPiecesOfA(hullPair* s, const double* depths)
{
    uint16_t edges[WK_HULL_EDGES];
    uint8_t isNeeded[WK_HULL_FACES];
    int32_t vertexOf[WK_HULL_FACES], vertex = 0;
    memset(isNeeded, 0, (size_t)s->a->faceCount);
    int edgeCount = findNearEdges(s->a, depths, edgeLimit(s), edges, isNeeded);
    for (int32_t i = 0; i < s->a->faceCount; ++i) {
        if (isNeeded[i]) {
            vertex = wkHullSupport(s->b, behindFaceOfA(s, i), vertex);
            vertexOf[i] = vertex;
            tryFaceOfA(s, i, vertex);
        }
    }
    bool isDone = true;
    for (int i = 0; i < edgeCount && isDone; ++i) {
        // both faces of a listed edge were needed above
        const int32_t* faces = wkHullEdgesOf(s->a)[edges[i]].faces;
        // cppcheck-suppress uninitvar
        int32_t first = vertexOf[faces[0]], last = vertexOf[faces[1]];
        if (first != last && wkMinD(depths[faces[0]], depths[faces[1]]) < edgeLimit(s)) {
            isDone = searchArc(s, edges[i], first, last);
        }
    }
    return isDone;
}

static void tryFacesOfB(hullPair* s, const double* depths)
{
    int32_t vertex = 0;
    for (int32_t i = 0; i < s->b->faceCount; ++i) {
        if (depths[i] + s->a->innerRadius < s->best.depth) {
            vertex = wkHullSupport(s->a, behindFaceOfB(s, i), vertex);
            tryFaceOfB(s, i, vertex);
        }
    }
}

// Computes the contact of two edges that cross, projected along the normal.
static bool placeOnEdges(const hullPair* s, wkSolution* out)
{
    const int32_t* ends = wkHullEdgesOf(s->a)[s->best.index].vertices;
    wkVec3d a = wkHullVertex(s->a, ends[0]), alongA = wkSub(wkHullVertex(s->a, ends[1]), a);
    wkVec3d b = vertexOfB(s, s->best.vertices[0]);
    wkVec3d alongB = wkSub(vertexOfB(s, s->best.vertices[1]), b);
    wkVec3d sideA = wkCross(alongA, s->best.normal), sideB = wkCross(alongB, s->best.normal);
    wkVec3d way = wkSub(b, a);
    double slope = wkDot(sideB, alongA);
    double t = wkDot(sideB, way) / slope, u = wkDot(sideA, way) / slope;
    if (!(wkMinD(t, u) >= -1e-9 && wkMaxD(t, u) <= 1.0 + 1e-9)) {
        return false;
    }
    out->pointA = wkMulAdd(a, wkClamp(t, 0.0, 1.0), alongA);
    out->pointB = wkMulSub(out->pointA, s->best.depth, s->best.normal);
    return true;
}

// Returns false when the vertex is not over the face, or the edges do not cross.
static bool placePoints(const hullPair* s, wkSolution* out)
{
    double off = WK_DEPTH_OFF * s->pair->scale;
    if (s->best.kind == pieceFaceOfA) {
        out->pointB = vertexOfB(s, s->best.vertices[0]);
        out->pointA = wkMulAdd(out->pointB, s->best.depth, s->best.normal);
        return wkIsInHullFace(s->a, s->best.index, out->pointA, off);
    }
    if (s->best.kind == pieceFaceOfB) {
        out->pointA = wkHullVertex(s->a, s->best.vertices[0]);
        out->pointB = wkMulSub(out->pointA, s->best.depth, s->best.normal);
        wkVec3d local = wkFrameLocal(&s->pair->bInA, out->pointB);
        return wkIsInHullFace(s->b, s->best.index, local, off);
    }
    return placeOnEdges(s, out);
}

bool wkDepthHullHull(const wkPair* pair, wkSolution* out)
{
    hullPair s = {.pair = pair, .a = pair->a->hull, .b = pair->b->hull, .best.depth = INFINITY};
    if (!isListed(s.a) || !isListed(s.b)) {
        return false;
    }
    _Alignas(64) double depthsA[WK_HULL_FACES], depthsB[WK_HULL_FACES];
    wkVec3d middleOfB = wkFramePoint(&pair->bInA, s.b->sphereCenter);
    wkVec3d middleOfA = wkFrameLocal(&pair->bInA, s.a->sphereCenter);
    int32_t faceA = wkHullFindWayOut(s.a, middleOfB, depthsA).face;
    int32_t faceB = wkHullFindWayOut(s.b, middleOfA, depthsB).face;

    // the face through which the middles leave first gives an initial bound
    tryFaceOfA(&s, faceA, wkHullSupport(s.b, behindFaceOfA(&s, faceA), 0));
    tryFaceOfB(&s, faceB, wkHullSupport(s.a, behindFaceOfB(&s, faceB), 0));
    tryFacesOfB(&s, depthsB);
    if (!tryPiecesOfA(&s, depthsA) || !(s.best.depth > WK_VERDICT_BAND * pair->scale)) {
        return false;
    }
    int32_t onEdge = wkHullEdgesOf(s.a)[s.best.kind == pieceEdges ? s.best.index : 0].vertices[0];
    if (s.best.kind == pieceEdges && !wkIsPlaneOfHull(s.a, s.best.normal, onEdge, pair->scale)) {
        return false;
    }
    out->distance = -s.best.depth;
    out->normal = s.best.normal;
    out->status = wk_statusExact;
    if (placePoints(&s, out)) {
        return true;
    }
    wkPlaceWitness(pair, out);
    return wkAreInCores(pair, out, WK_DEPTH_ROUGH * pair->scale);
}
