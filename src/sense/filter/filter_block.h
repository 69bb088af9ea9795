// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reads points of any layout into blocks, for kernels.

#include "sense/filter/filter_impl.h"
#include "simd/point_lanes.h"
#include "simd/simd_int.h"

WK_FN void wkReadAnyBlock(const wkFilterRun* run, int32_t first, int32_t count,
                          wkFilterBlock* block)
{
    for (int32_t i = 0; i < WK_FILTER_BLOCK; ++i) {
        wkVec3d point = wkVec(NAN, NAN, NAN);
        if (i < count) {
            point = wkPointAt(run, wkPointIndex(run, first + i));
        }
        block->x[i] = wkNarrowCoordinate(point.x);
        block->y[i] = wkNarrowCoordinate(point.y);
        block->z[i] = wkNarrowCoordinate(point.z);
    }
}

// Reads floats of any layout.
WK_FN void wkReadFloatBlock(const wkFilterRun* run, int32_t first, int32_t count,
                            wkFilterBlock* block)
{
    const wkCloudLayout* l = &run->layout;
    for (int32_t i = 0; i < count; ++i) {
        const char* bytes = l->data + wkPointIndex(run, first + i) * l->stride;
        block->x[i] = wkFloatAt(bytes + l->offsets[0]);
        block->y[i] = wkFloatAt(bytes + l->offsets[1]);
        block->z[i] = wkFloatAt(bytes + l->offsets[2]);
    }
    for (int32_t i = count; i < WK_FILTER_BLOCK; ++i) {
        block->x[i] = block->y[i] = block->z[i] = NAN;
    }
}

// Bytes of a point of four floats.
#define WK_QUAD_STRIDE ((int64_t)(4 * sizeof(float)))

// Loads points in lanes. A stride that the compiler knows to be that of four floats is faster.
WK_FORCE_FN void wkLoadBlockLanes(const char* bytes, int64_t stride, wkFloatW p[3])
{
    if (__builtin_constant_p(stride) && stride == WK_QUAD_STRIDE) {
        wkLoadQuadPointsF(bytes, p);
    } else {
        wkLoadPointsF(bytes, stride, p);
    }
}

// How far ahead of the points that are loaded, in bytes, memory is fetched. Where points do not start at a line of the
// cache, each load takes two of them, and waits longer than the processor's own prefetching looks ahead.
#define BYTES_AHEAD 1024
#define LINE_BYTES 64

// Fetches what lanes of quads will load.
WK_FORCE_FN void wkFetchLanes(const char* bytes, int64_t stride)
{
    for (int64_t i = 0; stride == WK_QUAD_STRIDE && i < WK_FLOAT_LANES * WK_QUAD_STRIDE;
         i += LINE_BYTES) {
        __builtin_prefetch(bytes + BYTES_AHEAD + i);
    }
}

// Points with finite coordinates.
WK_FORCE_FN unsigned wkFiniteBits(const wkFloatW p[3])
{
    // zero times a number that is not finite is NaN, which is above nothing
    wkFloatW zero = wkSplatF(0.0f);
    wkFloatW sum = wkAddF(wkAddF(wkMulF(p[0], zero), wkMulF(p[1], zero)), wkMulF(p[2], zero));
    return wkGreaterBitsF(sum, wkSplatF(-1.0f));
}

// Reads contiguous floats.
// @return points with finite coordinates
WK_FORCE_FN uint64_t wkReadLanes(const char* bytes, int64_t stride, wkFilterBlock* block)
{
    uint64_t finite = 0;
    for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
        wkFloatW p[3];
        wkFetchLanes(bytes + i * stride, stride);
        wkLoadBlockLanes(bytes + i * stride, stride, p);
        finite |= (uint64_t)wkFiniteBits(p) << i;
        wkStoreF(block->x + i, p[0]);
        wkStoreF(block->y + i, p[1]);
        wkStoreF(block->z + i, p[2]);
    }
    return finite;
}

// Whether lanes can load a block from the view.
WK_FORCE_FN bool wkIsContiguousBlock(const wkFilterRun* run, int32_t i, int32_t count)
{
    const wkCloudLayout* l = &run->layout;
    bool isContiguous = l->offsets[1] == l->offsets[0] + (int32_t)sizeof(float) &&
                        l->offsets[2] == l->offsets[1] + (int32_t)sizeof(float);
    // the four bytes behind z are those of the next point, or before it
    bool isFollowed = count == WK_FILTER_BLOCK && i + count < l->count;
    bool isExact = !l->isDouble && !run->hasOrigin;
    return isExact && isContiguous && isFollowed && l->stride > 0 && run->indices == NULL;
}

// Reads `count` points from the i-th on; the rest of the block is NaN.
// @return points with finite coordinates
WK_FORCE_FN uint64_t wkReadFilterBlock(const wkFilterRun* run, int32_t i, int32_t count,
                                       wkFilterBlock* block)
{
    const wkCloudLayout* l = &run->layout;
    if (wkIsContiguousBlock(run, i, count)) {
        const char* bytes = l->data + i * l->stride + l->offsets[0];
        return l->stride == WK_QUAD_STRIDE ? wkReadLanes(bytes, WK_QUAD_STRIDE, block)
                                           : wkReadLanes(bytes, l->stride, block);
    }
    if (!l->isDouble && !run->hasOrigin) {
        wkReadFloatBlock(run, i, count, block);
    } else {
        wkReadAnyBlock(run, i, count, block);
    }
    return run->lanes->findFinite(block);
}
