// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Final reduction of a SIMD search for the nearest face of a hull.

#include "geom/hull_impl.h"
#include "simd/simd.h"

// Returns the face of the lane with the least depth; ties go to the lowest face.
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
