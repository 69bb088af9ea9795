// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From the pixels of an image to what they prove, and to least depths of blocks.

#include "sense/depth_fill.h"

#include "base/lanes.h"
#include "math/round.h"
#include "sense/depth_image.h"

#include <string.h>

WK_DEFINE_LANES(const wkDepthLanes, wkDepthLanes)

// Around a row that is on the way.
#define ROW_MARGIN 64

wkDepthRecipe wkMakeDepthRecipe(const wkDepthMap* map, const wkDepthImage* image)
{
    const wkDepthTrust* t = &map->trust;
    double least = t->minDepth * (1.0 - 1e-7);
    wkDepthRecipe recipe = {
        .scale = (float)image->scale,
        .minDepth = wkRoundDown(least),
        .maxDepth = wkRoundDown(wkMinD(t->maxDepth, WK_FARTHEST)),
        .noise = wkRoundUp(t->noise),
        .noiseSquare = wkRoundUp(t->noiseSquare),
        .thickness = wkRoundUp(t->thickness),
    };
    return recipe;
}

size_t wkDepthScratchSize(int32_t pitch)
{
    // two rows of bounds, or two of places of corners and two of those of cells
    return 10 * ((size_t)pitch + ROW_MARGIN);
}

// The rest of a row beyond the image counts for nothing.
static void endRow(wkDepthMap* map, int32_t v)
{
    size_t row = (size_t)v * (size_t)map->pitch;
    for (int32_t u = map->camera.width; u < map->pitch; ++u) {
        map->freeTo[row + (size_t)u] = WK_FARTHEST;
        map->surfaceEnd[row + (size_t)u] = WK_NO_SURFACE;
    }
}

static int32_t fillStraight(wkDepthMap* map, const wkDepthImage* image)
{
    const wkDepthLanes* lanes = wkDepthLanesOfMachine();
    wkDepthRecipe recipe = wkMakeDepthRecipe(map, image);
    bool isFloat = image->type == wk_depthFloat;
    size_t rowBytes = (size_t)map->camera.width * (isFloat ? sizeof(float) : sizeof(uint16_t));
    int32_t measuredCount = 0;
    memset(map->scratch, 0, (size_t)map->pitch * sizeof(float));
    for (int32_t v = 0; v < map->camera.height; ++v) {
        size_t row = (size_t)v * (size_t)map->pitch;
        float *freeTo = map->freeTo + row, *surfaceEnd = map->surfaceEnd + row;
        // lanes read beyond the end of a row, which the caller's memory may not have
        memcpy(map->scratch, wkDepthRow(image, v), rowBytes);
        measuredCount +=
            isFloat ? lanes->proveFloats(&recipe, map->scratch, map->pitch, freeTo, surfaceEnd)
                    : lanes->proveWords(&recipe, (const uint16_t*)(const void*)map->scratch,
                                        map->pitch, freeTo, surfaceEnd);
        endRow(map, v);
    }
    return measuredCount;
}

int32_t wkFillDepths(wkDepthMap* map, const wkDepthImage* image)
{
    if (image->camera.distortion == wk_distortionNone) {
        return fillStraight(map, image);
    }
    int32_t measuredCount = wkStraightenDepths(map, image);
    for (int32_t v = 0; v < map->camera.height; ++v) {
        endRow(map, v);
    }
    return measuredCount;
}

static const float* rowOf(const wkDepthLevel* level, int32_t v)
{
    v = v < 0 ? 0 : v;
    v = v < level->height ? v : level->height - 1;
    return level->values + (size_t)v * (size_t)level->pitch;
}

static void halveLevel(const wkDepthLanes* lanes, const wkDepthLevel* from, wkDepthLevel* to)
{
    int32_t count = (to->width + 15) / 16 * 16;
    for (int32_t v = 0; v < to->height; ++v) {
        float* row = to->values + (size_t)v * (size_t)to->pitch;
        lanes->halve(rowOf(from, 2 * v), rowOf(from, 2 * v + 1), count, row);
        for (int32_t u = to->width; u < to->pitch; ++u) {
            row[u] = WK_FARTHEST;
        }
    }
}

// The rows of a level in a table of the pyramid.
static void spreadLevel(const wkDepthLanes* lanes, const wkDepthMap* map, const wkDepthLevel* level,
                        int32_t k, float* table)
{
    const wkDepthView* view = &map->view;
    int32_t rows = (int32_t)view->doubleRows, first = rows - (rows >> k);
    int32_t count = (level->width + 15) / 16 * 16;
    for (int32_t v = 0; v < level->height; ++v) {
        const float* around[7];
        for (int32_t i = 0; i < 7; ++i) {
            around[i] = rowOf(level, v + i - 3);
        }
        float* narrow = table + (size_t)(first + v) * (size_t)view->pitch;
        float* wide = narrow + (size_t)rows * (size_t)view->pitch;
        lanes->spread(around, count, map->scratch, narrow, wide);
    }
}

static void halvePixels(const wkDepthLanes* lanes, const wkDepthMap* map, wkDepthLevel* to)
{
    int32_t count = (to->width + 15) / 16 * 16;
    for (int32_t v = 0; v < to->height; ++v) {
        int32_t next = 2 * v + 1 < map->camera.height ? 2 * v + 1 : 2 * v;
        size_t rows[2] = {(size_t)(2 * v) * (size_t)map->pitch, (size_t)next * (size_t)map->pitch};
        const float* freeTo[2] = {map->freeTo + rows[0], map->freeTo + rows[1]};
        const float* surfaceEnd[2] = {map->surfaceEnd + rows[0], map->surfaceEnd + rows[1]};
        float* row = to->values + (size_t)v * (size_t)to->pitch;
        lanes->halveSurfaces(freeTo, surfaceEnd, count, row);
        for (int32_t u = to->width; u < to->pitch; ++u) {
            row[u] = WK_FARTHEST;
        }
    }
}

// The table of surfaces. Least depths of blocks, of those with surfaces, are needed on the way alone:
// each level takes the place of the one before the last.
static void spreadSurfaces(const wkDepthLanes* lanes, wkDepthMap* map)
{
    float* table = map->table + map->tableSize;
    int32_t end = map->tableFirst + map->tableCount;
    wkDepthLevel levels[2];
    for (int32_t i = 0; i < end; ++i) {
        levels[i % 2] = map->levels[i];
        levels[i % 2].values = map->blocks[i % 2];
        if (i == 0) {
            halvePixels(lanes, map, &levels[0]);
        } else {
            halveLevel(lanes, &levels[(i + 1) % 2], &levels[i % 2]);
        }
        if (i >= map->tableFirst) {
            spreadLevel(lanes, map, &levels[i % 2], i - map->tableFirst, table);
        }
    }
}

// The lesser of neighbours, three times over: of eight each.
static void leastOfEight(const wkDepthLanes* lanes, float* row, int32_t count)
{
    for (int i = 0; i < 3; ++i) {
        count = (count + 1) / 2;
        int32_t rounded = (count + 15) / 16 * 16;
        lanes->halve(row, row, rounded, row);
    }
}

// Blocks of eight by eight pixels.
static void boundPixels(const wkDepthLanes* lanes, wkDepthMap* map)
{
    wkSurfaceLevel* level = &map->surfaces[0];
    float* bounds[2];
    for (int i = 0; i < 2; ++i) {
        bounds[i] = map->scratch + i * (map->pitch + ROW_MARGIN);
    }
    for (int32_t v = 0; v < level->height; ++v) {
        int32_t rowsLeft = map->camera.height - 8 * v;
        size_t row = (size_t)(8 * v) * (size_t)map->pitch;
        lanes->bound(map->freeTo + row, map->surfaceEnd + row, map->pitch,
                     rowsLeft < 8 ? rowsLeft : 8, map->pitch, bounds);
        for (int i = 0; i < 2; ++i) {
            leastOfEight(lanes, bounds[i], map->pitch);
        }
        wkSurfaceRange* ranges = level->ranges + (size_t)v * (size_t)level->width;
        for (int32_t u = 0; u < level->width; ++u) {
            ranges[u] = (wkSurfaceRange){bounds[0][u], -bounds[1][u]};
        }
    }
}

// Blocks of eight by eight blocks.
static void boundBlocks(const wkSurfaceLevel* from, wkSurfaceLevel* to)
{
    for (int32_t i = 0; i < to->width * to->height; ++i) {
        to->ranges[i] = (wkSurfaceRange){WK_FARTHEST, WK_NO_SURFACE};
    }
    for (int32_t v = 0; v < from->height; ++v) {
        for (int32_t u = 0; u < from->width; ++u) {
            const wkSurfaceRange* part = &from->ranges[(size_t)v * (size_t)from->width + (size_t)u];
            wkSurfaceRange* whole =
                &to->ranges[(size_t)(v / 8) * (size_t)to->width + (size_t)(u / 8)];
            whole->nearest = part->nearest < whole->nearest ? part->nearest : whole->nearest;
            whole->farthest = part->farthest > whole->farthest ? part->farthest : whole->farthest;
        }
    }
}

void wkHalveDepths(wkDepthMap* map)
{
    const wkDepthLanes* lanes = wkDepthLanesOfMachine();
    wkDepthLevel pixels = {map->freeTo, map->camera.width, map->camera.height, map->pitch};
    for (int32_t i = 0; i < map->levelCount; ++i) {
        halveLevel(lanes, i == 0 ? &pixels : &map->levels[i - 1], &map->levels[i]);
    }
}

void wkBuildDepthLevels(wkDepthMap* map)
{
    const wkDepthLanes* lanes = wkDepthLanesOfMachine();
    wkHalveDepths(map);
    for (int32_t k = 0; k < map->tableCount; ++k) {
        spreadLevel(lanes, map, &map->levels[map->tableFirst + k], k, map->table);
    }
    spreadSurfaces(lanes, map);
    boundPixels(lanes, map);
    for (int32_t i = 1; i < map->surfaceLevelCount; ++i) {
        boundBlocks(&map->surfaces[i - 1], &map->surfaces[i]);
    }
    const wkSurfaceRange* all = map->surfaces[map->surfaceLevelCount - 1].ranges;
    map->view.nearestSurface = all->nearest * (1.0f - WK_ENTRY_SLACK);
}
