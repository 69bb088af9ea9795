// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A hashed grid of boxes with one level per power of two. A box belongs to the level whose cells are just
// as large as it, and to the one cell of that level that contains its lowest vertex: it extends at
// most into the next cells, and the boxes that overlap it lie in the cells around it, on each level
// in use. Cells with equal hashes share a chain; each box stores its cell.

#include "tree/dynamic/dyn_tree.h"

// Cells have edges from 2^-100 to 2^100. Cell coordinates stay below 2^17: far from zero a box is kept
// in larger cells than its size needs.
#define WK_GRID_LOWEST_LEVEL (-100)
#define WK_GRID_HIGHEST_LEVEL 100
#define WK_GRID_LEVEL_COUNT (WK_GRID_HIGHEST_LEVEL - WK_GRID_LOWEST_LEVEL + 1)
#define WK_GRID_CELL_BITS 17
#define WK_GRID_CELL_LIMIT (1 << WK_GRID_CELL_BITS)

// Instead of a name: the end of a chain.
#define WK_GRID_NO_ITEM (-1)
// Instead of a chain index: not in the grid.
#define WK_GRID_NO_CHAIN (-1)

// The cell that stores a box.
typedef struct wkGridCell {
    int32_t x, y, z;
    int32_t
        level; // the edge is 2^level; above WK_GRID_HIGHEST_LEVEL: a box that is unbounded or nearly so
} wkGridCell;

typedef struct wkGridItem {
    wkFloatBox box;
    wkGridCell cell;
    int32_t chain; // or WK_GRID_NO_CHAIN
    int32_t previous;
    int32_t next;
} wkGridItem;

typedef struct wkHashGrid {
    wkGridItem* items; // by name
    int32_t* chains;   // first names; the last chain holds unbounded boxes
    int32_t capacity;
    int32_t chainCount; // a power of two, the last chain not counted
    int32_t count;
    int32_t nameEnd;                          // larger than every name
    int32_t levelCounts[WK_GRID_LEVEL_COUNT]; // boxes on each level
    int32_t levels[WK_GRID_LEVEL_COUNT];      // levels in use, in any order
    int32_t levelCount;
} wkHashGrid;

// An empty grid is all zero.
void wkHashGrid_Free(wkHashGrid* grid);
wkResult wkHashGrid_Reserve(wkHashGrid* grid, int32_t capacity);
void wkHashGrid_Copy(const wkHashGrid* from, wkHashGrid* into); // `into` has the capacity
void wkHashGrid_Set(wkHashGrid* grid, const wkDynLeaf* leaf);
void wkHashGrid_Remove(wkHashGrid* grid, int32_t name); // an unknown name is ignored

WK_FN size_t wkHashGrid_ByteCount(const wkHashGrid* grid)
{
    return (size_t)grid->capacity * sizeof *grid->items +
           ((size_t)grid->chainCount + 1) * sizeof *grid->chains;
}

// Number of cells along a metre.
WK_FN double wkGridScale(int level)
{
    return ldexp(1.0, -level);
}

WK_FN bool wkIsSameGridCell(wkGridCell a, wkGridCell b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.level == b.level;
}

// Hashes the coordinates; the multipliers are odd numbers without a pattern.
WK_FN int32_t wkHashGrid_ChainOf(const wkHashGrid* grid, wkGridCell cell)
{
    if (cell.level > WK_GRID_HIGHEST_LEVEL) {
        return grid->chainCount;
    }
    uint64_t h = (uint64_t)(uint32_t)cell.x * 0x9e3779b97f4a7c15u;
    h = (h ^ (uint32_t)cell.y) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 29) ^ (uint32_t)cell.z) * 0x94d049bb133111ebu;
    h = (h ^ (h >> 31) ^ (uint32_t)cell.level) * 0x9e3779b97f4a7c15u;
    return (int32_t)((h >> 32) & (uint64_t)(grid->chainCount - 1));
}
