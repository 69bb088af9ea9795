// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Computes least depths of blocks, the pyramid and the tree over surfaces from proven depths of pixels.
// Neighbouring parts of the image are processed together, while they are in the fast caches.

#include "sense/depth_fill.h"

// Margin around a row in scratch.
#define ROW_MARGIN 64

size_t wkDepthScratchBytes(int32_t pitch)
{
    // two rows of positions of vertices, two of those of cells, one of sources; all other uses need less
    return 12 * ((size_t)pitch + ROW_MARGIN) * sizeof(float);
}

static int32_t rounded(int32_t count)
{
    return (count + 31) / 32 * 32;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// Returns a row of one of the two kinds of least depths; the first and last rows stand for those beyond.
static int16_t* rowOf(const wkDepthLevel* level, wkDepthKind kind, int32_t v)
{
    v = v < 0 ? 0 : smaller(v, level->height - 1);
    return level->values[kind] + (size_t)v * (size_t)level->pitch;
}

// Fills a row beyond the computed numbers with neutral values.
static void endRow(const wkDepthLevel* level, int16_t* row, int32_t count)
{
    for (int32_t u = count; u < level->pitch; ++u) {
        row[u] = INT16_MAX;
    }
}

static void halvePixels(const wkDepthLanes* lanes, const wkDepthMap* map, int32_t v)
{
    const wkDepthLevel* to = &map->levels[0];
    int32_t next = smaller(2 * v + 1, map->camera.height - 1), count = map->pitch / 2;
    size_t rows[2] = {(size_t)(2 * v) * (size_t)map->pitch, (size_t)next * (size_t)map->pitch};
    const float* freeTo[2] = {map->freeTo + rows[0], map->freeTo + rows[1]};
    const float* surfaceEnd[2] = {map->surfaceEnd + rows[0], map->surfaceEnd + rows[1]};
    int16_t* least[wk_depthKindCount] = {rowOf(to, wk_depthOfFree, v),
                                         rowOf(to, wk_depthOfSurfaces, v)};
    lanes->halvePixels(freeTo, surfaceEnd, count, least[0], least[1]);
    for (int kind = 0; kind < wk_depthKindCount; ++kind) {
        endRow(to, least[kind], count);
    }
}

// Computes rows of a level from those of the level below it.
static void halveRows(const wkDepthLanes* lanes, wkDepthMap* map, int32_t number, int32_t first,
                      int32_t end)
{
    const wkDepthLevel *from = &map->levels[number - 1], *to = &map->levels[number];
    int32_t count = rounded(to->width);
    for (int32_t v = first; v < smaller(end, to->height); ++v) {
        for (int kind = 0; kind < wk_depthKindCount; ++kind) {
            int16_t* row = rowOf(to, (wkDepthKind)kind, v);
            lanes->halve(rowOf(from, (wkDepthKind)kind, 2 * v),
                         rowOf(from, (wkDepthKind)kind, 2 * v + 1), count, row);
            endRow(to, row, count);
        }
    }
}

// Computes the surfaces of a row of blocks of eight by eight pixels.
static void boundBlocks(const wkDepthLanes* lanes, wkDepthMap* map, int32_t band)
{
    const wkSurfaceLevel* level = &map->surfaces[0];
    int32_t rowCount = smaller(map->camera.height - band * WK_BAND_ROWS, WK_BAND_ROWS);
    const float* surfaceEnd = map->surfaceEnd + (size_t)(band * WK_BAND_ROWS) * (size_t)map->pitch;
    int16_t* rotated = (int16_t*)map->scratch;
    lanes->endPixels(surfaceEnd, map->pitch, rowCount, map->pitch, rotated);
    // the least of eight neighbours; numbers beyond the row belong to no block of the image
    for (int32_t count = map->pitch / 2; count >= map->pitch / 8; count /= 2) {
        lanes->halve(rotated, rotated, rounded(count), rotated);
    }
    const int16_t* nearest = rowOf(&map->levels[2], wk_depthOfSurfaces, band);
    wkSurfaceBounds* bounds = level->bounds + (size_t)band * (size_t)level->width;
    for (int32_t u = 0; u < level->width; ++u) {
        bounds[u] = (wkSurfaceBounds){nearest[u], rotated[u]};
    }
}

void wkHalveBand(wkDepthMap* map, int32_t band)
{
    const wkDepthLanes* lanes = wkDepthLanesOfMachine();
    for (int32_t v = 4 * band; v < smaller(4 * band + 4, map->levels[0].height); ++v) {
        halvePixels(lanes, map, v);
    }
    halveRows(lanes, map, 1, 2 * band, 2 * band + 2);
    halveRows(lanes, map, 2, band, band + 1);
    boundBlocks(lanes, map, band);
}

// Computes the rows of a level in one of the two tables of the pyramid.
static void spreadLevel(const wkDepthLanes* lanes, const wkDepthMap* map, int32_t k,
                        wkDepthKind kind)
{
    const wkDepthLevel* level = &map->levels[map->tableFirst + k];
    const wkDepthView* view = &map->view;
    size_t rows = (size_t)view->doubleRows, first = rows - (rows >> k), pitch = (size_t)view->pitch;
    int16_t* table = map->table + (size_t)kind * map->tableSize + first * pitch;
    // two rows at once: where their number is odd, the table has the capacity for one more
    for (int32_t v = 0; v < level->height; v += 2) {
        const int16_t* around[8];
        for (int32_t i = 0; i < 8; ++i) {
            around[i] = rowOf(level, kind, v + i - 3);
        }
        int16_t* narrow = table + (size_t)v * pitch;
        int16_t* wide = narrow + rows * pitch;
        int16_t* const narrows[2] = {narrow, narrow + pitch};
        int16_t* const wides[2] = {wide, wide + pitch};
        lanes->spread(around, rounded(level->width), (int16_t*)map->scratch, narrows, wides);
    }
}

static int16_t lesser(int16_t a, int16_t b)
{
    return (int16_t)(a < b ? a : b);
}

// Combines eight by eight blocks into one.
static void boundMore(const wkSurfaceLevel* from, const wkSurfaceLevel* to)
{
    for (int32_t i = 0; i < to->width * to->height; ++i) {
        to->bounds[i] = (wkSurfaceBounds){INT16_MAX, INT16_MAX};
    }
    for (int32_t v = 0; v < from->height; ++v) {
        for (int32_t u = 0; u < from->width; ++u) {
            wkSurfaceBounds part = from->bounds[(size_t)v * (size_t)from->width + (size_t)u];
            wkSurfaceBounds* whole =
                &to->bounds[(size_t)(v / 8) * (size_t)to->width + (size_t)(u / 8)];
            whole->nearest = lesser(part.nearest, whole->nearest);
            whole->rotatedEnd = lesser(part.rotatedEnd, whole->rotatedEnd);
        }
    }
}

void wkBuildDepthLevels(wkDepthMap* map)
{
    const wkDepthLanes* lanes = wkDepthLanesOfMachine();
    for (int32_t i = 3; i < map->levelCount; ++i) {
        halveRows(lanes, map, i, 0, map->levels[i].height);
    }
    for (int32_t k = 0; k < map->tableCount; ++k) {
        spreadLevel(lanes, map, k, wk_depthOfFree);
        spreadLevel(lanes, map, k, wk_depthOfSurfaces);
    }
    for (int32_t i = 1; i < map->surfaceLevelCount; ++i) {
        boundMore(&map->surfaces[i - 1], &map->surfaces[i]);
    }
    wkSurfaceRange all = wkSurfaceLevel_Range(&map->surfaces[map->surfaceLevelCount - 1], 0, 0);
    map->view.nearestSurface = all.nearest * (1.0f - WK_ENTRY_SLACK);
}
