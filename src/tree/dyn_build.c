// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builds a whole dynamic tree, either way, and from the top down by the splits of meshes. Where a
// range goes depends on how many leaves are before it, so nothing is counted or moved: n leaves fill
// n - 1 pairs, the first of them with the two parts of the range.

#include "tree/dyn_build.h"

#include "base/error.h"
#include "base/memory.h"
#include "tree/dyn_edit.h"

// From here on ranges are halved, which takes at most 31 steps.
#define HALVING_DEPTH 32
#define SPLIT_STACK (HALVING_DEPTH + 32)

// A range whose node is known and whose children are not.
typedef struct waiting {
    wkBvhRange range;
    uint32_t node;
    uint32_t pair; // of its children
    uint32_t depth;
} waiting;

// Writes the node of a range; it waits when it has more below it.
static void placeRange(const wkDynDraft* draft, const wkBvhItem* items, const waiting* w,
                       waiting* stack, uint32_t* count)
{
    wkDynNode* node = &draft->tree->nodes[w->node];
    uint32_t up = node->up;
    if (w->range.count == 1) {
        *node = wkDraftDynLeaf(draft, &items[w->range.first]);
        draft->tree->places[wkDynName(node->link)] = w->node;
    } else {
        node->lowerQuad = w->range.box.lower;
        node->upperQuad = w->range.box.upper;
        node->link = w->pair;
        draft->tree->nodes[w->pair].up = w->node;
        stack[(*count)++] = *w;
    }
    // an even node's parent is known by now
    node->up = up;
}

static void splitRange(wkBvhItem* items, const waiting* w, waiting halves[2])
{
    const wkBvhRule rule = {.split = wkSplitBySurface};
    wkBvhRange parts[2];
    if (w->range.count == 2) {
        parts[0] = wkGatherRange(items, w->range.first, 1);
        parts[1] = wkGatherRange(items, w->range.first + 1, 1);
    } else {
        (w->depth < HALVING_DEPTH ? wkSplitBySurface : wkSplitAtMedian)(&rule, items, &w->range,
                                                                        parts);
    }
    uint32_t pair = w->pair + 2;
    for (uint32_t i = 0; i < 2; ++i) {
        waiting half = {parts[i], w->pair + i, pair, w->depth + 1};
        halves[i] = half;
        pair += 2 * (uint32_t)(parts[i].count - 1);
    }
}

wkDynNode wkSplitDynItems(const wkDynDraft* draft, wkBvhItem* items, uint32_t count, uint32_t pair)
{
    if (count == 1) {
        return wkDraftDynLeaf(draft, &items[0]);
    }
    waiting stack[SPLIT_STACK];
    uint32_t stackCount = 1;
    stack[0].range = wkGatherRange(items, 0, (int32_t)count);
    stack[0].node = WK_DYN_NONE;
    stack[0].pair = pair;
    stack[0].depth = 0;
    wkDynNode top;
    top.lowerQuad = stack[0].range.box.lower;
    top.upperQuad = stack[0].range.box.upper;
    top.link = pair;
    top.up = 0;
    while (stackCount > 0) {
        waiting w = stack[--stackCount], halves[2];
        splitRange(items, &w, halves);
        placeRange(draft, items, &halves[1], stack, &stackCount);
        placeRange(draft, items, &halves[0], stack, &stackCount);
    }
    wkDynNode* nodes = draft->tree->nodes;
    for (uint32_t p = pair + 2 * (count - 1) - 2; p + 2 > pair; p -= 2) {
        uint32_t a = wkDynHeight(nodes, p), b = wkDynHeight(nodes, p + 1);
        nodes[p + 1].up = 1 + (a > b ? a : b);
    }
    return top;
}

// Boxes that reach far out would spoil the arithmetic; they are added one by one in the end.
static bool isModerate(const wkFloatBox* box)
{
    bool is = true;
    for (int axis = 0; axis < 3; ++axis) {
        is = is && box->lower[axis] > -WK_FAR_AWAY && box->upper[axis] < WK_FAR_AWAY;
    }
    return is;
}

static void gatherItems(wkDynDraft* draft, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const wkFloatBox* box = &draft->leaves[i].box;
        if (isModerate(box)) {
            wkDynBox quads = wkMakeDynBox(box);
            wkBvhItem item = {quads.lower, quads.upper};
            wkSetItemIndex(&item, (int32_t)i);
            draft->items[draft->itemCount++] = item;
        }
    }
}

static void fillTree(wkDynDraft* draft, uint32_t count, wkDynQuality quality)
{
    wkDynTree* tree = draft->tree;
    tree->leafCount = draft->itemCount;
    tree->nodeCount = 2 * draft->itemCount;
    tree->freePair = 0;
    tree->path = 0;
    tree->isInOrder = true;
    if (draft->itemCount > 0) {
        tree->nodes[0] = quality == wk_dynFull
                             ? wkSplitDynItems(draft, draft->items, draft->itemCount, 2)
                             : wkJoinDynItems(draft, 2);
        tree->nodes[0].up = WK_DYN_NONE;
        tree->nodes[1].link = WK_DYN_NONE;
        wkAnnounceDynNode(tree, 0);
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!isModerate(&draft->leaves[i].box)) {
            wkPlaceDynLeaf(tree, draft->leaves[i].name, wkMakeDynBox(&draft->leaves[i].box));
        }
    }
}

// Names that a new tree needs room for.
static wkResult countNames(const wkDynLeaf* leaves, int32_t count, int32_t* nameCount)
{
    *nameCount = 0;
    for (int32_t i = 0; i < count; ++i) {
        int32_t name = leaves[i].name;
        if (name < 0 || name == INT32_MAX) {
            return wkFail(wk_errorRange, "dynamic tree: name %d of leaf %d", (int)name, (int)i);
        }
        *nameCount = name >= *nameCount ? name + 1 : *nameCount;
    }
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
    if (result != wk_ok) {
        return result;
    }
    size_t itemBytes = ((size_t)count + 1) * sizeof(wkBvhItem);
    size_t keyBytes = ((size_t)count + 1) * 2 * sizeof(uint64_t);
    char* scratch = wkAlloc(2 * itemBytes + keyBytes);
    if (scratch == NULL) {
        return wkFail(wk_errorMemory, "dynamic tree: no memory to build %d leaves", (int)count);
    }
    memset(tree->places, 0xff, tree->nameCapacity * sizeof *tree->places);
    wkDynDraft draft = {.tree = tree,
                        .leaves = leaves,
                        .items = (wkBvhItem*)scratch,
                        .spare = (wkBvhItem*)(scratch + itemBytes),
                        .keys = (uint64_t*)(scratch + 2 * itemBytes)};
    gatherItems(&draft, (uint32_t)count);
    fillTree(&draft, (uint32_t)count, quality);
    wkFree(scratch, 2 * itemBytes + keyBytes);
    return wk_ok;
}
