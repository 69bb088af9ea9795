// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The hashed grid as a broad phase.

#include "base/error.h"
#include "base/memory.h"
#include "scene/broad.h"
#include "scene/broad_pairs.h"
#include "scene/hash_grid.h"

#include <string.h>

// Cells of one level whose boxes may overlap a box.
typedef struct cellRange {
    int32_t lower[3];
    int32_t upper[3];
    double cellCount;
} cellRange;

static wkResult createGrid(void** broad)
{
    wkHashGrid* grid = (wkHashGrid*)wkAlloc(sizeof *grid);
    if (grid == NULL) {
        return wkFail(wk_errorMemory, "scene: no memory");
    }
    memset(grid, 0, sizeof *grid);
    *broad = grid;
    return wk_ok;
}

static void destroyGrid(void* broad)
{
    wkHashGrid* grid = (wkHashGrid*)broad;
    if (grid != NULL) {
        wkHashGrid_Free(grid);
        wkFree(grid, sizeof *grid);
    }
}

static wkResult copyGrid(const void* from, void* into)
{
    wkHashGrid_Copy((const wkHashGrid*)from, (wkHashGrid*)into);
    return wk_ok;
}

static wkResult reserveGrid(void* broad, int32_t capacity)
{
    return wkHashGrid_Reserve((wkHashGrid*)broad, capacity);
}

static void setGrid(void* broad, const wkDynLeaf* items, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        wkHashGrid_Set((wkHashGrid*)broad, &items[i]);
    }
}

static void removeGrid(void* broad, int32_t name)
{
    wkHashGrid_Remove((wkHashGrid*)broad, name);
}

static size_t gridByteCount(const void* broad)
{
    return sizeof(wkHashGrid) + wkHashGrid_ByteCount((const wkHashGrid*)broad);
}

// Boxes of a level that overlap a box start in the cells of the box or just before them.
static cellRange rangeOf(const wkFloatBox* box, int level)
{
    cellRange range;
    double scale = wkGridScale(level);
    range.cellCount = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        double lower = floor((double)box->lower[axis] * scale) - 1.0;
        double upper = floor((double)box->upper[axis] * scale);
        range.lower[axis] = (int32_t)wkClamp(lower, -WK_GRID_CELL_LIMIT, WK_GRID_CELL_LIMIT);
        range.upper[axis] = (int32_t)wkClamp(upper, -WK_GRID_CELL_LIMIT, WK_GRID_CELL_LIMIT);
        range.cellCount *= wkMaxD(upper - lower + 1.0, 0.0);
    }
    return range;
}

static bool visitCell(const wkHashGrid* grid, wkGridCell cell, const wkFloatBox* box,
                      wkDynVisitFcn* fcn, void* context)
{
    for (int32_t name = grid->chains[wkHashGrid_ChainOf(grid, cell)]; name != WK_GRID_NO_ITEM;
         name = grid->items[name].next) {
        const wkGridItem* item = &grid->items[name];
        if (wkDoFloatBoxesMeet(&item->box, box) && wkIsSameGridCell(item->cell, cell) &&
            !fcn(name, context)) {
            return false;
        }
    }
    return true;
}

static bool visitRange(const wkHashGrid* grid, int level, const wkFloatBox* box, wkDynVisitFcn* fcn,
                       void* context)
{
    cellRange range = rangeOf(box, level);
    for (int32_t x = range.lower[0]; x <= range.upper[0]; ++x) {
        for (int32_t y = range.lower[1]; y <= range.upper[1]; ++y) {
            for (int32_t z = range.lower[2]; z <= range.upper[2]; ++z) {
                wkGridCell cell = {x, y, z, level};
                if (!visitCell(grid, cell, box, fcn, context)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Tests every box: for query boxes that cover more cells than there are boxes.
static bool visitAll(const wkHashGrid* grid, const wkFloatBox* box, wkDynVisitFcn* fcn,
                     void* context)
{
    for (int32_t name = 0; name < grid->nameEnd; ++name) {
        const wkGridItem* item = &grid->items[name];
        if (item->chain != WK_GRID_NO_CHAIN && wkDoFloatBoxesMeet(&item->box, box) &&
            !fcn(name, context)) {
            return false;
        }
    }
    return true;
}

static const wkGridCell endless = {0, 0, 0, WK_GRID_HIGHEST_LEVEL + 1};

static bool visitBoxGrid(const void* broad, const wkFloatBox* box, wkDynVisitFcn* fcn,
                         void* context)
{
    const wkHashGrid* grid = (const wkHashGrid*)broad;
    double cellCount = 0.0;
    for (int32_t i = 0; i < grid->levelCount; ++i) {
        cellCount += rangeOf(box, grid->levels[i]).cellCount;
    }
    if (!(cellCount < (double)grid->count)) {
        return visitAll(grid, box, fcn, context);
    }
    for (int32_t i = 0; i < grid->levelCount; ++i) {
        if (!visitRange(grid, grid->levels[i], box, fcn, context)) {
            return false;
        }
    }
    return visitCell(grid, endless, box, fcn, context);
}

// Each box searches its own level and the levels of larger cells. Cells are ordered: a box is paired with
// earlier boxes of its own cell and with all boxes of later cells.
static bool visitOwnLevel(const wkHashGrid* grid, const wkGridItem* item, wkPairVisit* visit)
{
    cellRange range = rangeOf(&item->box, item->cell.level);
    for (int32_t x = item->cell.x; x <= range.upper[0]; ++x) {
        bool isNext = x > item->cell.x;
        for (int32_t y = isNext ? range.lower[1] : item->cell.y; y <= range.upper[1]; ++y) {
            bool isAfter = isNext || y > item->cell.y;
            for (int32_t z = isAfter ? range.lower[2] : item->cell.z; z <= range.upper[2]; ++z) {
                wkGridCell cell = {x, y, z, item->cell.level};
                wkDynVisitFcn* report =
                    wkIsSameGridCell(cell, item->cell) ? wkReportEarlier : wkReportPair;
                if (!visitCell(grid, cell, &item->box, report, visit)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool visitPairsOfItem(const wkHashGrid* grid, wkPairVisit* visit)
{
    const wkGridItem* item = &grid->items[visit->source];
    if (item->cell.level > WK_GRID_HIGHEST_LEVEL) {
        return visitCell(grid, endless, &item->box, wkReportEarlier, visit);
    }
    if (!visitOwnLevel(grid, item, visit)) {
        return false;
    }
    for (int32_t i = 0; i < grid->levelCount; ++i) {
        if (grid->levels[i] > item->cell.level &&
            !visitRange(grid, grid->levels[i], &item->box, wkReportPair, visit)) {
            return false;
        }
    }
    return visitCell(grid, endless, &item->box, wkReportPair, visit);
}

static bool visitPairsGrid(const void* broad, wkDynPairFcn* fcn, void* context)
{
    const wkHashGrid* grid = (const wkHashGrid*)broad;
    for (int32_t name = 0; name < grid->nameEnd; ++name) {
        wkPairVisit visit = {fcn, context, name};
        if (grid->items[name].chain != WK_GRID_NO_CHAIN && !visitPairsOfItem(grid, &visit)) {
            return false;
        }
    }
    return true;
}

const wkBroadRow wkBroadGridRow = {
    .name = "grid",
    .create = createGrid,
    .destroy = destroyGrid,
    .reserve = reserveGrid,
    .copy = copyGrid,
    .set = setGrid,
    .remove = removeGrid,
    .byteCount = gridByteCount,
    .visitBox = visitBoxGrid,
    .visitPairs = visitPairsGrid,
};
