// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Builds a whole dynamic tree at once.

#include "tree/bvh/bvh.h"
#include "tree/dynamic/dyn_node.h"

// The root of some leaves: its box, and the link to them.
typedef struct wkDynTop {
    wkDynBox box;
    uint32_t link;
} wkDynTop;

// Scratch bytes per leaf for either build: an item, and two keys to sort.
#define WK_DYN_SCRATCH (sizeof(wkBvhItem) + 2 * sizeof(uint64_t))

// Boxes with very large coordinates would break the arithmetic of builds, which leave them to insertion.
WK_FORCE_FN bool wkIsDynModerate(wkDynBox box)
{
    wkQuadInt isFar =
        (box.lower < wkQuadOf(-0.5f * WK_FAR_AWAY)) | (box.upper > wkQuadOf(0.5f * WK_FAR_AWAY));
    return (wkQuadMask(isFar) & 7) == 0;
}

// The box of a leaf as an item for splitting; its index is the name.
WK_FORCE_FN wkBvhItem wkDynItem(const wkDynLeaf* leaf)
{
    wkDynBox box = wkMakeDynBox(&leaf->box);
    wkBvhItem item = {wkQuadWithBits(box.lower, (uint32_t)leaf->name | WK_ITEM_TAG), box.upper};
    return item;
}

// Builds a tree of items by splitting them from the top down, in place. All nodes below the top are written
// to the count - 1 pairs from `pair` on, parents before children.
wkDynTop wkSplitDynItems(wkDynTree* tree, wkBvhItem* items, uint32_t count, uint32_t pair);

// Builds a tree of the moderate ones of some leaves by joining neighbours along a curve, with the same
// layout; `scratch` has the capacity for all. There is at least one.
wkDynTop wkJoinDynLeaves(wkDynTree* tree, const wkDynLeaf* leaves, uint32_t count,
                         uint32_t moderateCount, void* scratch, uint32_t pair);
