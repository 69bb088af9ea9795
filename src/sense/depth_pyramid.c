// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks spheres by the pyramid: one look-up proves most of them free. Where it does not, blocks of pixels
// are halved as long as they do not prove it either, down to single pixels. Once a pixel is found that does
// not, the search continues with surfaces alone.

#include "sense/depth_sphere_item.h"

#include "base/isa_table.h"
#include "math/round.h"
#include "sense/sphere_rows.h"

WK_DEFINE_LANES(wkProveSpheresFcn, wkProveSpheres)
WK_DEFINE_LANES(wkProveSpheresFcn, wkProveSpheresClear)

// A search for pixels that do not prove a sphere free.
typedef struct descent {
    const wkDepthMap* map;
    const wkCameraSphere* sphere;
    wkPixelRange range;
    unsigned found;
    wkDepthKind kind; // wk_depthOfSurfaces: unobserved pixels change nothing any more
    bool isComplete;  // unobserved parts count even where the verdict is worse
    double outside[WK_MAX_DEPTH_LEVELS]; // wkOutsideOfBlocks of each level
} descent;

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// Returns whether a pixel without a surface would change the findings.
static bool isUnobservedNews(const descent* d)
{
    return d->isComplete ? (d->found & wk_findUnobserved) == 0 : d->found == 0;
}

// Returns whether the search has ended.
static bool isDone(const descent* d)
{
    return d->kind == wk_depthOfSurfaces ? (d->found & wk_findHit) != 0 : !isUnobservedNews(d);
}

// Checks the pixels of a block that may change the findings.
static void checkPixels(descent* d, int32_t left, int32_t top, int32_t side, wkRayWay way)
{
    const wkDepthMap* map = d->map;
    int32_t right = smaller(left + side - 1, d->range.right);
    int32_t bottom = smaller(top + side - 1, d->range.bottom);
    for (int32_t v = larger(top, d->range.top); v <= bottom; ++v) {
        const float* freeTo = map->freeTo + (size_t)v * (size_t)map->pitch;
        const float* surfaceEnd = map->surfaceEnd + (size_t)v * (size_t)map->pitch;
        for (int32_t u = larger(left, d->range.left); u <= right; ++u) {
            if (d->sphere->deepest >= (double)freeTo[u] &&
                wkIsNews(d->found, isUnobservedNews(d), way, freeTo[u], surfaceEnd[u])) {
                d->found |= wkClassifyPixel(map, d->sphere, u, v);
            }
        }
    }
}

// Blocks of a level between two of its columns and two of its rows.
typedef struct blockRange {
    int32_t left, right, top, bottom;
} blockRange;

// Clips blocks to those with pixels that the sphere can reach.
static blockRange withinReach(const descent* d, int32_t level, blockRange blocks)
{
    blocks.left = larger(blocks.left, d->range.left >> (level + 1));
    blocks.right = smaller(blocks.right, d->range.right >> (level + 1));
    blocks.top = larger(blocks.top, d->range.top >> (level + 1));
    blocks.bottom = smaller(blocks.bottom, d->range.bottom >> (level + 1));
    return blocks;
}

// Searches for pixels that do not prove the sphere free, or for surfaces that it hits or is behind.
static void descend(descent* d, int32_t level, blockRange blocks)
{
    const wkDepthLevel* leasts = &d->map->levels[level];
    blocks = withinReach(d, level, blocks);
    for (int32_t v = blocks.top; v <= blocks.bottom; ++v) {
        const int16_t* row = leasts->values[d->kind] + (size_t)v * (size_t)leasts->pitch;
        for (int32_t u = blocks.left; u <= blocks.right && !isDone(d); ++u) {
            wkRayWay way;
            double least = (double)wkShortDepth(row[u]);
            if (d->sphere->deepest < least ||
                !wkWayThroughBlock(d->map, d->sphere, d->outside[level], level, u, v, &way) ||
                way.to < least ||
                (d->kind == wk_depthOfSurfaces &&
                 !wkIsNewsInBlock(d->map, d->found, level, u, v, way))) {
                continue;
            }
            if (level == 0) {
                checkPixels(d, 2 * u, 2 * v, 2, way);
            } else {
                blockRange parts = {2 * u, 2 * u + 1, 2 * v, 2 * v + 1};
                descend(d, level - 1, parts);
            }
        }
    }
}

unsigned wkDepthMap_FindByPyramid(const wkDepthMap* map, const wkCameraSphere* sphere,
                                  unsigned known, bool isComplete)
{
    const blockRange all = {0, INT32_MAX, 0, INT32_MAX};
    unsigned found = wkFirstFindings(sphere) | known;
    descent d = {map,        sphere, wkDepthMap_Range(map, sphere), found, wk_depthOfFree,
                 isComplete, {0.0}};
    int32_t width = d.range.right - d.range.left + 1, height = d.range.bottom - d.range.top + 1;
    if (width <= 0 || height <= 0) {
        return found;
    }
    // the center pixel first, which decides most spheres that are not free
    int32_t u = d.range.left + width / 2, v = d.range.top + height / 2;
    d.found |= wkFindAtPixel(map, sphere, u, v);
    int32_t first = wkFirstLevel(map, &d.range);
    for (int32_t level = 0; level <= first; ++level) {
        d.outside[level] = wkOutsideOfBlocks(map, sphere, level);
    }
    if (isUnobservedNews(&d)) {
        descend(&d, first, all);
    }
    if (!isUnobservedNews(&d)) {
        d.kind = wk_depthOfSurfaces;
        descend(&d, first, all);
    }
    return d.found;
}

// Stores a single-precision sphere that contains another one.
static void putSphere(wkSphereRows* rows, int32_t i, const wkCameraSphere* sphere)
{
    wkVec3d c = sphere->center;
    rows->x[i] = (float)c.x;
    rows->y[i] = (float)c.y;
    rows->z[i] = (float)c.z;
    double slack = FLT_EPSILON * (fabs(c.x) + fabs(c.y) + fabs(c.z));
    rows->radius[i] = wkRoundUp(sphere->radius + slack);
}

void wkFindByPyramids(const wkDepthMap* map, const wkCameraSphere* spheres, int32_t count,
                      unsigned* findings)
{
    wkSphereRows rows;
    int32_t padded = (count + 15) / 16 * 16;
    for (int32_t i = 0; i < padded; ++i) {
        putSphere(&rows, i, &spheres[i < count ? i : count - 1]);
    }
    wkDepthView view = map->view;
    view.padding = WK_LEAST_PADDING; // the padding is in the radius already
    uint64_t maybe = wkProveSpheresOfMachine()(&view, &rows, padded);
    for (int32_t i = 0; i < count; ++i) {
        bool isProven = (maybe >> i & 1u) == 0;
        findings[i] = isProven ? 0u : wkDepthMap_FindByPyramid(map, &spheres[i], 0u, false);
    }
}
