// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The end of a search in lanes for the nearest face of a hull.

#include "geom/hull_impl.h"
#include "simd/simd.h"

// The lane with the least depth, the lowest face among equals.
WK_FORCE_FN wkHullWayOut wkPickNearest(wkDoubleW nearest, wkDoubleW index)
{
    _Alignas(64) double depths[WK_LANES], faces[WK_LANES];
    wkStoreW(depths, nearest);
    wkStoreW(faces, index);
    int best = 0;
    for (int k = 1; k < WK_LANES; ++k) {
        bool isNearer =
            depths[k] < depths[best] || (depths[k] == depths[best] && faces[k] < faces[best]);
        best = isNearer ? k : best;
    }
    wkHullWayOut way = {(int32_t)faces[best], depths[best]};
    return way;
}
