// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builds a whole dynamic tree, by either method.

#include "tree/dynamic/dyn_build.h"

#include "base/error.h"
#include "base/memory.h"
#include "tree/dynamic/dyn_edit.h"

// Copies the moderate leaves to the array that is split.
static wkBvhItem* gatherItems(const wkDynLeaf* leaves, int32_t count, void* scratch)
{
    wkBvhItem* items = (wkBvhItem*)scratch;
    uint32_t itemCount = 0;
    for (int32_t i = 0; i < count; ++i) {
        wkBvhItem item = wkDynItem(&leaves[i]);
        items[itemCount] = item;
        itemCount += wkIsDynModerate((wkDynBox){item.lower, item.upper}) ? 1 : 0;
    }
    return items;
}

static uint32_t countModerate(const wkDynLeaf* leaves, int32_t count)
{
    uint32_t moderateCount = 0;
    for (int32_t i = 0; i < count; ++i) {
        moderateCount += wkIsDynModerate(wkMakeDynBox(&leaves[i].box)) ? 1 : 0;
    }
    return moderateCount;
}

// Fills an empty tree that has capacity for all leaves.
static void fillTree(wkDynTree* tree, const wkDynLeaf* leaves, int32_t count, wkDynQuality quality)
{
    uint32_t moderateCount = countModerate(leaves, count);
    tree->leafCount = moderateCount;
    tree->nodeCount = 2 * moderateCount;
    tree->freePair = 0;
    tree->path = 0;
    if (moderateCount > 0) {
        wkDynTop top =
            quality == wk_dynFull
                ? wkSplitDynItems(tree, gatherItems(leaves, count, tree->scratch), moderateCount, 2)
                : wkJoinDynLeaves(tree, leaves, (uint32_t)count, moderateCount, tree->scratch, 2);
        wkWriteDynNode(&tree->nodes[0], top.box, top.link, WK_DYN_NONE);
        wkWriteDynNode(&tree->nodes[1], top.box, WK_DYN_NONE, 0);
        wkAnnounceDynNode(tree, 0);
    }
    for (int32_t i = 0; moderateCount < (uint32_t)count && i < count; ++i) {
        wkDynBox box = wkMakeDynBox(&leaves[i].box);
        if (!wkIsDynModerate(box)) {
            wkPlaceDynLeaf(tree, leaves[i].name, box);
        }
    }
}

// Counts the names that a new tree needs capacity for.
static wkResult countNames(const wkDynLeaf* leaves, int32_t count, int32_t* nameCount)
{
    *nameCount = 0;
    for (int32_t i = 0; i < count; ++i) {
        int32_t name = leaves[i].name;
        if (name < 0 || name > WK_DYN_MAX_NAME) {
            return wkFail(wk_errorRange, "dynamic tree: name %d of leaf %d", (int)name, (int)i);
        }
        *nameCount = name >= *nameCount ? name + 1 : *nameCount;
    }
    return wk_ok;
}

// Scratch memory stays with the tree: it is likely to be rebuilt, perhaps in every frame.
static wkResult reserveScratch(wkDynTree* tree, int32_t count)
{
    size_t byteCount = ((size_t)count + 1) * WK_DYN_SCRATCH;
    if (byteCount <= tree->scratchBytes) {
        return wk_ok;
    }
    void* scratch = wkAlloc(byteCount);
    if (scratch == NULL) {
        return wkFail(wk_errorMemory, "dynamic tree: no memory to build %d leaves", (int)count);
    }
    wkFree(tree->scratch, tree->scratchBytes);
    tree->scratch = scratch;
    tree->scratchBytes = byteCount;
    return wk_ok;
}

wkResult wkDynTree_Build(wkDynTree* tree, const wkDynLeaf* leaves, int32_t count,
                         wkDynQuality quality)
{
    int32_t nameCount;
    wkResult result = countNames(leaves, count, &nameCount);
    if (result == wk_ok) {
        result = wkDynTree_Reserve(tree, count, nameCount);
    }
    if (result == wk_ok) {
        result = reserveScratch(tree, count);
    }
    if (result == wk_ok) {
        wkForgetDynNames(tree);
        fillTree(tree, leaves, count, quality);
    }
    return result;
}
