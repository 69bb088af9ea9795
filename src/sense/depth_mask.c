// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pixels that show the robot itself prove at most the free space in front of it, and show no obstacle.

#include "sense/depth_fill.h"
#include "sense/depth_mask_item.h"

static int32_t maskPixels(wkDepthMap* map, const wkOwnSphere* sphere, wkPixelRange range,
                          wkMaskRule rule)
{
    int32_t maskedCount = 0;
    for (int32_t v = range.top; v <= range.bottom; ++v) {
        float* freeTo = map->freeTo + (size_t)v * (size_t)map->pitch;
        float* surfaceEnd = map->surfaceEnd + (size_t)v * (size_t)map->pitch;
        for (int32_t u = range.left; u <= range.right; ++u) {
            if (wkIsMaskedBy(map, sphere, u, v, freeTo[u], surfaceEnd[u])) {
                surfaceEnd[u] = WK_NO_SURFACE;
                freeTo[u] = rule == wk_maskRemove ? 0.0f : freeTo[u];
                ++maskedCount;
            }
        }
    }
    return maskedCount;
}

// Returns the intersection of two ranges.
static wkPixelRange common(wkPixelRange a, wkPixelRange b)
{
    wkPixelRange range = {
        a.left > b.left ? a.left : b.left,
        a.right < b.right ? a.right : b.right,
        a.top > b.top ? a.top : b.top,
        a.bottom < b.bottom ? a.bottom : b.bottom,
    };
    return range;
}

// Blocks of pixels that are all behind the sphere are skipped. Least depths are those without a mask, which
// are at most those with it.
static int32_t maskSphere(wkDepthMap* map, const wkOwnSphere* sphere, wkMaskRule rule)
{
    wkPixelRange range = sphere->range;
    const int32_t side = 8;
    const wkDepthLevel* level = &map->levels[2];
    int32_t maskedCount = 0;
    for (int32_t v = range.top / side; v <= range.bottom / side && v < level->height; ++v) {
        const int16_t* row = level->values[wk_depthOfFree] + (size_t)v * (size_t)level->pitch;
        for (int32_t u = range.left / side; u <= range.right / side && u < level->width; ++u) {
            if ((double)wkShortDepth(row[u]) <= sphere->inCamera.deepest) {
                wkPixelRange block = {u * side, u * side + side - 1, v * side, v * side + side - 1};
                maskedCount += maskPixels(map, sphere, common(range, block), rule);
            }
        }
    }
    return maskedCount;
}

int32_t wkMaskDepths(wkDepthMap* map, const wkDepthMask* mask)
{
    int32_t maskedCount = 0;
    for (int32_t i = 0; i < mask->count; ++i) {
        wkOwnSphere own = wkMakeOwnSphere(map, mask, i);
        maskedCount += maskSphere(map, &own, mask->rule);
    }
    return maskedCount;
}
