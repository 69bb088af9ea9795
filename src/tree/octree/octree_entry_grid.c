// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds the cubes in which walks over a map start: level by level from the root, as long as all known
// cells fit into the grid. Writers of many cells build the grid once at the end, which costs about as much
// as a dozen writes of single cells; a write of a single cube changes one entry of the grid instead.

#include "tree/octree/octree_impl.h"

#include <string.h>

// A known cube.
typedef struct cube {
    int32_t position[3]; // in cubes of its depth
    wkOctreeChild content;
} cube;

// Known cubes of one depth, and the lowest of their positions.
typedef struct level {
    int32_t depth;
    int32_t count;
    int32_t lowest[3];
    cube cubes[WK_ENTRY_COUNT];
} level;

static int slotOf(const int32_t inGrid[3])
{
    return inGrid[0] + WK_ENTRY_GRID_SIDE * (inGrid[1] + WK_ENTRY_GRID_SIDE * inGrid[2]);
}

// Adds the known children of a cube. @return false when the grid is too small for all of them
static bool addChildren(const wkOctree* octree, const cube* parent, level* l)
{
    const float* values = wkOctreeValues(octree, parent->content.link, l->depth - 1);
    const wkOctreeLink* links = wkOctreeLinks(octree, parent->content.link, l->depth - 1);
    for (int i = 0; i < 8; ++i) {
        if (isnan(values[i])) {
            continue;
        }
        if (l->count == WK_ENTRY_COUNT) {
            return false;
        }
        l->cubes[l->count++] =
            (cube){{2 * parent->position[0] + (i & 1), 2 * parent->position[1] + (i >> 1 & 1),
                    2 * parent->position[2] + (i >> 2)},
                   {values[i], links != NULL ? links[i] : 0}};
    }
    return true;
}

// Finds the lowest position. @return whether the grid contains all cubes from there on
static bool findRange(level* l)
{
    int32_t extent = 0;
    for (int axis = 0; axis < 3; ++axis) {
        int32_t lowest = INT32_MAX, highest = 0;
        for (int32_t k = 0; k < l->count; ++k) {
            int32_t position = l->cubes[k].position[axis];
            lowest = position < lowest ? position : lowest;
            highest = position > highest ? position : highest;
        }
        l->lowest[axis] = lowest;
        extent |= highest - lowest;
    }
    return extent < WK_ENTRY_GRID_SIDE;
}

// Finds the known children of all cubes.
// @return false when the grid is too small for them, or a cube has no children
static bool descend(const wkOctree* octree, const level* above, level* below)
{
    below->depth = above->depth + 1;
    below->count = 0;
    for (int32_t k = 0; k < above->count; ++k) {
        if (above->cubes[k].content.link == 0 || !addChildren(octree, &above->cubes[k], below)) {
            return false;
        }
    }
    return below->count > 0 && findRange(below);
}

static void fillGrid(const level* l, wkOctreeEntryGrid* entryGrid)
{
    memset(entryGrid, 0, sizeof *entryGrid);
    entryGrid->depth = l->depth;
    for (int i = 0; i < WK_ENTRY_COUNT; ++i) {
        entryGrid->values[i] = NAN;
    }
    memcpy(entryGrid->lowest, l->lowest, sizeof entryGrid->lowest);
    for (int32_t k = 0; k < l->count; ++k) {
        const int32_t* position = l->cubes[k].position;
        const int32_t inGrid[3] = {position[0] - l->lowest[0], position[1] - l->lowest[1],
                                   position[2] - l->lowest[2]};
        entryGrid->values[slotOf(inGrid)] = l->cubes[k].content.value;
        entryGrid->links[slotOf(inGrid)] = l->cubes[k].content.link & WK_OCTREE_SLOT;
    }
}

void wkOctreeBuildEntryGrid(wkOctree* octree)
{
    level levels[2];
    levels[0].depth = 0;
    levels[0].count = isnan(octree->rootValue) ? 0 : 1;
    levels[0].cubes[0] = (cube){{0, 0, 0}, {octree->rootValue, octree->rootLink}};
    memset(levels[0].lowest, 0, sizeof levels[0].lowest);
    int current = 0;
    while (descend(octree, &levels[current], &levels[1 - current])) {
        current = 1 - current;
    }
    fillGrid(&levels[current], &octree->entryGrid);
}

// Index of the cube of the grid that contains a cell; -1: outside the grid.
static int slotOfMorton(const wkOctreeEntryGrid* entryGrid, uint64_t morton)
{
    wkCellKey key = wkKeyOfMorton(morton);
    int shift = WK_OCTREE_DEPTH - entryGrid->depth;
    const int32_t inGrid[3] = {(key.x >> shift) - entryGrid->lowest[0],
                               (key.y >> shift) - entryGrid->lowest[1],
                               (key.z >> shift) - entryGrid->lowest[2]};
    for (int axis = 0; axis < 3; ++axis) {
        if (inGrid[axis] < 0 || inGrid[axis] >= WK_ENTRY_GRID_SIDE) {
            return -1;
        }
    }
    return slotOf(inGrid);
}

// The depth of the grid stays when no cube above its cubes became uniform, and when it still cannot be
// greater: a known cell more never makes that possible, unless it is the first one; a cube that is unknown
// now or no longer uniform may.
void wkOctreeUpdateEntryGrid(wkOctree* octree, const wkCubeWrite* write)
{
    wkOctreeEntryGrid* entryGrid = &octree->entryGrid;
    int depth = entryGrid->depth;
    bool wasUniform = write->foundDepth == depth && write->found.link == 0 &&
                      (depth == 0 || !isnan(write->found.value));
    bool isSplit = wasUniform && write->uniformDepth > depth;
    int slot = slotOfMorton(entryGrid, write->morton);
    if (wkIsUnknownInEntryGrid(octree, write) || isSplit || write->uniformDepth < depth ||
        slot < 0) {
        wkOctreeBuildEntryGrid(octree);
        return;
    }
    entryGrid->values[slot] = write->entry.value;
    entryGrid->links[slot] = write->entry.link & WK_OCTREE_SLOT;
}
