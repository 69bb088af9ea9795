// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Blocks of points on their way into a table of voxels, for kernels.

#include "sense/filter/voxel_table.h"

#include "sense/filter/filter_block.h"
#include "simd/simd_int.h"

// Points of lanes: their voxel along each axis, and their rank by the distance to its middle.
typedef struct wkPointVoxels {
    wkIntW cells[3];
    wkIntW ranks;
} wkPointVoxels;

// Integer part of a number within 2^30, rounded down.
WK_FORCE_FN wkFloatW wkRoundVoxelDown(wkFloatW value)
{
    wkFloatW whole = wkToFloatI(wkTruncateF(value));
    return wkSubF(whole, wkKeepGreaterF(whole, value, wkSplatF(1.0f)));
}

WK_FORCE_FN wkPointVoxels wkFindVoxelLanes(const wkVoxelGrid* grid, const wkFloatW point[3])
{
    wkPointVoxels found;
    wkFloatW squares = wkSplatF(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        wkFloatW voxel = wkRoundVoxelDown(wkMulF(point[axis], wkSplatF(grid->inverse)));
        wkFloatW middle = wkMulF(wkAddF(voxel, wkSplatF(0.5f)), wkSplatF(grid->size));
        wkFloatW from = wkSubF(point[axis], middle);
        // a difference of floats would be rounded, past the last voxel of the grid or into another one
        found.cells[axis] = wkSubI(wkTruncateF(voxel), wkSplatI(grid->lowest[axis]));
        squares = wkAddF(squares, wkMulF(from, from));
    }
    wkFloatW ranks = wkMulF(squares, wkSplatF(grid->rankScale));
    found.ranks = wkTruncateF(wkMinF(ranks, wkSplatF((float)WK_MAX_VOXEL_RANK)));
    return found;
}

// A block of points.
typedef struct wkTablePoints {
    _Alignas(64) int32_t blocks[WK_FILTER_BLOCK];  // their places in the directory
    _Alignas(64) int32_t slots[WK_FILTER_BLOCK];   // in the block
    _Alignas(64) int32_t entries[WK_FILTER_BLOCK]; // rank above the index
    int32_t count;
} wkTablePoints;

WK_FORCE_FN void wkFindBlocks(const wkVoxelGrid* grid, const wkFilterBlock* block, int32_t first,
                              int indexBits, wkTablePoints* points)
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
        wkPointVoxels voxels = wkFindVoxelLanes(grid, point);
        wkIntW a = voxels.cells[0], b = voxels.cells[1], c = voxels.cells[2];
        wkIntW row = wkAddI(wkMulI(wkShiftRightI(c, 2), rows), wkShiftRightI(b, 2));
        wkIntW slot = wkOrI(wkShiftLeftI(wkAndI(c, three), 4), wkShiftLeftI(wkAndI(b, three), 2));
        wkIntW index = wkAddI(wkLoadI(ascending), wkSplatI(first + i));
        wkStoreI(points->blocks + i, wkAddI(wkMulI(row, columns), wkShiftRightI(a, 2)));
        wkStoreI(points->slots + i, wkOrI(slot, wkAndI(a, three)));
        wkStoreI(points->entries + i, wkOrI(wkShiftLeftI(voxels.ranks, indexBits), index));
    }
}

// Reads a block of points, from one on.
WK_FORCE_FN void wkReadTablePoints(const wkFilterRun* run, const wkVoxelGrid* grid, int32_t first,
                                   int indexBits, wkFilterBlock* block, wkTablePoints* points)
{
    int32_t left = run->count - first;
    points->count = left < WK_FILTER_BLOCK ? left : WK_FILTER_BLOCK;
    wkReadFilterBlock(run, first, points->count, block);
    wkFindBlocks(grid, block, first, indexBits, points);
}

// Positions for sums: three floats each, and any four bytes.
typedef struct wkTablePositions {
    wkQuad quads[WK_FILTER_BLOCK]; // of points that lanes cannot load from the view
    const char* bytes;
    int64_t stride;
} wkTablePositions;

// @param read the points, if they have been read
WK_FORCE_FN void wkFindPositions(const wkFilterRun* run, int32_t first, int32_t count,
                                 const wkFilterBlock* read, wkTablePositions* positions)
{
    if (wkIsContiguousBlock(run, first, count)) {
        positions->stride = run->layout.stride;
        positions->bytes = run->layout.data + first * positions->stride + run->layout.offsets[0];
        return;
    }
    wkFilterBlock block;
    if (read == NULL) {
        wkReadFilterBlock(run, first, count, &block);
        read = &block;
    }
    for (int i = 0; i < WK_FILTER_BLOCK; ++i) {
        positions->quads[i] = wkMakeQuad(read->x[i], read->y[i], read->z[i], 1.0f);
    }
    positions->stride = sizeof(wkQuad);
    positions->bytes = (const char*)positions->quads;
}

// A position, rounded, and one: what a point adds to the sum of its voxel.
WK_FORCE_FN void wkReadPosition(const wkTablePositions* positions, int32_t i, double shift,
                                wkQuadDouble* position)
{
    const wkQuadInt first = {-1, -1, -1, 0}, one = {0, 0, 0, 0x3f800000};
    const wkQuadDouble shifts = {shift, shift, shift, 0.0};
    wkQuadInt quad;
    wkQuadDouble wide;
    memcpy(&quad, positions->bytes + i * positions->stride, sizeof quad);
    wkWidenQuad((wkQuad)((quad & first) | one), &wide);
    *position = (wide + shifts) - shifts;
}
