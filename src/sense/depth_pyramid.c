// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks spheres by the pyramid: one look-up proves most of them free. Where it does not, blocks of pixels
// are halved as long as they do not prove it either, down to single pixels. Once a pixel is found that does
// not, the search continues with surfaces alone.

#include "sense/depth_map.h"

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
    double outside[WK_MAX_DEPTH_LEVELS]; // squared distance of the camera from the sphere,
                                         // grown for the center rays of blocks; below 0: inside
} descent;

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// Range of depths in which rays are in the sphere.
typedef struct rayWay {
    double from, to;
} rayWay;

// The center ray of a block stands for those of its pixels, for a sphere that is grown by their distance
// from it. @return false: all of them miss the sphere
static bool wayThroughBlock(const descent* d, int32_t level, int32_t u, int32_t v, rayWay* way)
{
    const wkDepthMap* map = d->map;
    wkVec3d center = d->sphere->center;
    double step = (double)(2 << level), middle = 0.5 * (step - 1.0);
    double a = (u * step + middle - map->camera.cx) * map->perFx;
    double b = (v * step + middle - map->camera.cy) * map->perFy;
    double square = 1.0 + a * a + b * b;
    double along = a * center.x + b * center.y + center.z;
    double inside = along * along - square * d->outside[level];
    if (inside < 0.0) {
        return false;
    }
    double root = sqrt(inside), share = 1.0 / square;
    way->from = wkMaxD((along - root) * share, d->sphere->nearest);
    way->to = wkMinD((along + root) * share, d->sphere->deepest);
    return true;
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

// Returns whether surfaces between two depths would change the findings. A surface beyond the range changes
// nothing, one before it occludes, and without a surface the pixel is unobserved.
static bool isNews(const descent* d, rayWay way, float nearest, float farthest)
{
    bool isMet = farthest >= 0.0f && way.to >= (double)nearest;
    bool isHit = isMet && way.from <= (double)farthest;
    return isHit || isUnobservedNews(d) || (isMet && (d->found & wk_findOccluded) == 0);
}

// Checks the pixels of a block that may change the findings.
static void checkPixels(descent* d, int32_t left, int32_t top, int32_t side, rayWay way)
{
    const wkDepthMap* map = d->map;
    int32_t right = smaller(left + side - 1, d->range.right);
    int32_t bottom = smaller(top + side - 1, d->range.bottom);
    for (int32_t v = larger(top, d->range.top); v <= bottom; ++v) {
        const float* freeTo = map->freeTo + (size_t)v * (size_t)map->pitch;
        const float* surfaceEnd = map->surfaceEnd + (size_t)v * (size_t)map->pitch;
        for (int32_t u = larger(left, d->range.left); u <= right; ++u) {
            if (d->sphere->deepest >= (double)freeTo[u] &&
                isNews(d, way, freeTo[u], surfaceEnd[u])) {
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

// Returns whether pixels of a block with surfaces would change the findings. The range of surfaces is known
// for blocks of 8, 64, ... pixels.
static bool isNewsInBlock(const descent* d, int32_t level, int32_t u, int32_t v, rayWay way)
{
    if (d->kind != wk_depthOfSurfaces || level % 3 != 2) {
        return true;
    }
    wkSurfaceRange range = wkSurfaceLevel_Range(&d->map->surfaces[level / 3], u, v);
    return isNews(d, way, range.nearest, range.farthest);
}

// Searches for pixels that do not prove the sphere free, or for surfaces that it hits or is behind.
static void descend(descent* d, int32_t level, blockRange blocks)
{
    const wkDepthLevel* leasts = &d->map->levels[level];
    blocks = withinReach(d, level, blocks);
    for (int32_t v = blocks.top; v <= blocks.bottom; ++v) {
        const int16_t* row = leasts->values[d->kind] + (size_t)v * (size_t)leasts->pitch;
        for (int32_t u = blocks.left; u <= blocks.right && !isDone(d); ++u) {
            rayWay way;
            double least = (double)wkShortDepth(row[u]);
            if (d->sphere->deepest < least || !wayThroughBlock(d, level, u, v, &way) ||
                way.to < least || !isNewsInBlock(d, level, u, v, way)) {
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

// Computes the grown sphere of each level.
static void growForLevels(descent* d, int32_t levelCount)
{
    const wkCameraSphere* sphere = d->sphere;
    double reach = d->map->halfPixel * wkMaxD(sphere->center.z + sphere->grown, 0.0);
    for (int32_t level = 0; level < levelCount; ++level) {
        double grown = sphere->grown + ((2 << level) - 1) * reach;
        // the rounding is relative to the squares
        d->outside[level] = sphere->squared * (1.0 - 1e-12) - grown * grown * (1.0 + 1e-12);
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
    // start at a level with a few blocks to each side
    int32_t level = 0;
    while (level + 1 < map->levelCount && (2 << level) * 4 < larger(width, height)) {
        ++level;
    }
    growForLevels(&d, level + 1);
    if (isUnobservedNews(&d)) {
        descend(&d, level, all);
    }
    if (!isUnobservedNews(&d)) {
        d.kind = wk_depthOfSurfaces;
        descend(&d, level, all);
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
