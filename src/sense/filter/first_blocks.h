// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The first pass over a view of contiguous floats, in tight loops, as it costs most of the time of a crop: points are
// tested where lanes have loaded them, and not stored.

#include "sense/filter/filter_chunk.h"
#include "simd/box_lanes.h"
#include "simd/byte_bits.h"

// Blocks of a chunk that have no marks yet.
typedef struct wkFirstBlocks {
    const char* bytes; // of the first point
    int64_t stride;
    uint8_t* marks;
    uint64_t* keptBits;
    int32_t count;
} wkFirstBlocks;

// Blocks of a chunk that lanes can load.
WK_FN wkFirstBlocks wkFindFirstBlocks(const wkFilterRun* run, const wkChunkRange* range)
{
    const wkCloudLayout* l = &run->layout;
    wkFirstBlocks blocks = {.bytes = l->data + range->start * l->stride + l->offsets[0],
                            .stride = l->stride,
                            .marks = run->marks + range->start,
                            .keptBits = run->keptBits + range->start / WK_FILTER_BLOCK};
    if (!run->isStarted && wkIsContiguousBlock(run, range->start, WK_FILTER_BLOCK)) {
        // the last point of the view is followed by nothing
        int32_t count = range->end < l->count ? range->end - range->start
                                              : (int32_t)l->count - 1 - range->start;
        blocks.count = count / WK_FILTER_BLOCK;
    }
    return blocks;
}

// Writes marks and bits of a block.
WK_FORCE_FN void wkFinishFirstBlock(const wkFirstBlocks* blocks, int32_t b, uint64_t finite,
                                    uint64_t kept, uint8_t removedMark, wkChunkInfo* info)
{
    uint8_t* marks = blocks->marks + (size_t)b * WK_FILTER_BLOCK;
    wkSelectBytes(marks, kept, wk_markKept, removedMark);
    if (WK_UNLIKELY(finite != UINT64_MAX)) {
        wkSetBytes(marks, ~finite, wk_markNotFinite);
        info->notFiniteCount += __builtin_popcountll(~finite);
    }
    info->keptCount += __builtin_popcountll(kept);
    blocks->keptBits[b] = kept;
}

// Keeps points in a box, or those outside.
WK_FORCE_FN void wkCropLanes(const wkFirstBlocks* blocks, int64_t stride, const wkPointTest* test,
                             uint8_t removedMark, wkChunkInfo* info)
{
    float box[6];
    memcpy(box, test->boxLanes.exact, sizeof box);
    uint64_t outside = test->item.keepsInside ? 0 : UINT64_MAX;
    wkChunkInfo counts = {0};
    for (int32_t b = 0; b < blocks->count; ++b) {
        const char* bytes = blocks->bytes + b * WK_FILTER_BLOCK * stride;
        uint64_t inside = 0, finite = 0;
        for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
            wkFloatW p[3];
            wkFetchLanes(bytes + i * stride, stride);
            wkLoadBlockLanes(bytes + i * stride, stride, p);
            finite |= (uint64_t)wkFiniteBits(p) << i;
            inside |= (uint64_t)wkInBoxBitsF(p, box) << i;
        }
        wkFinishFirstBlock(blocks, b, finite, (inside ^ outside) & finite, removedMark, &counts);
    }
    info->keptCount += counts.keptCount;
    info->notFiniteCount += counts.notFiniteCount;
}

// Keeps points with finite coordinates, and bounds them.
WK_FORCE_FN void wkBoundLanes(const wkFirstBlocks* blocks, int64_t stride, wkLaneBounds* bounds,
                              wkChunkInfo* info)
{
    wkLaneBounds all = *bounds;
    wkChunkInfo counts = {0};
    for (int32_t b = 0; b < blocks->count; ++b) {
        const char* bytes = blocks->bytes + b * WK_FILTER_BLOCK * stride;
        wkLaneBounds here = wkNoBounds();
        uint64_t finite = 0;
        for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
            wkFloatW p[3];
            wkFetchLanes(bytes + i * stride, stride);
            wkLoadBlockLanes(bytes + i * stride, stride, p);
            finite |= (uint64_t)wkFiniteBits(p) << i;
            wkWidenBounds(&here, p, p);
        }
        if (WK_LIKELY(finite == UINT64_MAX)) {
            wkWidenBounds(&all, here.lower, here.upper);
        } else {
            wkFilterBlock block;
            wkReadLanes(bytes, stride, &block);
            wkBoundBlock(&block, finite, &all);
        }
        wkFinishFirstBlock(blocks, b, finite, finite, wk_markNotFinite, &counts);
    }
    *bounds = all;
    info->keptCount += counts.keptCount;
    info->notFiniteCount += counts.notFiniteCount;
}

WK_FN void wkCropFirstBlocks(const wkFirstBlocks* blocks, const wkPointTest* test,
                             uint8_t removedMark, wkChunkInfo* info)
{
    if (blocks->stride == WK_QUAD_STRIDE) {
        wkCropLanes(blocks, WK_QUAD_STRIDE, test, removedMark, info);
    } else {
        wkCropLanes(blocks, blocks->stride, test, removedMark, info);
    }
}

WK_FN void wkBoundFirstBlocks(const wkFirstBlocks* blocks, wkLaneBounds* bounds, wkChunkInfo* info)
{
    if (blocks->stride == WK_QUAD_STRIDE) {
        wkBoundLanes(blocks, WK_QUAD_STRIDE, bounds, info);
    } else {
        wkBoundLanes(blocks, blocks->stride, bounds, info);
    }
}
