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

// Vertices looked at together: one bit of a word each.
#define CHUNK 64

// Fills `dots` with the products of up to CHUNK vertices and returns the largest. One running maximum
// per group of lanes keeps them independent.
WK_FORCE_FN double fillChunk(const double* x, const double* y, const double* z, int32_t count,
                             const wkDoubleW d[3], wkDoubleW* dots)
{
    wkDoubleW best[WK_HULL_LANES / WK_LANES];
    for (int32_t k = 0; k < WK_HULL_LANES / WK_LANES; ++k) {
        best[k] = dots[k] = dotAt(x, y, z, k * WK_LANES, d);
    }
    for (int32_t i = WK_HULL_LANES; i < count; i += WK_HULL_LANES) {
        for (int32_t k = 0; k < WK_HULL_LANES / WK_LANES; ++k) {
            wkDoubleW dot = dotAt(x, y, z, i + k * WK_LANES, d);
            dots[i / WK_LANES + k] = dot;
            best[k] = wkMaxW(best[k], dot);
        }
    }
    for (int32_t k = 1; k < WK_HULL_LANES / WK_LANES; ++k) {
        best[0] = wkMaxW(best[0], best[k]);
    }
    return wkReduceMaxW(best[0]);
}

// The first of `count` products that equals `value`; -1 when none does, as with NaN.
WK_FORCE_FN int32_t findInChunk(const wkDoubleW* dots, int32_t count, double value)
{
    const wkDoubleW wanted = wkSplatW(value);
    uint64_t bits = 0;
    for (int32_t i = 0; i < count; i += WK_LANES) {
        bits |= (uint64_t)wkEqualBitsW(dots[i / WK_LANES], wanted) << i;
    }
    return bits != 0 ? (int32_t)__builtin_ctzll(bits) : -1;
}

int32_t WK_LANE(wkHullScan)(const double* x, const double* y, const double* z, int32_t paddedCount,
                            wkVec3d direction)
{
    const wkDoubleW d[3] = {wkSplatW(direction.x), wkSplatW(direction.y), wkSplatW(direction.z)};
    wkDoubleW dots[CHUNK / WK_LANES];
    double best = -INFINITY;
    int32_t bestIndex = 0;
    for (int32_t i = 0; i < paddedCount; i += CHUNK) {
        int32_t count = paddedCount - i < CHUNK ? paddedCount - i : CHUNK;
        double largest = fillChunk(x + i, y + i, z + i, count, d, dots);

        // carrying indices along would cost more: a chunk that wins is looked through again
        if (largest > best) {
            best = largest;
            bestIndex = i + findInChunk(dots, count, largest);
        }
    }
    return bestIndex;
}
