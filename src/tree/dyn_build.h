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

// Makes the node above some items by splitting them from the top down. All that is below it goes to
// the count - 1 pairs from `pair` on, parents before children.
// @return the node, which has no place yet
wkDynNode wkSplitDynItems(const wkDynDraft* draft, wkBvhItem* items, uint32_t count, uint32_t pair);

// Makes the node above all items by joining neighbours along a curve.
wkDynNode wkJoinDynItems(const wkDynDraft* draft, uint32_t pair);

WK_FORCE_FN wkDynNode wkDraftDynLeaf(const wkDynDraft* draft, const wkBvhItem* item)
{
    wkDynNode node;
    node.lowerQuad = item->lower;
    node.upperQuad = item->upper;
    node.link = (uint32_t)draft->leaves[wkItemIndex(item)].name | WK_DYN_LEAF;
    node.up = 0;
    return node;
}
