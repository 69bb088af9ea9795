// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Eight pairs of triangles at a time. Both bounds are computed as if there were no rounding, and a
// share of the size of the triangles that is far above it is subtracted in the end.

#include "query/triangle_lanes.h"
#include "simd/eight.h"

// Subtracted from distances, as a share of the longest edge: edges that are parallel up to
// WK_PARALLEL (a squared sine) are taken for parallel, which costs up to its root; and as a share
// of the largest coordinate.
#define WK_PARALLEL 1e-6f
#define WK_EDGE_SHARE 2e-3f
#define WK_COORDINATE_SHARE 4e-6f

typedef struct vec {
    wkEight x, y, z;
} vec;

typedef struct triangle {
    vec corners[3];
    vec edges[3]; // from corner i to the next
    wkEight squares[3];
    vec normal;
} triangle;

static const int next[3] = {1, 2, 0};

WK_FORCE_FN vec sub(vec a, vec b)
{
    vec v = {wkSub8(a.x, b.x), wkSub8(a.y, b.y), wkSub8(a.z, b.z)};
    return v;
}

WK_FORCE_FN vec mulAdd(vec a, wkEight s, vec b)
{
    vec v = {wkAdd8(a.x, wkMul8(s, b.x)), wkAdd8(a.y, wkMul8(s, b.y)), wkAdd8(a.z, wkMul8(s, b.z))};
    return v;
}

WK_FORCE_FN wkEight dot(vec a, vec b)
{
    return wkAdd8(wkAdd8(wkMul8(a.x, b.x), wkMul8(a.y, b.y)), wkMul8(a.z, b.z));
}

WK_FORCE_FN vec cross(vec a, vec b)
{
    vec v = {wkSub8(wkMul8(a.y, b.z), wkMul8(a.z, b.y)), wkSub8(wkMul8(a.z, b.x), wkMul8(a.x, b.z)),
             wkSub8(wkMul8(a.x, b.y), wkMul8(a.y, b.x))};
    return v;
}

WK_FORCE_FN wkEight min3(wkEight a, wkEight b, wkEight c)
{
    return wkMin8(wkMin8(a, b), c);
}

WK_FORCE_FN wkEight max3(wkEight a, wkEight b, wkEight c)
{
    return wkMax8(wkMax8(a, b), c);
}

WK_FORCE_FN wkEight clampToOne(wkEight a)
{
    return wkMin8(wkMax8(a, wkSplat8(0.0f)), wkSplat8(1.0f));
}

WK_FORCE_FN void loadTriangle(const float corners[3][3][WK_BATCH], triangle* t)
{
    for (int i = 0; i < 3; ++i) {
        t->corners[i].x = wkLoad8(corners[i][0]);
        t->corners[i].y = wkLoad8(corners[i][1]);
        t->corners[i].z = wkLoad8(corners[i][2]);
    }
    for (int i = 0; i < 3; ++i) {
        t->edges[i] = sub(t->corners[next[i]], t->corners[i]);
        t->squares[i] = dot(t->edges[i], t->edges[i]);
    }
    t->normal = cross(t->edges[0], t->edges[1]);
}

WK_FORCE_FN wkEight largestOf(const triangle* t)
{
    wkEight largest = wkSplat8(0.0f);
    for (int i = 0; i < 3; ++i) {
        vec c = t->corners[i];
        largest = wkMax8(largest, max3(wkAbs8(c.x), wkAbs8(c.y), wkAbs8(c.z)));
    }
    return largest;
}

// What rounding and parallel edges may have added to a distance.
WK_FORCE_FN wkEight errorOf(const triangle* a, const triangle* b)
{
    wkEight longest = wkMax8(max3(a->squares[0], a->squares[1], a->squares[2]),
                             max3(b->squares[0], b->squares[1], b->squares[2]));
    wkEight largest = wkMax8(largestOf(a), largestOf(b));
    return wkAdd8(wkMul8(wkSplat8(WK_EDGE_SHARE), wkSqrt8(longest)),
                  wkMul8(wkSplat8(WK_COORDINATE_SHARE), largest));
}

// Squared distance of two edges (Ericson 2005, section 5.1.9).
WK_FORCE_FN wkEight edgeSquare(const triangle* a, const triangle* b, int i, int j)
{
    wkEight zero = wkSplat8(0.0f), tiny = wkSplat8(1e-37f);
    vec edgeA = a->edges[i], edgeB = b->edges[j];
    vec between = sub(b->corners[j], a->corners[i]);
    wkEight squareA = wkMax8(a->squares[i], tiny), squareB = wkMax8(b->squares[j], tiny);
    wkEight along = dot(edgeA, edgeB);
    wkEight alongA = dot(edgeA, between), alongB = dot(edgeB, between);
    wkEight scale = wkSub8(wkMul8(squareA, squareB), wkMul8(along, along));
    wkEight least = wkMul8(wkSplat8(WK_PARALLEL), wkMul8(squareA, squareB));
    wkEight top = wkSub8(wkMul8(alongA, squareB), wkMul8(along, alongB));
    wkEight s = clampToOne(wkPickGreater8(scale, least, wkDiv8(top, wkMax8(scale, tiny)), zero));
    wkEight t = clampToOne(wkDiv8(wkSub8(wkMul8(along, s), alongB), squareB));
    s = clampToOne(wkDiv8(wkAdd8(wkMul8(along, t), alongA), squareA));
    vec gap = mulAdd(mulAdd(between, t, edgeB), wkSub8(zero, s), edgeA);
    return dot(gap, gap);
}

// Smallest squared distance between the inside of `t` and a corner of `other` above it, or 0 where
// an edge of `other` passes through; a large number without either. A little outside is inside.
WK_FORCE_FN wkEight faceSquare(const triangle* t, const triangle* other)
{
    wkEight zero = wkSplat8(0.0f), tiny = wkSplat8(1e-37f), far = wkSplat8(1e37f), best = far;
    wkEight normalSquare = wkMax8(dot(t->normal, t->normal), tiny);
    wkEight edge = wkMul8(wkSplat8(-1e-3f), normalSquare);
    vec inward[3];
    for (int i = 0; i < 3; ++i) {
        inward[i] = cross(t->normal, t->edges[i]);
    }
    wkEight heights[3], sides[3][3];
    for (int k = 0; k < 3; ++k) {
        heights[k] = dot(t->normal, sub(other->corners[k], t->corners[0]));
        for (int i = 0; i < 3; ++i) {
            sides[k][i] = dot(inward[i], sub(other->corners[k], t->corners[i]));
        }
        wkEight square = wkDiv8(wkMul8(heights[k], heights[k]), normalSquare);
        wkEight least = min3(sides[k][0], sides[k][1], sides[k][2]);
        best = wkMin8(best, wkPickGreater8(least, edge, square, far));
    }
    for (int k = 0; k < 3; ++k) {
        // where the edge from corner k meets the plane
        const wkEight *from = sides[k], *to = sides[next[k]];
        wkEight heightFrom = heights[k], heightTo = heights[next[k]];
        wkEight span = wkMax8(wkAbs8(wkSub8(heightFrom, heightTo)), tiny);
        wkEight share = clampToOne(wkDiv8(wkAbs8(heightFrom), span));
        wkEight side0 = wkAdd8(from[0], wkMul8(share, wkSub8(to[0], from[0])));
        wkEight side1 = wkAdd8(from[1], wkMul8(share, wkSub8(to[1], from[1])));
        wkEight side2 = wkAdd8(from[2], wkMul8(share, wkSub8(to[2], from[2])));
        wkEight inside = wkPickGreater8(min3(side0, side1, side2), edge, zero, far);
        wkEight isOneSided = wkMul8(heightFrom, heightTo);
        best = wkMin8(best, wkPickGreater8(isOneSided, zero, far, inside));
    }
    return best;
}

static void boundDistances(const wkTriangleBatch* batch, float* distances)
{
    triangle a, b;
    loadTriangle(batch->a, &a);
    loadTriangle(batch->b, &b);
    wkEight best = wkMin8(faceSquare(&a, &b), faceSquare(&b, &a));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            best = wkMin8(best, edgeSquare(&a, &b, i, j));
        }
    }
    wkStore8(distances, wkSub8(wkSqrt8(best), errorOf(&a, &b)));
}

// The larger gap of two intervals, on either side.
WK_FORCE_FN wkEight gapBetween(wkEight lowA, wkEight highA, wkEight lowB, wkEight highB)
{
    return wkMax8(wkSub8(lowB, highA), wkSub8(lowA, highB));
}

// Gap along the normal of `t`. Its own corners are looked at too: the normal of a needle is hardly
// at right angles to it.
WK_FORCE_FN wkEight planeGap(const triangle* t, const triangle* other)
{
    wkEight h0 = dot(t->normal, sub(other->corners[0], t->corners[0]));
    wkEight h1 = dot(t->normal, sub(other->corners[1], t->corners[0]));
    wkEight h2 = dot(t->normal, sub(other->corners[2], t->corners[0]));
    wkEight zero = wkSplat8(0.0f);
    wkEight own1 = dot(t->normal, t->edges[0]);
    wkEight own2 = wkSub8(zero, dot(t->normal, t->edges[2]));
    wkEight gap = gapBetween(min3(zero, own1, own2), max3(zero, own1, own2), min3(h0, h1, h2),
                             max3(h0, h1, h2));
    return wkDiv8(gap, wkMax8(wkSqrt8(dot(t->normal, t->normal)), wkSplat8(1e-37f)));
}

// Along the cross product of two edges, the ends of each edge are at one height.
WK_FORCE_FN wkEight edgeGap(const triangle* a, const triangle* b, int i, int j)
{
    static const int last[3] = {2, 0, 1};
    wkEight zero = wkSplat8(0.0f);
    vec axis = cross(a->edges[i], b->edges[j]);
    wkEight endA = wkSub8(zero, dot(axis, a->edges[last[i]]));
    wkEight startB = dot(axis, sub(b->corners[j], a->corners[i]));
    wkEight endB = wkSub8(startB, dot(axis, b->edges[last[j]]));
    wkEight gap = gapBetween(wkMin8(zero, endA), wkMax8(zero, endA), wkMin8(startB, endB),
                             wkMax8(startB, endB));
    wkEight square = dot(axis, axis);
    wkEight least = wkMul8(wkSplat8(WK_PARALLEL), wkMul8(a->squares[i], b->squares[j]));
    wkEight length = wkMax8(wkSqrt8(square), wkSplat8(1e-37f));
    return wkPickGreater8(square, least, wkDiv8(gap, length), wkSplat8(-1e37f));
}

static void boundGaps(const wkTriangleBatch* batch, float* gaps)
{
    triangle a, b;
    loadTriangle(batch->a, &a);
    loadTriangle(batch->b, &b);
    wkEight best = wkMax8(planeGap(&a, &b), planeGap(&b, &a));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            best = wkMax8(best, edgeGap(&a, &b, i, j));
        }
    }
    wkStore8(gaps, wkSub8(best, errorOf(&a, &b)));
}

extern const wkTriangleLanes WK_LANE(wkTriangleLanes);
const wkTriangleLanes WK_LANE(wkTriangleLanes) = {boundDistances, boundGaps};
