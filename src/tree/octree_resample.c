// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The same map with cells of another size.

#include "base/error.h"
#include "math/vec.h"
#include "tree/octree.h"

#define MIDDLE (1 << (WK_OCTREE_DEPTH - 1))
#define KEY_COUNT (1 << WK_OCTREE_DEPTH)

static wkResult reportMemory(void)
{
    return wkFail(wk_errorMemory, "octree: no memory for a map with other cells");
}

static uint16_t coarseKey(uint16_t key, int levels)
{
    return (uint16_t)(((key - MIDDLE) >> levels) + MIDDLE);
}

// The root lies about the origin, so it is no cube of a coarser map; its children are.
static bool setCoarseRoot(wkOctree* coarse, int levels, float value)
{
    bool isDone = true;
    for (int i = 0; i < 8 && isDone; ++i) {
        wkCellKey key = wkKeyOfMorton((uint64_t)i << 3 * (WK_OCTREE_DEPTH - 1));
        key.x = coarseKey(key.x, levels);
        key.y = coarseKey(key.y, levels);
        key.z = coarseKey(key.z, levels);
        int depth = levels + 1 < WK_OCTREE_DEPTH ? levels + 1 : WK_OCTREE_DEPTH;
        isDone = wkOctreeSetCube(coarse, wkMortonOfKey(key), depth, value);
    }
    return isDone;
}

static bool setCoarse(wkOctree* coarse, int levels, const wkCell* cell)
{
    if (cell->depth == 0) {
        return setCoarseRoot(coarse, levels, cell->logOdds);
    }
    wkCellKey key = {coarseKey(cell->key.x, levels), coarseKey(cell->key.y, levels),
                     coarseKey(cell->key.z, levels)};
    int depth = cell->depth + levels < WK_OCTREE_DEPTH ? cell->depth + levels : WK_OCTREE_DEPTH;
    return wkOctreeSetCube(coarse, wkMortonOfKey(key), depth, cell->logOdds);
}

// An empty map with the same parameters and other cells.
static wkResult createLike(const wkOctree* octree, double resolution, wkOctree** result)
{
    wkOctreeDef def = octree->def;
    def.resolution = resolution;
    return wkOctree_Create(&def, result);
}

wkResult wkOctree_Coarsen(const wkOctree* octree, int32_t levels, wkOctree** result)
{
    if (octree == NULL || result == NULL) {
        return wkFail(wk_errorArgument, "octree: the map or the place for the coarse one is NULL");
    }
    *result = NULL;
    if (levels < 0 || levels > WK_OCTREE_DEPTH) {
        return wkFail(wk_errorRange, "octree: levels is %d, must be 0 to %d", (int)levels,
                      WK_OCTREE_DEPTH);
    }
    if (levels == 0) {
        return wkOctree_Copy(octree, result);
    }
    wkOctree* coarse = NULL;
    wkResult made = createLike(octree, octree->def.resolution * (1 << levels), &coarse);
    if (made != wk_ok) {
        return made;
    }
    wkCellFilter filter = wkDefaultCellFilter();
    filter.maxDepth = levels < WK_OCTREE_DEPTH ? WK_OCTREE_DEPTH - levels : 1;
    wkCellIterator iterator = wkOctree_Cells(octree, &filter);
    wkCell cell;
    while (wkCellIterator_Next(&iterator, &cell)) {
        if (!setCoarse(coarse, levels, &cell)) {
            wkOctree_Destroy(coarse);
            return reportMemory();
        }
    }
    *result = coarse;
    return wk_ok;
}

// New cells that old ones from `key` on overlap along an axis. `ratio`: new cells in an old one.
static bool overlappedAlongAxis(uint16_t key, int32_t edge, double ratio, uint16_t* lowest,
                                uint16_t* highest)
{
    int32_t start = key - MIDDLE;
    double first = floor(start * ratio + WK_LEAST_OVERLAP) + MIDDLE;
    double last = ceil((start + edge) * ratio - WK_LEAST_OVERLAP) - 1.0 + MIDDLE;
    last = wkMaxD(first, last);
    if (!(first >= 0.0 && last < KEY_COUNT)) {
        return false;
    }
    *lowest = (uint16_t)first;
    *highest = (uint16_t)last;
    return true;
}

static wkResult resampleCell(const wkCell* cell, double ratio, wkOctree* target)
{
    int32_t edge = 1 << (WK_OCTREE_DEPTH - cell->depth);
    wkCellKey lowest = {0, 0, 0}, highest = {0, 0, 0};
    bool isInside = overlappedAlongAxis(cell->key.x, edge, ratio, &lowest.x, &highest.x) &&
                    overlappedAlongAxis(cell->key.y, edge, ratio, &lowest.y, &highest.y) &&
                    overlappedAlongAxis(cell->key.z, edge, ratio, &lowest.z, &highest.z);
    if (!isInside) {
        return wkFail(
            wk_errorRange,
            "octree: resolution is %g, too fine for the cell at (%g, %g, %g): it would lie "
            "outside the %d cells along an axis",
            target->def.resolution, cell->center.x, cell->center.y, cell->center.z, KEY_COUNT);
    }
    bool isDone = wkOctreePaint(target, lowest, highest, cell->logOdds, true);
    return isDone ? wk_ok : reportMemory();
}

wkResult wkOctree_Resample(const wkOctree* octree, double resolution, wkOctree** result)
{
    if (octree == NULL || result == NULL) {
        return wkFail(wk_errorArgument, "octree: the map or the place for the new one is NULL");
    }
    *result = NULL;
    wkOctree* target = NULL;
    wkResult made = createLike(octree, resolution, &target);
    wkCellIterator iterator = wkOctree_Cells(octree, NULL);
    wkCell cell;
    while (made == wk_ok && wkCellIterator_Next(&iterator, &cell)) {
        made = resampleCell(&cell, octree->def.resolution / resolution, target);
    }
    if (made != wk_ok) {
        wkOctree_Destroy(target);
        return made;
    }
    *result = target;
    return wk_ok;
}
