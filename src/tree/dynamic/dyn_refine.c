// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Amortised improvement. The leaves are visited in the order of the bits of a counter: each says
// which way to turn, from the root down. So neighbouring numbers lead to distant parts of the tree,
// and every part gets a share that does not depend on where its leaves lie in memory.

#include "tree/dynamic/dyn_edit.h"

// The leaf at the end of a path; where that has more turns than bits, the last ones are the first of
// two children.
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
