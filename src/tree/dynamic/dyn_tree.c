// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creates, copies and destroys dynamic trees, and reports their cost and size.

#include "tree/dynamic/dyn_node.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

wkResult wkDynTree_Create(wkDynTree** tree)
{
    *tree = wkAlloc(sizeof **tree);
    if (*tree == NULL) {
        return wkFail(wk_errorMemory, "dynamic tree: no memory");
    }
    memset(*tree, 0, sizeof **tree);
    return wk_ok;
}

void wkDynTree_Destroy(wkDynTree* tree)
{
    if (tree != NULL) {
        wkFree(tree->nodes, tree->nodeCapacity * sizeof *tree->nodes);
        wkFree(tree->nodesByName, tree->nameCapacity * sizeof *tree->nodesByName);
        wkFree(tree->scratch, tree->scratchBytes);
        wkFree(tree, sizeof *tree);
    }
}

// More than needed, so that the cost of growing is amortised over many insertions.
static uint32_t capacityFor(uint32_t count, uint32_t capacity)
{
    uint32_t larger = capacity + capacity / 2 + 16;
    return (count > larger ? count : larger) & ~1u;
}

// Moves all nodes to another array, parents before their children and neighbours close together, where
// insertion had scattered them: that makes visits up to twice as fast.
static void moveNodes(wkDynTree* tree, wkDynNode* nodes)
{
    const wkDynNode* before = tree->nodes;
    memcpy(nodes, before, 2 * sizeof *nodes);
    tree->nodes = nodes;
    tree->nodeCount = 2;
    tree->freePair = 0;
    for (uint32_t node = 0; node != WK_DYN_NONE;) {
        uint32_t link = nodes[node].link;
        if (wkIsDynLeaf(link)) {
            wkAnnounceDynNode(tree, node);
            node = wkSkipDynNode(nodes, node, 0);
            continue;
        }
        uint32_t pair = tree->nodeCount;
        tree->nodeCount += 2;
        memcpy(&nodes[pair], &before[link], 2 * sizeof *nodes);
        nodes[node].link = pair;
        nodes[pair].up = node;
        node = pair;
    }
}

static wkResult growNodes(wkDynTree* tree, uint32_t nodeCount)
{
    uint32_t capacity = capacityFor(nodeCount, tree->nodeCapacity);
    wkDynNode* nodes = wkAlloc(capacity * sizeof *nodes);
    if (nodes == NULL) {
        return wkFail(wk_errorMemory, "dynamic tree: no memory for %u nodes", (unsigned)nodeCount);
    }
    wkDynNode* before = tree->nodes;
    if (tree->leafCount > 0) {
        moveNodes(tree, nodes);
    }
    wkFree(before, tree->nodeCapacity * sizeof *before);
    tree->nodes = nodes;
    tree->nodeCapacity = capacity;
    return wk_ok;
}

static wkResult growSlots(wkDynTree* tree, uint32_t nameCount)
{
    uint32_t capacity = capacityFor(nameCount + 1, tree->nameCapacity);
    uint32_t* nodesByName = wkAlloc(capacity * sizeof *nodesByName);
    if (nodesByName == NULL) {
        return wkFail(wk_errorMemory, "dynamic tree: no memory for %u names", (unsigned)nameCount);
    }
    uint32_t* before = tree->nodesByName;
    uint32_t countBefore = tree->nameCapacity;
    tree->nodesByName = nodesByName;
    tree->nameCapacity = capacity;
    wkForgetDynNames(tree);
    if (countBefore > 0) {
        memcpy(nodesByName, before, countBefore * sizeof *nodesByName);
    }
    wkFree(before, countBefore * sizeof *before);
    return wk_ok;
}

wkResult wkDynTree_Reserve(wkDynTree* tree, int32_t leafCount, int32_t nameCount)
{
    // the root's pair, and another one for each leaf after the first
    uint32_t nodeCount = 2 * (uint32_t)leafCount;
    wkResult result = wk_ok;
    if (nodeCount > tree->nodeCapacity) {
        result = growNodes(tree, nodeCount);
    }
    if (result == wk_ok && (uint32_t)nameCount > tree->nameCapacity) {
        result = growSlots(tree, (uint32_t)nameCount);
    }
    return result;
}

wkResult wkDynTree_Copy(const wkDynTree* from, wkDynTree* into)
{
    if (from == into) {
        return wk_ok;
    }
    if (into->nodeCapacity < from->nodeCount || into->nameCapacity < from->nameCapacity) {
        wkResult result =
            wkDynTree_Reserve(into, (int32_t)(from->nodeCount / 2), (int32_t)from->nameCapacity);
        if (result != wk_ok) {
            return result;
        }
    }
    wkDynTree copy = *from;
    copy.nodes = into->nodes;
    copy.nodesByName = into->nodesByName;
    copy.nodeCapacity = into->nodeCapacity;
    copy.nameCapacity = into->nameCapacity;
    copy.scratch = into->scratch;
    copy.scratchBytes = into->scratchBytes;
    *into = copy;
    wkForgetDynNames(into);
    if (from->nodeCount > 0) {
        memcpy(copy.nodes, from->nodes, from->nodeCount * sizeof *copy.nodes);
        memcpy(copy.nodesByName, from->nodesByName, from->nameCapacity * sizeof *copy.nodesByName);
    }
    return wk_ok;
}

double wkDynTree_Cost(const wkDynTree* tree)
{
    // free pairs hold leaves
    double sum = 0.0;
    for (uint32_t node = 2; node < tree->nodeCount; ++node) {
        bool isLeaf = wkIsDynLeaf(tree->nodes[node].link);
        sum += isLeaf ? 0.0 : (double)wkDynArea(wkNodeDynBox(&tree->nodes[node]));
    }
    double whole = tree->leafCount > 1 ? (double)wkDynArea(wkNodeDynBox(&tree->nodes[0])) : 0.0;
    return whole > 0.0 ? 1.0 + sum / whole : (double)tree->leafCount;
}

int32_t wkDynTree_Count(const wkDynTree* tree)
{
    return (int32_t)tree->leafCount;
}

size_t wkDynTree_ByteCount(const wkDynTree* tree)
{
    return sizeof *tree + tree->nodeCapacity * sizeof *tree->nodes +
           tree->nameCapacity * sizeof *tree->nodesByName + tree->scratchBytes;
}
