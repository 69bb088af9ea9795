// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What must hold inside every map after every change.

#include "tree/octree/octree_impl.h"

#include <stdlib.h>
#include <string.h>

// Which blocks are reachable from the root, with as many places as the pool has.
typedef struct octreeCensus {
    const wkOctree* octree;
    unsigned char* reachedBlocks;
    unsigned char* reachedLeaves;
    const char* trouble; // NULL: none so far
} octreeCensus;

static inline void octreeExpect(octreeCensus* census, bool condition, const char* words)
{
    if (!condition && census->trouble == NULL) {
        census->trouble = words;
    }
}

// Marks a block, which must be in use and have one owner.
static inline bool octreeMark(octreeCensus* census, wkOctreeLink link, int depth)
{
    bool isLeaves = depth == WK_OCTREE_DEPTH - 1;
    const wkOctreePool* pool = isLeaves ? &census->octree->leaves : &census->octree->blocks;
    uint32_t slot = link & WK_OCTREE_SLOT;
    int32_t page = (int32_t)(slot / (uint32_t)pool->blocksPerPage);
    uint32_t bit = slot % (uint32_t)pool->blocksPerPage;
    unsigned char* reached = isLeaves ? census->reachedLeaves : census->reachedBlocks;
    bool isUsable = slot != 0 && page < pool->pageCount && pool->pages[page] != NULL &&
                    (pool->notes[page].used[bit / 64] >> bit % 64 & 1u) != 0;
    octreeExpect(census, isUsable, "a link leads to a block that is not in use");
    octreeExpect(census, !isUsable || reached[slot] == 0, "two links lead to the same block");
    if (isUsable) {
        reached[slot] = 1;
    }
    return isUsable;
}

// Value and flags of a cube follow from its children; alike children are not kept apart.
static inline void octreeCheckCube(octreeCensus* census, wkOctreeChild cube, int depth)
{
    if (cube.link == 0 || census->trouble != NULL || !octreeMark(census, cube.link, depth)) {
        octreeExpect(census, cube.link == 0 || depth < WK_OCTREE_DEPTH, "a cell has a block");
        return;
    }
    float highest = NAN;
    int unknownCount = 0, equalCount = 0, blockCount = 0;
    bool hasUnknown = false;
    float first = wkOctreeChildAt(census->octree, cube.link, depth, 0).value;
    for (int i = 0; i < 8; ++i) {
        wkOctreeChild child = wkOctreeChildAt(census->octree, cube.link, depth, i);
        octreeCheckCube(census, child, depth + 1);
        unknownCount += isnan(child.value);
        equalCount += child.value == first;
        blockCount += child.link != 0;
        hasUnknown |= isnan(child.value) || (child.link & WK_OCTREE_HAS_UNKNOWN) != 0;
        octreeExpect(census, child.link == 0 || !isnan(child.value), "a block below is unknown");
        if (isnan(highest) || child.value > highest) {
            highest = child.value;
        }
    }
    octreeExpect(census, wkIsSameLogOdds(highest, cube.value), "a value is not the highest below");
    octreeExpect(census, hasUnknown == ((cube.link & WK_OCTREE_HAS_UNKNOWN) != 0),
                 "the flag for unknown cells is wrong");
    octreeExpect(census, blockCount > 0 || equalCount < 8, "eight alike children are kept apart");
    octreeExpect(census, blockCount > 0 || unknownCount < 8, "eight unknown children are kept");
}

// Used blocks are those that were reached; pages with room are listed once.
static inline void octreeCheckPool(octreeCensus* census, const wkOctreePool* pool,
                                   const unsigned char* reached)
{
    int32_t roomyCount = 0;
    for (int32_t page = 0; page < pool->pageCount; ++page) {
        const wkOctreeNote* note = &pool->notes[page];
        int32_t count = 0;
        for (int32_t i = page == 0; i < pool->blocksPerPage; ++i) {
            bool isUsed = (note->used[i / 64] >> i % 64 & 1u) != 0;
            count += isUsed;
            octreeExpect(census, isUsed == (reached[page * pool->blocksPerPage + i] != 0),
                         "a block is in use and out of reach");
        }
        octreeExpect(census, count == note->usedCount, "a page has a wrong count");
        octreeExpect(census, (pool->pages[page] == NULL) == (count == 0), "an empty page is kept");
        roomyCount += count < pool->blocksPerPage - (page == 0);
    }
    for (int32_t page = pool->roomy; page >= 0 && roomyCount >= 0; page = pool->notes[page].next) {
        --roomyCount;
    }
    octreeExpect(census, roomyCount == 0, "the list of pages with room is wrong");
}

// Every change leaves the entry grid that is built from the cells alone.
static inline void octreeCheckEntryGrid(octreeCensus* census)
{
    wkOctree built = *census->octree;
    wkOctreeBuildEntryGrid(&built);
    const wkOctreeEntryGrid* found = &census->octree->entryGrid;
    octreeExpect(census, memcmp(&built.entryGrid, found, sizeof *found) == 0,
                 "the entry grid is not that of the cells");
}

// NULL when all is well, else what is wrong.
static inline const char* octreeTrouble(const wkOctree* octree)
{
    size_t blockCount = (size_t)octree->blocks.pageCount * WK_BLOCKS_PER_PAGE;
    size_t leavesCount = (size_t)octree->leaves.pageCount * WK_LEAVES_PER_PAGE;
    unsigned char* reachedBlocks = calloc(blockCount + 1, 1);
    unsigned char* reachedLeaves = calloc(leavesCount + 1, 1);
    octreeCensus census = {octree, reachedBlocks, reachedLeaves, NULL};
    if (reachedBlocks == NULL || reachedLeaves == NULL) {
        census.trouble = "no memory for the check";
    } else {
        wkOctreeChild root = {octree->rootValue, octree->rootLink};
        octreeCheckCube(&census, root, 0);
        octreeCheckPool(&census, &octree->blocks, reachedBlocks);
        octreeCheckPool(&census, &octree->leaves, reachedLeaves);
        octreeCheckEntryGrid(&census);
    }
    free(reachedBlocks);
    free(reachedLeaves);
    return census.trouble;
}
