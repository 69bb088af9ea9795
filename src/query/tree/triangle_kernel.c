// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Eight pairs of triangles at a time. Each pair is scaled to the size 1, so that no power of a
// coordinate leaves the range of float. Both bounds are computed as if there were no rounding; then a
// fraction of the size of the triangles that is far above it is subtracted.

#include "query/tree/triangle_kernel.h"
#include "simd/eight.h"

// Subtracted from distances, relative to the longest edge: edges that are parallel up to WK_PARALLEL (a
// squared sine) are treated as parallel, which costs up to its root; and relative to the largest
// coordinate.
#define WK_PARALLEL 1e-6f
#define WK_EDGE_SHARE 2e-3f
#define WK_COORDINATE_SHARE 4e-6f

// Pairs with larger coordinates are not evaluated, and smaller ones are not scaled up: there are no
// numbers between zero and those.
#define WK_LARGEST_PAIR 1e37f
#define WK_SMALLEST_PAIR 1e-37f

// Axes with a smaller square have lost some or all digits below the range of float.
#define WK_LEAST_AXIS 1e-30f

typedef struct vec {
    wkEight x, y, z;
} vec;

typedef struct triangle {
    vec faceVertices[3];
    vec edges[3]; // from vertex i to the next
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

// The largest coordinate.
WK_FORCE_FN wkEight sizeOf(const wkTriangleBatch* batch)
{
    wkEight largest = wkSplat8(WK_SMALLEST_PAIR);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            wkEight a = wkAbs8(wkLoad8(batch->a[i][k])), b = wkAbs8(wkLoad8(batch->b[i][k]));
            largest = max3(a, b, largest);
        }
    }
    return largest;
}

WK_FORCE_FN void loadTriangle(const float faceVertices[3][3][WK_BATCH], wkEight factor, triangle* t)
{
    for (int i = 0; i < 3; ++i) {
        t->faceVertices[i].x = wkMul8(factor, wkLoad8(faceVertices[i][0]));
        t->faceVertices[i].y = wkMul8(factor, wkLoad8(faceVertices[i][1]));
        t->faceVertices[i].z = wkMul8(factor, wkLoad8(faceVertices[i][2]));
    }
    for (int i = 0; i < 3; ++i) {
        t->edges[i] = sub(t->faceVertices[next[i]], t->faceVertices[i]);
        t->squares[i] = dot(t->edges[i], t->edges[i]);
    }
    t->normal = cross(t->edges[0], t->edges[1]);
}

// Loads both triangles of each lane at size 1; `size` is the divisor.
WK_FORCE_FN wkEight loadPair(const wkTriangleBatch* batch, triangle* a, triangle* b)
{
    wkEight size = sizeOf(batch), factor = wkDiv8(wkSplat8(1.0f), size);
    loadTriangle(batch->a, factor, a);
    loadTriangle(batch->b, factor, b);
    return size;
}

// Scales a bound back, minus the error of rounding and parallel edges. Where a coordinate is too large
// or NaN, there is no bound.
WK_FORCE_FN wkEight finish(const triangle* a, const triangle* b, wkEight size, wkEight bound)
{
    wkEight longest = wkMax8(max3(a->squares[0], a->squares[1], a->squares[2]),
                             max3(b->squares[0], b->squares[1], b->squares[2]));
    wkEight error =
        wkAdd8(wkMul8(wkSplat8(WK_EDGE_SHARE), wkSqrt8(longest)), wkSplat8(WK_COORDINATE_SHARE));
    wkEight safe = wkMul8(size, wkSub8(bound, error));
    return wkPickGreater8(wkSplat8(WK_LARGEST_PAIR), size, safe, wkSplat8(-1e37f));
}

// Squared distance of two edges (Ericson 2005, section 5.1.9).
WK_FORCE_FN wkEight edgeSquare(const triangle* a, const triangle* b, int i, int j)
{
    wkEight zero = wkSplat8(0.0f), tiny = wkSplat8(1e-37f);
    vec edgeA = a->edges[i], edgeB = b->edges[j];
    vec between = sub(b->faceVertices[j], a->faceVertices[i]);
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

// Smallest squared distance between the inside of `t` and a vertex of `other` above it, or 0 where an edge
// of `other` passes through; otherwise a large number. Points slightly outside count as inside.
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
        heights[k] = dot(t->normal, sub(other->faceVertices[k], t->faceVertices[0]));
        for (int i = 0; i < 3; ++i) {
            sides[k][i] = dot(inward[i], sub(other->faceVertices[k], t->faceVertices[i]));
        }
        wkEight square = wkDiv8(wkMul8(heights[k], heights[k]), normalSquare);
        wkEight least = min3(sides[k][0], sides[k][1], sides[k][2]);
        best = wkMin8(best, wkPickGreater8(least, edge, square, far));
    }
    for (int k = 0; k < 3; ++k) {
        // intersection of the edge from vertex k with the plane
        const wkEight *from = sides[k], *to = sides[next[k]];
        wkEight heightFrom = heights[k], heightTo = heights[next[k]];
        wkEight interval = wkMax8(wkAbs8(wkSub8(heightFrom, heightTo)), tiny);
        wkEight share = clampToOne(wkDiv8(wkAbs8(heightFrom), interval));
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
    wkEight size = loadPair(batch, &a, &b);
    wkEight best = wkMin8(faceSquare(&a, &b), faceSquare(&b, &a));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            best = wkMin8(best, edgeSquare(&a, &b, i, j));
        }
    }
    wkStore8(distances, finish(&a, &b, size, wkSqrt8(best)));
}

// The larger gap of two intervals, on either side.
WK_FORCE_FN wkEight gapBetween(wkEight lowA, wkEight highA, wkEight lowB, wkEight highB)
{
    return wkMax8(wkSub8(lowB, highA), wkSub8(lowA, highB));
}

// A gap along an axis with that square, in metres; none where the axis is too short.
WK_FORCE_FN wkEight gapAlong(wkEight gap, wkEight square, wkEight least)
{
    wkEight length = wkSqrt8(wkMax8(square, least));
    return wkPickGreater8(square, least, wkDiv8(gap, length), wkSplat8(-1e37f));
}

// Gap along the normal of `t`. Its own vertices are projected too: the normal of a needle is hardly
// perpendicular to it.
WK_FORCE_FN wkEight planeGap(const triangle* t, const triangle* other)
{
    wkEight h0 = dot(t->normal, sub(other->faceVertices[0], t->faceVertices[0]));
    wkEight h1 = dot(t->normal, sub(other->faceVertices[1], t->faceVertices[0]));
    wkEight h2 = dot(t->normal, sub(other->faceVertices[2], t->faceVertices[0]));
    wkEight zero = wkSplat8(0.0f);
    wkEight own1 = dot(t->normal, t->edges[0]);
    wkEight own2 = wkSub8(zero, dot(t->normal, t->edges[2]));
    wkEight gap = gapBetween(min3(zero, own1, own2), max3(zero, own1, own2), min3(h0, h1, h2),
                             max3(h0, h1, h2));
    return gapAlong(gap, dot(t->normal, t->normal), wkSplat8(WK_LEAST_AXIS));
}

// Gap along the cross product of two edges, where the ends of each edge have one height.
WK_FORCE_FN wkEight edgeGap(const triangle* a, const triangle* b, int i, int j)
{
    static const int last[3] = {2, 0, 1};
    wkEight zero = wkSplat8(0.0f);
    vec axis = cross(a->edges[i], b->edges[j]);
    wkEight endA = wkSub8(zero, dot(axis, a->edges[last[i]]));
    wkEight startB = dot(axis, sub(b->faceVertices[j], a->faceVertices[i]));
    wkEight endB = wkSub8(startB, dot(axis, b->edges[last[j]]));
    wkEight gap = gapBetween(wkMin8(zero, endA), wkMax8(zero, endA), wkMin8(startB, endB),
                             wkMax8(startB, endB));
    wkEight least = wkMul8(wkSplat8(WK_PARALLEL), wkMul8(a->squares[i], b->squares[j]));
    return gapAlong(gap, dot(axis, axis), wkMax8(least, wkSplat8(WK_LEAST_AXIS)));
}

static void boundGaps(const wkTriangleBatch* batch, float* gaps)
{
    triangle a, b;
    wkEight size = loadPair(batch, &a, &b);
    wkEight best = wkMax8(planeGap(&a, &b), planeGap(&b, &a));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            best = wkMax8(best, edgeGap(&a, &b, i, j));
        }
    }
    wkStore8(gaps, finish(&a, &b, size, best));
}

extern const wkTriangleLanes WK_KERNEL(wkTriangleLanes);
const wkTriangleLanes WK_KERNEL(wkTriangleLanes) = {boundDistances, boundGaps};
