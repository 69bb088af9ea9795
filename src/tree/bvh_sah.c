// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Splits a range where the expected cost is least: a random line that meets the box of the range
// meets each half in proportion to its surface, and then costs as much as it has items. Items are
// sorted into bins by their centres along all three axes, and each border between bins is looked at
// (Wald 2007). For three or four items all ways to part them are looked at instead.

#include "tree/bvh_partition.h"

#define BIN_COUNT 16

// Ranges with fewer items do with half of the bins.
#define FEW_ITEMS 64

// Of large ranges about this many items are looked at, evenly spread: the border moves by little.
#define SAMPLE_COUNT 512

// Shorter extents are as good as none, and their inverse would leave the range of float.
#define SHORTEST_EXTENT 1e-30f

typedef struct bins {
    wkQuad base;  // smallest centre
    wkQuad scale; // bins per metre; 0 along an axis without extent
    int count;
    wkQuadInt counts[BIN_COUNT]; // of items, along x, y and z
    wkBvhBox boxes[BIN_COUNT][3];
} bins;

// A border between bins along an axis: items in bins below `limit` are before it.
typedef struct border {
    int axis;
    float base;
    float scale;
    float limit;
    float cost;
} border;

WK_FORCE_FN wkQuadInt binOf(const bins* b, const wkBvhItem* item)
{
    return __builtin_convertvector((wkItemCenter(item) - b->base) * b->scale, wkQuadInt);
}

static void clearBins(bins* b, const wkBvhRange* range)
{
    b->count = range->count < FEW_ITEMS ? BIN_COUNT / 2 : BIN_COUNT;
    b->base = range->centers.lower;
    b->scale = wkQuadOf(0.0f);
    wkQuad size = range->centers.upper - range->centers.lower;

    // a little less than all bins, so that the largest centre falls into the last one
    float full = (float)b->count * (1.0f - 1e-5f);
    for (int axis = 0; axis < 3; ++axis) {
        b->scale[axis] = size[axis] > SHORTEST_EXTENT ? full / size[axis] : 0.0f;
    }
    for (int i = 0; i < b->count; ++i) {
        b->counts[i] = (wkQuadInt){0, 0, 0, 0};
        for (int axis = 0; axis < 3; ++axis) {
            b->boxes[i][axis] = wkEmptyBox();
        }
    }
}

static void fillBins(bins* b, const wkBvhItem* items, const wkBvhRange* range)
{
    clearBins(b, range);
    int32_t step = range->count / SAMPLE_COUNT > 1 ? range->count / SAMPLE_COUNT : 1;
    int32_t end = range->first + range->count;
    for (int32_t i = range->first; i < end; i += step) {
        wkBvhItem item = items[i];
        wkQuadInt bin = binOf(b, &item);
        for (int axis = 0; axis < 3; ++axis) {
            wkBvhBox* box = &b->boxes[bin[axis]][axis];
            *box = wkBoxAround(*box, item);
            b->counts[bin[axis]][axis] += 1;
        }
    }
}

// Boxes of some bins along each of the axes, and how many items are in them.
typedef struct side {
    wkBvhBox boxes[3];
    wkQuadInt counts;
} side;

WK_FORCE_FN side noBins(void)
{
    side s = {{wkEmptyBox(), wkEmptyBox(), wkEmptyBox()}, {0, 0, 0, 0}};
    return s;
}

WK_FORCE_FN void addBins(side* s, const bins* b, int bin)
{
    for (int axis = 0; axis < 3; ++axis) {
        s->boxes[axis] = wkBoxAround(s->boxes[axis], b->boxes[bin][axis]);
    }
    s->counts += b->counts[bin];
}

// Items times surface for the three axes at once; nothing where there are no items.
WK_FORCE_FN wkQuad costOf(const side* s)
{
    wkQuad x = s->boxes[0].upper - s->boxes[0].lower;
    wkQuad y = s->boxes[1].upper - s->boxes[1].lower;
    wkQuad z = s->boxes[2].upper - s->boxes[2].lower;

    // from sizes by axis to sizes by coordinate
    wkQuad xyLow = __builtin_shufflevector(x, y, 0, 4, 1, 5);
    wkQuad xyHigh = __builtin_shufflevector(x, y, 2, 6, 3, 7);
    wkQuad lengths = __builtin_shufflevector(xyLow, z, 0, 1, 4, 4);
    wkQuad widths = __builtin_shufflevector(xyLow, z, 2, 3, 5, 5);
    wkQuad heights = __builtin_shufflevector(xyHigh, z, 0, 1, 6, 6);
    wkQuad areas = lengths * widths + widths * heights + heights * lengths;
    return areas * __builtin_convertvector(s->counts, wkQuad);
}

// The best border along each axis, and of these the best.
static border findBorder(const bins* b)
{
    wkQuad beyond[BIN_COUNT];
    side above = noBins(), below = noBins();
    for (int i = b->count - 1; i > 0; --i) {
        addBins(&above, b, i);
        beyond[i - 1] = costOf(&above);
    }
    wkQuad bestCosts = wkQuadOf(INFINITY);
    wkQuadInt bestBins = {0, 0, 0, 0};
    for (int i = 0; i < b->count - 1; ++i) {
        addBins(&below, b, i);
        // cppcheck-suppress uninitvar
        wkQuad costs = costOf(&below) + beyond[i];
        wkQuadInt isBetter = costs < bestCosts;
        wkQuadInt here = {i, i, i, i};
        bestBins = (isBetter & here) | (~isBetter & bestBins);
        bestCosts = wkMinQuad(costs, bestCosts);
    }
    int axis = bestCosts[1] < bestCosts[0] ? 1 : 0;
    axis = bestCosts[2] < bestCosts[axis] ? 2 : axis;
    border best = {axis, b->base[axis], b->scale[axis], (float)(bestBins[axis] + 1),
                   bestCosts[axis]};
    return best;
}

static bool isBeforeBorder(const void* context, const wkBvhItem* item)
{
    const border* b = (const border*)context;
    return (wkItemCenterAlong(item, b->axis) - b->base) * b->scale < b->limit;
}

static void splitByBins(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                        wkBvhRange halves[2])
{
    bins b;
    fillBins(&b, items, range);
    border best = findBorder(&b);
    wkPartRange(items, range, isBeforeBorder, &best, halves);

    // nothing to choose between: items at one place, or on one line
    if (halves[0].count == 0 || halves[1].count == 0 || !(best.cost > 0.0f)) {
        wkSplitAtMedian(rule, items, range, halves);
    }
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

    wkBvhItem ordered[4] = {own[0], own[0], own[0], own[0]};
    halves[0] = wkEmptyRange(range->first);
    halves[1] = wkEmptyRange(range->first + ways[best].firstCount);
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
