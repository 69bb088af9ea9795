// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Making a whole dynamic tree at once.

#include "tree/bvh.h"
#include "tree/dyn_node.h"

// A tree that is being made of leaves with moderate boxes, and what it takes.
typedef struct wkDynDraft {
    wkDynTree* tree; // with room for all
    const wkDynLeaf* leaves;
    wkBvhItem* items; // one for each leaf that is moderate; the index is that of the leaf
    wkBvhItem* spare; // room for as many
    uint32_t itemCount;
    uint64_t* keys; // room for two per item
} wkDynDraft;

// What is above some items: a box, and the link to it.
typedef struct wkDynTop {
    wkDynBox box;
    uint32_t link;
} wkDynTop;

// Makes a tree of some items by splitting them from the top down. All that is below the top goes to
// the count - 1 pairs from `pair` on, parents before children.
wkDynTop wkSplitDynItems(const wkDynDraft* draft, wkBvhItem* items, uint32_t count, uint32_t pair);

// Makes a tree of all items by joining neighbours along a curve.
wkDynTop wkJoinDynItems(const wkDynDraft* draft, uint32_t pair);

WK_FORCE_FN wkDynTop wkDraftDynLeaf(const wkDynDraft* draft, const wkBvhItem* item)
{
    wkDynTop top = {{item->lower, item->upper},
                    (uint32_t)draft->leaves[wkItemIndex(item)].name | WK_DYN_LEAF};
    return top;
}
