// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Voxels in a table of two levels, where they are not too far apart: blocks of 4 x 4 x 4 voxels in a dense directory,
// and 64 slots for each block that has points. Consecutive points of an image are in few blocks, so that most of what
// is needed is in the cache. Voxels are numbered as they appear, so that what is known of them is close together, too.

#include "sense/filter/voxel_kernel.h"
#include "simd/quad.h"

#define WK_BLOCK_SLOTS 64

// A block without points, a slot without a voxel.
#define WK_NO_BLOCK UINT32_MAX
#define WK_NO_VOXEL UINT32_MAX

typedef struct wkVoxelTable {
    uint32_t* directory; // first slot of each block
    uint64_t directoryCapacity;
    uint32_t* slots; // number of a voxel
    uint32_t blockCapacity;
    uint32_t voxelCount;
    int indexBits;   // of indices of points
    uint32_t* least; // of each voxel: rank by the distance to its middle, above the index
    // of each voxel: the sum of its points, and their number. Sums of floats would drift out of the voxel
    wkQuadDouble* sums;
} wkVoxelTable;

typedef struct wkVoxelTableOffsets {
    uint64_t directory, slots, least, sums;
} wkVoxelTableOffsets;

// Reserves the arrays of a table behind `byteCount` bytes of a block. They are there once the block is.
void wkReserveVoxelTable(int32_t pointCount, uint64_t* byteCount, wkVoxelTableOffsets* offsets);
void wkPlaceVoxelTable(char* memory, wkVoxelTableOffsets offsets, int32_t pointCount,
                       wkVoxelTable* table);

// Empties a table for points of a grid.
// @return false: the grid is too large
bool wkClearVoxelTable(wkVoxelTable* table, const wkVoxelGrid* grid, int indexBits);
