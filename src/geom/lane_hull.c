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

int32_t WK_LANE(wkHullScan)(const double* x, const double* y, const double* z, int32_t paddedCount,
                            wkVec3d direction)
{
    const wkDoubleW d[3] = {wkSplatW(direction.x), wkSplatW(direction.y), wkSplatW(direction.z)};
    const wkDoubleW step = wkSplatW(WK_LANES);

    // each lane keeps the first of its own best vertices
    wkDoubleW index = wkIotaW();
    wkDoubleW bestIndex = index;
    wkDoubleW best = dotAt(x, y, z, 0, d);
    for (int32_t i = WK_LANES; i < paddedCount; i += WK_LANES) {
        wkDoubleW dot = dotAt(x, y, z, i, d);
        index = wkAddW(index, step);
        wkMaskW isBetter = wkGreaterW(dot, best);
        best = wkSelectW(isBetter, dot, best);
        bestIndex = wkSelectW(isBetter, index, bestIndex);
    }

    // the lowest index among the lanes that hold the largest value; none when that is NaN
    wkMaskW isBest = wkEqualW(best, wkSplatW(wkReduceMaxW(best)));
    double winner = wkReduceMinW(wkSelectW(isBest, bestIndex, wkSplatW((double)paddedCount)));
    return winner < (double)paddedCount ? (int32_t)winner : 0;
}
