// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tables of voxels in two passes over the points. The first one finds the voxels that several points share. The second
// one looks for the nearest of these points to the middle of their voxel, and sums them: points that are alone in their
// voxel need neither. Without branches on whether a voxel is new, which the processor foresees only where nearly none is.
// Compiled once per instruction set.

#include "sense/filter/voxel_lanes.h"
#include "simd/byte_bits.h"

// Neighbours are mostly in the same voxel, and each would wait for what the one before has written: points are taken
// from this many parts of a block in turn.
#define PART_COUNT 4

// Notes that a point is in its voxel. A block is made when its first point appears.
WK_FORCE_FN void notePoint(const wkVoxelTable* table, const wkTablePoints* points, int32_t i,
                           uint32_t* voxels, uint32_t* blockCount)
{
    uint32_t* entry = &table->directory[points->blocks[i]];
    uint32_t block = *entry;
    if (WK_UNLIKELY(block == WK_NO_BLOCK)) {
        block = (*blockCount)++ * WK_BLOCK_SLOTS;
        *entry = block;
        memset(table->states + block, WK_VOXEL_EMPTY, WK_BLOCK_SLOTS);
    }
    uint32_t voxel = block + (uint32_t)points->slots[i];
    table->states[voxel] >>= 1;
    voxels[i] = voxel;
}

// One pass is faster where voxels have at least this many points on average, measured with depth images and voxels of
// 0.5 to 10 cm. It is found out at this share of the points.
#define MANY_POINTS 6
#define FIRST_SHARE 64

// Whether voxels have many points.
static bool isDense(const wkVoxelTable* table, int32_t pointCount, uint32_t blockCount)
{
    size_t slotCount = (size_t)blockCount * WK_BLOCK_SLOTS;
    int32_t voxelCount = 0;
    for (size_t slot = 0; slot < slotCount; ++slot) {
        voxelCount += table->states[slot] != WK_VOXEL_EMPTY;
    }
    return voxelCount <= pointCount / MANY_POINTS;
}

// The first pass.
// @param acceptsDense it is not found out whether voxels have many points
// @return the number of blocks; WK_NO_BLOCK: voxels have many points
static uint32_t findShared(const wkFilterRun* run, const wkVoxelGrid* grid, bool acceptsDense,
                           const wkVoxelTable* given)
{
    const wkVoxelTable table = *given; // the arrays might overlap the original
    int32_t decision = acceptsDense ? run->count : run->count / FIRST_SHARE;
    uint32_t blockCount = 0;
    for (int32_t first = 0; first < run->count; first += WK_FILTER_BLOCK) {
        if (WK_UNLIKELY(first >= decision && first > 0)) {
            if (isDense(&table, first, blockCount)) {
                return WK_NO_BLOCK;
            }
            decision = run->count;
        }
        wkFilterBlock block;
        wkTablePoints points;
        wkReadTablePoints(run, grid, first, table.indexBits, &block, &points);
        uint32_t* voxels = table.voxels + first;
        int32_t part = points.count / PART_COUNT;
        for (int32_t i = 0; i < part; ++i) {
            for (int32_t k = 0; k < PART_COUNT; ++k) {
                notePoint(&table, &points, k * part + i, voxels, &blockCount);
            }
        }
        for (int32_t i = part * PART_COUNT; i < points.count; ++i) {
            notePoint(&table, &points, i, voxels, &blockCount);
        }
        memcpy(table.entries + first, points.entries, sizeof points.entries);
    }
    return blockCount;
}

// Numbers the shared voxels block by block.
// @return their number
static uint32_t numberVoxels(const wkVoxelTable* table, uint32_t blockCount)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < blockCount; ++b) {
        uint64_t shared = wkZeroBytes(table->states + (size_t)b * WK_BLOCK_SLOTS);
        table->blocks[b] = (wkVoxelBlock){shared, count - 1};
        count += (uint32_t)__builtin_popcountll(shared);
    }
    return count;
}

// Replaces the voxels of points by their numbers, which mean something where others share the voxel.
// @return these points
WK_FORCE_FN uint64_t findNumbers(const wkVoxelTable* table, uint32_t* voxels, int32_t count)
{
    uint64_t sharing = 0;
    for (int32_t i = 0; i < count; ++i) {
        const wkVoxelBlock* block = &table->blocks[voxels[i] / WK_BLOCK_SLOTS];
        // the voxels up to this one, which is the highest bit
        uint64_t shared = block->shared << (WK_BLOCK_SLOTS - 1 - voxels[i] % WK_BLOCK_SLOTS);
        voxels[i] = block->before + (uint32_t)__builtin_popcountll(shared);
        sharing |= shared >> (WK_BLOCK_SLOTS - 1) << i;
    }
    return sharing;
}

// Adds a point of a block to its voxel.
WK_FORCE_FN void addPoint(const wkVoxelTable* table, int32_t first, int32_t i,
                          const wkTablePositions* positions)
{
    uint32_t number = table->voxels[first + i], entry = table->entries[first + i];
    uint32_t least = table->least[number];
    table->least[number] = entry < least ? entry : least;
    if (positions != NULL) {
        wkQuadDouble position;
        wkReadPosition(positions, i, table->shift, &position);
        table->sums[number] += position;
    }
}

// Adds points of a block to their voxels.
// @param positions of all points of the block; NULL: without sums
WK_FORCE_FN void addPoints(const wkFilterRun* run, const wkVoxelTable* table, int32_t first,
                           uint64_t sharing, const wkTablePositions* positions)
{
    int32_t list[WK_FILTER_BLOCK], count = __builtin_popcountll(sharing);
    int32_t part = count / PART_COUNT;
    run->lanes->packIndices(0, sharing, list);
    for (int32_t i = 0; i < part; ++i) {
        for (int32_t k = 0; k < PART_COUNT; ++k) {
            addPoint(table, first, list[k * part + i], positions);
        }
    }
    for (int32_t i = part * PART_COUNT; i < count; ++i) {
        addPoint(table, first, list[i], positions);
    }
}

// The second pass. Points that are alone in their voxel are kept.
WK_FORCE_FN void addShared(const wkFilterRun* run, const wkVoxelTable* given, bool hasCentroids)
{
    const wkVoxelTable table = *given;
    for (int32_t first = 0; first < run->count; first += WK_FILTER_BLOCK) {
        int32_t left = run->count - first, count = left < WK_FILTER_BLOCK ? left : WK_FILTER_BLOCK;
        uint64_t sharing = findNumbers(&table, table.voxels + first, count);
        wkTablePositions positions;
        if (hasCentroids) {
            wkFindPositions(run, first, count, NULL, &positions);
        }
        addPoints(run, &table, first, sharing, hasCentroids ? &positions : NULL);
        wkSelectBytes(run->set.isRemoved + first, sharing, 1, 0);
        table.sharing[first / WK_FILTER_BLOCK] = sharing;
    }
}

static bool fillTable(const wkFilterRun* run, const wkVoxelGrid* grid, bool hasCentroids,
                      bool acceptsDense, wkVoxelTable* table)
{
    uint32_t blockCount = findShared(run, grid, acceptsDense, table);
    if (blockCount == WK_NO_BLOCK) {
        return false;
    }
    table->voxelCount = numberVoxels(table, blockCount);
    memset(table->least, 0xff, table->voxelCount * sizeof *table->least);
    if (hasCentroids) {
        memset(table->sums, 0, table->voxelCount * sizeof *table->sums);
        addShared(run, table, true);
    } else {
        addShared(run, table, false);
    }
    return true;
}

extern const wkSharedVoxelLanes WK_KERNEL(wkSharedVoxelLanes);
const wkSharedVoxelLanes WK_KERNEL(wkSharedVoxelLanes) = {fillTable};
