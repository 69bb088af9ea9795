// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Traces rays from cell to cell, one in each lane.

#include "simd/simd.h"
#include "tree/octree/octree_grid.h"

// Steps all lanes until the last one is at its end; finished lanes mark the common start cell again, which
// is harmless.
WK_FORCE_FN void traceLanes(const wkGridRayPack* pack, int first, atomic_uchar* cells)
{
    const wkDoubleW paceX = wkLoadW(&pack->pace[0][first]);
    const wkDoubleW paceY = wkLoadW(&pack->pace[1][first]);
    const wkDoubleW paceZ = wkLoadW(&pack->pace[2][first]);
    const wkDoubleW strideX = wkLoadW(&pack->stride[0][first]);
    const wkDoubleW strideY = wkLoadW(&pack->stride[1][first]);
    const wkDoubleW strideZ = wkLoadW(&pack->stride[2][first]);
    const wkDoubleW end = wkLoadW(&pack->end[first]);
    const wkDoubleW start = wkSplatW(pack->start), zero = wkSplatW(0.0);
    const wkDoubleW done = wkSplatW(-INFINITY);
    wkDoubleW x = wkLoadW(&pack->next[0][first]);
    wkDoubleW y = wkLoadW(&pack->next[1][first]);
    wkDoubleW z = wkLoadW(&pack->next[2][first]);
    wkDoubleW length = wkLoadW(&pack->length[first]);
    wkDoubleW position = start;
    const unsigned allLanes = (1u << WK_LANES) - 1u;
    for (unsigned doneLanes = 0; doneLanes != allLanes;) {
        // the nearest border; of equally distant ones, the one across the last axis
        wkDoubleW xy = wkMinW(x, y);
        wkDoubleW addX = wkSelectGreaterW(y, x, paceX, zero);
        wkDoubleW addY = wkSelectGreaterW(y, x, zero, paceY);
        wkDoubleW stride = wkSelectGreaterW(y, x, strideX, strideY);
        x = wkAddW(x, wkSelectGreaterW(z, xy, addX, zero));
        y = wkAddW(y, wkSelectGreaterW(z, xy, addY, zero));
        position = wkAddW(position, wkSelectGreaterW(z, xy, stride, strideZ));
        z = wkAddW(z, wkSelectGreaterW(z, xy, zero, paceZ));

        // at the last cell, or past it by rounding
        length = wkSelectEqualW(position, end, done, length);
        wkDoubleW nearest = wkMinW(wkMinW(x, y), z);
        _Alignas(64) int32_t indices[WK_LANES] = {0};
        wkStoreIntsW(indices, wkSelectGreaterW(nearest, length, start, position));
        for (int lane = 0; lane < WK_LANES; ++lane) {
            atomic_store_explicit(&cells[indices[lane]], wk_gridCrossed, memory_order_relaxed);
        }
        doneLanes = wkGreaterBitsW(nearest, length);
    }
}

extern wkTraceGridRaysFcn WK_KERNEL(wkTraceGridRays);
void WK_KERNEL(wkTraceGridRays)(const wkGridRayPack* pack, atomic_uchar* cells)
{
    for (int first = 0; first < WK_GRID_RAYS_PER_PACK; first += WK_LANES) {
        traceLanes(pack, first, cells);
    }
}
