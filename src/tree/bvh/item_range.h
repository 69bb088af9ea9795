// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which items are below a node: they stand next to each other in tree order.

#include "tree/bvh/tree.h"

typedef struct wkItemRange {
    int32_t first;
    int32_t count;
} wkItemRange;

// Of a slot that is not empty; `spans` are those of the nodes.
WK_FN wkItemRange wkSlotItems(const wkItemRange* ranges, wkLink link)
{
    wkItemRange leaf = {wkLeafFirst(link), wkLeafCount(link)};
    return wkIsLeaf(link) ? leaf : ranges[link];
}

// Of all nodes. What is below a node comes after it, so the last come first.
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
