// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Splits a range where the expected cost is least: a random line that meets the box of the range
// meets each half in proportion to its surface, and then costs as much as it has items. Items are
// sorted into bins by their centres along all three axes, and each border between bins is looked at
// (Wald 2007). For three or four items all ways to part them are looked at instead.

#include "tree/surface_part.h"
#include "tree/surface_split.h"

#define BIN_COUNT 16

// Ranges with fewer items do with half of the bins.
#define FEW_ITEMS 64

// Of large ranges about this many items are looked at, evenly spread: the border moves by little.
#define SAMPLE_COUNT 128

// Shorter extents are as good as none, and their inverse would leave the range of float.
#define SHORTEST_EXTENT 1e-30f

// Items whose centres fall between two borders, along each of the axes. Its size is a power of two,
// so that places of bins are shifted numbers.
typedef struct bin {
    flipBox boxes[3];
    wkQuadInt counts;
    wkQuadInt unused;
} bin;

#define BIN_SHIFT 7
_Static_assert(sizeof(bin) == 1 << BIN_SHIFT, "bins are found by a shift");

typedef struct bins {
    _Alignas(32) bin all[BIN_COUNT];
    wkQuad base;  // smallest centre
    wkQuad scale; // bins per metre; 0 along an axis without extent
} bins;

// A border between bins along an axis: items in bins below `limit` are before it.
typedef struct border {
    int axis;
    float base;
    float scale;
    float limit;
    float cost;
} border;

// Where the bins of an item are: bytes after the first one.
WK_FORCE_FN wkQuadInt binPlaces(wkQuad center, wkQuad base, wkQuad scale)
{
    return __builtin_convertvector((center - base) * scale, wkQuadInt) << BIN_SHIFT;
}

WK_FORCE_FN void clearBins(bins* b, const wkBvhRange* range, int count)
{
    b->base = range->centers.lower;
    b->scale = wkQuadOf(0.0f);
    wkQuad size = range->centers.upper - range->centers.lower;

    // a little less than all bins, so that the largest centre falls into the last one
    float full = (float)count * (1.0f - 1e-5f);
    for (int axis = 0; axis < 3; ++axis) {
        b->scale[axis] = size[axis] > SHORTEST_EXTENT ? full / size[axis] : 0.0f;
    }
    wkEight nothing = wkSplat8(WK_FAR_AWAY);
    for (int i = 0; i < count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            wkStore8((float*)&b->all[i].boxes[axis], nothing);
        }
        b->all[i].counts = (wkQuadInt){0, 0, 0, 0};
    }
}

WK_FORCE_FN void fillBin(bins* b, const wkBvhItem* item)
{
    wkEight box = loadFlipped(item);
    wkQuadInt places = binPlaces(wkItemCenter(item), b->base, b->scale);
    for (int axis = 0; axis < 3; ++axis) {
        bin* own = (bin*)((char*)b->all + (uint32_t)places[axis]);
        float* numbers = (float*)&own->boxes[axis];
        wkStore8(numbers, wkMin8(wkLoad8(numbers), box));
        ((int32_t*)&own->counts)[axis] += 1;
    }
}

WK_FORCE_FN void fillBins(bins* b, const wkBvhItem* items, const wkBvhRange* range)
{
    int32_t step = range->count / SAMPLE_COUNT > 1 ? range->count / SAMPLE_COUNT : 1;
    int32_t end = range->first + range->count;
    for (int32_t i = range->first; i < end; i += step) {
        fillBin(b, &items[i]);
    }
}

// Boxes of some bins along each of the axes, and how many items are in them.
typedef struct side {
    flipBox boxes[3];
    wkQuadInt counts;
} side;

WK_FORCE_FN side noBins(void)
{
    wkQuad none = wkQuadOf(WK_FAR_AWAY);
    side s = {{{none, none}, {none, none}, {none, none}}, {0, 0, 0, 0}};
    return s;
}

WK_FORCE_FN void addBin(side* s, const bin* b)
{
    for (int axis = 0; axis < 3; ++axis) {
        s->boxes[axis].lower = wkMinQuad(s->boxes[axis].lower, b->boxes[axis].lower);
        s->boxes[axis].negated = wkMinQuad(s->boxes[axis].negated, b->boxes[axis].negated);
    }
    s->counts += b->counts;
}

// Items times surface for the three axes at once; nothing where there are no items.
WK_FORCE_FN wkQuad costOf(const side* s)
{
    // all sizes are negated, which their products forget
    wkQuad x = s->boxes[0].lower + s->boxes[0].negated;
    wkQuad y = s->boxes[1].lower + s->boxes[1].negated;
    wkQuad z = s->boxes[2].lower + s->boxes[2].negated;

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
WK_FORCE_FN border findBorder(const bins* b, int count)
{
    wkQuad beyond[BIN_COUNT];
    side above = noBins(), below = noBins();
    for (int i = count - 1; i > 0; --i) {
        addBin(&above, &b->all[i]);
        beyond[i - 1] = costOf(&above);
    }
    wkQuad bestCosts = wkQuadOf(INFINITY);
    wkQuadInt bestBins = {0, 0, 0, 0};
    for (int i = 0; i < count - 1; ++i) {
        addBin(&below, &b->all[i]);
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

static bool isBefore(const void* context, const wkBvhItem* item, int index)
{
    (void)index;
    const border* b = (const border*)context;
    return (wkItemCenterAlong(item, b->axis) - b->base) * b->scale < b->limit;
}

static wkBvhRange gather(const wkBvhItem* items, int32_t first, int32_t count)
{
    gathering g = gatherNothing();
    for (int32_t i = first; i < first + count; ++i) {
        gatherItem(&g, wkLoad8((const float*)&items[i]));
    }
    return gatheredRange(&g, first, count);
}

// Puts items before the border before the others: every item is exchanged with the first one of the
// second half, which grows again when it does not belong before it.
static void partMany(wkBvhItem* items, const wkBvhRange* range, const border* b,
                     wkBvhRange halves[2])
{
    int32_t middle = range->first, end = range->first + range->count;
    for (int32_t i = range->first; i < end; ++i) {
        bool isFirst = isBefore(b, &items[i], 0);
        wkEight item = wkLoad8((const float*)&items[i]);
        wkStore8((float*)&items[i], wkLoad8((const float*)&items[middle]));
        wkStore8((float*)&items[middle], item);
        middle += isFirst;
    }
    halves[0] = gather(items, range->first, middle - range->first);
    halves[1] = gather(items, middle, end - middle);
}

static void splitByBins(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                        wkBvhRange halves[2])
{
    // numbers that the compiler knows: most ranges are small, and their loops short
    bins b;
    border best;
    if (range->count < FEW_ITEMS) {
        clearBins(&b, range, BIN_COUNT / 2);
        fillBins(&b, items, range);
        best = findBorder(&b, BIN_COUNT / 2);
    } else {
        clearBins(&b, range, BIN_COUNT);
        fillBins(&b, items, range);
        best = findBorder(&b, BIN_COUNT);
    }
    if (range->count <= PART_COUNT) {
        _Alignas(32) wkBvhItem others[PART_COUNT];
        partFew(items, range, isBefore, &best, others, halves);
    } else {
        partMany(items, range, &best, halves);
    }

    // nothing to choose between: items at one place, or on one line
    if (halves[0].count == 0 || halves[1].count == 0 || !(best.cost > 0.0f)) {
        wkSplitAtMedian(rule, items, range, halves);
    }
}

wkSplitRangeFcn WK_LANE(wkSurfaceSplit);
void WK_LANE(wkSurfaceSplit)(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                             wkBvhRange halves[2])
{
    if (range->count >= 3 && range->count <= WK_FEW_ITEMS) {
        WK_LANE(wkSurfaceSplitFew)(rule, items, range, halves);
    } else {
        splitByBins(rule, items, range, halves);
    }
}
