// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Making a whole dynamic tree at once.

#include "tree/bvh/bvh.h"
#include "tree/dynamic/dyn_node.h"

// What is above some leaves: a box, and the link to them.
typedef struct wkDynTop {
    wkDynBox box;
    uint32_t link;
} wkDynTop;

// Bytes that either build needs for each leaf while it lasts: an item, and two keys to sort.
#define WK_DYN_SCRATCH (sizeof(wkBvhItem) + 2 * sizeof(uint64_t))

// Boxes that reach far out would spoil the arithmetic of builds, which leave them to insertion.
WK_FORCE_FN bool wkIsDynModerate(wkDynBox box)
{
    wkQuadInt isFar =
        (box.lower < wkQuadOf(-0.5f * WK_FAR_AWAY)) | (box.upper > wkQuadOf(0.5f * WK_FAR_AWAY));
    return (wkQuadMask(isFar) & 7) == 0;
}

// The box of a leaf, as the item that splitting knows it by; its index is the name.
WK_FORCE_FN wkBvhItem wkDynItem(const wkDynLeaf* leaf)
{
    wkDynBox box = wkMakeDynBox(&leaf->box);
    wkBvhItem item = {wkQuadWithBits(box.lower, (uint32_t)leaf->name | WK_ITEM_TAG), box.upper};
    return item;
}

// Makes a tree of items by splitting them from the top down, in their place. All that is below the
// top goes to the count - 1 pairs from `pair` on, parents before children.
wkDynTop wkSplitDynItems(wkDynTree* tree, wkBvhItem* items, uint32_t count, uint32_t pair);

// Makes a tree of the moderate ones of some leaves by joining neighbours along a curve, in the same
// way; `scratch` has room for all. There is at least one.
wkDynTop wkJoinDynLeaves(wkDynTree* tree, const wkDynLeaf* leaves, uint32_t count,
                         uint32_t moderateCount, void* scratch, uint32_t pair);
