// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Resamples a map to cells of another size.

#include "base/error.h"
#include "math/vec.h"
#include "tree/octree/octree_impl.h"

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

// The root is centered at the origin, so it is not a cube of a coarser map; its children are.
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

// Creates an empty map with the same parameters and other cells.
static wkResult createLike(const wkOctree* octree, double resolution, wkOctree** result)
{
    wkOctreeDef def = octree->def;
    def.resolution = resolution;
    return wkOctree_Create(&def, result);
}

// An unknown rule is rejected: free must have been requested explicitly.
static wkResult checkMix(wkMixRule mix)
{
    bool isRule = mix == wk_mixUnknown || mix == wk_mixFree;
    return isRule ? wk_ok
                  : wkFail(wk_errorRange, "octree: mix is %d, must be 0 (unknown) or 1 (free)",
                           (int)mix);
}

wkResult wkOctree_Coarsen(const wkOctree* octree, int32_t levels, wkMixRule mix, wkOctree** result)
{
    if (octree == NULL || result == NULL) {
        return wkFail(wk_errorArgument, "octree: the map or the output pointer is NULL");
    }
    *result = NULL;
    if (levels < 0 || levels > WK_OCTREE_DEPTH) {
        return wkFail(wk_errorRange, "octree: levels is %d, must be 0 to %d", (int)levels,
                      WK_OCTREE_DEPTH);
    }
    wkResult made = checkMix(mix);
    if (made != wk_ok) {
        return made;
    }
    if (levels == 0) {
        return wkOctree_Copy(octree, result);
    }
    wkOctree* coarse = NULL;
    made = createLike(octree, octree->def.resolution * (1 << levels), &coarse);
    if (made != wk_ok) {
        return made;
    }
    wkCellRequest filter = wkDefaultCellRequest();
    filter.maxDepth = levels < WK_OCTREE_DEPTH ? WK_OCTREE_DEPTH - levels : 1;
    filter.mix = mix;
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
// @return whether all of them are in the map; the keys are those that are, none when `highest` is lower
static bool overlappedAlongAxis(int32_t key, int32_t edge, double ratio, int32_t* lowest,
                                int32_t* highest)
{
    int32_t start = key - MIDDLE;
    double first = floor(start * ratio + WK_LEAST_OVERLAP) + MIDDLE;
    double last = ceil((start + edge) * ratio - WK_LEAST_OVERLAP) - 1.0 + MIDDLE;
    last = wkMaxD(first, last);
    *lowest = (int32_t)wkMinD(wkMaxD(first, 0.0), KEY_COUNT);
    *highest = (int32_t)wkMaxD(wkMinD(last, KEY_COUNT - 1.0), -1.0);
    return first >= 0.0 && last < KEY_COUNT;
}

// New cells that a box of old ones overlaps, with the same meaning.
typedef struct newCells {
    int32_t lowest[3];
    int32_t highest[3];
} newCells;

static bool overlapped(const int32_t key[3], const int32_t edges[3], double ratio, newCells* cells)
{
    bool isInside = true;
    for (int axis = 0; axis < 3; ++axis) {
        isInside = overlappedAlongAxis(key[axis], edges[axis], ratio, &cells->lowest[axis],
                                       &cells->highest[axis]) &&
                   isInside;
    }
    return isInside;
}

static bool paint(wkOctree* target, const newCells* cells, float value, wkPaintRule rule)
{
    const int32_t *low = cells->lowest, *high = cells->highest;
    if (low[0] > high[0] || low[1] > high[1] || low[2] > high[2]) {
        return true;
    }
    wkCellKey lowest = {(uint16_t)low[0], (uint16_t)low[1], (uint16_t)low[2]};
    wkCellKey highest = {(uint16_t)high[0], (uint16_t)high[1], (uint16_t)high[2]};
    return wkOctreePaint(target, lowest, highest, value, rule);
}

static wkResult resampleCell(const wkCell* cell, double ratio, wkOctree* target)
{
    int32_t edge = 1 << (WK_OCTREE_DEPTH - cell->depth);
    const int32_t key[3] = {cell->key.x, cell->key.y, cell->key.z}, edges[3] = {edge, edge, edge};
    newCells cells;
    if (!overlapped(key, edges, ratio, &cells)) {
        return wkFail(
            wk_errorRange,
            "octree: resolution is %g, too fine for the cell at (%g, %g, %g): it would lie "
            "outside the %d cells along an axis",
            target->def.resolution, cell->center.x, cell->center.y, cell->center.z, KEY_COUNT);
    }
    return paint(target, &cells, cell->logOdds, wk_paintRaise) ? wk_ok : reportMemory();
}

// Makes free cells unknown that overlap old cells from `key` on, which are unknown.
static bool forget(const int32_t key[3], const int32_t edges[3], double ratio, wkOctree* target)
{
    newCells cells;
    overlapped(key, edges, ratio, &cells);
    return paint(target, &cells, target->occupied, wk_paintForget);
}

// The same for all unknown cells of the old map and the space beyond it.
static bool forgetUnknown(const wkOctree* octree, double ratio, wkOctree* target)
{
    wkCellRequest filter = wkDefaultCellRequest();
    filter.wantsFree = filter.wantsOccupied = false;
    filter.wantsUnknown = true;
    wkCellIterator iterator = wkOctree_Cells(octree, &filter);
    wkCell cell;
    bool isDone = true;
    while (isDone && wkCellIterator_Next(&iterator, &cell)) {
        int32_t edge = 1 << (WK_OCTREE_DEPTH - cell.depth);
        const int32_t key[3] = {cell.key.x, cell.key.y, cell.key.z};
        const int32_t edges[3] = {edge, edge, edge};
        isDone = forget(key, edges, ratio, target);
    }
    for (int side = 0; side < 6 && isDone; ++side) {
        // a new cell that extends beyond the old map overlaps the space on that side
        int32_t key[3] = {-KEY_COUNT, -KEY_COUNT, -KEY_COUNT};
        int32_t edges[3] = {3 * KEY_COUNT, 3 * KEY_COUNT, 3 * KEY_COUNT};
        key[side / 2] = side % 2 == 0 ? -KEY_COUNT : KEY_COUNT;
        edges[side / 2] = KEY_COUNT;
        isDone = forget(key, edges, ratio, target);
    }
    return isDone;
}

wkResult wkOctree_Resample(const wkOctree* octree, double resolution, wkMixRule mix,
                           wkOctree** result)
{
    if (octree == NULL || result == NULL) {
        return wkFail(wk_errorArgument, "octree: the map or the output pointer is NULL");
    }
    *result = NULL;
    wkOctree* target = NULL;
    wkResult made = checkMix(mix);
    made = made == wk_ok ? createLike(octree, resolution, &target) : made;
    wkCellIterator iterator = wkOctree_Cells(octree, NULL);
    wkCell cell;
    while (made == wk_ok && wkCellIterator_Next(&iterator, &cell)) {
        made = resampleCell(&cell, octree->def.resolution / resolution, target);
    }
    if (made == wk_ok && mix == wk_mixUnknown &&
        !forgetUnknown(octree, octree->def.resolution / resolution, target)) {
        made = reportMemory();
    }
    if (made != wk_ok) {
        wkOctree_Destroy(target);
        return made;
    }
    wkOctreeBuildEntryGrid(target);
    *result = target;
    return wk_ok;
}
