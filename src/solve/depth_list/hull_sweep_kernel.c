// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Scans all faces of a hull: see hull_sweep.h. Compiled once per instruction set.

#include "geom/nearest_kernel.h"
#include "simd/simd.h"
#include "solve/depth_list/hull_sweep.h"

typedef struct splatVec {
    wkDoubleW x, y, z;
} splatVec;

WK_FORCE_FN splatVec splat(wkVec3d v)
{
    splatVec s = {wkSplatW(v.x), wkSplatW(v.y), wkSplatW(v.z)};
    return s;
}

WK_FORCE_FN wkDoubleW dot(splatVec a, splatVec b)
{
    return wkAddW(wkAddW(wkMulW(a.x, b.x), wkMulW(a.y, b.y)), wkMulW(a.z, b.z));
}

WK_FORCE_FN wkHullWayOut sweepAll(const wkHull* hull, const wkSweep* sweep, int edgeCount,
                                  wkSweptFaces* faces)
{
    _Alignas(64) static const double steps[8] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
    int32_t count = hull->paddedFaceCount;
    const double *x = wkHullFaceLanes(hull), *y = x + count, *z = y + count, *offset = z + count;
    const wkDoubleW zero = wkSplatW(0.0), width = wkSplatW(WK_LANES);
    const splatVec center = splat(sweep->center);
    splatVec edges[3];
    for (int k = 0; k < edgeCount; ++k) {
        edges[k] = splat(sweep->edges[k]);
    }
    wkDoubleW nearest = wkSplatW(INFINITY), found = zero, face = wkLoadW(steps);
    for (int32_t i = 0; i < count; i += WK_LANES) {
        splatVec normal = {wkLoadW(x + i), wkLoadW(y + i), wkLoadW(z + i)};
        wkDoubleW height = wkSubW(wkLoadW(offset + i), dot(normal, center));
        wkDoubleW depth = height;
        for (int k = 0; k < edgeCount; ++k) {
            wkDoubleW along = dot(normal, edges[k]);
            wkStoreW(faces->along[k] + i, along);
            depth = wkAddW(depth, wkAbsW(along));
        }
        wkStoreW(faces->height + i, height);
        wkStoreW(faces->depth + i, depth);
        found = wkSelectGreaterW(nearest, depth, face, found);
        nearest = wkSelectGreaterW(nearest, depth, depth, nearest);
        face = wkAddW(face, width);
    }
    return wkPickNearest(nearest, found);
}

static wkHullWayOut sweepBox(const wkHull* hull, const wkSweep* sweep, wkSweptFaces* faces)
{
    return sweepAll(hull, sweep, 3, faces);
}

static wkHullWayOut sweepSegment(const wkHull* hull, const wkSweep* sweep, wkSweptFaces* faces)
{
    return sweepAll(hull, sweep, 1, faces);
}

WK_FORCE_FN void markAll(const wkSweptFaces* faces, int32_t paddedCount, double limit,
                         int edgeCount, double* marks)
{
    const wkDoubleW zero = wkSplatW(0.0), limits = wkSplatW(limit);
    for (int32_t i = 0; i < paddedCount; i += WK_LANES) {
        wkDoubleW depth = wkLoadW(faces->depth + i), mark = zero;
        for (int k = 0; k < edgeCount; ++k) {
            wkDoubleW along = wkLoadW(faces->along[k] + i), size = wkAbsW(along);
            wkDoubleW beyond = wkSubW(depth, wkAddW(size, size));
            wkDoubleW side = wkSplatW((double)(1 << k)), near = wkSplatW((double)(16 << k));
            mark = wkAddW(mark, wkSelectGreaterW(zero, along, side, zero));
            mark = wkAddW(mark, wkSelectGreaterW(limits, beyond, near, zero));
        }
        wkStoreW(marks + i, mark);
    }
}

static void markBox(const wkSweptFaces* faces, int32_t paddedCount, double limit, double* marks)
{
    markAll(faces, paddedCount, limit, 3, marks);
}

static void markSegment(const wkSweptFaces* faces, int32_t paddedCount, double limit, double* marks)
{
    markAll(faces, paddedCount, limit, 1, marks);
}

extern const wkSweepLanes WK_KERNEL(wkSweepLanes);
const wkSweepLanes WK_KERNEL(wkSweepLanes) = {sweepBox, markBox, sweepSegment, markSegment};
