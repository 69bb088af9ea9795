// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Support of a small hull: look at every vertex. Compiled once per instruction set.

#include "geom/hull.h"
#include "geom/hull_scan.h"
#include "simd/simd.h"

wkHullScanFcn WK_LANE(wkHullScan);

WK_FORCE_FN wkDoubleW dotAt(const double* x, const double* y, const double* z, int32_t i,
                            const wkDoubleW d[3])
{
    wkDoubleW xy = wkAddW(wkMulW(wkLoadW(x + i), d[0]), wkMulW(wkLoadW(y + i), d[1]));
    return wkAddW(xy, wkMulW(wkLoadW(z + i), d[2]));
}

// Largest dot product; one running maximum per lane of the padding keeps them independent.
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

int32_t WK_LANE(wkHullScan)(const double* x, const double* y, const double* z, int32_t paddedCount,
                            wkVec3d direction)
{
    const wkDoubleW d[3] = {wkSplatW(direction.x), wkSplatW(direction.y), wkSplatW(direction.z)};
    const wkDoubleW maximum = wkSplatW(findMaximum(x, y, z, paddedCount, d));

    // computing the products again is faster than carrying indices along; a word of bits at a time
    // leaves the first vertex to one instruction instead of a branch per vertex
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
