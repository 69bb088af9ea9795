// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Converts the pixels of an image into proven depths.

#include "sense/depth_fill.h"

#include "base/isa_table.h"
#include "sense/depth_image_impl.h"

#include <string.h>

WK_DEFINE_LANES(const wkDepthLanes, wkDepthLanes)

void wkEndDepthRow(wkDepthMap* map, int32_t v)
{
    size_t row = (size_t)v * (size_t)map->pitch;
    for (int32_t u = map->camera.width; u < map->pitch; ++u) {
        map->freeTo[row + (size_t)u] = WK_FARTHEST;
        map->surfaceEnd[row + (size_t)u] = WK_NO_SURFACE;
    }
}

// The kernels read beyond the end of most rows, where the caller's memory may end, and rows may be
// unaligned: such rows are copied.
static const void* wholeRow(const wkDepthMap* map, const wkDepthImage* image, int32_t v)
{
    size_t size = image->type == wk_depthFloat ? sizeof(float) : sizeof(uint16_t);
    const void* row = wkDepthRow(image, v);
    if (map->camera.width % 16 == 0 && (uintptr_t)row % size == 0) {
        return row;
    }
    memset(map->scratch, 0, (size_t)map->pitch * size);
    return memcpy(map->scratch, row, (size_t)map->camera.width * size);
}

int32_t wkFillBand(wkDepthMap* map, const wkDepthImage* image, int32_t band)
{
    const wkDepthLanes* lanes = wkDepthLanesOfMachine();
    wkDepthRecipe recipe = wkMakeDepthRecipe(&map->def, image->scale);
    int32_t count = (map->camera.width + 15) / 16 * 16, measuredCount = 0;
    int32_t first = band * WK_BAND_ROWS, end = first + WK_BAND_ROWS;
    for (int32_t v = first; v < end && v < map->camera.height; ++v) {
        size_t at = (size_t)v * (size_t)map->pitch;
        float *freeTo = map->freeTo + at, *surfaceEnd = map->surfaceEnd + at;
        const void* row = wholeRow(map, image, v);
        measuredCount +=
            image->type == wk_depthFloat
                ? lanes->proveFloats(&recipe, (const float*)row, count, freeTo, surfaceEnd)
                : lanes->proveWords(&recipe, (const uint16_t*)row, count, freeTo, surfaceEnd);
        wkEndDepthRow(map, v);
    }
    return measuredCount;
}
