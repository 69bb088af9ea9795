// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Voxels in a table of two levels, where they are not too far apart: blocks of 4 x 4 x 4 voxels in a dense directory,
// and 64 slots for each block that has points. Consecutive points of an image are in few blocks, so that most of what
// is needed is in the cache. Voxels are numbered, so that what is known of them is close together, too.
//
// There are two ways to fill a table, which keep the same points: in one pass, which numbers all voxels as they appear
// (voxel_kernel.c), and in two passes, which number those that several points share (voxel_share_kernel.c). With voxels
// of 1 cm, four of five points of a depth image at 2 to 4 m are alone.

#include "sense/filter/voxel_kernel.h"
#include "simd/quad.h"

#define WK_BLOCK_SLOTS 64

// A block without points, a slot without a voxel.
#define WK_NO_BLOCK UINT32_MAX
#define WK_NO_VOXEL UINT32_MAX

// States of voxels are shifted right by each point: 2 is a voxel without points, 1 has one, 0 has several.
#define WK_VOXEL_EMPTY 2

typedef struct wkVoxelBlock {
    uint64_t shared; // slots of voxels that have several points
    uint32_t before; // number of the first of these voxels, less one
} wkVoxelBlock;

typedef struct wkVoxelTable {
    uint32_t* directory; // first slot of each block
    uint64_t directoryCapacity;
    uint32_t* slots;        // of one pass: number of a voxel
    uint8_t* states;        // of two passes, in the same memory
    uint32_t blockCapacity; // of slots. There are states for as many blocks as there are points
    wkVoxelBlock* blocks;   // of two passes
    uint32_t voxelCount;    // voxels that have a number
    int indexBits;          // of indices of points
    // of two passes, of each point: rank by the distance to the middle of its voxel, above its index
    uint32_t* entries;
    uint32_t* least; // of each voxel: the least entry
    // of each block of points: those whose voxels have sums. The others are alone in theirs
    uint64_t* sharing;
    uint32_t* voxels; // numbers of the voxels of these points, where they are kept
    double shift;     // rounds what is added up
    // of each voxel: the sum of its points, and their number. Sums of floats would drift out of the voxel
    wkQuadDouble* sums;
} wkVoxelTable;

typedef struct wkVoxelTableOffsets {
    uint64_t directory, slots, blocks, entries, least, voxels, sharing, sums;
} wkVoxelTableOffsets;

// Reserves the arrays of a table behind `byteCount` bytes of a block. They are there once the block is.
void wkReserveVoxelTable(int32_t pointCount, uint64_t* byteCount, wkVoxelTableOffsets* offsets);
void wkPlaceVoxelTable(char* memory, wkVoxelTableOffsets offsets, int32_t pointCount,
                       wkVoxelTable* table);

// Empties a table for points of a grid.
// @return false: the grid is too large
bool wkClearVoxelTable(wkVoxelTable* table, const wkVoxelGrid* grid, int indexBits);

// Notes that the voxels of all points have sums.
void wkSumAllVoxels(wkVoxelTable* table, int32_t pointCount);
