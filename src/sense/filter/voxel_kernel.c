// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Voxels of points, and tables of them: lanes compute the numbers of voxels, then each point is added by itself.
// Compiled once per instruction set.

#include "sense/filter/voxel_table.h"

#include "sense/filter/filter_block.h"
#include "simd/simd_int.h"

#define MAX_RANK ((1 << WK_VOXEL_RANK_BITS) - 1)

// Points of lanes: their voxel along each axis, and their rank by the distance to its middle.
typedef struct pointVoxels {
    wkIntW cells[3];
    wkIntW ranks;
} pointVoxels;

// Integer part of a number within 2^30, rounded down.
WK_FORCE_FN wkFloatW roundDown(wkFloatW value)
{
    wkFloatW whole = wkToFloatI(wkTruncateF(value));
    return wkSubF(whole, wkKeepGreaterF(whole, value, wkSplatF(1.0f)));
}

WK_FORCE_FN pointVoxels findLanes(const wkVoxelGrid* grid, const wkFloatW point[3])
{
    pointVoxels found;
    wkFloatW squares = wkSplatF(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        wkFloatW voxel = roundDown(wkMulF(point[axis], wkSplatF(grid->inverse)));
        wkFloatW middle = wkMulF(wkAddF(voxel, wkSplatF(0.5f)), wkSplatF(grid->size));
        wkFloatW from = wkSubF(point[axis], middle);
        // a difference of floats would be rounded, past the last voxel of the grid or into another one
        found.cells[axis] = wkSubI(wkTruncateF(voxel), wkSplatI(grid->lowest[axis]));
        squares = wkAddF(squares, wkMulF(from, from));
    }
    wkFloatW ranks = wkMulF(squares, wkSplatF(grid->rankScale));
    found.ranks = wkTruncateF(wkMinF(ranks, wkSplatF((float)MAX_RANK)));
    return found;
}

static void findVoxels(const wkVoxelGrid* grid, const float* x, const float* y, const float* z,
                       uint64_t* keys, uint32_t* ranks)
{
    _Alignas(64) int32_t cells[3][WK_VOXEL_BLOCK], found[WK_VOXEL_BLOCK];
    for (int i = 0; i < WK_VOXEL_BLOCK; i += WK_FLOAT_LANES) {
        const wkFloatW point[3] = {wkLoadAnyF(x + i), wkLoadAnyF(y + i), wkLoadAnyF(z + i)};
        pointVoxels voxels = findLanes(grid, point);
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

// Points on their way into the table.
typedef struct tablePoints {
    _Alignas(64) int32_t blocks[WK_FILTER_BLOCK];
    _Alignas(64) int32_t slots[WK_FILTER_BLOCK];   // in the block
    _Alignas(64) int32_t entries[WK_FILTER_BLOCK]; // rank above the index
    const char* positions;                         // three floats each, and any four bytes
    int64_t stride;                                // of positions
    int32_t count;
} tablePoints;

// @param first index of the first point
WK_FORCE_FN void findBlocks(const wkVoxelGrid* grid, const wkFilterBlock* block, int32_t first,
                            int indexBits, tablePoints* points)
{
    _Alignas(64) int32_t ascending[WK_FLOAT_LANES];
    for (int lane = 0; lane < WK_FLOAT_LANES; ++lane) {
        ascending[lane] = lane;
    }
    wkIntW three = wkSplatI(3), rows = wkSplatI((int32_t)grid->blocks[1]);
    wkIntW columns = wkSplatI((int32_t)grid->blocks[0]);
    for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
        const wkFloatW point[3] = {wkLoadF(block->x + i), wkLoadF(block->y + i),
                                   wkLoadF(block->z + i)};
        pointVoxels voxels = findLanes(grid, point);
        wkIntW a = voxels.cells[0], b = voxels.cells[1], c = voxels.cells[2];
        wkIntW row = wkAddI(wkMulI(wkShiftRightI(c, 2), rows), wkShiftRightI(b, 2));
        wkIntW slot = wkOrI(wkShiftLeftI(wkAndI(c, three), 4), wkShiftLeftI(wkAndI(b, three), 2));
        wkIntW index = wkAddI(wkLoadI(ascending), wkSplatI(first + i));
        wkStoreI(points->blocks + i, wkAddI(wkMulI(row, columns), wkShiftRightI(a, 2)));
        wkStoreI(points->slots + i, wkOrI(slot, wkAndI(a, three)));
        wkStoreI(points->entries + i, wkOrI(wkShiftLeftI(voxels.ranks, indexBits), index));
    }
}

static void writeQuads(const wkFilterBlock* block, wkQuad quads[WK_FILTER_BLOCK])
{
    for (int i = 0; i < WK_FILTER_BLOCK; ++i) {
        quads[i] = wkMakeQuad(block->x[i], block->y[i], block->z[i], 1.0f);
    }
}

// A position, and one: what a point adds to the sum of its voxel.
WK_FORCE_FN void readPosition(const tablePoints* points, int32_t i, wkQuadDouble* position)
{
    const wkQuadInt first = {-1, -1, -1, 0}, one = {0, 0, 0, 0x3f800000};
    wkQuadInt quad;
    memcpy(&quad, points->positions + i * points->stride, sizeof quad);
    *position = __builtin_convertvector((wkQuad)((quad & first) | one), wkQuadDouble);
}

// The slots of a block, empty.
WK_FORCE_FN void clearSlots(uint32_t* slots)
{
    for (int i = 0; i < WK_BLOCK_SLOTS; i += WK_FLOAT_LANES) {
        wkStoreI((int32_t*)slots + i, wkSplatI((int32_t)WK_NO_VOXEL));
    }
}

// Blocks and voxels are numbered in their order in memory, so that it is known what the next ones need.
#define BLOCKS_AHEAD 4
#define VOXELS_AHEAD 32

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

// Adds a point to its voxel, where new voxels are rare, or all are: the processor foresees a branch.
WK_FORCE_FN void addForeseen(const wkVoxelTable* table, uint32_t* slot, uint32_t entry,
                             tableCounts* counts, const wkQuadDouble* position)
{
    uint32_t voxel = *slot;
    if (voxel == WK_NO_VOXEL) {
        voxel = counts->voxels++;
        *slot = voxel;
        table->least[voxel] = entry;
        if (position != NULL) {
            table->sums[voxel] = *position;
        }
    } else {
        uint32_t least = table->least[voxel];
        table->least[voxel] = entry < least ? entry : least;
        if (position != NULL) {
            table->sums[voxel] += *position;
        }
    }
}

// The same without a branch; what a new voxel finds in memory is masked. Slots are always written, so that the next
// point of a voxel waits for it.
WK_FORCE_FN void addUnforeseen(const wkVoxelTable* table, uint32_t* slot, uint32_t entry,
                               tableCounts* counts, const wkQuadDouble* position)
{
    uint32_t voxel = *slot, isNew = 0u - (uint32_t)(voxel == WK_NO_VOXEL); // all bits, or none
    voxel ^= (voxel ^ counts->voxels) & isNew;
    counts->voxels -= isNew;
    *slot = voxel;
    uint32_t least = table->least[voxel] | isNew;
    table->least[voxel] = entry < least ? entry : least;
    if (position != NULL) {
        wkQuadLong sum = (wkQuadLong)table->sums[voxel] & (int64_t)(int32_t)~isNew;
        table->sums[voxel] = (wkQuadDouble)sum + *position;
    }
}

// Adds a point to its voxel, which gets a number when its first point appears.
// @return false: the table is full
WK_FORCE_FN bool addPoint(const wkVoxelTable* table, const tablePoints* points, int32_t i,
                          bool hasCentroids, bool isForeseen, tableCounts* counts)
{
    uint32_t block = findBlock(table, points->blocks[i], counts);
    if (block == WK_NO_BLOCK) {
        return false;
    }
    uint32_t* slot = &table->slots[block + (uint32_t)points->slots[i]];
    wkQuadDouble position = {0.0, 0.0, 0.0, 0.0};
    if (hasCentroids) {
        readPosition(points, i, &position);
        __builtin_prefetch(table->sums + counts->voxels + VOXELS_AHEAD, 1);
    }
    if (isForeseen) {
        addForeseen(table, slot, (uint32_t)points->entries[i], counts,
                    hasCentroids ? &position : NULL);
    } else {
        addUnforeseen(table, slot, (uint32_t)points->entries[i], counts,
                      hasCentroids ? &position : NULL);
    }
    return true;
}

// Adds points to their voxels. Neighbours are mostly in the same voxel, and each would wait for what the one before has
// written: a point of each half is taken in turn.
// @return false: the table is full
WK_FORCE_FN bool addPoints(const wkVoxelTable* given, const tablePoints* points, bool hasCentroids,
                           bool isForeseen, tableCounts* counts)
{
    // copies stay in registers: the arrays might overlap the originals
    const wkVoxelTable table = *given;
    tableCounts now = *counts;
    bool fits = true;
    int32_t half = points->count / 2;
    for (int32_t i = 0; i < half && fits; ++i) {
        fits = addPoint(&table, points, i, hasCentroids, isForeseen, &now) &&
               addPoint(&table, points, half + i, hasCentroids, isForeseen, &now);
    }
    if (points->count % 2 != 0 && fits) {
        fits = addPoint(&table, points, points->count - 1, hasCentroids, isForeseen, &now);
    }
    *counts = now;
    return fits;
}

// New voxels of a block of points up to which they are rare, and from which on nearly all are new.
#define FEW_VOXELS 16
#define MOST_VOXELS 48

WK_FORCE_FN bool fill(const wkFilterRun* run, const wkVoxelGrid* grid, bool hasCentroids,
                      wkVoxelTable* table)
{
    tableCounts counts = {0, 0};
    uint32_t newCount = 0; // of the points before
    for (int32_t first = 0; first < run->count; first += WK_FILTER_BLOCK) {
        int32_t left = run->count - first;
        wkFilterBlock block;
        wkQuad quads[WK_FILTER_BLOCK];
        tablePoints points;
        points.count = left < WK_FILTER_BLOCK ? left : WK_FILTER_BLOCK;
        wkReadFilterBlock(run, first, points.count, &block);
        findBlocks(grid, &block, first, table->indexBits, &points);
        if (hasCentroids && wkIsContiguousBlock(run, first, points.count)) {
            points.stride = run->layout.stride;
            points.positions = run->layout.data + first * points.stride + run->layout.offsets[0];
        } else if (hasCentroids) {
            writeQuads(&block, quads);
            points.stride = sizeof(wkQuad);
            points.positions = (const char*)quads;
        }
        uint32_t voxelCount = counts.voxels;
        bool isForeseen = newCount <= FEW_VOXELS || newCount >= MOST_VOXELS;
        bool fits = isForeseen ? addPoints(table, &points, hasCentroids, true, &counts)
                               : addPoints(table, &points, hasCentroids, false, &counts);
        if (!fits) {
            return false;
        }
        newCount = counts.voxels - voxelCount;
    }
    table->voxelCount = counts.voxels;
    return true;
}

static bool fillTable(const wkFilterRun* run, const wkVoxelGrid* grid, bool hasCentroids,
                      wkVoxelTable* table)
{
    return hasCentroids ? fill(run, grid, true, table) : fill(run, grid, false, table);
}

extern const wkVoxelLanes WK_KERNEL(wkVoxelLanes);
const wkVoxelLanes WK_KERNEL(wkVoxelLanes) = {findVoxels, fillTable};
