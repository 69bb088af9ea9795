// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A box of cells as bytes: creates it, traces rays in it, reads it brick by brick.

#include "tree/octree/octree_grid.h"

#include "base/isa_table.h"
#include "base/memory.h"

#include <string.h>

WK_DEFINE_LANES(wkTraceGridRaysFcn, wkTraceGridRays)

bool wkMakeGrid(wkScanGrid* grid, const int32_t lowest[3], const int32_t highest[3],
                int64_t cellLimit)
{
    // rounding leads a ray at most one cell beyond its start and end
    int64_t cellCount = 1;
    for (int axis = 0; axis < 3; ++axis) {
        int32_t first = (lowest[axis] - 1) >> WK_BRICK_BITS;
        int32_t last = (highest[axis] + 1) >> WK_BRICK_BITS;
        grid->lower[axis] = first * WK_BRICK_SIZE;
        grid->bricks[axis] = last - first + 1;
        grid->stride[axis] = (int32_t)cellCount;
        cellCount *= (int64_t)grid->bricks[axis] * WK_BRICK_SIZE;
        if (cellCount > cellLimit) {
            return false;
        }
    }
    grid->byteCount = (size_t)cellCount;
    grid->memory = wkAlloc(grid->byteCount);
    grid->cells = grid->memory;
    if (grid->memory == NULL) {
        return false;
    }
    memset(grid->memory, wk_gridNothing, grid->byteCount);
    return true;
}

void wkFreeGrid(wkScanGrid* grid)
{
    wkFree(grid->memory, grid->byteCount);
    grid->memory = NULL;
    grid->cells = NULL;
}

wkGridRayPack wkEmptyPack(const wkScanGrid* grid, const wkGridRaySource* source)
{
    wkGridRayPack pack = {.start = wkGridCell(grid, source->originKey)};
    return pack;
}

static void tracePack(const wkScanGrid* grid, wkGridRayPack* pack)
{
    wkTraceGridRaysOfMachine()(pack, grid->cells);
    pack->count = 0;
}

void wkTraceInGrid(const wkScanGrid* grid, wkGridRayPack* pack, const wkGridRay* gridRay)
{
    int lane = pack->count++;
    for (int axis = 0; axis < 3; ++axis) {
        pack->next[axis][lane] = gridRay->next[axis];
        pack->pace[axis][lane] = gridRay->pace[axis];
        pack->stride[axis][lane] = gridRay->step[axis] * grid->stride[axis];
    }
    pack->length[lane] = gridRay->length;
    pack->end[lane] = wkGridCell(grid, gridRay->end);
    if (pack->count == WK_GRID_RAYS_PER_PACK) {
        tracePack(grid, pack);
    }
}

void wkFinishPack(const wkScanGrid* grid, wkGridRayPack* pack)
{
    if (pack->count == 0) {
        return;
    }
    // unused lanes end before they start
    for (int lane = pack->count; lane < WK_GRID_RAYS_PER_PACK; ++lane) {
        for (int axis = 0; axis < 3; ++axis) {
            pack->next[axis][lane] = 0.0;
            pack->pace[axis][lane] = 0.0;
            pack->stride[axis][lane] = 0.0;
        }
        pack->length[lane] = -INFINITY;
        pack->end[lane] = -1.0;
    }
    tracePack(grid, pack);
}

int32_t wkListGridBricks(const wkScanGrid* grid, wkSortKey* keys)
{
    const int32_t brickEnd = WK_KEY_COUNT / WK_BRICK_SIZE;
    int32_t count = 0, first[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; ++axis) {
        first[axis] = grid->lower[axis] / WK_BRICK_SIZE;
    }
    for (int32_t z = 0; z < grid->bricks[2]; ++z) {
        for (int32_t y = 0; y < grid->bricks[1]; ++y) {
            for (int32_t x = 0; x < grid->bricks[0]; ++x) {
                int32_t cell[3] = {first[0] + x, first[1] + y, first[2] + z};
                // cells that rounding led beyond the keys are not in the map
                if (cell[0] < 0 || cell[1] < 0 || cell[2] < 0 || cell[0] >= brickEnd ||
                    cell[1] >= brickEnd || cell[2] >= brickEnd) {
                    continue;
                }
                wkCellKey key = {(uint16_t)cell[0], (uint16_t)cell[1], (uint16_t)cell[2]};
                keys[count].key = wkMortonOfKey(key);
                keys[count].value =
                    (int64_t)WK_BRICK_SIZE * (x * grid->stride[0] + (int64_t)y * grid->stride[1] +
                                              (int64_t)z * grid->stride[2]);
                ++count;
            }
        }
    }
    return count;
}

static uint64_t loadCells(const unsigned char* cells)
{
    uint64_t eight = 0;
    memcpy(&eight, cells, sizeof eight);
    return eight;
}

// Bits of one kind of four rows of leaves side by side along x, from bytes that hold two bits for each of
// their four pairs of cells: cells with odd x go between those with even x, then the rows are packed,
// two in each half.
static uint64_t gatherRows(uint64_t pairs)
{
    uint64_t bits = pairs & 0x5555555555555555u;
    bits = (bits | bits >> 7) & 0x00ff00ff00ff00ffu;
    return bits | bits >> 8;
}

bool wkReadGridBrick(const void* source, int64_t value, wkScanBrick* brick)
{
    const wkScanGrid* grid = (const wkScanGrid*)source;
    const unsigned char* cells = (const unsigned char*)grid->memory + value;
    int64_t alongY = grid->stride[1], alongZ = grid->stride[2];
    uint64_t pairs[16], any = 0;
    for (int i = 0; i < 16; ++i) {
        const unsigned char* row = cells + 2 * (i % 4) * alongY + 2 * (i / 4) * alongZ;
        pairs[i] = loadCells(row) | loadCells(row + alongY) << 2 | loadCells(row + alongZ) << 4 |
                   loadCells(row + alongY + alongZ) << 6;
        any |= pairs[i];
    }
    if (any == 0) {
        return false;
    }
    memset(brick, 0, sizeof *brick);
    for (int i = 0; i < 16; ++i) {
        uint64_t crossed = gatherRows(pairs[i]), hit = gatherRows(pairs[i] >> 1);

        // two rows of leaves each, in the words for the halves of the brick along x
        int y = i % 4, z = i / 4;
        int word = (y >> 1) * 2 + (z >> 1) * 4;
        int shift = 16 * ((y & 1) + 2 * (z & 1));
        brick->crossed[word] |= (crossed & 0xffff) << shift;
        brick->crossed[word + 1] |= (crossed >> 32 & 0xffff) << shift;
        brick->hit[word] |= (hit & 0xffff) << shift;
        brick->hit[word + 1] |= (hit >> 32 & 0xffff) << shift;
    }
    return true;
}
