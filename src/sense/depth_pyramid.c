// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Balls by the pyramid: one look-up proves most of them free. Where it cannot, blocks of pixels are
// halved as long as they do not prove it either, down to the pixels.

#include "sense/depth_map.h"

#include "base/lanes.h"
#include "math/round.h"
#include "sense/ball_rows.h"

WK_DEFINE_LANES(wkProveBallsFcn, wkProveBalls)

typedef struct descent {
    const wkDepthMap* map;
    const wkSeenBall* ball;
    wkPixelRange range;
    unsigned enough;
    unsigned found;
} descent;

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static void lookAtPixels(descent* d, int32_t left, int32_t top)
{
    int32_t right = smaller(left + 1, d->range.right), bottom = smaller(top + 1, d->range.bottom);
    for (int32_t v = larger(top, d->range.top); v <= bottom; ++v) {
        for (int32_t u = larger(left, d->range.left); u <= right; ++u) {
            d->found |= wkFindAtPixel(d->map, d->ball, u, v);
        }
    }
}

// The blocks of a level between two of its columns and two of its rows.
static void descend(descent* d, int32_t level, int32_t left, int32_t right, int32_t top,
                    int32_t bottom)
{
    const wkDepthLevel* blocks = &d->map->levels[level];
    // those with pixels of the range
    left = larger(left, d->range.left >> (level + 1));
    right = smaller(right, d->range.right >> (level + 1));
    top = larger(top, d->range.top >> (level + 1));
    bottom = smaller(bottom, d->range.bottom >> (level + 1));
    for (int32_t v = top; v <= bottom; ++v) {
        const float* row = blocks->values + (size_t)v * (size_t)blocks->pitch;
        for (int32_t u = left; u <= right && (d->found & d->enough) == 0; ++u) {
            if (d->ball->deepest < (double)row[u]) {
                continue;
            }
            if (level == 0) {
                lookAtPixels(d, 2 * u, 2 * v);
            } else {
                descend(d, level - 1, 2 * u, 2 * u + 1, 2 * v, 2 * v + 1);
            }
        }
    }
}

unsigned wkDepthMap_FindByPyramid(const wkDepthMap* map, const wkSeenBall* ball, unsigned enough)
{
    unsigned found = wkFirstFindings(ball);
    if ((found & enough) != 0) {
        return found;
    }
    descent d = {map, ball, wkDepthMap_Range(map, ball), enough, found};
    int32_t width = d.range.right - d.range.left + 1, height = d.range.bottom - d.range.top + 1;
    if (width <= 0 || height <= 0) {
        return found;
    }
    // a level with a few blocks to each side
    int32_t level = 0;
    while (level + 1 < map->levelCount && (2 << level) * 4 < larger(width, height)) {
        ++level;
    }
    descend(&d, level, 0, map->levels[level].width - 1, 0, map->levels[level].height - 1);
    return d.found;
}

// A ball in single precision around another one.
static void putBall(wkBallRows* rows, int32_t i, const wkSeenBall* ball)
{
    wkVec3d c = ball->center;
    rows->x[i] = (float)c.x;
    rows->y[i] = (float)c.y;
    rows->z[i] = (float)c.z;
    double slack = FLT_EPSILON * (fabs(c.x) + fabs(c.y) + fabs(c.z));
    rows->radius[i] = wkRoundUp(ball->radius + slack);
}

void wkFindByPyramids(const wkDepthMap* map, const wkSeenBall* balls, int32_t count,
                      unsigned* findings)
{
    wkBallRows rows;
    int32_t padded = (count + 15) / 16 * 16;
    for (int32_t i = 0; i < padded; ++i) {
        putBall(&rows, i, &balls[i < count ? i : count - 1]);
    }
    wkDepthView view = map->view;
    view.padding = WK_LEAST_PADDING; // theirs is in the radius
    uint64_t maybe = wkProveBallsOfMachine()(&view, &rows, padded);
    for (int32_t i = 0; i < count; ++i) {
        bool isProven = (maybe >> i & 1u) == 0;
        findings[i] = isProven ? 0u : wkDepthMap_FindByPyramid(map, &balls[i], wk_findHit);
    }
}
