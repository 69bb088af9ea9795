// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Memory of tables of voxels.

#include "sense/filter/voxel_table.h"

#include "base/block.h"

#include <string.h>

// Entries of the directory for each point.
#define DIRECTORY_SHARE 8

// Points for each block that has slots. Their memory is that of a state for each slot of a block for each point.
#define BLOCK_SHARE (sizeof(uint32_t) / sizeof(uint8_t))

// Points whose bits are in one number.
#define SHARING_BITS 64

// A few more for small sets.
#define LEAST_CAPACITY 1024

static uint64_t directoryCapacity(int32_t pointCount)
{
    return (uint64_t)pointCount * DIRECTORY_SHARE + LEAST_CAPACITY;
}

static uint64_t blockCapacity(int32_t pointCount)
{
    return (uint64_t)pointCount / BLOCK_SHARE + LEAST_CAPACITY / WK_BLOCK_SLOTS;
}

static uint64_t sharingCount(int32_t pointCount)
{
    return ((uint64_t)pointCount + SHARING_BITS - 1) / SHARING_BITS;
}

void wkReserveVoxelTable(int32_t pointCount, uint64_t* byteCount, wkVoxelTableOffsets* offsets)
{
    uint64_t count = (uint64_t)pointCount;
    offsets->directory = wkReserve(byteCount, directoryCapacity(pointCount) * sizeof(uint32_t));
    offsets->slots =
        wkReserve(byteCount, blockCapacity(pointCount) * WK_BLOCK_SLOTS * sizeof(uint32_t));
    offsets->blocks = wkReserve(byteCount, count * sizeof(wkVoxelBlock));
    offsets->entries =
        wkReserve(byteCount, sharingCount(pointCount) * SHARING_BITS * sizeof(uint32_t));
    offsets->least = wkReserve(byteCount, count * sizeof(uint32_t));
    offsets->voxels = wkReserve(byteCount, count * sizeof(uint32_t));
    offsets->sharing = wkReserve(byteCount, sharingCount(pointCount) * sizeof(uint64_t));
    offsets->sums = wkReserve(byteCount, count * sizeof(wkQuadDouble));
}

void wkPlaceVoxelTable(char* memory, wkVoxelTableOffsets offsets, int32_t pointCount,
                       wkVoxelTable* table)
{
    table->directory = (uint32_t*)(memory + offsets.directory);
    table->slots = (uint32_t*)(memory + offsets.slots);
    table->states = (uint8_t*)(memory + offsets.slots);
    table->blocks = (wkVoxelBlock*)(void*)(memory + offsets.blocks);
    table->entries = (uint32_t*)(memory + offsets.entries);
    table->least = (uint32_t*)(memory + offsets.least);
    table->voxels = (uint32_t*)(memory + offsets.voxels);
    table->sharing = (uint64_t*)(void*)(memory + offsets.sharing);
    table->sums = (wkQuadDouble*)(void*)(memory + offsets.sums);
    table->directoryCapacity = directoryCapacity(pointCount);
    table->blockCapacity = (uint32_t)blockCapacity(pointCount);
}

bool wkClearVoxelTable(wkVoxelTable* table, const wkVoxelGrid* grid, int indexBits)
{
    uint64_t count = (uint64_t)grid->blocks[0] * (uint64_t)grid->blocks[1];
    bool fits = grid->blocks[0] > 0 &&
                !__builtin_mul_overflow(count, (uint64_t)grid->blocks[2], &count) &&
                count <= table->directoryCapacity && count <= INT32_MAX && // numbers of blocks
                indexBits + WK_VOXEL_RANK_BITS < 32;
    if (fits) {
        memset(table->directory, 0xff, (size_t)count * sizeof(uint32_t));
        table->voxelCount = 0;
        table->indexBits = indexBits;
    }
    return fits;
}

void wkSumAllVoxels(wkVoxelTable* table, int32_t pointCount)
{
    memset(table->sharing, 0xff, (size_t)sharingCount(pointCount) * sizeof *table->sharing);
}
