// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tree/bvh/tree_check.h"

#include "base/memory.h"
#include "tree/bvh/item_range.h"

// Results about a node after all its descendants have been checked.
typedef struct visited {
    wkItemRange range;
    int32_t depth;
    bool isNamed; // linked by a node before it
} visited;

// Checks a slot: it may link to a later node that no other slot links to, or to existing items, and
// must continue where the slot before it ended.
static bool visitSlot(const wkTree* tree, int32_t itemCount, visited* nodes, int32_t node,
                      wkLink link)
{
    visited* own = &nodes[node];
    wkItemRange below = {wkLeafFirst(link), wkLeafCount(link)};
    int32_t depth = 1;
    if (!wkIsLeaf(link)) {
        if (link <= (uint32_t)node || link >= (uint32_t)tree->nodeCount || nodes[link].isNamed) {
            return false;
        }
        nodes[link].isNamed = true;
        below = nodes[link].range;
        depth = nodes[link].depth + 1;
    }
    bool isFirst = own->range.count == 0;
    if (below.first > itemCount - below.count || below.count < 1 ||
        (!isFirst && below.first != own->range.first + own->range.count)) {
        return false;
    }
    own->range.first = isFirst ? below.first : own->range.first;
    own->range.count += below.count;
    own->depth = depth > own->depth ? depth : own->depth;
    return own->depth <= WK_TREE_MAX_DEPTH;
}

// Whether an empty slot is too far away for any walk: walks over boxes test all eight.
static bool isOutOfReach(const wkTree* tree, int32_t node, int slot)
{
    const wkBoxNode* boxes = wkTreeBoxes(tree, (uint32_t)node);
    for (int axis = 0; axis < 3 && tree->kind == wk_volumeAabb; ++axis) {
        if (boxes->lower[axis][slot] != WK_FAR_AWAY || boxes->upper[axis][slot] != WK_FAR_AWAY) {
            return false;
        }
    }
    return true;
}

static bool visitNode(const wkTree* tree, int32_t itemCount, visited* nodes, int32_t node)
{
    nodes[node] = (visited){{0, 0}, 0, false};
    const wkLink* links = wkTreeLinks(tree, (uint32_t)node);
    int count = 0;
    while (count < WK_TREE_WIDTH && links[count] != WK_LINK_EMPTY) {
        if (!visitSlot(tree, itemCount, nodes, node, links[count++])) {
            return false;
        }
    }
    for (int slot = count; slot < WK_TREE_WIDTH; ++slot) {
        if (links[slot] != WK_LINK_EMPTY || !isOutOfReach(tree, node, slot)) {
            return false;
        }
    }
    return node == 0 ? count <= 1 : count > 0;
}

bool wkCheckTree(const wkTree* tree, int32_t itemCount, int32_t depth, bool* isValid)
{
    size_t byteCount = (size_t)tree->nodeCount * sizeof(visited);
    visited* nodes = wkAlloc(byteCount);
    if (nodes == NULL) {
        return false;
    }
    bool isTree = true;
    for (int32_t node = tree->nodeCount - 1; node >= 0 && isTree; --node) {
        isTree = visitNode(tree, itemCount, nodes, node);
    }
    for (int32_t node = 1; node < tree->nodeCount && isTree; ++node) {
        isTree = nodes[node].isNamed;
    }
    *isValid = isTree && nodes[0].range.first == 0 && nodes[0].range.count == itemCount &&
               nodes[0].depth == depth;
    wkFree(nodes, byteCount);
    return true;
}
