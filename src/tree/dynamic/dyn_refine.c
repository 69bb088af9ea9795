// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Amortised improvement. The leaves are visited in the order of the bits of a counter: each bit chooses a
// child, from the root down. So consecutive numbers lead to distant parts of the tree, and every part
// gets a share that does not depend on the memory order of its leaves.

#include "tree/dynamic/dyn_edit.h"

// The leaf at the end of a path; where that is deeper than the number of bits, the first child is taken
// from there on.
static uint32_t followPath(const wkDynNode* nodes, uint32_t path)
{
    uint32_t node = 0;
    for (; !wkIsDynLeaf(nodes[node].link); path >>= 1) {
        node = nodes[node].link + (path & 1);
    }
    return node;
}

void wkDynTree_Refine(wkDynTree* tree)
{
    if (tree->leafCount < 3) {
        return;
    }
    uint32_t node = followPath(tree->nodes, tree->path++);
    uint32_t link = tree->nodes[node].link;
    wkDynBox box = wkNodeDynBox(&tree->nodes[node]);
    wkTakeDynNode(tree, node);
    wkPlaceDynNode(tree, box, link);
}
