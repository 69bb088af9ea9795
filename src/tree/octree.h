// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How an occupancy map lies in memory.
//
// A block holds eight children of a cube, in the order x + 2y + 4z. Children that are single cells
// (depth 16) need their log-odds alone: a row of leaves, 32 bytes. All others also need a link to
// the block of their own children: 64 bytes. NaN stands for unknown, so that no mask is needed, and
// a link of 0 says that all cells of the child are alike. The value of a child with a block is the
// highest of the values below it.
//
// Blocks live in pages, which copies of a map share: a page that belongs to more than one map is
// copied before it is written to. Whoever changes a block makes all blocks above it its own as well,
// changed or not, so that pages which two maps share lead to nothing that differs.

#include "base/compiler.h"
#include "whisker/octree.h"

#include <stdatomic.h>

// A link names a block by its place in the pages; the highest bit says that something below is
// unknown.
typedef uint32_t wkOctreeLink;
#define WK_OCTREE_HAS_UNKNOWN 0x80000000u
#define WK_OCTREE_PLACE 0x7fffffffu

// Children that are larger than single cells.
typedef struct wkOctreeBlock {
    _Alignas(64) float values[8];
    wkOctreeLink links[8];
} wkOctreeBlock;

// Children that are single cells.
typedef struct wkOctreeLeaves {
    _Alignas(32) float values[8];
} wkOctreeLeaves;

// Pages are 16 KiB of blocks of one kind, with the pool's own notes behind them.
#define WK_OCTREE_PAGE_BYTES 16384
#define WK_BLOCKS_PER_PAGE (WK_OCTREE_PAGE_BYTES / (int)sizeof(wkOctreeBlock))
#define WK_LEAVES_PER_PAGE (WK_OCTREE_PAGE_BYTES / (int)sizeof(wkOctreeLeaves))

typedef struct wkOctreePage {
    _Alignas(64) unsigned char blocks[WK_OCTREE_PAGE_BYTES];
    uint64_t used[WK_LEAVES_PER_PAGE / 64]; // a bit for each block
    int32_t usedCount;
    atomic_int ownerCount; // maps that the page belongs to
} wkOctreePage;

// Place 0 is never given out.
typedef struct wkOctreePool {
    wkOctreePage** pages;
    int32_t pageCount;
    int32_t pageCapacity;
    int32_t blocksPerPage;
    int32_t hint; // no page before this one has room
} wkOctreePool;

struct wkOctree {
    wkOctreeDef def;
    float hit; // log-odds of the probabilities in `def`, as OctoMap rounds them
    float miss;
    float lowest;
    float highest;
    float occupied;
    float rootValue;       // NaN: the whole map is unknown
    wkOctreeLink rootLink; // 0: all of it is alike
    uint64_t version;
    wkOctreePool blocks;
    wkOctreePool leaves;
};

WK_FN const wkOctreeBlock* wkOctreeBlockAt(const wkOctree* octree, wkOctreeLink link)
{
    uint32_t place = link & WK_OCTREE_PLACE;
    const wkOctreePage* page = octree->blocks.pages[place / WK_BLOCKS_PER_PAGE];
    return (const wkOctreeBlock*)page->blocks + place % WK_BLOCKS_PER_PAGE;
}

WK_FN const wkOctreeLeaves* wkOctreeLeavesAt(const wkOctree* octree, wkOctreeLink link)
{
    uint32_t place = link & WK_OCTREE_PLACE;
    const wkOctreePage* page = octree->leaves.pages[place / WK_LEAVES_PER_PAGE];
    return (const wkOctreeLeaves*)page->blocks + place % WK_LEAVES_PER_PAGE;
}

// Values of the eight children of a cube at `depth` (0 to 15) that has a block.
WK_FN const float* wkOctreeValues(const wkOctree* octree, wkOctreeLink link, int depth)
{
    return depth == WK_OCTREE_DEPTH - 1 ? wkOctreeLeavesAt(octree, link)->values
                                        : wkOctreeBlockAt(octree, link)->values;
}

// Their links; NULL for single cells, which have none.
WK_FN const wkOctreeLink* wkOctreeLinks(const wkOctree* octree, wkOctreeLink link, int depth)
{
    return depth == WK_OCTREE_DEPTH - 1 ? NULL : wkOctreeBlockAt(octree, link)->links;
}

// The same to write to: the page is made the map's own first.
// @return NULL when there is no memory
float* wkOctreeOwnValues(wkOctree* octree, wkOctreeLink link, int depth);
wkOctreeBlock* wkOctreeOwnBlock(wkOctree* octree, wkOctreeLink link);

// Takes a block for the children of a cube at `depth`, all of them `value` without blocks.
// @return 0 when there is no memory
wkOctreeLink wkOctreeTakeBlock(wkOctree* octree, int depth, float value);

// Gives a block back, not those below it.
void wkOctreeDropBlock(wkOctree* octree, wkOctreeLink link, int depth);
