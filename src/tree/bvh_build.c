// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Fills nodes from the top down. The range of a node is split in two, then again the part with the
// largest surface, until there are eight parts or nothing is left to split. Parts with few items
// become leaves, the others nodes, which wait in a queue: nodes come before all that is below them.

#include "tree/bvh.h"

#include "base/memory.h"
#include "base/parallel.h"

// A range that a node is still to be made for.
typedef struct wait {
    int32_t first;
    int32_t count;
    int32_t depth;
} wait;

static void clearNode(wkBoxNode* node)
{
    for (int slot = 0; slot < WK_TREE_WIDTH; ++slot) {
        node->links[slot] = WK_LINK_EMPTY;
        for (int axis = 0; axis < 3; ++axis) {
            node->lower[axis][slot] = WK_FAR_AWAY;
            node->upper[axis][slot] = WK_FAR_AWAY;
        }
    }
}

static void setSlot(wkBoxNode* node, int slot, wkBvhBox box, wkLink link)
{
    node->links[slot] = link;
    for (int axis = 0; axis < 3; ++axis) {
        node->lower[axis][slot] = box.lower[axis];
        node->upper[axis][slot] = box.upper[axis];
    }
}

// The part to be split next; -1 when all are small enough.
static int largestPart(const wkBvhRange* parts, int count)
{
    int largest = -1;
    float largestArea = -1.0f;
    for (int i = 0; i < count; ++i) {
        float area = wkBoxArea(parts[i].box);
        if (parts[i].count > WK_LEAF_SIZE && area > largestArea) {
            largest = i;
            largestArea = area;
        }
    }
    return largest;
}

// Splits a range into up to eight parts, in the order of the items.
static int splitRange(wkBvhItem* items, wkBvhRange whole, wkBvhRange parts[WK_TREE_WIDTH])
{
    int count = 1;
    parts[0] = whole;
    while (count < WK_TREE_WIDTH) {
        int next = largestPart(parts, count);
        if (next < 0) {
            break;
        }
        wkBvhRange halves[2];
        wkSplitAtMedian(items, &parts[next], halves);
        memmove(&parts[next + 2], &parts[next + 1], (size_t)(count - next - 1) * sizeof *parts);
        memcpy(&parts[next], halves, sizeof halves);
        ++count;
    }
    return count;
}

// Puts a range into a slot: as a leaf, or as a node to come.
static void placeRange(wkBvh* bvh, wait* waits, int32_t node, int slot, const wkBvhRange* range)
{
    wkLink link;
    int32_t depth = waits[node].depth + 1;
    if (range->count <= WK_LEAF_LIMIT) {
        link = wkMakeLeaf(range->first, range->count);
        bvh->depth = depth > bvh->depth ? depth : bvh->depth;
    } else {
        link = (wkLink)bvh->nodeCount;
        wait next = {range->first, range->count, depth};
        waits[bvh->nodeCount++] = next;
    }
    setSlot(&bvh->nodes[node], slot, range->box, link);
}

static wkBvhRange wholeRange(const wkBvh* bvh)
{
    wkBvhRange whole = {0, bvh->itemCount, wkEmptyBox()};
    for (int32_t i = 0; i < bvh->itemCount; ++i) {
        whole.box = wkBoxAround(whole.box, bvh->items[i]);
    }
    return whole;
}

// The box of a range is in the slot that names its node, so it is made again from the items.
static void fillNode(wkBvh* bvh, wait* waits, int32_t node)
{
    wkBvhRange whole = {waits[node].first, waits[node].count, wkEmptyBox()};
    wkBvhRange parts[WK_TREE_WIDTH];
    int count = splitRange(bvh->items, whole, parts);
    clearNode(&bvh->nodes[node]);
    for (int slot = 0; slot < count; ++slot) {
        placeRange(bvh, waits, node, slot, &parts[slot]);
    }
}

bool wkBvhBuild(wkBvh* bvh, const wkParallel* parallel)
{
    (void)parallel;
    size_t bound = WK_NODE_BOUND((size_t)bvh->itemCount);
    bvh->byteCount = bound * sizeof(wkBoxNode);
    bvh->nodes = wkAlloc(bvh->byteCount);
    wait* waits = wkAlloc(bound * sizeof *waits);
    if (bvh->nodes != NULL && waits != NULL) {
        // the stem
        wait none = {0, 0, 0};
        waits[0] = none;
        bvh->nodeCount = 1;
        bvh->depth = 0;
        clearNode(&bvh->nodes[0]);
        if (bvh->itemCount > 0) {
            wkBvhRange whole = wholeRange(bvh);
            placeRange(bvh, waits, 0, 0, &whole);
        }
        for (int32_t node = 1; node < bvh->nodeCount; ++node) {
            fillNode(bvh, waits, node);
        }
    }
    bool isDone = bvh->nodes != NULL && waits != NULL;
    wkFree(waits, bound * sizeof *waits);
    return isDone;
}

void wkBvhRelease(wkBvh* bvh)
{
    wkFree(bvh->nodes, bvh->byteCount);
}
