// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Voxels of points: every step is the same for all of them, so that the compiler makes SIMD code of the loops.
// Compiled once per instruction set.

#include "sense/filter/voxel_kernel.h"

#include "base/compiler.h"
#include "simd/simd.h"

#define MAX_RANK ((1 << WK_VOXEL_RANK_BITS) - 1)

// Integer part of a number within 2^30, rounded down.
WK_FORCE_FN float roundDown(float value)
{
    float whole = (float)(int32_t)value;
    return whole - (whole > value ? 1.0f : 0.0f);
}

// Adds the number of voxels along an axis, and the squared distance to the middle.
WK_FORCE_FN void addAxis(const wkVoxelGrid* grid, int axis, const float* coordinates,
                         uint32_t cells[WK_VOXEL_BLOCK], float squares[WK_VOXEL_BLOCK])
{
    float inverse = grid->inverse, size = grid->size, lowest = grid->lowest[axis];
    for (int i = 0; i < WK_VOXEL_BLOCK; ++i) {
        float voxel = roundDown(coordinates[i] * inverse);
        float from = coordinates[i] - (voxel + 0.5f) * size;
        cells[i] = (uint32_t)(int32_t)(voxel - lowest);
        squares[i] += from * from;
    }
}

WK_FORCE_FN void writeRanks(const wkVoxelGrid* grid, const float squares[WK_VOXEL_BLOCK],
                            uint32_t* ranks)
{
    float scale = grid->rankScale;
    for (int i = 0; i < WK_VOXEL_BLOCK; ++i) {
        float rank = squares[i] * scale;
        ranks[i] = (uint32_t)(int32_t)(rank < (float)MAX_RANK ? rank : (float)MAX_RANK);
    }
}

static void findBlocks(const wkVoxelGrid* grid, const float* x, const float* y, const float* z,
                       uint32_t* blocks, uint32_t* voxels, uint32_t* ranks)
{
    uint32_t cells[3][WK_VOXEL_BLOCK];
    float squares[WK_VOXEL_BLOCK] = {0.0f};
    addAxis(grid, 0, x, cells[0], squares);
    addAxis(grid, 1, y, cells[1], squares);
    addAxis(grid, 2, z, cells[2], squares);
    writeRanks(grid, squares, ranks);
    uint32_t rows = grid->blocks[1], columns = grid->blocks[0];
    for (int i = 0; i < WK_VOXEL_BLOCK; ++i) {
        uint32_t a = cells[0][i], b = cells[1][i], c = cells[2][i];
        blocks[i] = ((c >> 2) * rows + (b >> 2)) * columns + (a >> 2);
        voxels[i] = (c & 3u) << 4 | (b & 3u) << 2 | (a & 3u);
    }
}

static void findVoxels(const wkVoxelGrid* grid, const float* x, const float* y, const float* z,
                       uint64_t* keys, uint32_t* ranks)
{
    uint32_t cells[3][WK_VOXEL_BLOCK];
    float squares[WK_VOXEL_BLOCK] = {0.0f};
    addAxis(grid, 0, x, cells[0], squares);
    addAxis(grid, 1, y, cells[1], squares);
    addAxis(grid, 2, z, cells[2], squares);
    writeRanks(grid, squares, ranks);
    for (int i = 0; i < WK_VOXEL_BLOCK; ++i) {
        keys[i] = (uint64_t)cells[0][i] << grid->shifts[0] |
                  (uint64_t)cells[1][i] << grid->shifts[1] |
                  (uint64_t)cells[2][i] << grid->shifts[2];
    }
}

extern const wkVoxelLanes WK_KERNEL(wkVoxelLanes);
const wkVoxelLanes WK_KERNEL(wkVoxelLanes) = {findVoxels, findBlocks};
