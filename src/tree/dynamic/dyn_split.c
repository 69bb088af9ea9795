// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builds dynamic trees from the top down, by the splits that meshes use. The index of a range's nodes
// depends on the number of items before it, so nothing is counted or moved: n leaves fill n - 1 pairs, the
// first of them with the two parts of the range.

#include "tree/dynamic/dyn_build.h"

// From this depth on ranges are halved, which takes at most 31 steps.
#define HALVING_DEPTH 32
#define SPLIT_STACK (HALVING_DEPTH + 32)

// Ranges up to this many items are split in the middle of their centers: the surface of their parts hardly
// depends on the position, and searching for the best takes a quarter of the time of a build.
#define FEW_ITEMS 16

// A range with more than one item that is queued for splitting: the index of its node, and of the
// children of that.
typedef struct waiting {
    const wkBvhRange* range;
    uint32_t node;
    uint32_t pair;
    uint32_t depth;
} waiting;

// The last queued range is next. Ranges stay where they were made, because copying them takes longer
// than splitting the smallest: those of one depth are in use until all below them are split.
typedef struct agenda {
    wkBvhRange ranges[SPLIT_STACK][2];
    waiting stack[SPLIT_STACK];
    uint32_t count;
} agenda;

static void placeLeaf(wkDynTree* tree, const wkBvhItem* item, uint32_t node, uint32_t up)
{
    uint32_t name = (uint32_t)wkItemIndex(item);
    wkDynBox box = {item->lower, item->upper};
    wkWriteDynNode(&tree->nodes[node], box, name | WK_DYN_LEAF, up);
    tree->nodesByName[name] = node;
}

// Writes the node of one half of a split range. Queues the half when it has more than one item.
static void placeHalf(wkDynTree* tree, agenda* a, const wkBvhItem* items, const waiting* half,
                      uint32_t up)
{
    if (half->range->count == 1) {
        placeLeaf(tree, &items[half->range->first], half->node, up);
        return;
    }
    wkDynBox box = {half->range->box.lower, half->range->box.upper};
    wkWriteDynNode(&tree->nodes[half->node], box, half->pair, up);
    a->stack[a->count++] = *half;
}

// Sets box and centers of some items, field by field: whole copies would stall.
static void gatherInto(wkBvhRange* range, const wkBvhItem* items, int32_t first, int32_t count)
{
    wkBvhBox box = items[first],
             centers = {wkItemCenter(&items[first]), wkItemCenter(&items[first])};
    for (int32_t i = first + 1; i < first + count; ++i) {
        box = wkBoxAround(box, items[i]);
        centers = wkBoxWith(centers, wkItemCenter(&items[i]));
    }
    range->first = first;
    range->count = count;
    range->box = box;
    range->centers = centers;
}

// Splits a few items in the middle of the longest extent of their centers.
// @return false when they have none
static bool splitFew(wkBvhItem* items, const wkBvhRange* range, wkBvhRange halves[2])
{
    int axis = wkLongestAxis(range->centers);
    float middle = 0.5f * (range->centers.lower[axis] + range->centers.upper[axis]);
    wkBvhItem above[FEW_ITEMS];
    wkBvhItem* own = items + range->first;
    int32_t belowCount = 0, aboveCount = 0;
    for (int32_t i = 0; i < range->count; ++i) {
        wkBvhItem item = own[i];
        int isAbove = wkItemCenterAlong(&own[i], axis) > middle;
        own[belowCount] = item;
        above[aboveCount] = item;
        belowCount += 1 - isAbove;
        aboveCount += isAbove;
    }
    for (int32_t i = 0; i < aboveCount; ++i) {
        own[belowCount + i] = above[i];
    }
    if (belowCount == 0 || aboveCount == 0) {
        return false;
    }
    gatherInto(&halves[0], items, range->first, belowCount);
    gatherInto(&halves[1], items, range->first + belowCount, aboveCount);
    return true;
}

static void splitRange(wkSplitRangeFcn* split, wkBvhItem* items, const waiting* w,
                       wkBvhRange halves[2])
{
    const wkBvhRule rule = {.split = split};
    bool isFew = w->range->count > 4 && w->range->count <= FEW_ITEMS;
    if (w->depth >= HALVING_DEPTH) {
        wkSplitAtMedian(&rule, items, w->range, halves);
    } else if (!isFew || !splitFew(items, w->range, halves)) {
        split(&rule, items, w->range, halves);
    }
}

// Sets heights of nodes from the last pair to the first, because children come after their parents.
static void fillHeights(wkDynNode* nodes, uint32_t pair, uint32_t pairCount)
{
    for (uint32_t i = pairCount; i-- > 0;) {
        uint32_t first = wkDynHeight(nodes, pair + 2 * i);
        uint32_t second = wkDynHeight(nodes, pair + 2 * i + 1);
        nodes[pair + 2 * i + 1].up = 1 + (first > second ? first : second);
    }
}

wkDynTop wkSplitDynItems(wkDynTree* tree, wkBvhItem* items, uint32_t count, uint32_t pair)
{
    wkSplitRangeFcn* split = wkSurfaceSplitOfMachine();
    wkBvhRange whole;
    gatherInto(&whole, items, 0, (int32_t)count);
    wkDynTop top = {{whole.box.lower, whole.box.upper}, pair};
    if (count == 1) {
        top.link = (uint32_t)wkItemIndex(&items[0]) | WK_DYN_LEAF;
        return top;
    }
    agenda a;
    a.count = 1;
    a.stack[0] = (waiting){&whole, WK_DYN_NONE, pair, 0};
    while (a.count > 0) {
        waiting w = a.stack[--a.count];
        if (w.range->count == 2) {
            placeLeaf(tree, &items[w.range->first], w.pair, w.node);
            placeLeaf(tree, &items[w.range->first + 1], w.pair + 1, w.node);
            continue;
        }
        wkBvhRange* halves = a.ranges[w.depth];
        splitRange(split, items, &w, halves);
        waiting first = {&halves[0], w.pair, w.pair + 2, w.depth + 1};
        uint32_t secondPair = w.pair + 2 * (uint32_t)halves[0].count;
        waiting second = {&halves[1], w.pair + 1, secondPair, w.depth + 1};
        placeHalf(tree, &a, items, &second, w.node);
        placeHalf(tree, &a, items, &first, w.node);
    }
    fillHeights(tree->nodes, pair, count - 1);
    return top;
}
