// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The effect of rays on the cells in a box, one byte per cell.
//
// Byte stores are independent of each other: a ray marks a cell by one store, several rays side by side,
// and threads share the grid without synchronization.

#include "base/cpu.h"
#include "tree/octree/octree_brick.h"
#include "tree/octree/octree_ray.h"

#include <stdatomic.h>

// Values of a byte: the highest one that happened to the cell.
enum {
    wk_gridNothing = 0,
    wk_gridCrossed = 1,
    wk_gridHit = 2,
    wk_gridEnd = 4, // a ray ends here; only until rays are traced
};

// Cells are numbered along x, then y, then z; the box consists of whole bricks.
typedef struct wkScanGrid {
    void* memory;        // of the cells
    atomic_uchar* cells; // a byte for each
    int32_t lower[3];    // lowest keys, may be below 0
    int32_t bricks[3];   // their number along each axis
    int32_t stride[3];   // from a cell to the next one along each axis
    size_t byteCount;
} wkScanGrid;

// Rays that are traced together, lane by lane. Positions are cells of the grid.
#define WK_GRID_RAYS_PER_PACK 8
typedef struct wkGridRayPack {
    _Alignas(64) double next[3][WK_GRID_RAYS_PER_PACK];
    _Alignas(64) double pace[3][WK_GRID_RAYS_PER_PACK];
    _Alignas(64) double stride[3][WK_GRID_RAYS_PER_PACK]; // negative for descending rays
    _Alignas(64) double length[WK_GRID_RAYS_PER_PACK];
    _Alignas(64) double end[WK_GRID_RAYS_PER_PACK];
    double start; // the same for all
    int count;
} wkGridRayPack;

// Marks the cells that all rays of a full pack cross.
typedef void wkTraceGridRaysFcn(const wkGridRayPack* pack, atomic_uchar* cells);
wkTraceGridRaysFcn* wkTraceGridRaysOf(wkIsa isa);
wkTraceGridRaysFcn* wkTraceGridRaysOfMachine(void);

// Makes an empty grid for all cells between two keys and those next to them.
// @return false when it would exceed `cellLimit` or when out of memory
bool wkMakeGrid(wkScanGrid* grid, const int32_t lowest[3], const int32_t highest[3],
                int64_t cellLimit);

void wkFreeGrid(wkScanGrid* grid);

WK_FN int32_t wkGridCell(const wkScanGrid* grid, const int32_t key[3])
{
    return (key[0] - grid->lower[0]) * grid->stride[0] +
           (key[1] - grid->lower[1]) * grid->stride[1] +
           (key[2] - grid->lower[2]) * grid->stride[2];
}

// Adds a ray to a pack and traces the pack when it is full.
void wkTraceInGrid(const wkScanGrid* grid, wkGridRayPack* pack, const wkGridRay* gridRay);

// Traces the remaining rays of a pack.
void wkFinishPack(const wkScanGrid* grid, wkGridRayPack* pack);

wkGridRayPack wkEmptyPack(const wkScanGrid* grid, const wkGridRaySource* source);

// Lists the names of all bricks of the grid that are in the map, in any order. `keys` has the capacity.
// @return their number
int32_t wkListGridBricks(const wkScanGrid* grid, wkSortKey* keys);

// Reads a brick by the value that it was listed with.
bool wkReadGridBrick(const void* grid, int64_t value, wkScanBrick* brick);
