// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Voxels in a table of two levels, where they are not too many: blocks of 4 x 4 x 4 voxels in a dense directory, and
// 64 voxels for each block that has points. Consecutive points of an image are in few blocks, so that most of what is
// needed is in the cache. A voxel holds the least of its points: rank by the distance to the middle, above the index.

#include "base/block.h"
#include "sense/filter/point_set.h"
#include "sense/filter/voxel_kernel.h"

#include <string.h>

#define BLOCK_VOXELS 64

#define NO_BLOCK UINT32_MAX
#define NO_POINT UINT32_MAX

// Entries of the directory for each point, and points for each block.
#define DIRECTORY_SHARE 8
#define BLOCK_SHARE 3

// A few more for small sets.
#define LEAST_CAPACITY 1024

static uint64_t directoryCapacity(int32_t pointCount)
{
    return (uint64_t)pointCount * DIRECTORY_SHARE + LEAST_CAPACITY;
}

static uint64_t blockCapacity(int32_t pointCount)
{
    return (uint64_t)pointCount / BLOCK_SHARE + LEAST_CAPACITY / BLOCK_VOXELS;
}

void wkReserveVoxelTable(int32_t pointCount, uint64_t* byteCount, wkVoxelTableOffsets* offsets)
{
    offsets->directory = wkReserve(byteCount, directoryCapacity(pointCount) * sizeof(uint32_t));
    offsets->voxels =
        wkReserve(byteCount, blockCapacity(pointCount) * BLOCK_VOXELS * sizeof(uint32_t));
    offsets->slots =
        wkReserve(byteCount, ((uint64_t)pointCount + WK_VOXEL_BLOCK) * sizeof(uint32_t));
}

void wkPlaceVoxelTable(char* memory, wkVoxelTableOffsets offsets, int32_t pointCount,
                       wkVoxelTable* table)
{
    table->directory = (uint32_t*)(memory + offsets.directory);
    table->voxels = (uint32_t*)(memory + offsets.voxels);
    table->slots = (uint32_t*)(memory + offsets.slots);
    table->directoryCapacity = directoryCapacity(pointCount);
    table->blockCapacity = (uint32_t)blockCapacity(pointCount);
}

// Slots of the voxels of a block of points; false: the table is full.
static bool placePoints(wkVoxelTable* table, const uint32_t* blocks, const uint32_t* voxels,
                        int32_t first, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        uint32_t* entry = &table->directory[blocks[i]];
        if (*entry == NO_BLOCK) {
            if (table->blockCount == table->blockCapacity) {
                return false;
            }
            *entry = table->blockCount++ * BLOCK_VOXELS;
            memset(table->voxels + *entry, 0xff, BLOCK_VOXELS * sizeof(uint32_t));
        }
        table->slots[first + i] = *entry + voxels[i];
    }
    return true;
}

bool wkFillVoxelTable(wkVoxelTable* table, const wkPointSet* set, const wkVoxelGrid* grid,
                      int indexBits)
{
    uint64_t directoryCount = (uint64_t)grid->blocks[0] * (uint64_t)grid->blocks[1];
    bool fits =
        grid->blocks[0] > 0 &&
        !__builtin_mul_overflow(directoryCount, (uint64_t)grid->blocks[2], &directoryCount) &&
        directoryCount <= table->directoryCapacity && indexBits + WK_VOXEL_RANK_BITS < 32;
    if (!fits) {
        return false;
    }
    const wkVoxelLanes* lanes = wkVoxelLanesOfMachine();
    memset(table->directory, 0xff, (size_t)directoryCount * sizeof(uint32_t));
    table->blockCount = 0;
    for (int32_t first = 0; first < set->count; first += WK_VOXEL_BLOCK) {
        uint32_t blocks[WK_VOXEL_BLOCK], voxels[WK_VOXEL_BLOCK], ranks[WK_VOXEL_BLOCK];
        int32_t left = set->count - first, count = left < WK_VOXEL_BLOCK ? left : WK_VOXEL_BLOCK;
        lanes->findBlocks(grid, set->x + first, set->y + first, set->z + first, blocks, voxels,
                          ranks);
        if (!placePoints(table, blocks, voxels, first, count)) {
            return false;
        }
        for (int32_t i = 0; i < count; ++i) {
            uint32_t* voxel = &table->voxels[table->slots[first + i]];
            uint32_t point = ranks[i] << indexBits | (uint32_t)(first + i);
            *voxel = point < *voxel ? point : *voxel;
        }
    }
    return true;
}

void wkKeepLeastOfVoxels(const wkVoxelTable* table, int indexBits, int32_t count,
                         uint8_t* isRemoved)
{
    uint32_t mask = (1u << indexBits) - 1u;
    for (int32_t i = 0; i < count; ++i) {
        isRemoved[i] = (table->voxels[table->slots[i]] & mask) != (uint32_t)i;
    }
}

void wkAddCentroids(const wkVoxelTable* table, const wkPointSet* set, int indexBits)
{
    uint32_t mask = (1u << indexBits) - 1u;
    // sums are at the point that is kept; `means` counts points
    memset(set->means, 0, (size_t)set->count * sizeof(float));
    memset(set->centroids, 0, 3 * (size_t)set->count * sizeof(float));
    for (int32_t i = 0; i < set->count; ++i) {
        uint32_t kept = table->voxels[table->slots[i]] & mask;
        float* sum = set->centroids + 3 * (size_t)kept;
        sum[0] += set->x[i];
        sum[1] += set->y[i];
        sum[2] += set->z[i];
        set->means[kept] += 1.0f;
    }
    for (int32_t i = 0; i < set->count; ++i) {
        float count = set->means[i] > 0.0f ? set->means[i] : 1.0f;
        float* sum = set->centroids + 3 * (size_t)i;
        sum[0] /= count;
        sum[1] /= count;
        sum[2] /= count;
    }
}
