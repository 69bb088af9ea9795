// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A box against a triangle, by separating axes (Gottschalk, Lin, Manocha 1996). The surface of B - A consists
// of flat pieces: a face of one core with a vertex of the other, and an edge of each. So the normals of faces
// and the cross products of edges decide contact and give the exact depth. Cores that nearly touch, and
// distances, are left to GJK.
//
// The cross product of edges at a small angle has few digits. Below a sine of WK_AXIS_PARALLEL it does not
// matter: with one edge rotated onto the other the piece would vanish, and B - A hardly change. Up to
// WK_AXIS_VAGUE it serves as a bound, and where such an axis comes near the best one the general solver is
// called.

#include "solve/closed_form/closed_form_list.h"
#include "solve/depth_list/depth_list.h"
#include "solve/depth_list/depth_points.h"
#include "solve/gjk/gjk.h"
#include "solve/manifold.h"

// Squared sines between two edges.
#define WK_AXIS_PARALLEL 1e-26
#define WK_AXIS_VAGUE 1e-8

// Shares of wkPair.scale: an axis this close to the best one competes with it; points may be this far off a
// core.
#define WK_AXIS_CLOSE 1e-7
#define WK_AXIS_OFF 1e-13

// Squares of sizes, as shares of the square of wkPair.scale, that are comparable.
#define WK_AXIS_COMPARABLE 1e-8

typedef enum axisKind {
    faceOfA, // with a vertex of B
    faceOfB,
    twoEdges,
} axisKind;

// The axes tested so far. The search ends with an axis along which the cores are apart by more than `limit`.
typedef struct axisSearch {
    double limit;
    double depth; // least
    double vague; // least of those with few digits
    axisKind kind;
    int edgeA, edgeB;
    wkVec3d normal; // unit, from A to B
} axisSearch;

// Interval of a core along an axis.
typedef struct interval {
    double low, high;
} interval;

// The vertices and edges of a triangle in the frame of A; edge i starts at vertex i.
typedef struct vertices {
    wkVec3d vertex[3];
    wkVec3d edge[3];
    double squared[3]; // of the edges' lengths
    wkVec3d normal;    // of any length
} vertices;

static void findEdges(vertices* t)
{
    for (int i = 0; i < 3; ++i) {
        t->edge[i] = wkSub(t->vertex[(i + 1) % 3], t->vertex[i]);
        t->squared[i] = wkDot(t->edge[i], t->edge[i]);
    }
    t->normal = wkCross(t->edge[0], t->edge[1]);
}

// Returns false when the normal has few digits.
static bool hasNormal(const vertices* t)
{
    return wkDot(t->normal, t->normal) > WK_AXIS_VAGUE * t->squared[0] * t->squared[1];
}

static interval intervalOfTriangle(const vertices* t, wkVec3d axis)
{
    double a = wkDot(axis, t->vertex[0]), b = wkDot(axis, t->vertex[1]);
    double c = wkDot(axis, t->vertex[2]);
    interval s = {wkMinD(a, wkMinD(b, c)), wkMaxD(a, wkMaxD(b, c))};
    return s;
}

// Both ends of edge i have the same position along an axis across it.
static interval intervalAcrossEdge(const vertices* t, int i, wkVec3d axis)
{
    double edge = wkDot(axis, t->vertex[i]), opposite = wkDot(axis, t->vertex[(i + 2) % 3]);
    interval s = {wkMinD(edge, opposite), wkMaxD(edge, opposite)};
    return s;
}

static interval intervalOfBox(wkVec3d half, wkVec3d axis)
{
    double reach = wkDot(half, wkAbs(axis));
    interval s = {-reach, reach};
    return s;
}

// Tests an axis of any length in both directions.
static void tryAxis(axisSearch* search, wkVec3d axis, interval a, interval b, axisKind kind,
                    int edgeA, int edgeB)
{
    double up = a.high - b.low, down = b.high - a.low, depth = wkMinD(up, down);
    double squared = wkDot(axis, axis);

    // only an axis that beats the best one is worth its square root
    if (depth > 0.0 && !(depth * depth < search->depth * search->depth * squared)) {
        return;
    }
    double scale = 1.0 / sqrt(squared);
    if (scale * depth < search->depth) {
        search->depth = scale * depth;
        search->kind = kind;
        search->edgeA = edgeA, search->edgeB = edgeB;
        search->normal = wkScale(up <= down ? scale : -scale, axis);
    }
}

// Tests the cross product of two edges; `across` is the square of the triangle's.
static void tryEdges(axisSearch* search, wkVec3d axis, double across, interval a, interval b,
                     int edgeA, int edgeB)
{
    double squared = wkDot(axis, axis);
    if (squared > WK_AXIS_VAGUE * across) {
        tryAxis(search, axis, a, b, twoEdges, edgeA, edgeB);
    } else if (squared > WK_AXIS_PARALLEL * across) {
        double depth = wkMinD(a.high - b.low, b.high - a.low);
        search->vague = wkMinD(search->vague, depth / sqrt(squared));
    }
}

static void tryBox(wkVec3d half, const vertices* b, axisSearch* search)
{
    static const wkVec3d axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; ++i) {
        tryAxis(search, axes[i], intervalOfBox(half, axes[i]), intervalOfTriangle(b, axes[i]),
                faceOfA, i, 0);
    }
    tryAxis(search, b->normal, intervalOfBox(half, b->normal), intervalOfTriangle(b, b->normal),
            faceOfB, 0, 0);
    for (int j = 0; j < 3 && -search->depth <= search->limit; ++j) {
        wkVec3d e = b->edge[j];
        const wkVec3d cross[3] = {{0.0, -e.z, e.y}, {e.z, 0.0, -e.x}, {-e.y, e.x, 0.0}};
        for (int i = 0; i < 3; ++i) {
            tryEdges(search, cross[i], b->squared[j], intervalOfBox(half, cross[i]),
                     intervalAcrossEdge(b, j, cross[i]), i, j);
        }
    }
}

// Bodies of very different sizes are left to the general solver altogether: next to the large one, the
// distance of the small one has few digits, and all queries about it must get the same ones.
static bool areComparable(const wkPair* pair, const vertices* b)
{
    double sizeB = wkMaxD(b->squared[0], wkMaxD(b->squared[1], b->squared[2]));
    double sizeA = wkDot(pair->a->box.half, pair->a->box.half);
    return wkMinD(sizeA, sizeB) > WK_AXIS_COMPARABLE * pair->scale * pair->scale;
}

// Tests all axes. Returns false when one of them has too few digits to decide.
static bool searchAxes(const wkPair* pair, double limit, vertices* b, axisSearch* search)
{
    for (int i = 0; i < 3; ++i) {
        b->vertex[i] = wkFramePoint(&pair->bInA, pair->b->triangle.points[i]);
    }
    findEdges(b);
    search->limit = limit;
    search->depth = search->vague = INFINITY;
    tryBox(pair->a->box.half, b, search);
    return hasNormal(b) && areComparable(pair, b) &&
           search->vague > search->depth + WK_AXIS_CLOSE * pair->scale;
}

// Computes the middle and the direction of the edge of the box that is involved.
static void edgeOfBox(wkVec3d half, const axisSearch* search, wkVec3d* middle, wkVec3d* along)
{
    wkVec3d n = search->normal;
    wkVec3d end = wkVertexOfBox(half, n);
    int k = search->edgeA;
    *along = wkVec(k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0);
    *middle = wkMulSub(end, wkDot(*along, end), *along);
}

static void placePoints(const wkPair* pair, const vertices* b, const axisSearch* search,
                        wkSolution* out)
{
    wkVec3d n = search->normal;
    wkCoreSupport support = wkMakeCoreSupport(pair);
    wkCsoPoint point = wkCoreSupportAlong(&support, pair, wkNeg(n));
    out->pointA = point.a;
    if (search->kind == faceOfA) {
        out->pointA = wkMulAdd(wkAdd(point.b, pair->bInA.position), search->depth, n);
    } else if (search->kind == twoEdges) {
        wkVec3d from, along;
        edgeOfBox(pair->a->box.half, search, &from, &along);
        wkVec3d side = wkCross(b->edge[search->edgeB], n);
        wkVec3d between = wkSub(b->vertex[search->edgeB], from);
        out->pointA = wkMulAdd(from, wkDot(side, between) / wkDot(side, along), along);
    }
    out->pointB = wkMulSub(out->pointA, search->depth, n);
}

static bool answerDepth(const wkPair* pair, const vertices* b, const axisSearch* search,
                        wkSolution* out)
{
    if (!(search->depth > WK_VERDICT_BAND * pair->scale)) {
        return false;
    }
    out->distance = -search->depth;
    out->normal = search->normal;
    out->status = wk_statusExact;
    placePoints(pair, b, search, out);
    double off = WK_AXIS_OFF * pair->scale;
    if (wkAreInCores(pair, out, off)) {
        return true;
    }
    wkPlaceWitness(pair, out);
    return wkAreInCores(pair, out, off);
}

bool wkDepthBoxTriangle(const wkPair* pair, wkSolution* out)
{
    vertices b;
    axisSearch search;
    return searchAxes(pair, INFINITY, &b, &search) && answerDepth(pair, &b, &search, out);
}

// Contacts and verdicts: the axes decide whether the cores are apart by more than the cutoff, and how deep
// they overlap.
static bool isAnsweredByAxes(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    double band = WK_VERDICT_BAND * pair->scale, limit = goal->cutoff + band;
    vertices b;
    axisSearch search;
    bool isClear = searchAxes(pair, limit, &b, &search);
    bool isApart = -search.depth > limit && areComparable(pair, &b);
    bool isTouching = isClear && search.depth > band && -search.depth <= goal->touching - band;
    if (!isApart && !isTouching) {
        return goal->wantsDepth && isClear && goal->touching == -INFINITY &&
               answerDepth(pair, &b, &search, out);
    }
    wkCoreSupport support = wkMakeCoreSupport(pair);
    wkCsoPoint point = wkCoreSupportAlong(&support, pair, wkNeg(search.normal));
    // a bound of the distance, and of the general solver's result
    out->distance = -search.depth - 0.5 * band;
    out->normal = search.normal;
    out->pointA = point.a;
    out->pointB = wkAdd(point.a, point.w);
    out->status = wk_statusBound;
    return true;
}

void wkSolveBoxTriangle(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    if (goal->cutoff < INFINITY && isAnsweredByAxes(pair, goal, out)) {
        out->iterations = 0;
        wkRememberNormal(out->normal, goal->cache);
        return;
    }
    wkGjkBoxTriangle(pair, goal, out);
}
