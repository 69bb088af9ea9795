// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Voxels of points, and tables of them in one pass: each point is added to its voxel. Best where most points are in a
// voxel that has some already. Compiled once per instruction set.

#include "sense/filter/voxel_lanes.h"

static void findVoxels(const wkVoxelGrid* grid, const float* x, const float* y, const float* z,
                       uint64_t* keys, uint32_t* ranks)
{
    _Alignas(64) int32_t cells[3][WK_VOXEL_BLOCK], found[WK_VOXEL_BLOCK];
    for (int i = 0; i < WK_VOXEL_BLOCK; i += WK_FLOAT_LANES) {
        const wkFloatW point[3] = {wkLoadAnyF(x + i), wkLoadAnyF(y + i), wkLoadAnyF(z + i)};
        wkPointVoxels voxels = wkFindVoxelLanes(grid, point);
        for (int axis = 0; axis < 3; ++axis) {
            wkStoreI(cells[axis] + i, voxels.cells[axis]);
        }
        wkStoreI(found + i, voxels.ranks);
    }
    for (int i = 0; i < WK_VOXEL_BLOCK; ++i) {
        keys[i] = (uint64_t)(uint32_t)cells[0][i] << grid->shifts[0] |
                  (uint64_t)(uint32_t)cells[1][i] << grid->shifts[1] |
                  (uint64_t)(uint32_t)cells[2][i] << grid->shifts[2];
        ranks[i] = (uint32_t)found[i];
    }
}

// The slots of a block, empty.
WK_FORCE_FN void clearSlots(uint32_t* slots)
{
    for (int i = 0; i < WK_BLOCK_SLOTS; i += WK_FLOAT_LANES) {
        wkStoreI((int32_t*)slots + i, wkSplatI((int32_t)WK_NO_VOXEL));
    }
}

// Blocks are numbered in their order in memory, so that it is known what the next one needs.
#define BLOCKS_AHEAD 4

#define LINE_NUMBERS 16 // of 32 bits in a line of the cache

WK_FORCE_FN void prefetchLines(const uint32_t* numbers, int count)
{
    for (int i = 0; i < count; i += LINE_NUMBERS) {
        __builtin_prefetch(numbers + i, 1);
    }
}

// How far a table is filled.
typedef struct tableCounts {
    uint32_t blocks;
    uint32_t voxels;
} tableCounts;

// The first slot of the block of a point. Blocks get their slots when their first point appears.
// @return WK_NO_BLOCK: the table is full
WK_FORCE_FN uint32_t findBlock(const wkVoxelTable* table, int32_t number, tableCounts* counts)
{
    uint32_t block = table->directory[number];
    if (WK_UNLIKELY(block == WK_NO_BLOCK) && counts->blocks < table->blockCapacity) {
        block = counts->blocks++ * WK_BLOCK_SLOTS;
        table->directory[number] = block;
        clearSlots(table->slots + block);
        prefetchLines(table->slots + block + BLOCKS_AHEAD * WK_BLOCK_SLOTS, WK_BLOCK_SLOTS);
    }
    return block;
}

// Adds a point to its voxel, which gets a number when its first point appears.
// @param positions of points of the block; NULL: without sums
// @return false: the table is full
WK_FORCE_FN bool addPoint(const wkVoxelTable* table, const wkTablePoints* points,
                          const wkTablePositions* positions, int32_t i, tableCounts* counts)
{
    uint32_t block = findBlock(table, points->blocks[i], counts);
    if (WK_UNLIKELY(block == WK_NO_BLOCK)) {
        return false;
    }
    uint32_t *slot = &table->slots[block + (uint32_t)points->slots[i]], voxel = *slot;
    uint32_t entry = (uint32_t)points->entries[i];
    wkQuadDouble position = {0.0, 0.0, 0.0, 0.0};
    if (positions != NULL) {
        wkReadPosition(positions, i, table->shift, &position);
    }
    if (voxel == WK_NO_VOXEL) {
        voxel = counts->voxels++;
        *slot = voxel;
        table->least[voxel] = entry;
        if (positions != NULL) {
            table->sums[voxel] = position;
        }
    } else {
        uint32_t least = table->least[voxel];
        table->least[voxel] = entry < least ? entry : least;
        if (positions != NULL) {
            table->sums[voxel] += position;
        }
    }
    return true;
}

// Adds points to their voxels. Neighbours are mostly in the same voxel, and each would wait for what the one before has
// written: a point of each half is taken in turn.
// @return false: the table is full
WK_FORCE_FN bool addPoints(const wkVoxelTable* given, const wkTablePoints* points,
                           const wkTablePositions* positions, tableCounts* counts)
{
    // copies stay in registers: the arrays might overlap the originals
    const wkVoxelTable table = *given;
    tableCounts now = *counts;
    bool fits = true;
    int32_t half = points->count / 2;
    for (int32_t i = 0; i < half && fits; ++i) {
        fits = addPoint(&table, points, positions, i, &now) &&
               addPoint(&table, points, positions, half + i, &now);
    }
    if (points->count % 2 != 0 && fits) {
        fits = addPoint(&table, points, positions, points->count - 1, &now);
    }
    *counts = now;
    return fits;
}

WK_FORCE_FN bool fill(const wkFilterRun* run, const wkVoxelGrid* grid, bool hasCentroids,
                      wkVoxelTable* table)
{
    tableCounts counts = {0, 0};
    bool fits = true;
    for (int32_t first = 0; first < run->count && fits; first += WK_FILTER_BLOCK) {
        wkFilterBlock block;
        wkTablePoints points;
        wkTablePositions positions;
        wkReadTablePoints(run, grid, first, table->indexBits, &block, &points);
        if (hasCentroids) {
            wkFindPositions(run, first, points.count, &block, &positions);
        }
        fits = addPoints(table, &points, hasCentroids ? &positions : NULL, &counts);
    }
    table->voxelCount = counts.voxels;
    return fits;
}

static bool fillTable(const wkFilterRun* run, const wkVoxelGrid* grid, bool hasCentroids,
                      wkVoxelTable* table)
{
    return hasCentroids ? fill(run, grid, true, table) : fill(run, grid, false, table);
}

extern const wkVoxelLanes WK_KERNEL(wkVoxelLanes);
const wkVoxelLanes WK_KERNEL(wkVoxelLanes) = {findVoxels, fillTable};
