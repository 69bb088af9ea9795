// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Building a hierarchy of boxes: items are put in tree order, so that every node holds a contiguous
// range of them, and nodes of eight slots are filled by splitting ranges in two.

#include "base/cpu.h"
#include "simd/quad.h"
#include "tree/bvh/tree.h"

#include "whisker/detail/counts.h"

#include <string.h>

// Ranges up to this many items are not split: a leaf. Where a node is full, ranges up to
// WK_LEAF_LIMIT become leaves too: a node of their own would hold hardly anything.
#define WK_LEAF_SIZE 2
#define WK_LEAF_LIMIT 4

// Upper bound of the nodes below the root of a tree with `count` items. A node that holds other nodes is
// full and the lowest hold more than WK_LEAF_LIMIT items, so the worst tree puts eight nodes with five
// items each under one.
#define WK_NODE_BOUND(count) (8 * ((size_t)(count) < 5 ? 0 : (size_t)(count)-5) / 35)

// A box; the fourth values are not part of it.
typedef struct wkBvhBox {
    wkQuad lower;
    wkQuad upper;
} wkBvhBox;

// A box around an item; the fourth value of `lower` is the index of the item.
typedef wkBvhBox wkBvhItem;

// Makes a normal float of every index: arithmetic with denormal ones would be slow.
#define WK_ITEM_TAG 0x40000000u

WK_FN void wkSetItemIndex(wkBvhItem* item, int32_t index)
{
    uint32_t bits = (uint32_t)index | WK_ITEM_TAG;
    float number;
    memcpy(&number, &bits, sizeof number);
    item->lower[3] = number;
}

WK_FN int32_t wkItemIndex(const wkBvhItem* item)
{
    uint32_t bits;
    memcpy(&bits, (const char*)&item->lower + 3 * sizeof(float), sizeof bits);
    return (int32_t)(bits & ~WK_ITEM_TAG);
}

// Twice the center of an item: splitting uses differences alone.
WK_FN wkQuad wkItemCenter(const wkBvhItem* item)
{
    return item->lower + item->upper;
}

WK_FN float wkItemCenterAlong(const wkBvhItem* item, int axis)
{
    return ((const float*)&item->lower)[axis] + ((const float*)&item->upper)[axis];
}

WK_FN wkBvhBox wkEmptyBox(void)
{
    wkBvhBox box = {wkQuadOf(WK_FAR_AWAY), wkQuadOf(-WK_FAR_AWAY)};
    return box;
}

WK_FN wkBvhBox wkBoxAround(wkBvhBox a, wkBvhBox b)
{
    wkBvhBox box = {wkMinQuad(a.lower, b.lower), wkMaxQuad(a.upper, b.upper)};
    return box;
}

WK_FN wkBvhBox wkBoxWith(wkBvhBox a, wkQuad point)
{
    wkBvhBox box = {wkMinQuad(a.lower, point), wkMaxQuad(a.upper, point)};
    return box;
}

// Half the surface.
WK_FN float wkBoxArea(wkBvhBox box)
{
    wkQuad size = box.upper - box.lower;
    wkQuad faces = size * __builtin_shufflevector(size, size, 1, 2, 0, 3);
    return faces[0] + faces[1] + faces[2];
}

WK_FN int wkLongestAxis(wkBvhBox box)
{
    wkQuad size = box.upper - box.lower;
    int axis = size[1] > size[0] ? 1 : 0;
    return size[2] > size[axis] ? 2 : axis;
}

// A contiguous range of items.
typedef struct wkBvhRange {
    int32_t first;
    int32_t count;
    wkBvhBox box;     // around the items
    wkBvhBox centers; // around their centers, see wkItemCenter
} wkBvhRange;

WK_FN wkBvhRange wkEmptyRange(int32_t first)
{
    wkBvhRange range = {first, 0, wkEmptyBox(), wkEmptyBox()};
    return range;
}

WK_FN void wkAddItem(wkBvhRange* range, const wkBvhItem* item)
{
    ++range->count;
    range->box = wkBoxAround(range->box, *item);
    range->centers = wkBoxWith(range->centers, wkItemCenter(item));
}

WK_FN wkBvhRange wkGatherRange(const wkBvhItem* items, int32_t first, int32_t count)
{
    wkBvhRange range = wkEmptyRange(first);
    for (int32_t i = first; i < first + count; ++i) {
        wkAddItem(&range, &items[i]);
    }
    return range;
}

// How ranges are split.
typedef struct wkBvhRule wkBvhRule;

// Splits a range with at least two items: puts them in order and fills both halves, neither empty.
typedef void wkSplitRangeFcn(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                             wkBvhRange halves[2]);

struct wkBvhRule {
    wkSplitRangeFcn* split;
    uint64_t* codes;        // wk_splitMorton: of the items, in their order
    wkSplitFcn* ownSplit;   // the caller's rule, and its arguments
    void* context;          //
    const wkVec3d* centers; //
    int32_t* indices;       // scratch, one per item
};

// One for each method, and the caller's own.
wkSplitRangeFcn wkSplitBySurface;
wkSplitRangeFcn wkSplitAtMedian;
wkSplitRangeFcn wkSplitAtMean;
wkSplitRangeFcn wkSplitByCode;
wkSplitRangeFcn wkSplitByOwn;

// Implementation of wkSplitBySurface: SIMD code, NULL when the instruction set is not available.
wkSplitRangeFcn* wkSurfaceSplitOf(wkIsa isa);
wkSplitRangeFcn* wkSurfaceSplitOfMachine(void);

// By wkSplitMethod.
extern wkSplitRangeFcn* const wkSplitTable[WK_SPLIT_METHOD_COUNT];

// Sorts the items along a space-filling curve; `codes` are their positions on it.
// @return false when out of memory
bool wkSortByCode(wkBvhItem* items, int32_t count, uint64_t* codes);

// A hierarchy that is being built.
typedef struct wkBvh {
    wkBvhItem* items; // in tree order when done
    int32_t itemCount;
    wkBoxNode* nodes; // capacity 2 + WK_NODE_BOUND(itemCount)
    int32_t nodeCount;
    int32_t depth;
} wkBvh;

// Builds the nodes, and puts the items in tree order. The result does not depend on the threads.
// @return false when out of memory
bool wkBvhBuild(wkBvh* bvh, const wkBvhRule* rule, const wkParallel* parallel);
