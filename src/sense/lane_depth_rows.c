// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rows of depth images: what depths prove, least depths of blocks and of neighbours.

#include "sense/depth_fill.h"
#include "simd/float_rows.h"

// A recipe in all lanes.
typedef struct wideRecipe {
    wkFloatW scale, minDepth, maxDepth, noise, noiseSquare, thickness;
    wkFloatW zero, one, none, rounding, farthest, infinite;
} wideRecipe;

WK_FORCE_FN wideRecipe widen(const wkDepthRecipe* r)
{
    wideRecipe w = {wkSplatF(r->scale),       wkSplatF(r->minDepth),
                    wkSplatF(r->maxDepth),    wkSplatF(r->noise),
                    wkSplatF(r->noiseSquare), wkSplatF(r->thickness),
                    wkSplatF(0.0f),           wkSplatF(1.0f),
                    wkSplatF(WK_NO_SURFACE),  wkSplatF(WK_DEPTH_ROUNDING),
                    wkSplatF(WK_FARTHEST),    wkSplatF(INFINITY)};
    return w;
}

// As wkProveDepth. @return 1 in lanes with a depth
WK_FORCE_FN wkFloatW prove(const wideRecipe* r, wkFloatW value, float* freeTo, float* surfaceEnd)
{
    wkFloatW depth = wkMulF(value, r->scale);
    depth = wkKeepGreaterF(depth, r->minDepth, depth); // NaN and what is negative too
    depth = wkKeepGreaterF(r->infinite, depth, depth);
    wkFloatW isNear = wkKeepGreaterF(r->maxDepth, depth, r->one);
    depth = wkMinF(depth, r->farthest);
    wkFloatW noise = wkAddF(wkAddF(r->noise, wkMulF(r->noiseSquare, wkMulF(depth, depth))),
                            wkMulF(depth, r->rounding));
    wkFloatW free = wkMaxF(wkMinF(wkSubF(depth, noise), r->maxDepth), r->zero);
    wkFloatW end = wkAddF(wkAddF(depth, noise), r->thickness);
    // a surface where there is a depth and it is near
    wkFloatW isSurface = wkKeepGreaterF(depth, r->zero, isNear);
    wkStoreF(freeTo, free);
    wkStoreF(surfaceEnd, wkSelectGreaterF(isSurface, r->zero, end, r->none));
    return wkKeepGreaterF(depth, r->zero, r->one);
}

static int32_t sumLanes(wkFloatW sum)
{
    _Alignas(64) float lanes[WK_FLOAT_LANES];
    wkStoreF(lanes, sum);
    float total = 0.0f;
    for (int i = 0; i < WK_FLOAT_LANES; ++i) {
        total += lanes[i];
    }
    return (int32_t)total;
}

static int32_t proveWords(const wkDepthRecipe* recipe, const uint16_t* row, int32_t count,
                          float* freeTo, float* surfaceEnd)
{
    wideRecipe r = widen(recipe);
    wkFloatW sum = r.zero;
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        sum = wkAddF(sum, prove(&r, wkLoadWordsF(row + i), freeTo + i, surfaceEnd + i));
    }
    return sumLanes(sum);
}

static int32_t proveFloats(const wkDepthRecipe* recipe, const float* row, int32_t count,
                           float* freeTo, float* surfaceEnd)
{
    wideRecipe r = widen(recipe);
    wkFloatW sum = r.zero;
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        sum = wkAddF(sum, prove(&r, wkLoadF(row + i), freeTo + i, surfaceEnd + i));
    }
    return sumLanes(sum);
}

static void halve(const float* first, const float* second, int32_t count, float* least)
{
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkFloatW a = wkMinF(wkLoadF(first + 2 * i), wkLoadF(second + 2 * i));
        wkFloatW b = wkMinF(wkLoadF(first + 2 * i + WK_FLOAT_LANES),
                            wkLoadF(second + 2 * i + WK_FLOAT_LANES));
        wkStoreF(least + i, wkMinPairsF(a, b));
    }
}

// Where surfaces of pixels can begin.
WK_FORCE_FN wkFloatW nearestOf(const float* freeTo, const float* surfaceEnd)
{
    return wkSelectGreaterF(wkLoadF(surfaceEnd), wkSplatF(0.0f), wkLoadF(freeTo),
                            wkSplatF(WK_FARTHEST));
}

static void halveSurfaces(const float* const freeTo[2], const float* const surfaceEnd[2],
                          int32_t count, float* least)
{
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkFloatW sides[2];
        for (int32_t side = 0; side < 2; ++side) {
            int32_t at = 2 * i + side * WK_FLOAT_LANES;
            sides[side] = wkMinF(nearestOf(freeTo[0] + at, surfaceEnd[0] + at),
                                 nearestOf(freeTo[1] + at, surfaceEnd[1] + at));
        }
        wkStoreF(least + i, wkMinPairsF(sides[0], sides[1]));
    }
}

// Least of the columns up to `reach` to each side, and a little less.
WK_FORCE_FN void spreadColumns(const float* row, int32_t count, int32_t reach, float* least)
{
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkFloatW sum = wkLoadF(row + i);
        for (int32_t k = 1; k <= reach; ++k) {
            sum = wkMinF(sum, wkMinF(wkLoadAnyF(row + i - k), wkLoadAnyF(row + i + k)));
        }
        wkStoreF(least + i, wkMulF(sum, wkSplatF(1.0f - WK_ENTRY_SLACK)));
    }
}

#define PADDING 16

static void spread(const float* const rows[7], int32_t count, float* padded, float* narrow,
                   float* wide)
{
    float* within = padded + PADDING;
    for (int32_t i = 0; i < PADDING; ++i) {
        padded[i] = within[count + i] = WK_FARTHEST;
    }
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkFloatW two = wkMinF(wkLoadF(rows[1] + i), wkLoadF(rows[5] + i));
        wkFloatW four = wkMinF(two, wkMinF(wkLoadF(rows[2] + i), wkLoadF(rows[4] + i)));
        wkStoreF(within + i, wkMinF(four, wkLoadF(rows[3] + i)));
    }
    spreadColumns(within, count, 2, narrow);
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkFloatW two = wkMinF(wkLoadF(rows[0] + i), wkLoadF(rows[6] + i));
        wkStoreF(within + i, wkMinF(two, wkLoadF(within + i)));
    }
    spreadColumns(within, count, 3, wide);
}

static void bound(const float* freeTo, const float* surfaceEnd, int32_t pitch, int32_t rowCount,
                  int32_t count, float* const bounds[2])
{
    wkFloatW zero = wkSplatF(0.0f);
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkFloatW nearest = wkSplatF(WK_FARTHEST), farthest = wkSplatF(WK_NO_SURFACE);
        for (int32_t row = 0; row < rowCount; ++row) {
            size_t at = (size_t)row * (size_t)pitch + (size_t)i;
            nearest = wkMinF(nearest, nearestOf(freeTo + at, surfaceEnd + at));
            farthest = wkMaxF(farthest, wkLoadF(surfaceEnd + at));
        }
        wkStoreF(bounds[0] + i, nearest);
        wkStoreF(bounds[1] + i, wkSubF(zero, farthest));
    }
}

extern const wkDepthLanes WK_LANE(wkDepthLanes);
const wkDepthLanes WK_LANE(wkDepthLanes) = {proveWords,    proveFloats, halve,
                                            halveSurfaces, spread,      bound};
