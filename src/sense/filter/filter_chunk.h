// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Chunks of points, for kernels: which points, their marks, and their bounds.

#include "sense/filter/filter_block.h"

// Points of a chunk.
typedef struct wkChunkRange {
    int32_t start;
    int32_t end;
} wkChunkRange;

WK_FN wkChunkRange wkRangeOfChunk(const wkFilterRun* run, int32_t chunk)
{
    int32_t start = chunk * WK_FILTER_CHUNK, left = run->count - start;
    wkChunkRange range = {start, start + (left < WK_FILTER_CHUNK ? left : WK_FILTER_CHUNK)};
    return range;
}

// Points of the block that starts at a point.
WK_FN int32_t wkCountOfBlock(const wkChunkRange* range, int32_t first)
{
    return range->end - first < WK_FILTER_BLOCK ? range->end - first : WK_FILTER_BLOCK;
}

// Marks of a block are changed where they are if its points are next to each other and fill it, otherwise in `copy`.
WK_FN uint8_t* wkOpenMarks(const wkFilterRun* run, int32_t first, int32_t count,
                           uint8_t copy[WK_FILTER_BLOCK])
{
    if (run->indices == NULL && count == WK_FILTER_BLOCK) {
        return run->marks + first;
    }
    memset(copy, wk_markNone, WK_FILTER_BLOCK);
    for (int32_t i = 0; i < count && run->isStarted; ++i) {
        copy[i] = run->marks[wkPointIndex(run, first + i)];
    }
    return copy;
}

WK_FN void wkCloseMarks(const wkFilterRun* run, int32_t first, int32_t count, const uint8_t* marks)
{
    if (marks != run->marks + first) {
        for (int32_t i = 0; i < count; ++i) {
            run->marks[wkPointIndex(run, first + i)] = marks[i];
        }
    }
}

// Bounds of points.
typedef struct wkLaneBounds {
    wkFloatW lower[3];
    wkFloatW upper[3];
} wkLaneBounds;

WK_FORCE_FN wkLaneBounds wkNoBounds(void)
{
    wkLaneBounds bounds;
    for (int axis = 0; axis < 3; ++axis) {
        bounds.lower[axis] = wkSplatF(INFINITY);
        bounds.upper[axis] = wkSplatF(-INFINITY);
    }
    return bounds;
}

WK_FORCE_FN void wkWidenBounds(wkLaneBounds* bounds, const wkFloatW lower[3],
                               const wkFloatW upper[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        bounds->lower[axis] = wkMinF(bounds->lower[axis], lower[axis]);
        bounds->upper[axis] = wkMaxF(bounds->upper[axis], upper[axis]);
    }
}

// Widens bounds by some points of a block.
WK_FN void wkBoundBlock(const wkFilterBlock* block, uint64_t bits, wkLaneBounds* bounds)
{
    for (; bits != 0; bits &= bits - 1) {
        int i = __builtin_ctzll(bits);
        const wkFloatW p[3] = {wkSplatF(block->x[i]), wkSplatF(block->y[i]), wkSplatF(block->z[i])};
        wkWidenBounds(bounds, p, p);
    }
}

// Widens bounds by all points of a block.
WK_FORCE_FN void wkBoundFullBlock(const wkFilterBlock* block, wkLaneBounds* bounds)
{
    for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
        const wkFloatW p[3] = {wkLoadF(block->x + i), wkLoadF(block->y + i), wkLoadF(block->z + i)};
        wkWidenBounds(bounds, p, p);
    }
}

WK_FN void wkStoreBounds(const wkLaneBounds* bounds, wkChunkInfo* info)
{
    for (int axis = 0; axis < 3; ++axis) {
        float lower[WK_FLOAT_LANES], upper[WK_FLOAT_LANES];
        wkStoreAnyF(lower, bounds->lower[axis]);
        wkStoreAnyF(upper, bounds->upper[axis]);
        info->lower[axis] = lower[0];
        info->upper[axis] = upper[0];
        for (int lane = 1; lane < WK_FLOAT_LANES; ++lane) {
            info->lower[axis] = fminf(info->lower[axis], lower[lane]);
            info->upper[axis] = fmaxf(info->upper[axis], upper[lane]);
        }
    }
}
