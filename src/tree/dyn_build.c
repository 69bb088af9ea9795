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

// A range with more than one item that waits to be split: where its node is, and where the children
// of that go.
typedef struct waiting {
    const wkBvhRange* range;
    uint32_t node;
    uint32_t pair;
    uint32_t depth;
} waiting;

// The last one that waits is next. Ranges stay where they were made, as copying them takes longer
// than to split the smallest: those at one depth are in use until all below them are split.
typedef struct agenda {
    wkBvhRange ranges[SPLIT_STACK][2];
    waiting stack[SPLIT_STACK];
    uint32_t count;
} agenda;

static void placeLeaf(const wkDynDraft* draft, const wkBvhItem* item, uint32_t node, uint32_t up)
{
    wkDynTop leaf = wkDraftDynLeaf(draft, item);
    wkWriteDynNode(&draft->tree->nodes[node], leaf.box, leaf.link, up);
    draft->tree->places[wkDynName(leaf.link)] = node;
}

// Writes the node of one half of what was split. The half waits when there is more to split.
static void placeHalf(const wkDynDraft* draft, agenda* a, const wkBvhItem* items,
                      const waiting* half, uint32_t up)
{
    if (half->range->count == 1) {
        placeLeaf(draft, &items[half->range->first], half->node, up);
        return;
    }
    wkDynBox box = {half->range->box.lower, half->range->box.upper};
    wkWriteDynNode(&draft->tree->nodes[half->node], box, half->pair, up);
    a->stack[a->count++] = *half;
}

// Heights of nodes from the last pair to the first, as children lie behind their parents.
static void fillHeights(wkDynNode* nodes, uint32_t pair, uint32_t pairCount)
{
    for (uint32_t i = pairCount; i-- > 0;) {
        uint32_t first = wkDynHeight(nodes, pair + 2 * i);
        uint32_t second = wkDynHeight(nodes, pair + 2 * i + 1);
        nodes[pair + 2 * i + 1].up = 1 + (first > second ? first : second);
    }
}

wkDynTop wkSplitDynItems(const wkDynDraft* draft, wkBvhItem* items, uint32_t count, uint32_t pair)
{
    if (count == 1) {
        return wkDraftDynLeaf(draft, &items[0]);
    }
    const wkBvhRule rule = {.split = wkSplitBySurface};
    wkSplitRangeFcn* split = wkSurfaceSplitOfMachine();
    wkBvhRange whole = wkGatherRange(items, 0, (int32_t)count);
    agenda a;
    a.count = 1;
    a.stack[0] = (waiting){&whole, WK_DYN_NONE, pair, 0};
    while (a.count > 0) {
        waiting w = a.stack[--a.count];
        if (w.range->count == 2) {
            placeLeaf(draft, &items[w.range->first], w.pair, w.node);
            placeLeaf(draft, &items[w.range->first + 1], w.pair + 1, w.node);
            continue;
        }
        wkBvhRange* halves = a.ranges[w.depth];
        (w.depth < HALVING_DEPTH ? split : wkSplitAtMedian)(&rule, items, w.range, halves);
        waiting first = {&halves[0], w.pair, w.pair + 2, w.depth + 1};
        uint32_t secondPair = w.pair + 2 * (uint32_t)halves[0].count;
        waiting second = {&halves[1], w.pair + 1, secondPair, w.depth + 1};
        placeHalf(draft, &a, items, &second, w.node);
        placeHalf(draft, &a, items, &first, w.node);
    }
    fillHeights(draft->tree->nodes, pair, count - 1);
    wkDynTop top = {{whole.box.lower, whole.box.upper}, pair};
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
        wkDynTop top = quality == wk_dynFull
                           ? wkSplitDynItems(draft, draft->items, draft->itemCount, 2)
                           : wkJoinDynItems(draft, 2);
        wkWriteDynNode(&tree->nodes[0], top.box, top.link, WK_DYN_NONE);
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
