// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Scans over every vertex or every face of a hull. Compiled once per instruction set.

#include "geom/hull_scan.h"
#include "geom/nearest_kernel.h"
#include "simd/simd.h"

WK_FORCE_FN wkDoubleW dotOf(wkDoubleW x, wkDoubleW y, wkDoubleW z, const wkDoubleW d[3])
{
    return wkAddW(wkAddW(wkMulW(x, d[0]), wkMulW(y, d[1])), wkMulW(z, d[2]));
}

WK_FORCE_FN wkDoubleW dotAt(const double* x, const double* y, const double* z, int32_t i,
                            const wkDoubleW d[3])
{
    return dotOf(wkLoadW(x + i), wkLoadW(y + i), wkLoadW(z + i), d);
}

// Returns the largest dot product; one running maximum per lane of the padding keeps them independent.
WK_FORCE_FN double findMaximum(const double* x, const double* y, const double* z,
                               int32_t paddedCount, const wkDoubleW d[3])
{
    wkDoubleW best[WK_HULL_LANES / WK_LANES];
    for (int32_t k = 0; k < WK_HULL_LANES / WK_LANES; ++k) {
        best[k] = dotAt(x, y, z, k * WK_LANES, d);
    }
    for (int32_t i = WK_HULL_LANES; i < paddedCount; i += WK_HULL_LANES) {
        for (int32_t k = 0; k < WK_HULL_LANES / WK_LANES; ++k) {
            best[k] = wkMaxW(best[k], dotAt(x, y, z, i + k * WK_LANES, d));
        }
    }
    for (int32_t k = 1; k < WK_HULL_LANES / WK_LANES; ++k) {
        best[0] = wkMaxW(best[0], best[k]);
    }
    return wkReduceMaxW(best[0]);
}

static int32_t scan(const double* x, const double* y, const double* z, int32_t paddedCount,
                    wkVec3d direction)
{
    const wkDoubleW d[3] = {wkSplatW(direction.x), wkSplatW(direction.y), wkSplatW(direction.z)};
    const wkDoubleW maximum = wkSplatW(findMaximum(x, y, z, paddedCount, d));

    // recomputing the products is faster than carrying indices along; testing a word of bits at a time finds
    // the first vertex with one instruction instead of a branch per vertex
    for (int32_t i = 0; i < paddedCount;) {
        int32_t end = paddedCount - i < 64 ? paddedCount - i : 64;
        uint64_t bits = 0;
        for (int32_t k = 0; k < end; k += WK_LANES) {
            bits |= (uint64_t)wkEqualBitsW(dotAt(x, y, z, i + k, d), maximum) << k;
        }
        if (bits != 0) {
            return i + (int32_t)__builtin_ctzll(bits);
        }
        i += end;
    }
    return 0; // NaN
}

static wkHullWayOut findWayOut(const wkHull* hull, wkVec3d point, double* depths)
{
    _Alignas(64) static const double steps[8] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
    const double* x = wkHullFaceLanes(hull);
    int32_t count = hull->paddedFaceCount;
    const wkDoubleW p[3] = {wkSplatW(point.x), wkSplatW(point.y), wkSplatW(point.z)};
    const wkDoubleW width = wkSplatW(WK_LANES);
    wkDoubleW nearest = wkSplatW(INFINITY), found = wkSplatW(0.0), face = wkLoadW(steps);
    for (int32_t i = 0; i < count; i += WK_LANES) {
        wkDoubleW nx = wkLoadW(x + i), ny = wkLoadW(x + count + i), nz = wkLoadW(x + 2 * count + i);
        wkDoubleW depth = wkSubW(wkLoadW(x + 3 * count + i), dotOf(nx, ny, nz, p));
        if (depths != NULL) {
            wkStoreW(depths + i, depth);
        }
        found = wkSelectGreaterW(nearest, depth, face, found);
        nearest = wkSelectGreaterW(nearest, depth, depth, nearest);
        face = wkAddW(face, width);
    }
    return wkPickNearest(nearest, found);
}

extern const wkHullLanes WK_KERNEL(wkHullLanes);
const wkHullLanes WK_KERNEL(wkHullLanes) = {scan, findWayOut};
