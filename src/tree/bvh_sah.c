// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Splits a range where the expected cost is least: a random line that meets the box of the range
// meets each half in proportion to its surface, and then costs as much as it has items. Items are
// sorted into bins by their centres along all three axes, and each border between bins is looked at
// (Wald 2007). For three or four items all ways to part them are looked at instead.

#include "tree/bvh_partition.h"

#define BIN_COUNT 16

// Ranges with fewer items do with half of them.
#define FEW_ITEMS 32

// Shorter ones are as good as none, and their inverse would leave the range of float.
#define SHORTEST_EXTENT 1e-30f

typedef struct bins {
    wkQuad base;  // smallest centre
    wkQuad scale; // bins per metre; 0 along an axis without extent
    int count;
    int32_t counts[BIN_COUNT][4]; // along x, y and z
    wkBvhBox boxes[BIN_COUNT][3];
} bins;

// A border between bins: items in bins up to `last` are before it.
typedef struct border {
    const bins* bins;
    int axis;
    int32_t last;
    float cost;
} border;

typedef int32_t wkQuadInt __attribute__((vector_size(16)));

WK_FORCE_FN wkQuadInt binOf(const bins* b, const wkBvhItem* item)
{
    return __builtin_convertvector((wkItemCenter(item) - b->base) * b->scale, wkQuadInt);
}

static void fillBins(bins* b, const wkBvhItem* items, const wkBvhRange* range)
{
    b->count = range->count < FEW_ITEMS ? BIN_COUNT / 2 : BIN_COUNT;
    b->base = range->centers.lower;
    wkQuad size = range->centers.upper - range->centers.lower;
    b->scale = wkQuadOf(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        // a little less, so that the largest centre falls into the last bin
        float full = (float)b->count * (1.0f - 1e-5f);
        b->scale[axis] = size[axis] > SHORTEST_EXTENT ? full / size[axis] : 0.0f;
    }
    for (int i = 0; i < b->count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            b->counts[i][axis] = 0;
            b->boxes[i][axis] = wkEmptyBox();
        }
    }
    for (int32_t i = range->first; i < range->first + range->count; ++i) {
        wkQuadInt bin = binOf(b, &items[i]);
        for (int axis = 0; axis < 3; ++axis) {
            wkBvhBox* box = &b->boxes[bin[axis]][axis];
            *box = wkBoxAround(*box, items[i]);
            ++b->counts[bin[axis]][axis];
        }
    }
}

// The best border along an axis.
static void findBorder(const bins* b, int axis, int32_t itemCount, border* best)
{
    // from above: what is beyond each border would cost
    float beyond[BIN_COUNT];
    wkBvhBox box = wkEmptyBox();
    int32_t count = 0;
    for (int i = b->count - 1; i > 0; --i) {
        box = wkBoxAround(box, b->boxes[i][axis]);
        count += b->counts[i][axis];
        beyond[i - 1] = (float)count * wkBoxArea(box);
    }
    box = wkEmptyBox();
    count = 0;
    for (int i = 0; i < b->count - 1; ++i) {
        box = wkBoxAround(box, b->boxes[i][axis]);
        count += b->counts[i][axis];
        float cost = (float)count * wkBoxArea(box) + beyond[i];
        if (cost < best->cost && count > 0 && count < itemCount) {
            best->cost = cost;
            best->axis = axis;
            best->last = i;
        }
    }
}

static bool isBeforeBorder(const void* context, const wkBvhItem* item)
{
    const border* b = (const border*)context;
    return binOf(b->bins, item)[b->axis] <= b->last;
}

static void splitByBins(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                        wkBvhRange halves[2])
{
    bins b;
    fillBins(&b, items, range);
    border best = {&b, -1, 0, INFINITY};
    for (int axis = 0; axis < 3; ++axis) {
        if (b.scale[axis] > 0.0f) {
            findBorder(&b, axis, range->count, &best);
        }
    }

    // nothing to choose between: items at one place, or on one line
    if (best.axis < 0 || !(best.cost > 0.0f)) {
        wkSplitAtMedian(rule, items, range, halves);
        return;
    }
    wkPartRange(items, range, isBeforeBorder, &best, halves);
}

// The ways to part three or four items, one bit for each; the first item is always in the first
// part.
typedef struct way {
    uint8_t first;
    uint8_t firstCount;
} way;

static const way waysOfThree[] = {{1, 1}, {3, 2}, {5, 2}};
static const way waysOfFour[] = {{3, 2}, {5, 2}, {9, 2}, {1, 1}, {7, 3}, {11, 3}, {13, 3}};

static void splitFew(wkBvhItem* items, const wkBvhRange* range, wkBvhRange halves[2])
{
    // boxes of all subsets, each from one with an item less
    wkBvhItem* own = items + range->first;
    wkBvhBox boxes[16];
    int setCount = 1 << range->count;
    for (int set = 1; set < setCount; ++set) {
        int rest = set & (set - 1);
        const wkBvhItem* lowest = &own[__builtin_ctz((unsigned)set)];
        boxes[set] = rest == 0 ? *lowest : wkBoxAround(boxes[rest], *lowest);
    }
    const way* ways = range->count == 3 ? waysOfThree : waysOfFour;
    int wayCount = range->count == 3 ? 3 : 7;
    int best = 0;
    float bestCost = INFINITY;
    for (int i = 0; i < wayCount; ++i) {
        int rest = setCount - 1 - ways[i].first;
        float cost = (float)ways[i].firstCount * wkBoxArea(boxes[ways[i].first]) +
                     (float)(range->count - ways[i].firstCount) * wkBoxArea(boxes[rest]);
        best = cost < bestCost ? i : best;
        bestCost = cost < bestCost ? cost : bestCost;
    }

    wkBvhItem ordered[4];
    halves[0] = wkEmptyRange(range->first, range->depth);
    halves[1] = wkEmptyRange(range->first + ways[best].firstCount, range->depth);
    for (int i = 0; i < range->count; ++i) {
        wkBvhRange* half = &halves[(ways[best].first >> i & 1) == 0];
        ordered[half->first - range->first + half->count] = own[i];
        wkAddItem(half, &own[i]);
    }
    memcpy(own, ordered, (size_t)range->count * sizeof *own);
}

void wkSplitBySurface(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                      wkBvhRange halves[2])
{
    if (range->count == 3 || range->count == 4) {
        splitFew(items, range, halves);
    } else {
        splitByBins(rule, items, range, halves);
    }
}
