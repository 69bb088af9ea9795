// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The nearest triangle: see nearest_triangle.h. Compiled once per instruction set.

#include "fit/nearest_triangle.h"
#include "simd/simd.h"

typedef struct vecW {
    wkDoubleW x, y, z;
} vecW;

WK_FORCE_FN vecW splat(wkVec3d v)
{
    vecW s = {wkSplatW(v.x), wkSplatW(v.y), wkSplatW(v.z)};
    return s;
}

WK_FORCE_FN vecW load(const double v[3][WK_BUNCH], int at)
{
    vecW s = {wkLoadW(v[0] + at), wkLoadW(v[1] + at), wkLoadW(v[2] + at)};
    return s;
}

WK_FORCE_FN vecW sub(vecW a, vecW b)
{
    vecW s = {wkSubW(a.x, b.x), wkSubW(a.y, b.y), wkSubW(a.z, b.z)};
    return s;
}

WK_FORCE_FN wkDoubleW dot(vecW a, vecW b)
{
    return wkAddW(wkAddW(wkMulW(a.x, b.x), wkMulW(a.y, b.y)), wkMulW(a.z, b.z));
}

WK_FORCE_FN vecW cross(vecW a, vecW b)
{
    vecW s = {wkSubW(wkMulW(a.y, b.z), wkMulW(a.z, b.y)),
              wkSubW(wkMulW(a.z, b.x), wkMulW(a.x, b.z)),
              wkSubW(wkMulW(a.x, b.y), wkMulW(a.y, b.x))};
    return s;
}

// Returns the squared distance of a point, relative to one end, to an edge.
WK_FORCE_FN wkDoubleW squareToEdge(vecW fromEnd, vecW edge, wkDoubleW inverse)
{
    wkDoubleW share = wkMulW(dot(fromEnd, edge), inverse);
    share = wkMaxW(wkSplatW(0.0), wkMinW(wkSplatW(1.0), share));
    vecW away = {wkSubW(fromEnd.x, wkMulW(share, edge.x)), wkSubW(fromEnd.y, wkMulW(share, edge.y)),
                 wkSubW(fromEnd.z, wkMulW(share, edge.z))};
    return dot(away, away);
}

// Returns squared distances of a point to triangles of a bunch: to the plane where the point projects inside
// all three edges, to the nearest edge elsewhere.
WK_FORCE_FN wkDoubleW squareToTriangles(const wkBunch* bunch, int at, vecW point)
{
    vecW a = load(bunch->a, at), b = load(bunch->b, at), c = load(bunch->c, at);
    vecW normal = load(bunch->normal, at);
    vecW ab = sub(b, a), bc = sub(c, b), ca = sub(a, c);
    vecW pa = sub(point, a), pb = sub(point, b), pc = sub(point, c);
    wkDoubleW edges = wkMinW(squareToEdge(pa, ab, wkLoadW(bunch->inverseAB + at)),
                             wkMinW(squareToEdge(pb, bc, wkLoadW(bunch->inverseBC + at)),
                                    squareToEdge(pc, ca, wkLoadW(bunch->inverseCA + at))));
    wkDoubleW height = dot(normal, pa);
    wkDoubleW plane = wkMulW(wkMulW(height, height), wkLoadW(bunch->inverseNormal + at));
    wkDoubleW inside = wkMinW(dot(cross(normal, ab), pa),
                              wkMinW(dot(cross(normal, bc), pb), dot(cross(normal, ca), pc)));
    return wkSelectGreaterW(inside, wkSplatW(0.0), plane, edges);
}

typedef struct nearest {
    double square;
    int32_t triangle;
} nearest;

WK_FORCE_FN void checkBunch(const wkTriangleSet* set, int32_t index, vecW point, nearest* best)
{
    const wkBunch* bunch = &set->bunches[index];
    _Alignas(64) double squares[WK_BUNCH];
    wkDoubleW least = wkSplatW(INFINITY);
    for (int at = 0; at < WK_BUNCH; at += WK_LANES) {
        wkDoubleW square = squareToTriangles(bunch, at, point);
        wkStoreW(squares + at, square);
        least = wkMinW(least, square);
    }
    double smallest = -wkReduceMaxW(wkSubW(wkSplatW(0.0), least));
    if (!(smallest < best->square)) {
        return;
    }
    int slot = 0;
    while (slot < WK_BUNCH - 1 && squares[slot] != smallest) {
        ++slot;
    }
    best->square = smallest;
    best->triangle = index * WK_BUNCH + slot;
}

// Returns how far the coordinates of a point are outside the bounds.
WK_FORCE_FN wkDoubleW outside(const double* lower, const double* upper, wkDoubleW value)
{
    wkDoubleW below = wkSubW(wkLoadW(lower), value), above = wkSubW(value, wkLoadW(upper));
    return wkMaxW(wkSplatW(0.0), wkMaxW(below, above));
}

// Computes squared distances of a point to boxes; returns the smallest.
WK_FORCE_FN double squaresToBoxes(const wkTriangleBoxes* boxes, int32_t first, int32_t count,
                                  vecW point, double* squares)
{
    wkDoubleW least = wkSplatW(INFINITY);
    for (int32_t i = 0; i < count; i += WK_LANES) {
        int32_t at = first + i;
        vecW away = {outside(boxes->bounds[0] + at, boxes->bounds[3] + at, point.x),
                     outside(boxes->bounds[1] + at, boxes->bounds[4] + at, point.y),
                     outside(boxes->bounds[2] + at, boxes->bounds[5] + at, point.z)};
        wkDoubleW square = dot(away, away);
        wkStoreW(squares + i, square);
        least = wkMinW(least, square);
    }
    return -wkReduceMaxW(wkSubW(wkSplatW(0.0), least));
}

// Checks the bunches of a crowd that are nearer than the best so far, nearest first.
WK_FORCE_FN void checkCrowd(const wkTriangleSet* set, int32_t crowd, vecW point, nearest* best)
{
    _Alignas(64) double squares[WK_CROWD];
    int32_t first = crowd * WK_CROWD;
    double least = squaresToBoxes(&set->boxes, first, WK_CROWD, point, squares);
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < WK_CROWD; ++i) {
            if ((squares[i] == least) == (pass == 0) && squares[i] < best->square) {
                checkBunch(set, first + i, point, best);
            }
        }
    }
}

extern wkFindNearestTriangleFcn WK_KERNEL(wkFindNearestTriangle);
int32_t WK_KERNEL(wkFindNearestTriangle)(const wkTriangleSet* set, wkVec3d position)
{
    _Alignas(64) double squares[WK_MAX_CROWDS];
    vecW point = splat(position);
    int32_t count = set->crowds.count;
    double least = squaresToBoxes(&set->crowds, 0, count, point, squares);
    nearest best = {INFINITY, 0};
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < count; ++i) {
            if ((squares[i] == least) == (pass == 0) && squares[i] < best.square) {
                checkCrowd(set, i, point, &best);
            }
        }
    }
    return best.triangle < set->triangleCount ? best.triangle : set->triangleCount - 1;
}
