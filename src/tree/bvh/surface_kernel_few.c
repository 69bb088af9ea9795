// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Splits a small range where the expected cost is least, see surface_kernel.c. Eight partitions of the
// items are evaluated side by side, one in each lane: every item is added to the box of one half or the
// other. Three or four items are split in all possible ways, others by their centers along each of the
// axes.

#include "tree/bvh/surface_part.h"
#include "tree/bvh/surface_split.h"

// The cost of an empty half.
#define NO_WAY 3e38f

// Both halves for each of eight partitions: minima of flipped boxes, one after another.
typedef struct eightWays {
    wkEight first[6];
    wkEight second[6];
    wkEight firstCount;
} eightWays;

WK_FORCE_FN eightWays noItems(void)
{
    wkEight none = wkSplat8(WK_FAR_AWAY);
    eightWays w = {
        {none, none, none, none, none, none}, {none, none, none, none, none, none}, wkSplat8(0.0f)};
    return w;
}

// Items in the layout for splitting: value by value.
typedef struct fewItems {
    _Alignas(32) float boxes[WK_FEW_ITEMS][8]; // flipped
    _Alignas(32) float centers[3][WK_FEW_ITEMS];
    int count;
} fewItems;

WK_FORCE_FN void addToWays(eightWays* w, const float box[8], wkMask8 isFirst)
{
    static const int lanes[6] = {0, 1, 2, 4, 5, 6};
    for (int k = 0; k < 6; ++k) {
        wkEight number = wkSplat8(box[lanes[k]]);
        w->first[k] = wkMinWhere8(isFirst, w->first[k], number);
        w->second[k] = wkMinElsewhere8(isFirst, w->second[k], number);
    }
    w->firstCount = wkAddWhere8(isFirst, w->firstCount, wkSplat8(1.0f));
}

// Half the surface. All sizes are negated, which cancels in their products.
WK_FORCE_FN wkEight areasOf(const wkEight box[6])
{
    wkEight x = wkAdd8(box[0], box[3]), y = wkAdd8(box[1], box[4]), z = wkAdd8(box[2], box[5]);
    return wkAdd8(wkAdd8(wkMul8(x, y), wkMul8(y, z)), wkMul8(z, x));
}

// Items times surface of both halves; NO_WAY where one has no items.
WK_FORCE_FN wkEight costsOf(const eightWays* w, float count)
{
    wkEight secondCount = wkSub8(wkSplat8(count), w->firstCount);
    wkEight costs =
        wkAdd8(wkMul8(w->firstCount, areasOf(w->first)), wkMul8(secondCount, areasOf(w->second)));
    wkEight fewest = wkMin8(w->firstCount, secondCount), none = wkSplat8(0.0f);
    return wkPickGreater8(fewest, none, costs, wkSplat8(NO_WAY));
}

#define WAY_COUNT 16

// The cheapest of 8 or 16 partitions. Their indices are stored in the last bits of the costs, so that
// a minimum finds both.
WK_FORCE_FN int cheapest(const float* costs, int count)
{
    static const _Alignas(16)
        int32_t names[WAY_COUNT] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    wkQuad least = wkQuadOf(NO_WAY);
    for (int i = 0; i < count; i += 4) {
        wkQuadInt bits, own;
        memcpy(&bits, costs + i, sizeof bits);
        memcpy(&own, names + i, sizeof own);
        least = wkMinQuad((wkQuad)((bits & ~(WAY_COUNT - 1)) | own), least);
    }
    least = wkMinQuad(least, __builtin_shufflevector(least, least, 2, 3, 0, 1));
    least = wkMinQuad(least, __builtin_shufflevector(least, least, 1, 0, 3, 2));
    return ((wkQuadInt)least)[0] & (WAY_COUNT - 1);
}

// Up to eight items are split at their own centers, more of them at uniform distances.
WK_FORCE_FN wkEight bordersAlong(const fewItems* few, const wkBvhRange* range, int axis)
{
    static const _Alignas(32) float shares[8] = {1.0f / 9, 2.0f / 9, 3.0f / 9, 4.0f / 9,
                                                 5.0f / 9, 6.0f / 9, 7.0f / 9, 8.0f / 9};
    if (few->count <= 8) {
        return wkLoad8(few->centers[axis]);
    }
    float lowest = range->centers.lower[axis], size = range->centers.upper[axis] - lowest;
    return wkAdd8(wkSplat8(lowest), wkMul8(wkSplat8(size), wkLoad8(shares)));
}

// Lanes beyond the last item have a border that no center precedes.
WK_FORCE_FN void readItems(const wkBvhItem* items, int count, fewItems* few)
{
    few->count = count;
    for (int axis = 0; axis < 3; ++axis) {
        wkStore8(few->centers[axis], wkSplat8(-4.0f * WK_FAR_AWAY));
    }
    for (int i = 0; i < count; ++i) {
        wkQuad center = wkItemCenter(&items[i]);
        wkStore8(few->boxes[i], loadFlipped(&items[i]));
        for (int axis = 0; axis < 3; ++axis) {
            few->centers[axis][i] = center[axis];
        }
    }
}

// Puts items for which `isFirst` holds before the others. No branch depends on the predicate, which is
// unpredictable: each item is written to both outputs, and only one count advances. `others` buffers the
// second half, so that no item is read soon after its memory was written. The number of items is a separate
// argument: where it is constant, no loop end is mispredicted.
WK_FORCE_FN void partFew(wkBvhItem* items, const wkBvhRange* range, int count,
                         bool isFirst(const void* context, const wkBvhItem* item, int index),
                         const void* context, wkBvhItem* others, wkBvhRange halves[2])
{
    wkBvhItem *own = items + range->first, *first = own, *other = others;
    gathering g[2] = {gatherNothing(), gatherNothing()};
    for (int i = 0; i < count; ++i) {
        wkEight item = wkLoad8((const float*)&own[i]);
        bool isBefore = isFirst(context, &own[i], i);
        wkStore8((float*)first, item);
        wkStore8((float*)other, item);
        first += isBefore;
        other += !isBefore;
        gatherAside(g, item, isBefore);
    }
    int firstCount = (int)(first - own);
    for (int i = 0; i < count; ++i) {
        const wkBvhItem* item = i < firstCount ? &own[i] : &others[i - firstCount];
        wkStore8((float*)&own[i], wkLoad8((const float*)item));
    }
    halves[0] = gatheredRange(&g[0], range->first, firstCount);
    halves[1] = gatheredRange(&g[1], range->first + firstCount, count - firstCount);
}

// A border between centers along an axis.
typedef struct border {
    int axis;
    float limit;
} border;

static bool isBefore(const void* context, const wkBvhItem* item, int index)
{
    (void)index;
    const border* b = (const border*)context;
    return wkItemCenterAlong(item, b->axis) < b->limit;
}

WK_FORCE_FN void splitAtCenters(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                                wkBvhRange halves[2])
{
    const uint8_t* axes = longerAxes(range->centers);
    fewItems few;
    _Alignas(32) float borders[WAY_COUNT], costs[WAY_COUNT];
    readItems(items + range->first, range->count, &few);
    for (int k = 0; k < 2; ++k) {
        wkEight limits = bordersAlong(&few, range, axes[k]);
        eightWays w = noItems();
        for (int i = 0; i < few.count; ++i) {
            addToWays(&w, few.boxes[i], wkLess8(wkSplat8(few.centers[axes[k]][i]), limits));
        }
        wkStore8(borders + 8 * k, limits);
        wkStore8(costs + 8 * k, costsOf(&w, (float)few.count));
    }
    int best = cheapest(costs, WAY_COUNT);
    if (!(costs[best] > 0.0f && costs[best] < NO_WAY)) {
        // no choice: items at one position, or on one line
        wkSplitAtMedian(rule, items, range, halves);
        return;
    }
    _Alignas(32) wkBvhItem scratch[WK_FEW_ITEMS];
    border b = {axes[best / 8], borders[best]};
    partFew(items, range, few.count, isBefore, &b, scratch, halves);
}

// The partitions of three or four items, one bit for each item; the first item is always in the first
// part. Three items use all partitions that have the missing fourth one in the second part.
static const uint8_t ways[8] = {3, 5, 9, 1, 7, 11, 13, 1};

// For each item the partitions, in lanes, that have it in the first part: above zero.
static const _Alignas(32) float firsts[4][8] = {
    {1, 1, 1, 1, 1, 1, 1, 1},
    {1, 0, 0, 0, 1, 1, 0, 0},
    {0, 1, 0, 0, 1, 0, 1, 0},
    {0, 0, 1, 0, 0, 1, 1, 0},
};

static bool isInSet(const void* context, const wkBvhItem* item, int index)
{
    (void)item;
    return (*(const uint8_t*)context >> index & 1) != 0;
}

WK_FORCE_FN void splitAnyWay(wkBvhItem* items, const wkBvhRange* range, int count,
                             wkBvhRange halves[2])
{
    _Alignas(32) float boxes[8], costs[8];
    eightWays w = noItems();
    for (int i = 0; i < count; ++i) {
        wkStore8(boxes, loadFlipped(&items[range->first + i]));
        addToWays(&w, boxes, wkLess8(wkSplat8(0.0f), wkLoad8(firsts[i])));
    }
    wkStore8(costs, costsOf(&w, (float)count));
    _Alignas(32) wkBvhItem others[4];
    partFew(items, range, count, isInSet, &ways[cheapest(costs, 8)], others, halves);
}

wkSplitRangeFcn WK_KERNEL(wkSurfaceSplitFew);
void WK_KERNEL(wkSurfaceSplitFew)(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                                  wkBvhRange halves[2])
{
    if (range->count == 3) {
        splitAnyWay(items, range, 3, halves);
    } else if (range->count == 4) {
        splitAnyWay(items, range, 4, halves);
    } else {
        splitAtCenters(rule, items, range, halves);
    }
}
