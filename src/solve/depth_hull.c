// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth of a hull and a box, or a segment, which is a box of one edge.
//
// The surface of hull - box is flat pieces of three kinds. Faces of the hull, pushed out by the box.
// Faces of the box, pushed out by the hull. And parallelograms spanned by an edge of each: seen along
// a box edge u, exactly the hull edges on the silhouette take part, those with u leaning to one side
// of one face and to the other side of the other; each meets one of the four box edges along u, since
// between them these turn all the way around. So the pieces can be listed, and the nearest one is the
// depth. Box and segment are those of A, about the origin of its frame.

#include "solve/depth_hull.h"

#include "solve/depth.h"
#include "solve/manifold.h"

// Larger hulls are left to the general method. A hull has fewer than 2 faces and 3 edges a vertex.
#define VERTEX_CAPACITY 192
#define FACE_CAPACITY (2 * VERTEX_CAPACITY)
#define EDGE_CAPACITY (3 * VERTEX_CAPACITY)

// Points of a solution may miss their features by this share of wkPair.scale.
#define POINT_OFF 1e-12

// Edges shorter than this across a box edge (share of wkPair.scale, squared) have no plane with it.
#define PARALLEL_SQUARED 1e-24

typedef enum pieceKind {
    pieceHullFace,
    pieceBoxFace,
    pieceEdges,
} pieceKind;

// The nearest piece so far.
typedef struct piece {
    pieceKind kind;
    double depth;
    int32_t index;  // face or edge of the hull
    int axis;       // of the box
    wkVec3d normal; // in the frame of A, out of the hull
} piece;

typedef struct boxHull {
    const wkPair* pair;
    const wkHull* hull;
    double half[3];
    int axisCount;        // 1 for a segment, whose axis is the last
    double center[3];     // of the hull, in the frame of A
    const double* xyz[3]; // vertices of the hull in the frame of A
    wkVec3d lower;        // the box around them
    wkVec3d upper;
} boxHull;

static const wkVec3d unitAxes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static wkVec3d vertexInA(const boxHull* s, int32_t vertex)
{
    return wkVec(s->xyz[0][vertex], s->xyz[1][vertex], s->xyz[2][vertex]);
}

// Faces of the hull; bit k of `sides` says that a face leans away from box edge k.
static void tryHullFaces(const boxHull* s, uint8_t* sides, piece* best)
{
    const wkMat3d* r = &s->pair->bInA.rotation;
    _Alignas(64) double leans[FACE_CAPACITY];
    wkHullSweep sweep = {.center = wkNeg(wkMulTMV(r, s->pair->bInA.position)),
                         .edgeCount = s->axisCount};
    for (int k = 0; k < s->axisCount; ++k) {
        int axis = 3 - s->axisCount + k;
        sweep.edges[k] = wkScale(s->half[axis], wkMulTMV(r, unitAxes[axis]));
    }
    wkHullWayOut way = wkHullFindWayOut(s->hull, &sweep, leans, NULL);
    for (int32_t i = 0; i < s->hull->faceCount; ++i) {
        sides[i] = (uint8_t)leans[i];
    }
    best->kind = pieceHullFace;
    best->depth = way.depth;
    best->index = way.face;
    best->axis = 0;
    best->normal = wkMulMV(r, wkHullPlanes(s->hull)[way.face].normal);
}

static void keepNearer(piece* best, double depth, int axis, double sign)
{
    if (depth < best->depth) {
        piece face = {pieceBoxFace, depth, 0, axis, wkScale(sign, unitAxes[axis])};
        *best = face;
    }
}

static void tryBoxFaces(const boxHull* s, piece* best)
{
    const double lower[3] = {s->lower.x, s->lower.y, s->lower.z};
    const double upper[3] = {s->upper.x, s->upper.y, s->upper.z};
    for (int k = 0; k < 3; ++k) {
        keepNearer(best, s->half[k] + upper[k], k, 1.0);
        keepNearer(best, s->half[k] - lower[k], k, -1.0);
    }
}

// Edges of the hull on the silhouettes along the box edges. Without branches: which edges are
// cannot be foreseen.
static void findSilhouettes(const wkHull* hull, const uint8_t* sides, int count[3],
                            uint16_t edges[3][EDGE_CAPACITY])
{
    const wkHullEdge* all = wkHullEdgesOf(hull);
    unsigned count0 = 0, count1 = 0, count2 = 0;
    for (int32_t i = 0; i < hull->edgeCount; ++i) {
        unsigned differs = (unsigned)(sides[all[i].faces[0]] ^ sides[all[i].faces[1]]);
        edges[0][count0] = edges[1][count1] = edges[2][count2] = (uint16_t)i;
        count0 += differs & 1;
        count1 += differs >> 1 & 1;
        count2 += differs >> 2;
    }
    count[0] = (int)count0, count[1] = (int)count1, count[2] = (int)count2;
}

// Edges of the hull with the box edge along `axis`. The normal of such a piece is `along` turned
// about the axis by a right angle; all lengths below are products with its length, and only a
// nearer piece is worth the root.
WK_FORCE_FN void tryEdges(const boxHull* s, int axis, const uint16_t* edges, int count, piece* best)
{
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double *u = s->xyz[i], *v = s->xyz[j];
    const double halfU = s->half[i], halfV = s->half[j];
    const double centerU = s->center[i], centerV = s->center[j];
    const double parallel = PARALLEL_SQUARED * s->pair->scale * s->pair->scale;
    double limit = best->depth * best->depth;
    for (int n = 0; n < count; ++n) {
        const int32_t* ends = wkHullEdgesOf(s->hull)[edges[n]].vertices;
        double fromU = u[ends[0]], fromV = v[ends[0]];
        double alongU = u[ends[1]] - fromU, alongV = v[ends[1]] - fromV;
        double squared = alongU * alongU + alongV * alongV;
        double height = alongU * fromV - alongV * fromU;
        double outward = alongU * (fromV - centerV) - alongV * (fromU - centerU);
        double depth =
            halfU * fabs(alongV) + halfV * fabs(alongU) + copysign(1.0, outward) * height;
        if (depth * fabs(depth) < limit * squared && squared > parallel) {
            double scale = 1.0 / sqrt(squared);
            double turn = copysign(scale, outward);
            double normal[3] = {0.0, 0.0, 0.0};
            normal[i] = -turn * alongV;
            normal[j] = turn * alongU;
            piece nearer = {pieceEdges, scale * depth, edges[n], axis,
                            wkVec(normal[0], normal[1], normal[2])};
            *best = nearer;
            limit = best->depth * fabs(best->depth);
        }
    }
}

static void tryAllEdges(const boxHull* s, const uint8_t* sides, piece* best)
{
    uint16_t edges[3][EDGE_CAPACITY];
    int count[3];
    findSilhouettes(s->hull, sides, count, edges);
    if (s->axisCount == 1) {
        tryEdges(s, 2, edges[0], count[0], best);
    } else {
        tryEdges(s, 0, edges[0], count[0], best);
        tryEdges(s, 1, edges[1], count[1], best);
        tryEdges(s, 2, edges[2], count[2], best);
    }
}

static bool isInBox(const boxHull* s, wkVec3d point, double off)
{
    return fabs(point.x) <= s->half[0] + off && fabs(point.y) <= s->half[1] + off &&
           fabs(point.z) <= s->half[2] + off;
}

// A corner of the box in a face of the hull.
static bool placeOnHullFace(const boxHull* s, const piece* best, double off, wkSolution* out)
{
    wkVec3d n = out->normal;
    out->pointA =
        wkVec(copysign(s->half[0], n.x), copysign(s->half[1], n.y), copysign(s->half[2], n.z));
    out->pointB = wkMulSub(out->pointA, best->depth, n);
    return wkIsInHullFace(s->hull, best->index, wkFrameLocal(&s->pair->bInA, out->pointB), off);
}

// A vertex of the hull in a face of the box.
static bool placeOnBoxFace(const boxHull* s, const piece* best, double off, wkSolution* out)
{
    wkVec3d local = wkMulTMV(&s->pair->bInA.rotation, best->normal);
    out->pointB = vertexInA(s, wkHullSupport(s->hull, local, 0));
    out->pointA = wkMulAdd(out->pointB, best->depth, out->normal);
    return isInBox(s, out->pointA, off);
}

// Two edges that cross, seen along the normal.
static bool placeOnEdges(const boxHull* s, const piece* best, double off, wkSolution* out)
{
    const wkHullEdge* edge = &wkHullEdgesOf(s->hull)[best->index];
    wkVec3d from = vertexInA(s, edge->vertices[0]);
    wkVec3d along = wkSub(vertexInA(s, edge->vertices[1]), from);
    wkVec3d n = out->normal, axis = unitAxes[best->axis];
    wkVec3d across = wkMulSub(along, wkDot(along, axis), axis);
    wkVec3d corner =
        wkVec(copysign(s->half[0], n.x), copysign(s->half[1], n.y), copysign(s->half[2], n.z));
    wkVec3d way = wkSub(wkMulSub(corner, best->depth, n), from);
    double t = wkDot(across, way) / wkDot(across, across);
    if (!(t >= -1e-9 && t <= 1.0 + 1e-9)) {
        return false;
    }
    out->pointB = wkMulAdd(from, wkClamp(t, 0.0, 1.0), along);
    out->pointA = wkMulAdd(out->pointB, best->depth, n);
    return isInBox(s, out->pointA, off);
}

static bool placePoints(const boxHull* s, const piece* best, double off, wkSolution* out)
{
    static bool (*const places[])(const boxHull*, const piece*, double, wkSolution*) = {
        [pieceHullFace] = placeOnHullFace,
        [pieceBoxFace] = placeOnBoxFace,
        [pieceEdges] = placeOnEdges,
    };
    return places[best->kind](s, best, off, out);
}

// See wkIsPlaneOfHull.
static bool isPlaneOfHull(const boxHull* s, const piece* best)
{
    wkVec3d local = wkMulTMV(&s->pair->bInA.rotation, best->normal);
    int32_t onPlane = wkHullEdgesOf(s->hull)[best->index].vertices[0];
    return wkIsPlaneOfHull(s->hull, local, onPlane, s->pair->scale);
}

static bool findDepth(const wkPair* pair, wkVec3d half, int axisCount, wkSolution* out)
{
    const wkHull* hull = pair->b->hull;
    if (hull->faceCount < 4 || hull->vertexCount > VERTEX_CAPACITY || !(hull->innerRadius > 0.0)) {
        return false;
    }
    _Alignas(64) double x[VERTEX_CAPACITY], y[VERTEX_CAPACITY], z[VERTEX_CAPACITY];
    wkHullPlaced placed = {.x = x, .y = y, .z = z};
    wkHullPlace(hull, &pair->bInA, &placed);
    wkVec3d c = wkFramePoint(&pair->bInA, hull->ballCenter);
    boxHull s = {
        pair,         hull,        {half.x, half.y, half.z}, axisCount, {c.x, c.y, c.z}, {x, y, z},
        placed.lower, placed.upper};

    uint8_t sides[FACE_CAPACITY];
    piece best;
    tryHullFaces(&s, sides, &best);
    if (axisCount == 3) {
        tryBoxFaces(&s, &best);
    }
    if (best.depth > 0.0) {
        tryAllEdges(&s, sides, &best);
    }
    if (!(best.depth > WK_VERDICT_BAND * pair->scale) ||
        (best.kind == pieceEdges && !isPlaneOfHull(&s, &best))) {
        return false;
    }
    out->distance = -best.depth;
    out->normal = wkNeg(best.normal);
    out->status = wk_statusExact;
    if (!placePoints(&s, &best, POINT_OFF * pair->scale, out)) {
        wkPlaceWitness(pair, out);
    }
    return true;
}

bool wkDepthBoxHull(const wkPair* pair, wkSolution* out)
{
    return findDepth(pair, pair->a->box.half, 3, out);
}

bool wkDepthSegmentHull(const wkPair* pair, wkSolution* out)
{
    return findDepth(pair, wkVec(0.0, 0.0, pair->a->capsule.halfLength), 1, out);
}
