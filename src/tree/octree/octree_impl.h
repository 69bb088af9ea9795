// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of an occupancy map.
//
// A block holds eight children of a cube, in the order x + 2y + 4z. Children that are single cells
// (depth 16) need their log-odds alone: a row of leaves, 32 bytes. All others also need a link to the
// block of their own children: 64 bytes. NaN means unknown, so that no mask is needed, and a link of 0
// means that all cells of the child are equal (uniform). The value of a child with a block is the highest
// value below it.
//
// Blocks are stored in pages, which copies of a map share: a page that belongs to more than one map is
// copied before it is written to. A change of a block first makes the map own all blocks above it,
// changed or not, so that nothing below a page that two maps share differs. Each map stores its own
// record of the used blocks of a page, so that freeing one never needs memory.
//
// A map is always pruned: there are no eight known children that are equal and have no blocks, and no
// eight unknown ones.

#include "base/compiler.h"
#include "tree/octree/octree_key.h"
#include "whisker/octree.h"

#include <math.h>
#include <stdatomic.h>

// A link is the index of a block in the pages; the highest bit is set when a cell below is
// unknown.
typedef uint32_t wkOctreeLink;
#define WK_OCTREE_HAS_UNKNOWN 0x80000000u
#define WK_OCTREE_SLOT 0x7fffffffu

// Children that are larger than single cells.
typedef struct wkOctreeBlock {
    _Alignas(64) float values[8];
    wkOctreeLink links[8];
} wkOctreeBlock;

// Children that are single cells.
typedef struct wkOctreeLeaves {
    _Alignas(32) float values[8];
} wkOctreeLeaves;

// Pages are 16 KiB of blocks of one kind.
#define WK_OCTREE_PAGE_BYTES 16384
#define WK_BLOCKS_PER_PAGE (WK_OCTREE_PAGE_BYTES / (int)sizeof(wkOctreeBlock))
#define WK_LEAVES_PER_PAGE (WK_OCTREE_PAGE_BYTES / (int)sizeof(wkOctreeLeaves))

typedef struct wkOctreePage {
    _Alignas(64) unsigned char blocks[WK_OCTREE_PAGE_BYTES];
    atomic_int ownerCount; // number of maps that share the page
} wkOctreePage;

// A map's record of one of its pages.
typedef struct wkOctreeNote {
    uint64_t used[WK_LEAVES_PER_PAGE / 64]; // a bit for each block
    int32_t usedCount;
    int32_t next; // next page with free blocks; -1: none
} wkOctreeNote;

// Index 0 is never used. A page without used blocks is freed, and stays as NULL.
typedef struct wkOctreePool {
    wkOctreePage** pages;
    wkOctreeNote* notes;
    int32_t pageCount;
    int32_t pageCapacity;
    int32_t blocksPerPage;
    int32_t roomy; // first page with free blocks; -1: none
} wkOctreePool;

// Where walks start: a grid of cubes around all known cells of a map, of the greatest depth at which the
// grid contains them. The path from the root to these cubes is more than half of the depth, and each step
// waits for the memory of the one before. Every function that writes to a map leaves the grid that
// wkOctreeBuildEntryGrid would build, so that readers find it and never write.
#define WK_ENTRY_GRID_SIDE 4
#define WK_ENTRY_COUNT (WK_ENTRY_GRID_SIDE * WK_ENTRY_GRID_SIDE * WK_ENTRY_GRID_SIDE)
typedef struct wkOctreeEntryGrid {
    int32_t depth;                      // of the cubes; 0: only the root
    int32_t lowest[3];                  // position of the first cube, in cubes
    float values[WK_ENTRY_COUNT];       // x first; NaN: unknown
    wkOctreeLink links[WK_ENTRY_COUNT]; // without WK_OCTREE_HAS_UNKNOWN
} wkOctreeEntryGrid;

struct wkOctree {
    wkOctreeDef def;
    float hit; // log-odds of the probabilities in `def`, as OctoMap rounds them
    float miss;
    float lowest;
    float highest;
    float occupied;
    float rootValue;       // NaN: the whole map is unknown
    wkOctreeLink rootLink; // 0: uniform
    uint64_t version;
    wkOctreePool blocks;
    wkOctreePool leaves;
    wkOctreeEntryGrid entryGrid;
};

// The entry of a cube in the block above it.
typedef struct wkOctreeChild {
    float value;
    wkOctreeLink link;
} wkOctreeChild;

// Reading.

WK_FN const wkOctreeBlock* wkOctreeBlockAt(const wkOctree* octree, wkOctreeLink link)
{
    uint32_t slot = link & WK_OCTREE_SLOT;
    const wkOctreePage* page = octree->blocks.pages[slot / WK_BLOCKS_PER_PAGE];
    return (const wkOctreeBlock*)page->blocks + slot % WK_BLOCKS_PER_PAGE;
}

WK_FN const wkOctreeLeaves* wkOctreeLeavesAt(const wkOctree* octree, wkOctreeLink link)
{
    uint32_t slot = link & WK_OCTREE_SLOT;
    const wkOctreePage* page = octree->leaves.pages[slot / WK_LEAVES_PER_PAGE];
    return (const wkOctreeLeaves*)page->blocks + slot % WK_LEAVES_PER_PAGE;
}

// Values of the eight children of a cube at `depth` (0 to 15) that has a block.
WK_FN const float* wkOctreeValues(const wkOctree* octree, wkOctreeLink link, int depth)
{
    return depth == WK_OCTREE_DEPTH - 1 ? wkOctreeLeavesAt(octree, link)->values
                                        : wkOctreeBlockAt(octree, link)->values;
}

// Links of the same children; NULL for single cells, which have none.
WK_FN const wkOctreeLink* wkOctreeLinks(const wkOctree* octree, wkOctreeLink link, int depth)
{
    return depth == WK_OCTREE_DEPTH - 1 ? NULL : wkOctreeBlockAt(octree, link)->links;
}

// One of the children.
WK_FN wkOctreeChild wkOctreeChildAt(const wkOctree* octree, wkOctreeLink link, int depth, int i)
{
    wkOctreeChild child = {0.0f, 0};
    if (depth == WK_OCTREE_DEPTH - 1) {
        child.value = wkOctreeLeavesAt(octree, link)->values[i];
    } else {
        const wkOctreeBlock* block = wkOctreeBlockAt(octree, link);
        child.value = block->values[i];
        child.link = block->links[i];
    }
    return child;
}

// Orders maps by their cells alone: below, above or at zero, where all cells are the same. Shared blocks
// are skipped.
int wkOctreeOrder(const wkOctree* a, const wkOctree* b);

// Whether both values are equal, or both unknown.
WK_FN bool wkIsSameLogOdds(float a, float b)
{
    return a == b || (isnan(a) && isnan(b));
}

WK_FN float wkOctreeClamp(const wkOctree* octree, float value)
{
    return value < octree->lowest ? octree->lowest
                                  : (value > octree->highest ? octree->highest : value);
}

// Adds one observation to a cell, as OctoMap does: a value at a limit stays.
WK_FN float wkOctreeSum(const wkOctree* octree, float value, float change)
{
    if ((change >= 0.0f && value >= octree->highest) ||
        (change <= 0.0f && value <= octree->lowest)) {
        return value;
    }
    return wkOctreeClamp(octree, (isnan(value) ? 0.0f : value) + change);
}

WK_FN uint16_t wkGatherKey(uint64_t bits)
{
    bits &= 0x249249249249u;
    bits = (bits | bits >> 2) & 0x0c30c30c30c3u;
    bits = (bits | bits >> 4) & 0x00f00f00f00fu;
    bits = (bits | bits >> 8) & 0x0000ff0000ffu;
    return (uint16_t)(bits | bits >> 16);
}

WK_FN wkCellKey wkKeyOfMorton(uint64_t morton)
{
    wkCellKey key = {wkGatherKey(morton), wkGatherKey(morton >> 1), wkGatherKey(morton >> 2)};
    return key;
}

// Low bits of a cell's id, which hold its depth plus 1, so that no id is 0.
#define WK_CELL_DEPTH_BITS 5

// Id of the cube of a depth whose lowest cell has these bits.
WK_FN wkCellId wkCellIdOf(uint64_t morton, int depth)
{
    wkCellId id = {(int64_t)((morton << WK_CELL_DEPTH_BITS) + (uint64_t)depth + 1u)};
    return id;
}

// Depth of a cube; that of a null id is -1.
WK_FN int wkDepthOfCellId(wkCellId id)
{
    return (int)((uint64_t)id.bits & ((1u << WK_CELL_DEPTH_BITS) - 1u)) - 1;
}

// Index of the child of a cube at `depth` that contains the cell.
WK_FN int wkOctreeChildIndex(uint64_t morton, int depth)
{
    return (int)(morton >> 3 * (WK_OCTREE_DEPTH - 1 - depth)) & 7;
}

// Log-odds of a probability, and back, as OctoMap computes them.
float wkLogOddsOf(double probability);
double wkProbabilityOf(float logOdds);

// Makes the public struct of a cube. `morton` is that of its lowest cell.
wkCell wkOctreeMakeCell(const wkOctree* octree, uint64_t morton, int depth, float value,
                        float threshold);

// Value that represents all cells of a cube: the highest, or NaN where some are unknown and none
// is occupied, unless the rule is that free ones win.
WK_FN float wkOctreeMixedValue(wkOctreeChild cube, float threshold, wkMixRule mix)
{
    bool isMixed = (cube.link & WK_OCTREE_HAS_UNKNOWN) != 0 && mix != wk_mixFree;
    return isMixed && !(cube.value >= threshold) ? NAN : cube.value;
}

// An overlap with a cell by less than this fraction of it is due to rounding.
#define WK_LEAST_OVERLAP 1e-9

// Keys of the cells that share interior points with a box, lowest and highest; a box without thickness
// along an axis lies in one cell. Infinite ends are allowed.
// @return false when there is none
bool wkOctreeKeyRange(const wkOctree* octree, wkAabb box, wkCellKey* lowest, wkCellKey* highest);

// Writing. Nothing else changes a map; before a block is changed, all blocks above it are owned.

// Makes the map the only owner of a page. @return NULL when out of memory
wkOctreePage* wkOctreeOwnPage(wkOctreePool* pool, uint32_t pageIndex);

WK_FN wkOctreePage* wkOctreePageToWrite(wkOctreePool* pool, uint32_t pageIndex)
{
    wkOctreePage* page = pool->pages[pageIndex];
    bool isOwn = atomic_load_explicit(&page->ownerCount, memory_order_acquire) == 1;
    return WK_LIKELY(isOwn) ? page : wkOctreeOwnPage(pool, pageIndex);
}

// Returns a block to write to, which keeps its address until the map is copied.
// @return NULL when out of memory
WK_FN wkOctreeBlock* wkOctreeOwnBlock(wkOctree* octree, wkOctreeLink link)
{
    uint32_t slot = link & WK_OCTREE_SLOT;
    wkOctreePage* page = wkOctreePageToWrite(&octree->blocks, slot / WK_BLOCKS_PER_PAGE);
    return page == NULL ? NULL : (wkOctreeBlock*)page->blocks + slot % WK_BLOCKS_PER_PAGE;
}

WK_FN wkOctreeLeaves* wkOctreeOwnLeaves(wkOctree* octree, wkOctreeLink link)
{
    uint32_t slot = link & WK_OCTREE_SLOT;
    wkOctreePage* page = wkOctreePageToWrite(&octree->leaves, slot / WK_LEAVES_PER_PAGE);
    return page == NULL ? NULL : (wkOctreeLeaves*)page->blocks + slot % WK_LEAVES_PER_PAGE;
}

WK_FN float* wkOctreeOwnValues(wkOctree* octree, wkOctreeLink link, int depth)
{
    if (depth == WK_OCTREE_DEPTH - 1) {
        wkOctreeLeaves* leaves = wkOctreeOwnLeaves(octree, link);
        return leaves == NULL ? NULL : leaves->values;
    }
    wkOctreeBlock* block = wkOctreeOwnBlock(octree, link);
    return block == NULL ? NULL : block->values;
}

// Allocates a block for the children of a cube at `depth`, all of them `value` without blocks. The map
// owns it.
// @return 0 when out of memory
wkOctreeLink wkOctreeTakeBlock(wkOctree* octree, int depth, float value);

// Frees a block, not those below it. Never fails.
void wkOctreeDropBlock(wkOctree* octree, wkOctreeLink link, int depth);

// Frees a block and all those below it; a link of 0 is allowed.
void wkOctreeDropTree(wkOctree* octree, wkOctreeLink link, int depth);

// Writes a child into a block that the map owns.
void wkOctreeSetChild(wkOctree* octree, wkOctreeLink link, int depth, int i, wkOctreeChild child);

// Returns the entry of a cube at `depth` for the block above, after children in its block (`link`)
// changed. When all children are equal now the block is freed.
wkOctreeChild wkOctreeFold(wkOctree* octree, wkOctreeLink link, int depth);

// Builds the entry grid after changes of many cells.
void wkOctreeBuildEntryGrid(wkOctree* octree);

// A change of a single cube, for the entry grid. Depths are those of cubes on the path from the root.
typedef struct wkCubeWrite {
    uint64_t morton;
    float value;         // of all its cells; NaN: unknown
    int changedDepth;    // least depth of a cube whose entry changed
    int uniformDepth;    // least depth of a cube that is uniform now
    int foundDepth;      // of the last cube that the path led to before the change
    wkOctreeChild found; // its entry then
    wkOctreeChild entry; // entry of the cube at the depth of the grid now, if it changed
} wkCubeWrite;

// Whether a change of a single cube made one unknown that decides the depth of the entry grid.
WK_FN bool wkIsUnknownInEntryGrid(const wkOctree* octree, const wkCubeWrite* write)
{
    return write->uniformDepth <= octree->entryGrid.depth + 1 && isnan(write->value);
}

// Whether the entry grid has to be updated after a change of a single cube.
WK_FN bool wkIsInEntryGrid(const wkOctree* octree, const wkCubeWrite* write)
{
    return write->changedDepth <= octree->entryGrid.depth || wkIsUnknownInEntryGrid(octree, write);
}

// Updates the entry grid after such a change: builds it only where its depth or position may change.
void wkOctreeUpdateEntryGrid(wkOctree* octree, const wkCubeWrite* write);

// Sets a cube to one value (NaN: unknown), pruning or growing as needed.
// @return false when out of memory: the map is unchanged
bool wkOctreeSetCube(wkOctree* octree, uint64_t morton, int depth, float value);

// The effect of painting on a cell.
typedef enum wkPaintRule {
    wk_paintSet,    // it gets the value (NaN: unknown)
    wk_paintRaise,  // the same, unless it is higher
    wk_paintForget, // it becomes unknown, unless it is as high as the value
} wkPaintRule;

// Paints all cells between two keys, both included. The caller builds the entry grid after the last call.
// @return false when out of memory: the map is painted in part, and must be restored
bool wkOctreePaint(wkOctree* octree, wkCellKey lowest, wkCellKey highest, float value,
                   wkPaintRule rule);

// Undoes all changes since `before` was copied from the map; consumes `before`.
void wkOctreePutBack(wkOctree* octree, wkOctree* before);
