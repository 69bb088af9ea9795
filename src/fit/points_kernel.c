// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Distances of many points from one: see fit_kernel.h. Compiled once per instruction set.

#include "fit/fit_kernel.h"
#include "simd/simd.h"

WK_FORCE_FN wkDoubleW squareAt(const wkPointLanes* points, int32_t at, wkDoubleW x, wkDoubleW y,
                               wkDoubleW z)
{
    wkDoubleW dx = wkSubW(wkLoadW(points->x + at), x);
    wkDoubleW dy = wkSubW(wkLoadW(points->y + at), y);
    wkDoubleW dz = wkSubW(wkLoadW(points->z + at), z);
    return wkAddW(wkAddW(wkMulW(dx, dx), wkMulW(dy, dy)), wkMulW(dz, dz));
}

static double furthest(const wkPointLanes* points, wkVec3d center)
{
    wkDoubleW x = wkSplatW(center.x), y = wkSplatW(center.y), z = wkSplatW(center.z);
    wkDoubleW most = wkSplatW(-1.0);
    for (int32_t i = 0; i < points->count; i += WK_LANES) {
        most = wkMaxW(most, squareAt(points, i, x, y, z));
    }
    return wkReduceMaxW(most);
}

static void within(const wkPointLanes* points, wkVec3d center, double square, uint64_t* words)
{
    wkDoubleW x = wkSplatW(center.x), y = wkSplatW(center.y), z = wkSplatW(center.z);
    wkDoubleW limit = wkSplatW(square);
    int32_t count = points->count;
    for (int32_t first = 0; first < count; first += 64) {
        int32_t end = count - first < 64 ? count - first : 64;
        uint64_t beyond = 0;
        for (int32_t i = 0; i < end; i += WK_LANES) {
            wkDoubleW away = squareAt(points, first + i, x, y, z);
            beyond |= (uint64_t)wkGreaterBitsW(away, limit) << i;
        }
        uint64_t all = end == 64 ? ~(uint64_t)0 : ((uint64_t)1 << end) - 1;
        words[first / 64] = ~beyond & all;
    }
}

extern const wkFitLanes WK_KERNEL(wkFitLanes);
const wkFitLanes WK_KERNEL(wkFitLanes) = {furthest, within};
