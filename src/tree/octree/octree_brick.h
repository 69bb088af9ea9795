// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The changes of a scan to 8 x 8 x 8 cells, a bit for each, and how they are merged into a map.
//
// The bits are in the order of the tree: a byte covers the eight cells of one row of leaves, a word
// the cube of 4 x 4 x 4 cells above it.

#include "base/sort.h"
#include "tree/octree/octree_impl.h"

#define WK_BRICK_BITS 3 // bits of a key that index a cell in its brick
#define WK_BRICK_SIZE (1 << WK_BRICK_BITS)
#define WK_BRICK_DEPTH (WK_OCTREE_DEPTH - WK_BRICK_BITS)

typedef struct wkScanBrick {
    uint64_t crossed[8];
    uint64_t hit[8]; // takes precedence where a cell is both
} wkScanBrick;

// Reads one of the bricks of a list, by the value that belongs to its key.
// @return false when it is empty
typedef bool wkReadBrickFcn(const void* source, int64_t value, wkScanBrick* brick);

// Bricks by the interleaved bits of their positions, lowest first.
typedef struct wkBrickList {
    const wkSortKey* keys;
    int32_t count;
    wkReadBrickFcn* read;
    const void* source;
} wkBrickList;

// How cells change.
typedef struct wkMergeRule {
    double decay;         // applied first, to all known cells
    double averageWeight; // 0: log-odds of the map are added
} wkMergeRule;

// Merges bricks into a map. Sets `crossedCount` and `hitCount` to the numbers of cells in the bricks.
// @return false when out of memory: blocks have been changed, and the map must be restored
bool wkMergeBricks(wkOctree* octree, const wkBrickList* list, const wkMergeRule* rule,
                   int64_t* crossedCount, int64_t* hitCount);
