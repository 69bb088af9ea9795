// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The items below a node: they are contiguous in tree order.

#include "tree/bvh/tree.h"

typedef struct wkItemRange {
    int32_t first;
    int32_t count;
} wkItemRange;

// The items of a slot that is not empty; `ranges` are those of the nodes.
WK_FN wkItemRange wkSlotItems(const wkItemRange* ranges, wkLink link)
{
    wkItemRange leaf = {wkLeafFirst(link), wkLeafCount(link)};
    return wkIsLeaf(link) ? leaf : ranges[link];
}

// Finds the items of all nodes. Descendants of a node come after it, so the last node is processed first.
WK_FN void wkFindItemRanges(const wkTree* tree, wkItemRange* ranges)
{
    for (int32_t node = tree->nodeCount - 1; node >= 0; --node) {
        const wkLink* links = wkTreeLinks(tree, (uint32_t)node);
        wkItemRange own = {0, 0};
        for (int slot = 0; slot < WK_TREE_WIDTH && links[slot] != WK_LINK_EMPTY; ++slot) {
            wkItemRange below = wkSlotItems(ranges, links[slot]);
            own.first = slot == 0 ? below.first : own.first;
            own.count += below.count;
        }
        ranges[node] = own;
    }
}
