// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Boxes around items, in SIMD code: shared by surface_kernel.c and surface_kernel_few.c.

#include "simd/eight.h"
#include "tree/bvh/bvh_partition.h"

// A box with its upper vertex negated: eight numbers that are combined by minimum.
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

// The axes except the one along which centers differ least: borders along that one are seldom useful.
// Found without a branch, which would be mispredicted.
WK_FORCE_FN const uint8_t* longerAxes(wkBvhBox centers)
{
    // whether y < x, z < y, z < x
    static const uint8_t others[8][2] = {{1, 2}, {0, 2}, {1, 2}, {0, 1},
                                         {0, 1}, {0, 2}, {0, 1}, {0, 1}};
    wkQuad size = centers.upper - centers.lower;
    wkQuadInt isLess = __builtin_shufflevector(size, size, 1, 2, 2, 3) <
                       __builtin_shufflevector(size, size, 0, 1, 0, 3);
    return others[wkQuadMask(isLess) & 7u];
}

// Accumulated boxes around some items and their centers.
typedef struct gathering {
    wkEight box;     // minima of flipped boxes
    wkEight centers; // minima of their centers, followed by those of the negated centers
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

// Adds an item to the first of two accumulators, or to the second.
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
