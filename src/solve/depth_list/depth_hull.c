// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth of a hull and a box, or a segment, which is a box with one edge.
//
// The surface of hull - box consists of flat pieces of three kinds. Faces of the hull, offset by the box.
// Faces of the box, offset by the hull. And parallelograms spanned by an edge of each: projected along a box
// edge u, exactly the hull edges on the silhouette contribute, those whose two face normals n differ in the
// sign of u . n; each meets one of the four box edges along u, since together these cover the full circle. So
// the pieces can be listed, and the nearest one is the depth; hull_sweep.h describes which edges are skipped.
// Where one piece is beyond the origin the bodies are apart, by at least as much. Box and segment are those
// of A, about the origin of its frame.

#include "solve/depth_list/depth_hull.h"

#include "solve/closed_form/closed_form_list.h"
#include "solve/depth_list/depth_list.h"
#include "solve/depth_list/hull_sweep.h"
#include "solve/gjk/gjk.h"
#include "solve/manifold.h"

// Larger hulls are left to the general solver.
#define WK_SWEPT_FACES 352
#define WK_SWEPT_EDGES 528

// Half the angle between the normals of adjacent faces must have a larger cosine, or the combined planes of
// two faces lose digits.
#define WK_SWEPT_SHARPEST 0.03

// Edges with a smaller squared sine are parallel: the faces give the normal more accurately.
#define WK_SWEPT_PARALLEL_SQUARED 1e-6

typedef enum pieceKind {
    pieceHullFace,
    pieceBoxFace,
    pieceEdges,
} pieceKind;

// The nearest piece so far.
typedef struct piece {
    pieceKind kind;
    double depth;
    wkVec3d normal; // out of the hull, in its frame
    int32_t vertex; // of the hull, furthest along the normal
    int32_t index;  // face or edge of the hull
    int axis;       // of the box
} piece;

typedef struct sweptHull {
    const wkPair* pair;
    const wkHull* hull;
    wkVec3d half;    // of the box
    int axisCount;   // 1 for a segment
    wkVec3d axes[3]; // of the box, in the frame of the hull; the first is that of a segment
    double halves[3];
    wkVec3d center; // of the box, in the frame of the hull
    wkSweptFaces faces;
} sweptHull;

// Tests the faces of the hull.
static void tryHullFaces(sweptHull* s, piece* best)
{
    const wkSweepLanes* lanes = wkSweepLanesOfMachine();
    wkSweep sweep = {.center = s->center};
    for (int k = 0; k < s->axisCount; ++k) {
        sweep.edges[k] = wkScale(s->halves[k], s->axes[k]);
    }
    wkHullWayOut way = s->axisCount == 1 ? lanes->sweepSegment(s->hull, &sweep, &s->faces)
                                         : lanes->sweepBox(s->hull, &sweep, &s->faces);
    best->kind = pieceHullFace;
    best->depth = way.depth;
    best->normal = wkHullPlanes(s->hull)[way.face].normal;
    best->vertex = 0;
    best->index = way.face;
    best->axis = 0;
}

// Tests the faces of the box. The sphere inside the hull proves most of them further than the best piece.
static void tryBoxFaces(const sweptHull* s, piece* best)
{
    wkVec3d toSphere = wkSub(s->hull->sphereCenter, s->center);
    for (int k = 0; k < 3; ++k) {
        double along = wkDot(toSphere, s->axes[k]), least = s->halves[k] + s->hull->innerRadius;
        for (int i = 0; i < 2; ++i) {
            double sign = i == 0 ? -1.0 : 1.0;
            if (!(least + sign * along < best->depth)) {
                continue;
            }
            wkVec3d normal = wkScale(sign, s->axes[k]);
            int32_t vertex = wkHullSupport(s->hull, normal, 0);
            wkVec3d fromCenter = wkSub(wkHullVertex(s->hull, vertex), s->center);
            double depth = wkDot(normal, fromCenter) + s->halves[k];
            if (depth < best->depth) {
                piece face = {pieceBoxFace, depth, normal, vertex, 0, k};
                *best = face;
            }
        }
    }
}

// Returns the circles that the arc of an edge crosses, one bit for each, where it can form a piece: its faces
// are near enough, or it crosses more than one circle.
WK_FORCE_FN uint32_t circlesOf(const wkHullEdge* edge, const uint32_t* marks)
{
    static const uint32_t many[8] = {0, 0, 0, 7, 0, 7, 7, 7};
    uint32_t first = marks[edge->faces[0]], second = marks[edge->faces[1]];
    uint32_t crossed = (first ^ second) & 7;
    return crossed & ((first & second) >> 4 | many[crossed]);
}

// Lists the edges that may form pieces. Without branches, which would be unpredictable.
static size_t listEdges(const wkHull* hull, const uint32_t* marks, uint16_t* list)
{
    const wkHullEdge* edges = wkHullEdgesOf(hull);
    size_t count = 0;
    for (size_t i = 0; i < (size_t)hull->edgeCount; ++i) {
        list[count] = (uint16_t)i;
        count += circlesOf(&edges[i], marks) != 0;
    }
    return count;
}

// Lengths are multiplied by that of the normal: only a nearer piece needs the square root.
WK_FORCE_FN void tryCrossing(const sweptHull* s, int32_t edge, int axis, int axisCount, piece* best)
{
    const wkSweptFaces* faces = &s->faces;
    const wkHullPlane* planes = wkHullPlanes(s->hull);
    const int32_t* sides = wkHullEdgesOf(s->hull)[edge].faces;
    double share = fabs(faces->along[axis][sides[1]]);
    double rest = fabs(faces->along[axis][sides[0]]);
    wkVec3d normal =
        wkMulAdd(wkScale(share, planes[sides[0]].normal), rest, planes[sides[1]].normal);
    double depth = share * faces->height[sides[0]] + rest * faces->height[sides[1]];
    for (int k = 0; k < axisCount; ++k) {
        depth += fabs(share * faces->along[k][sides[0]] + rest * faces->along[k][sides[1]]);
    }
    double squared = wkDot(normal, normal);
    if (WK_UNLIKELY(depth * fabs(depth) < best->depth * fabs(best->depth) * squared)) {
        double scale = 1.0 / sqrt(squared);
        piece nearer = {pieceEdges, scale * depth, wkScale(scale, normal), 0, edge, axis};
        *best = nearer;
    }
}

WK_FORCE_FN void tryEdgesAlong(const sweptHull* s, int axisCount, const uint32_t* marks,
                               piece* best)
{
    uint16_t list[WK_SWEPT_EDGES + 1];
    size_t count = listEdges(s->hull, marks, list);
    for (size_t i = 0; i < count; ++i) {
        uint32_t left = circlesOf(&wkHullEdgesOf(s->hull)[list[i]], marks);
        for (; left != 0; left &= left - 1) {
            tryCrossing(s, list[i], __builtin_ctz(left), axisCount, best);
        }
    }
}

// `spare` may be the array of depths, which is not used afterwards. A stack frame of its own, because that of
// the faces' numbers is large already.
static __attribute__((noinline)) void tryEdges(const sweptHull* s, double* spare, piece* best)
{
    const wkSweepLanes* lanes = wkSweepLanesOfMachine();
    wkMarkFcn* mark = s->axisCount == 1 ? lanes->markSegment : lanes->markBox;
    mark(&s->faces, s->hull->paddedFaceCount, best->depth, spare);
    uint32_t marks[WK_SWEPT_FACES];
    for (int32_t i = 0; i < s->hull->faceCount; ++i) {
        marks[i] = (uint32_t)(int32_t)spare[i];
    }
    if (s->axisCount == 1) {
        tryEdgesAlong(s, 1, marks, best);
    } else {
        tryEdgesAlong(s, 3, marks, best);
    }
}

static wkVec3d edgeEnd(const sweptHull* s, const piece* best, int end)
{
    return wkHullVertex(s->hull, wkHullEdgesOf(s->hull)[best->index].vertices[end]);
}

// Computes the normal of two edges from the edges themselves, which have more digits than the faces.
static void refineNormal(const sweptHull* s, piece* best)
{
    wkVec3d edge = wkSub(edgeEnd(s, best, 1), edgeEnd(s, best, 0));
    wkVec3d across = wkCross(edge, s->axes[best->axis]);
    double squared = wkDot(across, across);
    if (squared > WK_SWEPT_PARALLEL_SQUARED * wkDot(edge, edge)) {
        double sign = wkDot(across, best->normal) < 0.0 ? -1.0 : 1.0;
        best->normal = wkScale(sign / sqrt(squared), across);
    }
}

// Replaces the claimed depth of a piece by the hull's reach along its normal; returns false when they differ.
static bool isPlaneOfHull(const sweptHull* s, piece* best)
{
    best->vertex = wkHullSupport(s->hull, best->normal, 0);
    double depth = wkDot(best->normal, wkSub(wkHullVertex(s->hull, best->vertex), s->center));
    for (int k = 0; k < s->axisCount; ++k) {
        depth += s->halves[k] * fabs(wkDot(best->normal, s->axes[k]));
    }
    bool isSame = fabs(depth - best->depth) <= WK_HULL_PLANE_OFF * s->pair->scale;
    best->depth = depth;
    return isSame;
}

static bool isInHull(const wkHull* hull, wkVec3d point, double off)
{
    const wkHullPlane* planes = wkHullPlanes(hull);
    for (int32_t i = 0; i < hull->faceCount; ++i) {
        if (!(wkDot(planes[i].normal, point) - planes[i].offset <= off)) {
            return false;
        }
    }
    return true;
}

// Computes the contact of a vertex of the box in a face of the hull.
static bool placeOnHullFace(const sweptHull* s, const piece* best, double off, wkSolution* out)
{
    out->pointA = wkVertexOfBox(s->half, out->normal);
    out->pointB = wkMulSub(out->pointA, best->depth, out->normal);
    return wkIsInHullFace(s->hull, best->index, wkFrameLocal(&s->pair->bInA, out->pointB), off);
}

// Computes the contact of a vertex of the hull in a face of the box.
static bool placeOnBoxFace(const sweptHull* s, const piece* best, double off, wkSolution* out)
{
    out->pointB = wkFramePoint(&s->pair->bInA, wkHullVertex(s->hull, best->vertex));
    out->pointA = wkMulAdd(out->pointB, best->depth, out->normal);
    return wkIsInBox(s->half, out->pointA, off);
}

// Computes the contact of two edges that cross, projected along the normal.
static bool placeOnEdges(const sweptHull* s, const piece* best, double off, wkSolution* out)
{
    wkVec3d from = edgeEnd(s, best, 0), along = wkSub(edgeEnd(s, best, 1), from);
    wkVec3d axis = s->axes[best->axis];
    wkVec3d across = wkMulSub(along, wkDot(along, axis), axis);
    wkVec3d vertex = wkFrameLocal(&s->pair->bInA, wkVertexOfBox(s->half, out->normal));
    double t = wkDot(across, wkSub(vertex, from)) / wkDot(across, across);
    if (!(t >= -1e-9 && t <= 1.0 + 1e-9)) {
        return false;
    }
    wkVec3d onHull = wkMulAdd(from, wkClamp(t, 0.0, 1.0), along);
    out->pointB = wkFramePoint(&s->pair->bInA, onHull);
    out->pointA = wkMulAdd(out->pointB, best->depth, out->normal);
    return wkIsInBox(s->half, out->pointA, off);
}

static bool placePoints(const sweptHull* s, const piece* best, wkSolution* out)
{
    static bool (*const witnessFcns[])(const sweptHull*, const piece*, double, wkSolution*) = {
        [pieceHullFace] = placeOnHullFace,
        [pieceBoxFace] = placeOnBoxFace,
        [pieceEdges] = placeOnEdges,
    };
    double off = WK_DEPTH_OFF * s->pair->scale;
    if (witnessFcns[best->kind](s, best, off, out)) {
        return true;
    }
    wkPlaceWitness(s->pair, out);
    return wkIsInBox(s->half, out->pointA, off) &&
           isInHull(s->hull, wkFrameLocal(&s->pair->bInA, out->pointB), off);
}

// Apart along the normal of a piece: the bound, and the point of each that is furthest along it.
static void answerApart(const sweptHull* s, const piece* best, wkSolution* out)
{
    out->pointA = wkVertexOfBox(s->half, out->normal);
    out->pointB = wkFramePoint(&s->pair->bInA, wkHullVertex(s->hull, best->vertex));
    out->status = wk_statusBound;
}

// Finds the depth, or the proof that the distance exceeds `limit`, which is not negative.
// @return false when there is neither
static bool findWayOut(sweptHull* s, double limit, wkSolution* out)
{
    piece best;
    tryHullFaces(s, &best);
    if (s->axisCount == 3 && best.depth > 0.0) {
        tryBoxFaces(s, &best);
    }
    if (best.depth > 0.0) {
        tryEdges(s, s->faces.depth, &best);
    }
    bool isApart = -best.depth > limit;
    if (!isApart && !(best.depth > WK_VERDICT_BAND * s->pair->scale)) {
        return false;
    }
    if (best.kind == pieceEdges) {
        refineNormal(s, &best);
    }
    if (best.kind != pieceBoxFace && !isPlaneOfHull(s, &best)) {
        return false;
    }
    out->distance = -best.depth;
    out->normal = wkNeg(wkMulMV(&s->pair->bInA.rotation, best.normal));
    out->status = wk_statusExact;
    if (isApart) {
        answerApart(s, &best, out);
        return true;
    }
    return placePoints(s, &best, out);
}

// Handles hulls that are small and blunt enough.
static bool sweepHull(const wkPair* pair, wkVec3d half, int axisCount, double limit,
                      wkSolution* out)
{
    const wkHull* hull = pair->b->hull;
    if (hull->faceCount < 4 || hull->paddedFaceCount > WK_SWEPT_FACES ||
        hull->edgeCount > WK_SWEPT_EDGES || !(hull->edgeCosine > WK_SWEPT_SHARPEST)) {
        return false;
    }
    _Alignas(64) double numbers[5][WK_SWEPT_FACES];
    const wkMat3d* r = &pair->bInA.rotation;
    wkVec3d x = wkVec(r->x.x, r->y.x, r->z.x), y = wkVec(r->x.y, r->y.y, r->z.y),
            z = wkVec(r->x.z, r->y.z, r->z.z);
    bool isBox = axisCount == 3;
    sweptHull s = {.pair = pair,
                   .hull = hull,
                   .half = half,
                   .axisCount = axisCount,
                   .axes = {isBox ? x : z, y, z},
                   .halves = {isBox ? half.x : half.z, half.y, half.z},
                   .center = wkNeg(wkMulTMV(r, pair->bInA.position)),
                   .faces = {numbers[0], {numbers[1], numbers[2], numbers[3]}, numbers[4]}};
    return findWayOut(&s, limit, out);
}

bool wkDepthBoxHull(const wkPair* pair, wkSolution* out)
{
    return sweepHull(pair, pair->a->box.half, 3, INFINITY, out);
}

bool wkDepthSegmentHull(const wkPair* pair, wkSolution* out)
{
    return sweepHull(pair, wkVec(0.0, 0.0, pair->a->capsule.halfLength), 1, INFINITY, out);
}

// Returns true when a depth is likely, or a bound of the distance suffices: GJK need not run first.
static bool isForSweep(const wkPair* pair, const wkGoal* goal)
{
    bool isLimited = goal->cutoff >= 0.0 && goal->cutoff < INFINITY;
    return goal->wantsDepth && goal->touching == -INFINITY && (isLimited || wkIsDeep(pair));
}

WK_FORCE_FN void solveWithHull(const wkPair* pair, const wkGoal* goal, wkVec3d half, int axisCount,
                               wkSolveFcn* general, wkSolution* out)
{
    double limit = goal->cutoff + WK_VERDICT_BAND * pair->scale;
    if (isForSweep(pair, goal) && sweepHull(pair, half, axisCount, limit, out)) {
        out->iterations = 0;
        wkRememberNormal(out->normal, goal->cache);
        return;
    }
    general(pair, goal, out);
}

void wkSolveBoxHull(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    solveWithHull(pair, goal, pair->a->box.half, 3, wkGjkBoxHull, out);
}

void wkSolveSegmentHull(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    wkVec3d half = wkVec(0.0, 0.0, pair->a->capsule.halfLength);
    solveWithHull(pair, goal, half, 1, wkGjkSegmentHull, out);
}
