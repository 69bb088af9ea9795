// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Keeps boxes in the chains of their cells.

#include "scene/hash_grid.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

void wkHashGrid_Free(wkHashGrid* grid)
{
    wkFree(grid->items, (size_t)grid->capacity * sizeof *grid->items);
    wkFree(grid->chains, ((size_t)grid->chainCount + 1) * sizeof *grid->chains);
}

// Smallest exponent whose power of two exceeds a number >= 0.
static int exponentAbove(double value)
{
    int exponent = 0;
    frexp(value, &exponent);
    return value > 0.0 ? exponent : WK_GRID_LOWEST_LEVEL;
}

static wkGridCell cellOf(const wkFloatBox* box)
{
    double size = 0.0, furthest = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double lower = (double)box->lower[axis], upper = (double)box->upper[axis];
        size = wkMaxD(size, upper - lower);
        furthest = wkMaxD(furthest, fabs(lower));
    }
    // covers the rounding of the difference
    int level = exponentAbove(size * (1.0 + 1e-12));
    int far = exponentAbove(furthest) - WK_GRID_CELL_BITS;
    level = far > level ? far : level;
    level = level > WK_GRID_LOWEST_LEVEL ? level : WK_GRID_LOWEST_LEVEL;
    if (!(size < INFINITY) || level > WK_GRID_HIGHEST_LEVEL) {
        wkGridCell everywhere = {0, 0, 0, WK_GRID_HIGHEST_LEVEL + 1};
        return everywhere;
    }
    double scale = wkGridScale(level);
    wkGridCell cell = {(int32_t)floor((double)box->lower[0] * scale),
                       (int32_t)floor((double)box->lower[1] * scale),
                       (int32_t)floor((double)box->lower[2] * scale), level};
    return cell;
}

static void countLevel(wkHashGrid* grid, int level, int32_t change)
{
    if (level > WK_GRID_HIGHEST_LEVEL) {
        return;
    }
    int32_t* count = &grid->levelCounts[level - WK_GRID_LOWEST_LEVEL];
    if (*count == 0) {
        grid->levels[grid->levelCount++] = level;
    }
    *count += change;
    if (*count == 0) {
        int32_t i = 0;
        while (grid->levels[i] != level) {
            ++i;
        }
        grid->levels[i] = grid->levels[--grid->levelCount];
    }
}

static void link(wkHashGrid* grid, int32_t name)
{
    wkGridItem* item = &grid->items[name];
    item->chain = wkHashGrid_ChainOf(grid, item->cell);
    int32_t first = grid->chains[item->chain];
    item->previous = WK_GRID_NO_ITEM;
    item->next = first;
    if (first != WK_GRID_NO_ITEM) {
        grid->items[first].previous = name;
    }
    grid->chains[item->chain] = name;
    countLevel(grid, item->cell.level, 1);
    ++grid->count;
}

static void unlinkItem(wkHashGrid* grid, int32_t name)
{
    wkGridItem* item = &grid->items[name];
    if (item->previous != WK_GRID_NO_ITEM) {
        grid->items[item->previous].next = item->next;
    } else {
        grid->chains[item->chain] = item->next;
    }
    if (item->next != WK_GRID_NO_ITEM) {
        grid->items[item->next].previous = item->previous;
    }
    item->chain = WK_GRID_NO_CHAIN;
    countLevel(grid, item->cell.level, -1);
    --grid->count;
}

static void clearGrid(wkHashGrid* grid)
{
    for (int32_t i = 0; i < grid->capacity; ++i) {
        grid->items[i].chain = WK_GRID_NO_CHAIN;
    }
    for (int32_t i = 0; i <= grid->chainCount && grid->chains != NULL; ++i) {
        grid->chains[i] = WK_GRID_NO_ITEM;
    }
    memset(grid->levelCounts, 0, sizeof grid->levelCounts);
    grid->levelCount = 0;
    grid->count = 0;
    grid->nameEnd = 0;
}

void wkHashGrid_Set(wkHashGrid* grid, const wkDynLeaf* leaf)
{
    wkGridItem* item = &grid->items[leaf->name];
    wkGridCell cell = cellOf(&leaf->box);
    item->box = leaf->box;
    if (item->chain != WK_GRID_NO_CHAIN && wkIsSameGridCell(item->cell, cell)) {
        return;
    }
    if (item->chain != WK_GRID_NO_CHAIN) {
        unlinkItem(grid, leaf->name);
    }
    item->cell = cell;
    link(grid, leaf->name);
    grid->nameEnd = leaf->name >= grid->nameEnd ? leaf->name + 1 : grid->nameEnd;
}

void wkHashGrid_Copy(const wkHashGrid* from, wkHashGrid* into)
{
    clearGrid(into);
    for (int32_t i = 0; i < from->nameEnd; ++i) {
        if (from->items[i].chain != WK_GRID_NO_CHAIN) {
            wkDynLeaf leaf = {from->items[i].box, i};
            wkHashGrid_Set(into, &leaf);
        }
    }
}

wkResult wkHashGrid_Reserve(wkHashGrid* grid, int32_t capacity)
{
    if (capacity <= grid->capacity) {
        return wk_ok;
    }
    wkHashGrid grown;
    memset(&grown, 0, sizeof grown);
    grown.capacity = capacity;
    grown.chainCount = 64;
    while (grown.chainCount < capacity && grown.chainCount < (1 << 30)) {
        grown.chainCount *= 2;
    }
    grown.items = (wkGridItem*)wkAlloc((size_t)capacity * sizeof *grown.items);
    grown.chains = (int32_t*)wkAlloc(((size_t)grown.chainCount + 1) * sizeof *grown.chains);
    if (grown.items == NULL || grown.chains == NULL) {
        wkHashGrid_Free(&grown);
        return wkFail(wk_errorMemory, "scene: no memory for %d objects", (int)capacity);
    }
    wkHashGrid_Copy(grid, &grown);
    wkHashGrid_Free(grid);
    *grid = grown;
    return wk_ok;
}

void wkHashGrid_Remove(wkHashGrid* grid, int32_t name)
{
    if (grid->items[name].chain != WK_GRID_NO_CHAIN) {
        unlinkItem(grid, name);
    }
}
