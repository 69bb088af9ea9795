// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Splits a range where the expected cost is least: a random line that hits the box of the range hits
// each half in proportion to its surface, and then costs as much as the half has items. Items are
// sorted into bins by their centers along the two longer axes, and each border between bins is
// evaluated (Wald 2007). Few items are split without bins, see surface_kernel_few.c.

#include "tree/bvh/surface_part.h"
#include "tree/bvh/surface_split.h"

#define BIN_COUNT 16

// Ranges with this many items are evaluated along all three axes.
#define MANY_ITEMS 512

// Ranges with fewer items use half of the bins.
#define FEW_ITEMS 64

// Of large ranges about this many items are sampled, evenly spread: the border moves little.
#define SAMPLE_COUNT 128

// Ranges up to this many items are partitioned through a buffer on the stack.
#define PART_COUNT 256

// Shorter extents count as zero: their inverse would leave the range of float.
#define SHORTEST_EXTENT 1e-30f

// Items whose centers are between two borders, along both axes.
typedef struct bin {
    flipBox boxes[2];
    wkQuadInt counts;    // along the first axis and the second
    wkQuadInt unused[3]; // so that bins are indexed by a shift
} bin;

typedef struct bins {
    _Alignas(32) bin all[BIN_COUNT];
    _Alignas(32) bin others[BIN_COUNT]; // for every second item
    int axes[2];
    float bases[2];  // smallest center
    float scales[2]; // bins per metre; 0 along an axis without extent
} bins;

// A border between bins along an axis: items in bins below `limit` are before it.
typedef struct border {
    int axis;
    float base;
    float scale;
    float limit;
    float cost;
} border;

WK_FORCE_FN void clearBins(bins* b, const wkBvhRange* range, const uint8_t* axes, int count)
{
    // slightly less than all bins, so that the largest center falls into the last one
    float full = (float)count * (1.0f - 1e-5f);
    for (int k = 0; k < 2; ++k) {
        float lowest = range->centers.lower[axes[k]];
        float size = range->centers.upper[axes[k]] - lowest;
        b->axes[k] = axes[k];
        b->bases[k] = lowest;
        b->scales[k] = size > SHORTEST_EXTENT ? full / size : 0.0f;
    }
    wkEight nothing = wkSplat8(WK_FAR_AWAY);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 2; ++k) {
            wkStore8((float*)&b->all[i].boxes[k], nothing);
            wkStore8((float*)&b->others[i].boxes[k], nothing);
        }
        b->all[i].counts = b->others[i].counts = (wkQuadInt){0, 0, 0, 0};
    }
}

WK_FORCE_FN void addToBin(bin* own, int k, wkEight box)
{
    float* smallest = (float*)&own->boxes[k];
    wkStore8(smallest, wkMin8(wkLoad8(smallest), box));
    ((int32_t*)&own->counts)[k] += 1;
}

// Maps an item to its bins.
typedef struct binning {
    wkQuad base;
    wkQuad scale;
} binning;

// Called with constant axes.
WK_FORCE_FN void addToBins(bin* set, const wkBvhItem* item, const binning* rule, int axisA,
                           int axisB)
{
    wkEight box = loadFlipped(item);
    wkQuad numbers = (wkItemCenter(item) - rule->base) * rule->scale;
    wkQuadInt binOf = __builtin_convertvector(numbers, wkQuadInt);
    addToBin(&set[binOf[axisA]], 0, box);
    addToBin(&set[binOf[axisB]], 1, box);
}

// Neighbours often fall into one bin, and their updates would stall: they go to different sets.
WK_FORCE_FN void fillAlong(bins* b, const wkBvhItem* items, const wkBvhRange* range, int axisA,
                           int axisB)
{
    binning rule = {range->centers.lower, wkQuadOf(0.0f)};
    rule.scale[axisA] = b->scales[0];
    rule.scale[axisB] = b->scales[1];
    int32_t step = range->count / SAMPLE_COUNT > 1 ? range->count / SAMPLE_COUNT : 1;
    int32_t i = range->first, end = range->first + range->count;
    for (; i + step < end; i += 2 * step) {
        addToBins(b->all, &items[i], &rule, axisA, axisB);
        addToBins(b->others, &items[i + step], &rule, axisA, axisB);
    }
    if (i < end) {
        addToBins(b->all, &items[i], &rule, axisA, axisB);
    }
}

WK_FORCE_FN void joinSets(bins* b, int count)
{
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 2; ++k) {
            float* box = (float*)&b->all[i].boxes[k];
            wkStore8(box, wkMin8(wkLoad8(box), wkLoad8((const float*)&b->others[i].boxes[k])));
        }
        b->all[i].counts += b->others[i].counts;
    }
}

WK_FORCE_FN void fillBins(bins* b, const wkBvhItem* items, const wkBvhRange* range)
{
    if (b->axes[0] == 1) {
        fillAlong(b, items, range, 1, 2);
    } else if (b->axes[1] == 1) {
        fillAlong(b, items, range, 0, 1);
    } else {
        fillAlong(b, items, range, 0, 2);
    }
}

// Boxes of the first bins along both axes and of the last ones, and their numbers of items.
typedef struct sides {
    wkEight boxes[4];
    wkQuadInt counts;
} sides;

WK_FORCE_FN sides noBins(void)
{
    wkEight none = wkSplat8(WK_FAR_AWAY);
    sides s = {{none, none, none, none}, {0, 0, 0, 0}};
    return s;
}

WK_FORCE_FN void addBins(sides* s, const bin* first, const bin* last)
{
    for (int k = 0; k < 2; ++k) {
        s->boxes[k] = wkMin8(s->boxes[k], wkLoad8((const float*)&first->boxes[k]));
        s->boxes[2 + k] = wkMin8(s->boxes[2 + k], wkLoad8((const float*)&last->boxes[k]));
    }
    s->counts += __builtin_shufflevector(first->counts, last->counts, 0, 1, 4, 5);
}

// Items times surface for all sides at once; 0 where there are no items.
WK_FORCE_FN wkQuad costsOf(const sides* s)
{
    // all sizes are negated, which cancels in their products
    wkQuad a = wkFold8(s->boxes[0]), b = wkFold8(s->boxes[1]);
    wkQuad c = wkFold8(s->boxes[2]), d = wkFold8(s->boxes[3]);

    // transposes from sizes by side to sizes by coordinate
    wkQuad abLow = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    wkQuad cdLow = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    wkQuad abHigh = __builtin_shufflevector(a, b, 2, 6, 2, 6);
    wkQuad cdHigh = __builtin_shufflevector(c, d, 2, 6, 2, 6);
    wkQuad lengths = __builtin_shufflevector(abLow, cdLow, 0, 1, 4, 5);
    wkQuad widths = __builtin_shufflevector(abLow, cdLow, 2, 3, 6, 7);
    wkQuad heights = __builtin_shufflevector(abHigh, cdHigh, 0, 1, 4, 5);
    wkQuad areas = lengths * widths + widths * heights + heights * lengths;
    return areas * __builtin_convertvector(s->counts, wkQuad);
}

// The best border along each axis, and the better of these.
WK_FORCE_FN border findBorder(const bins* b, int count)
{
    wkQuad costs[BIN_COUNT];
    sides s = noBins();
    for (int i = 0; i < count - 1; ++i) {
        addBins(&s, &b->all[i], &b->all[count - 1 - i]);
        costs[i] = costsOf(&s);
    }
    wkQuad bestCosts = wkQuadOf(INFINITY);
    wkQuadInt bestBins = {0, 0, 0, 0};
    for (int i = 0; i < count - 1; ++i) {
        // cppcheck-suppress uninitvar
        wkQuad both =
            costs[i] + __builtin_shufflevector(costs[count - 2 - i], costs[i], 2, 3, 0, 1);
        wkQuadInt isBetter = both < bestCosts;
        wkQuadInt here = {i, i, i, i};
        bestBins = (isBetter & here) | (~isBetter & bestBins);
        bestCosts = wkMinQuad(both, bestCosts);
    }
    int k = bestCosts[1] < bestCosts[0] ? 1 : 0;
    border best = {b->axes[k], b->bases[k], b->scales[k], (float)(bestBins[k] + 1), bestCosts[k]};
    return best;
}

WK_FORCE_FN bool isBefore(const border* b, const wkBvhItem* item)
{
    return (wkItemCenterAlong(item, b->axis) - b->base) * b->scale < b->limit;
}

// Puts items before the border before the others. No branch depends on the side of an item, which is
// unpredictable: each is written to both outputs, and only one count advances. The second half is buffered
// elsewhere, so that no item is read soon after its memory was written.
static void partSome(wkBvhItem* items, const wkBvhRange* range, const border* b,
                     wkBvhRange halves[2])
{
    _Alignas(32) wkBvhItem others[PART_COUNT];
    const wkBvhItem *next = items + range->first, *end = next + range->count;
    wkBvhItem *first = items + range->first, *other = others;
    gathering g[2] = {gatherNothing(), gatherNothing()};
    for (; next < end; ++next) {
        size_t isFirst = isBefore(b, next);
        wkEight item = wkLoad8((const float*)next);
        gatherAside(g, item, isFirst != 0);
        wkStore8((float*)first, item);
        wkStore8((float*)other, item);
        first += isFirst;
        other += 1 - isFirst;
    }
    int32_t middle = (int32_t)(first - items), beyond = (int32_t)(other - others);
    for (int32_t i = 0; i < beyond; ++i) {
        wkStore8((float*)&first[i], wkLoad8((const float*)&others[i]));
    }
    halves[0] = gatheredRange(&g[0], range->first, middle - range->first);
    halves[1] = gatheredRange(&g[1], middle, beyond);
}

// The same for any number: every item is exchanged with the first one of the second half, which grows
// again when the item belongs to it.
static void partMany(wkBvhItem* items, const wkBvhRange* range, const border* b,
                     wkBvhRange halves[2])
{
    int32_t middle = range->first, end = range->first + range->count;
    gathering g[2] = {gatherNothing(), gatherNothing()};
    for (int32_t i = range->first; i < end; ++i) {
        bool isFirst = isBefore(b, &items[i]);
        wkEight item = wkLoad8((const float*)&items[i]);
        gatherAside(g, item, isFirst);
        wkStore8((float*)&items[i], wkLoad8((const float*)&items[middle]));
        wkStore8((float*)&items[middle], item);
        middle += isFirst;
    }
    halves[0] = gatheredRange(&g[0], range->first, middle - range->first);
    halves[1] = gatheredRange(&g[1], middle, end - middle);
}

// Called with constants: most ranges are small, and their loops short.
WK_FORCE_FN border searchAlong(const wkBvhItem* items, const wkBvhRange* range, const uint8_t* axes,
                               int count)
{
    bins b;
    clearBins(&b, range, axes, count);
    fillBins(&b, items, range);
    joinSets(&b, count);
    return findBorder(&b, count);
}

static border refineAlong(const wkBvhItem* items, const wkBvhRange* range, const uint8_t* axes)
{
    return searchAlong(items, range, axes, BIN_COUNT);
}

// The best border among the few that are evaluated.
static border chooseBorder(const wkBvhItem* items, const wkBvhRange* range)
{
    const uint8_t* axes = longerAxes(range->centers);
    if (range->count < FEW_ITEMS) {
        return searchAlong(items, range, axes, BIN_COUNT / 2);
    }
    border best = refineAlong(items, range, axes);
    if (range->count >= MANY_ITEMS) {
        static const uint8_t others[3][2] = {{0, 1}, {0, 1}, {0, 2}};
        border other = refineAlong(items, range, others[3 - axes[0] - axes[1]]);
        best = other.cost < best.cost ? other : best;
    }
    return best;
}

static void splitByBins(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                        wkBvhRange halves[2])
{
    border best = chooseBorder(items, range);
    if (range->count <= PART_COUNT) {
        partSome(items, range, &best, halves);
    } else {
        partMany(items, range, &best, halves);
    }

    // no choice: items at one position, or on one line
    if (halves[0].count == 0 || halves[1].count == 0 || !(best.cost > 0.0f)) {
        wkSplitAtMedian(rule, items, range, halves);
    }
}

wkSplitRangeFcn WK_KERNEL(wkSurfaceSplit);
void WK_KERNEL(wkSurfaceSplit)(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                               wkBvhRange halves[2])
{
    if (range->count >= 3 && range->count <= WK_FEW_ITEMS) {
        WK_KERNEL(wkSurfaceSplitFew)(rule, items, range, halves);
    } else {
        splitByBins(rule, items, range, halves);
    }
}
