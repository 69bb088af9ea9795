// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Kernels for rows of depth images: proven depths, least depths of blocks and of neighbours.

#include "sense/depth_fill.h"
#include "sense/short_depth.h"
#include "simd/float_rows.h"
#include "simd/short_rows.h"

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

// Works as wkProveDepth. @return 1 in lanes with a depth
// @param isTame values are integers, and the largest value is not a depth beyond the range
WK_FORCE_FN wkFloatW prove(const wideRecipe* r, wkFloatW value, bool isTame, float* freeTo,
                           float* surfaceEnd)
{
    wkFloatW depth = wkMulF(value, r->scale);
    if (!isTame) {
        depth = wkKeepGreaterF(r->infinite, depth, depth); // also for NaN
    }
    wkFloatW isDepth = wkKeepGreaterF(depth, r->minDepth, r->one);
    depth = wkKeepGreaterF(depth, r->minDepth, depth);
    if (!isTame) {
        depth = wkMinF(depth, r->farthest);
    }
    wkFloatW noise = wkAddF(wkAddF(r->noise, wkMulF(r->noiseSquare, wkMulF(depth, depth))),
                            wkMulF(depth, r->rounding));
    wkFloatW free = wkMaxF(wkMinF(wkSubF(depth, noise), r->maxDepth), r->zero);
    wkFloatW end = wkAddF(wkAddF(depth, noise), r->thickness);
    // there is a surface where there is a depth below the maximum
    wkFloatW near = wkKeepGreaterF(r->maxDepth, depth, depth);
    wkStoreF(freeTo, free);
    wkStoreF(surfaceEnd, wkSelectGreaterF(near, r->zero, end, r->none));
    return isDepth;
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

WK_FORCE_FN int32_t proveAnyWords(const wkDepthRecipe* recipe, bool isTame, const uint16_t* row,
                                  int32_t count, float* freeTo, float* surfaceEnd)
{
    wideRecipe r = widen(recipe);
    wkFloatW sum = r.zero;
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkFloatW value = wkLoadWordsF(row + i);
        sum = wkAddF(sum, prove(&r, value, isTame, freeTo + i, surfaceEnd + i));
    }
    return sumLanes(sum);
}

static int32_t proveWords(const wkDepthRecipe* recipe, const uint16_t* row, int32_t count,
                          float* freeTo, float* surfaceEnd)
{
    bool isTame = 65535.0f * recipe->scale < WK_FARTHEST;
    return isTame ? proveAnyWords(recipe, true, row, count, freeTo, surfaceEnd)
                  : proveAnyWords(recipe, false, row, count, freeTo, surfaceEnd);
}

static int32_t proveFloats(const wkDepthRecipe* recipe, const float* row, int32_t count,
                           float* freeTo, float* surfaceEnd)
{
    wideRecipe r = widen(recipe);
    wkFloatW sum = r.zero;
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkFloatW value = wkLoadAnyF(row + i);
        sum = wkAddF(sum, prove(&r, value, false, freeTo + i, surfaceEnd + i));
    }
    return sumLanes(sum);
}

// Stores depths as short depths.
WK_FORCE_FN void narrow(int16_t* memory, wkFloatW depth)
{
    wkIntW bits = wkSubI(wkBitsOfF(depth), wkSplatI(WK_SHORT_ORIGIN));
    wkNarrowI(memory, wkShiftRightSignI(bits, WK_SHORT_SHIFT));
}

// Returns where surfaces of pixels can begin.
WK_FORCE_FN wkFloatW nearestOf(wkFloatW freeTo, const float* surfaceEnd)
{
    return wkSelectGreaterF(wkLoadF(surfaceEnd), wkSplatF(0.0f), freeTo, wkSplatF(WK_FARTHEST));
}

static void halvePixels(const float* const freeTo[2], const float* const surfaceEnd[2],
                        int32_t count, int16_t* free, int16_t* nearest)
{
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkFloatW least[2], first[2];
        for (int32_t side = 0; side < 2; ++side) {
            int32_t at = 2 * i + side * WK_FLOAT_LANES;
            wkFloatW upper = wkLoadF(freeTo[0] + at), lower = wkLoadF(freeTo[1] + at);
            least[side] = wkMinF(upper, lower);
            first[side] =
                wkMinF(nearestOf(upper, surfaceEnd[0] + at), nearestOf(lower, surfaceEnd[1] + at));
        }
        narrow(free + i, wkMinPairsF(least[0], least[1]));
        narrow(nearest + i, wkMinPairsF(first[0], first[1]));
    }
}

static void endPixels(const float* surfaceEnd, int32_t pitch, int32_t rowCount, int32_t count,
                      int16_t* rotated)
{
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkFloatW farthest = wkLoadF(surfaceEnd + i);
        for (int32_t row = 1; row < rowCount; ++row) {
            size_t at = (size_t)row * (size_t)pitch + (size_t)i;
            farthest = wkMaxF(farthest, wkLoadF(surfaceEnd + at));
        }
        // the reversed difference, so that the shift rounds up
        wkIntW bits = wkSubI(wkSplatI(WK_SHORT_ORIGIN), wkBitsOfF(farthest));
        wkNarrowI(rotated + i, wkShiftRightSignI(bits, WK_SHORT_SHIFT));
    }
}

static void halve(const int16_t* first, const int16_t* second, int32_t count, int16_t* least)
{
    for (int32_t i = 0; i < count; i += WK_SHORT_LANES) {
        int32_t at = 2 * i, next = at + WK_SHORT_LANES;
        wkShortW a = wkMinS(wkLoadS(first + at), wkLoadS(second + at));
        wkShortW b = wkMinS(wkLoadS(first + next), wkLoadS(second + next));
        wkStoreS(least + i, wkMinPairsS(a, b));
    }
}

// Computes the least of the columns up to `reach` to each side.
WK_FORCE_FN void spreadColumns(const int16_t* row, int32_t count, int32_t reach, int16_t* least)
{
    for (int32_t i = 0; i < count; i += WK_SHORT_LANES) {
        wkShortW sum = wkLoadS(row + i);
        for (int32_t k = 1; k <= reach; ++k) {
            sum = wkMinS(sum, wkMinS(wkLoadS(row + i - k), wkLoadS(row + i + k)));
        }
        wkStoreS(least + i, sum);
    }
}

// Rows have this many neutral numbers before and after them.
#define PADDING WK_SPREAD_PADDING

static void spread(const int16_t* const rows[8], int32_t count, int16_t* scratch,
                   int16_t* const narrows[2], int16_t* const wides[2])
{
    int16_t* within[4];
    for (int32_t k = 0; k < 4; ++k) {
        int16_t* before = scratch + k * (count + 2 * PADDING);
        within[k] = before + PADDING;
        for (int32_t i = 0; i < PADDING; ++i) {
            before[i] = within[k][count + i] = INT16_MAX;
        }
    }
    for (int32_t i = 0; i < count; i += WK_SHORT_LANES) {
        // four rows are in all of the minima
        wkShortW r1 = wkLoadS(rows[1] + i), r6 = wkLoadS(rows[6] + i);
        wkShortW four = wkMinS(wkMinS(wkLoadS(rows[2] + i), wkLoadS(rows[3] + i)),
                               wkMinS(wkLoadS(rows[4] + i), wkLoadS(rows[5] + i)));
        wkShortW upper = wkMinS(four, r1), lower = wkMinS(four, r6);
        wkStoreS(within[0] + i, upper);
        wkStoreS(within[1] + i, lower);
        wkShortW six = wkMinS(upper, r6);
        wkStoreS(within[2] + i, wkMinS(six, wkLoadS(rows[0] + i)));
        wkStoreS(within[3] + i, wkMinS(six, wkLoadS(rows[7] + i)));
    }
    for (int32_t k = 0; k < 2; ++k) {
        spreadColumns(within[k], count, 2, narrows[k]);
        spreadColumns(within[k + 2], count, 3, wides[k]);
    }
}

extern const wkDepthLanes WK_KERNEL(wkDepthLanes);
const wkDepthLanes WK_KERNEL(wkDepthLanes) = {proveWords, proveFloats, halvePixels,
                                              endPixels,  halve,       spread};
