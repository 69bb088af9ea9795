// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Sets new boxes for leaves that keep their nodes, and refits all nodes above them.

#include "tree/dynamic/dyn_node.h"

static uint32_t firstLeaf(const wkDynNode* nodes, uint32_t node)
{
    while (!wkIsDynLeaf(nodes[node].link)) {
        node = nodes[node].link;
    }
    return node;
}

// Goes from leaf to leaf, and up after each second child: no stack is needed.
static void fitAll(wkDynNode* nodes)
{
    uint32_t node = firstLeaf(nodes, 0);
    while (node != 0) {
        if ((node & 1) == 0) {
            node = firstLeaf(nodes, node + 1);
        } else {
            node = wkDynParent(nodes, node);
            wkFitDynNode(nodes, node);
        }
    }
}

void wkDynTree_Refit(wkDynTree* tree, const wkDynLeaf* leaves, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        uint32_t name = (uint32_t)leaves[i].name;
        uint32_t node = name < tree->nameCapacity ? tree->nodesByName[name] : WK_DYN_NONE;
        if (node != WK_DYN_NONE) {
            wkSetDynBox(&tree->nodes[node], wkMakeDynBox(&leaves[i].box));
        }
    }
    if (tree->leafCount > 1) {
        fitAll(tree->nodes);
    }
}
