// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds the cubes in which walks over a map start: level by level from the root, as long as all known
// cells fit into the grid. The first query after a change does without, so that a single query after
// each change does not pay for an unused grid; the second query builds it for all others.

#include "tree/octree/octree_impl.h"

// Progress for a version of the map.
typedef enum entryStep {
    entrySeen = 1, // one query has been made
    entryBusy,     // a thread is building the grid
    entryReady,
} entryStep;

static uint64_t stateOf(const wkOctree* octree, entryStep step)
{
    return 4 * octree->version + (uint64_t)step;
}

static int slotOf(const int32_t entryIndex[3])
{
    return entryIndex[0] +
           WK_ENTRY_GRID_SIDE * (entryIndex[1] + WK_ENTRY_GRID_SIDE * entryIndex[2]);
}

// Position of a child among the cubes of its depth.
static void placeChild(const wkOctreeEntryGrid* entryGrid, int slot, int child,
                       int32_t entryIndex[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        entryIndex[axis] =
            2 * (entryGrid->lowest[axis] + slot % WK_ENTRY_GRID_SIDE) + (child >> axis & 1);
        slot /= WK_ENTRY_GRID_SIDE;
    }
}

static wkOctreeEntryGrid emptyGrid(void)
{
    wkOctreeEntryGrid entryGrid = {.depth = 0};
    for (int i = 0; i < WK_ENTRY_COUNT; ++i) {
        entryGrid.values[i] = NAN;
    }
    return entryGrid;
}

// Finds the lowest position of the known children, in `lowest`.
// @return false when the grid is too small for them, or a cube has no children
static bool fitsBelow(const wkOctree* octree, const wkOctreeEntryGrid* entryGrid, int32_t lowest[3])
{
    int32_t highest[3] = {-1, -1, -1};
    for (int slot = 0; slot < WK_ENTRY_COUNT; ++slot) {
        if (isnan(entryGrid->values[slot])) {
            continue;
        }
        if ((entryGrid->links[slot] & WK_OCTREE_SLOT) == 0) {
            return false;
        }
        const float* values = wkOctreeValues(octree, entryGrid->links[slot], entryGrid->depth);
        for (int child = 0; child < 8; ++child) {
            int32_t entryIndex[3];
            placeChild(entryGrid, slot, child, entryIndex);
            for (int axis = 0; axis < 3 && !isnan(values[child]); ++axis) {
                lowest[axis] = entryIndex[axis] < lowest[axis] ? entryIndex[axis] : lowest[axis];
                highest[axis] = entryIndex[axis] > highest[axis] ? entryIndex[axis] : highest[axis];
            }
        }
    }
    return highest[0] >= 0 && highest[0] - lowest[0] < WK_ENTRY_GRID_SIDE &&
           highest[1] - lowest[1] < WK_ENTRY_GRID_SIDE &&
           highest[2] - lowest[2] < WK_ENTRY_GRID_SIDE;
}

// Descends one level. @return false when that is not possible
static bool descend(const wkOctree* octree, wkOctreeEntryGrid* entryGrid)
{
    wkOctreeEntryGrid below = emptyGrid();
    for (int axis = 0; axis < 3; ++axis) {
        below.lowest[axis] = 1 << WK_OCTREE_DEPTH;
    }
    if (!fitsBelow(octree, entryGrid, below.lowest)) {
        return false;
    }
    below.depth = entryGrid->depth + 1;
    for (int slot = 0; slot < WK_ENTRY_COUNT; ++slot) {
        for (int i = 0; i < 8 && !isnan(entryGrid->values[slot]); ++i) {
            wkOctreeChild child =
                wkOctreeChildAt(octree, entryGrid->links[slot], entryGrid->depth, i);
            int32_t entryIndex[3];
            placeChild(entryGrid, slot, i, entryIndex);
            if (!isnan(child.value)) {
                const int32_t inGrid[3] = {entryIndex[0] - below.lowest[0],
                                           entryIndex[1] - below.lowest[1],
                                           entryIndex[2] - below.lowest[2]};
                below.values[slotOf(inGrid)] = child.value;
                below.links[slotOf(inGrid)] = child.link & WK_OCTREE_SLOT;
            }
        }
    }
    *entryGrid = below;
    return true;
}

static wkOctreeEntryGrid findEntryGrid(const wkOctree* octree)
{
    wkOctreeEntryGrid entryGrid = emptyGrid();
    entryGrid.values[0] = octree->rootValue;
    entryGrid.links[0] = octree->rootLink;
    while (descend(octree, &entryGrid)) {
    }
    return entryGrid;
}

const wkOctreeEntryGrid* wkOctreeFindEntryGrid(const wkOctree* octree)
{
    // only the entry grid may change while a map is read
    wkOctreeDoorway* way = (wkOctreeDoorway*)&octree->doorway;
    uint64_t seen = stateOf(octree, entrySeen), busy = stateOf(octree, entryBusy);
    uint64_t state = atomic_load_explicit(&way->state, memory_order_acquire);
    if (state == stateOf(octree, entryReady)) {
        return &way->entryGrid;
    }
    if (state != seen) {
        if (state != busy) {
            atomic_compare_exchange_strong(&way->state, &state, seen);
        }
        return NULL;
    }
    if (!atomic_compare_exchange_strong(&way->state, &state, busy)) {
        return NULL;
    }
    way->entryGrid = findEntryGrid(octree);
    atomic_store_explicit(&way->state, stateOf(octree, entryReady), memory_order_release);
    return &way->entryGrid;
}
