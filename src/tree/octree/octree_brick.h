// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a scan does to 8 x 8 x 8 cells, a bit for each, and how it gets into a map.
//
// The bits are in the order of the tree: a byte stands for the eight cells of one row of leaves, a
// word for the cube of 4 x 4 x 4 cells above it.

#include "base/sort.h"
#include "tree/octree/octree_impl.h"

#define WK_BRICK_BITS 3 // bits of a key that name a cell in its brick
#define WK_BRICK_SIZE (1 << WK_BRICK_BITS)
#define WK_BRICK_DEPTH (WK_OCTREE_DEPTH - WK_BRICK_BITS)

typedef struct wkScanBrick {
    uint64_t crossed[8];
    uint64_t hit[8]; // wins where a cell is both
} wkScanBrick;

// Reads one of the bricks of a list, by the value that goes with its key.
// @return false when nothing is in it
typedef bool wkReadBrickFcn(const void* source, int64_t value, wkScanBrick* brick);

// Bricks by the interleaved bits of their places, lowest first.
typedef struct wkBrickList {
    const wkSortKey* keys;
    int32_t count;
    wkReadBrickFcn* read;
    const void* source;
} wkBrickList;

// How cells change.
typedef struct wkMergeRule {
    double decay;         // first, of all cells that are known
    double averageWeight; // 0: log-odds of the map are added
} wkMergeRule;

// Takes bricks into a map. `crossedCount` and `hitCount` become the cells that they named.
// @return false when there is no memory: blocks have been changed, and the map must be put back
bool wkMergeBricks(wkOctree* octree, const wkBrickList* list, const wkMergeRule* rule,
                   int64_t* crossedCount, int64_t* hitCount);
