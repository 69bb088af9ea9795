// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parting a range at a border, in lane code: what lane_surface.c and lane_surface_few.c share.

#include "simd/eight.h"
#include "tree/bvh_partition.h"

// Ranges up to this many items are parted by way of the stack.
#define PART_COUNT 256

// A box with its upper corner negated: eight numbers of which the smallest count.
typedef struct flipBox {
    wkQuad lower;
    wkQuad negated;
} flipBox;

static const _Alignas(32) float flips[8] = {1.0f, 1.0f, 1.0f, 1.0f, -1.0f, -1.0f, -1.0f, -1.0f};

WK_FORCE_FN wkEight flipped(wkEight item)
{
    return wkMul8(item, wkLoad8(flips));
}

WK_FORCE_FN wkEight loadFlipped(const wkBvhItem* item)
{
    return flipped(wkLoad8((const float*)item));
}

// Boxes around some items and their centres, in the making.
typedef struct gathering {
    wkEight box;     // the smallest numbers of flipped boxes
    wkEight centers; // and of their centres, followed by the same numbers negated
} gathering;

WK_FORCE_FN gathering gatherNothing(void)
{
    gathering g = {wkSplat8(WK_FAR_AWAY), wkSplat8(2.0f * WK_FAR_AWAY)};
    return g;
}

WK_FORCE_FN wkEight flippedCenter(wkEight item)
{
    return flipped(wkAdd8(item, wkSwapHalves8(item)));
}

WK_FORCE_FN void gatherItem(gathering* g, wkEight item)
{
    g->box = wkMin8(flipped(item), g->box);
    g->centers = wkMin8(flippedCenter(item), g->centers);
}

// Adds an item to the first of two, or to the second.
WK_FORCE_FN void gatherAside(gathering g[2], wkEight item, bool isFirst)
{
    wkMask8 mask = wkAllIf8(isFirst);
    wkEight box = flipped(item), center = flippedCenter(item);
    g[0].box = wkMinWhere8(mask, g[0].box, box);
    g[1].box = wkMinElsewhere8(mask, g[1].box, box);
    g[0].centers = wkMinWhere8(mask, g[0].centers, center);
    g[1].centers = wkMinElsewhere8(mask, g[1].centers, center);
}

WK_FORCE_FN wkBvhBox unflipped(wkEight smallest)
{
    _Alignas(32) flipBox numbers;
    wkStore8((float*)&numbers, smallest);
    wkBvhBox box = {numbers.lower, -numbers.negated};
    return box;
}

WK_FORCE_FN wkBvhRange gatheredRange(const gathering* g, int32_t first, int32_t count)
{
    wkBvhRange range = {first, count, unflipped(g->box), unflipped(g->centers)};
    return range;
}

// Puts items for which `isFirst` holds before the others. No branch depends on where items belong,
// which nobody can guess: each is written to both places, and counts at one. Those of the second
// half wait elsewhere, so that no item is read soon after something was written in its place.
WK_FORCE_FN void partFew(wkBvhItem* items, const wkBvhRange* range,
                         bool isFirst(const void* context, const wkBvhItem* item, int index),
                         const void* context, wkBvhItem* others, wkBvhRange halves[2])
{
    wkBvhItem *own = items + range->first, *first = own, *other = others;
    gathering g[2] = {gatherNothing(), gatherNothing()};
    for (int i = 0; i < range->count; ++i) {
        wkEight item = wkLoad8((const float*)&own[i]);
        bool isBefore = isFirst(context, &own[i], i);
        wkStore8((float*)first, item);
        wkStore8((float*)other, item);
        first += isBefore;
        other += !isBefore;
        gatherAside(g, item, isBefore);
    }
    int32_t middle = (int32_t)(first - items), beyond = (int32_t)(other - others);
    for (int32_t i = 0; i < beyond; ++i) {
        wkStore8((float*)&first[i], wkLoad8((const float*)&others[i]));
    }
    halves[0] = gatheredRange(&g[0], range->first, middle - range->first);
    halves[1] = gatheredRange(&g[1], middle, beyond);
}
