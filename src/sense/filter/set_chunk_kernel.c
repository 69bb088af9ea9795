// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Chunks of points that a step decides together. Compiled once per instruction set.

#include "sense/filter/filter_chunk.h"
#include "sense/filter/voxel_lanes.h"
#include "simd/byte_bits.h"

// Fills a block with copies of its first point.
static void repeatFirst(wkFilterBlock* block, int32_t count)
{
    for (int32_t i = count; i < WK_FILTER_BLOCK; ++i) {
        block->x[i] = block->x[0];
        block->y[i] = block->y[0];
        block->z[i] = block->z[0];
    }
}

static void readChunk(void* context, int32_t chunk)
{
    const wkFilterRun* run = (const wkFilterRun*)context;
    wkChunkRange range = wkRangeOfChunk(run, chunk);
    wkLaneBounds bounds = wkNoBounds();
    for (int32_t first = range.start; first < range.end; first += WK_FILTER_BLOCK) {
        wkFilterBlock block;
        int32_t count = wkCountOfBlock(&range, first);
        size_t bytes = (size_t)count * sizeof(float);
        wkReadFilterBlock(run, first, count, &block);
        repeatFirst(&block, count);
        wkBoundFullBlock(&block, &bounds);
        if (run->storesPositions) {
            memcpy(run->set.x + first, block.x, bytes);
            memcpy(run->set.y + first, block.y, bytes);
            memcpy(run->set.z + first, block.z, bytes);
        }
    }
    wkStoreBounds(&bounds, &run->chunks[chunk]);
}

static void finishChunk(void* context, int32_t chunk)
{
    const wkFilterRun* run = (const wkFilterRun*)context;
    wkChunkRange range = wkRangeOfChunk(run, chunk);
    wkChunkInfo info = {0};
    for (int32_t first = range.start; first < range.end; first += WK_FILTER_BLOCK) {
        int32_t count = wkCountOfBlock(&range, first);
        uint8_t copy[WK_FILTER_BLOCK], *marks = wkOpenMarks(run, first, count, copy);
        uint64_t all = UINT64_MAX >> (WK_FILTER_BLOCK - count);
        uint64_t kept = wkZeroBytes(run->set.isRemoved + first) & all;
        wkSetBytes(marks, all & ~kept, (uint8_t)(wk_markRemoved + run->endStep));
        wkCloseMarks(run, first, count, marks);
        run->keptBits[first / WK_FILTER_BLOCK] = kept;
        info.keptCount += __builtin_popcountll(kept);
    }
    run->chunks[chunk] = info;
}

// Writes the points of a block that are kept.
WK_FORCE_FN void writePoints(const wkTablePositions* positions, uint64_t kept, float* to)
{
    for (; kept != 0; kept &= kept - 1, to += 3) {
        memcpy(to, positions->bytes + __builtin_ctzll(kept) * positions->stride, 3 * sizeof *to);
    }
}

// Divides the sum of the points of a voxel by their number. A single point stays as it is.
WK_FORCE_FN void writeCentroid(const wkQuadDouble* sum, float* to)
{
    double count = (*sum)[3];
    if (count > 1.0) {
        to[0] = wkCentroidOf((*sum)[0], count);
        to[1] = wkCentroidOf((*sum)[1], count);
        to[2] = wkCentroidOf((*sum)[2], count);
    }
}

static void writeCentroids(void* context, int32_t chunk)
{
    const wkFilterRun* run = (const wkFilterRun*)context;
    const wkVoxelTable* table = &run->set.table;
    wkChunkRange range = wkRangeOfChunk(run, chunk);
    float* to = run->set.centroids + 3 * (size_t)run->chunks[chunk].firstKept;
    for (int32_t first = range.start; first < range.end; first += WK_FILTER_BLOCK) {
        uint64_t kept = run->keptBits[first / WK_FILTER_BLOCK];
        uint64_t sharing = table->sharing[first / WK_FILTER_BLOCK];
        if (kept != 0) {
            // a point that is alone in its voxel is its centroid; the others are overwritten
            wkTablePositions positions;
            wkFindPositions(run, first, wkCountOfBlock(&range, first), NULL, &positions);
            writePoints(&positions, kept, to);
        }
        for (uint64_t left = kept & sharing; left != 0; left &= left - 1) {
            int i = __builtin_ctzll(left);
            int before = __builtin_popcountll(kept & ((UINT64_C(1) << i) - 1));
            writeCentroid(table->sums + table->voxels[first + i], to + 3 * (size_t)before);
        }
        to += 3 * (size_t)__builtin_popcountll(kept);
    }
}

extern const wkSetLanes WK_KERNEL(wkSetLanes);
const wkSetLanes WK_KERNEL(wkSetLanes) = {readChunk, finishChunk, writeCentroids};
