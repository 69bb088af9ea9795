// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Making a hierarchy of boxes: items are put in tree order, so that every node holds a range of
// them, and nodes of eight slots are filled by splitting ranges in two.

#include "simd/quad.h"
#include "tree/tree.h"

#include <string.h>

// Ranges up to this many items are not split: a leaf. Where a node is full, ranges up to
// WK_LEAF_LIMIT become leaves too: a node of their own would hardly hold anything.
#define WK_LEAF_SIZE 2
#define WK_LEAF_LIMIT 4

// Nodes that `count` items need at most. A node that holds another one is full, and the lowest hold
// more than WK_LEAF_LIMIT items: 35 items of eight lowest nodes carry one more.
#define WK_NODE_BOUND(count) ((count) / 35 * 8 + 9)

// A box around something; the fourth numbers are not part of it.
typedef struct wkBvhBox {
    wkQuad lower;
    wkQuad upper;
} wkBvhBox;

// A box around an item; the fourth number of `lower` says which one it is.
typedef wkBvhBox wkBvhItem;

// An index as an ordinary float, whatever its bits: sums of others could be slow.
#define WK_ITEM_TAG 0x40000000u

WK_FN void wkSetItemIndex(wkBvhItem* item, int32_t index)
{
    uint32_t bits = (uint32_t)index | WK_ITEM_TAG;
    memcpy((char*)&item->lower + 3 * sizeof(float), &bits, sizeof bits);
}

WK_FN int32_t wkItemIndex(const wkBvhItem* item)
{
    uint32_t bits;
    memcpy(&bits, (const char*)&item->lower + 3 * sizeof(float), sizeof bits);
    return (int32_t)(bits & ~WK_ITEM_TAG);
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

// Half the surface.
WK_FN float wkBoxArea(wkBvhBox box)
{
    wkQuad size = box.upper - box.lower;
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

// Some items next to each other, and the box around them.
typedef struct wkBvhRange {
    int32_t first;
    int32_t count;
    wkBvhBox box;
} wkBvhRange;

// Splits a range with at least two items: puts them in order and fills both halves, neither empty.
typedef void wkSplitRangeFcn(wkBvhItem* items, const wkBvhRange* range, wkBvhRange halves[2]);

// Half the items on each side, along the longest axis of their centres.
wkSplitRangeFcn wkSplitAtMedian;

// A hierarchy in the making.
typedef struct wkBvh {
    wkBvhItem* items; // in tree order when done
    int32_t itemCount;
    wkBoxNode* nodes;
    int32_t nodeCount;
    int32_t depth;
    size_t byteCount; // of `nodes`
} wkBvh;

// Makes the nodes, and puts the items in tree order.
// @return false when there is no memory
bool wkBvhBuild(wkBvh* bvh, const wkParallel* parallel);

void wkBvhRelease(wkBvh* bvh);
