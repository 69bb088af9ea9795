// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pixels that show the robot itself prove at most the free space in front of it, and show no obstacle.

#include "sense/depth_fill.h"

// More than the rounding of depths, which counts as noise, as a share.
#define NOISE_SLACK 1e-5

// A sphere of the robot: it masks pixels whose surface, whatever the error of its depth, comes within it.
typedef struct ownSphere {
    wkCameraSphere inCamera;
    double squaredRadius;
} ownSphere;

// Returns an upper bound on the end of a surface of a pixel that begins at `from`. A rectified pixel has
// surfaces up to the furthest of the pixels that it stands for, but the nearest one decides whether it shows
// the robot: depth - noise is solved for the depth.
static double nearestEnd(const wkDepthMap* map, double from, double end)
{
    const wkDepthMapDef* t = &map->def;
    double sum = (from + t->noise) * (1.0 + NOISE_SLACK);
    double left = 1.0 - 4.0 * t->noiseSquare * (1.0 + NOISE_SLACK) * sum;
    if (!map->isStraightened || !(left > 0.0)) {
        return end; // not rectified, or the noise exceeds any depth
    }
    double depth = 2.0 * sum / (1.0 + sqrt(left));
    return wkMinD(end, from + 2.0 * (depth * (1.0 + NOISE_SLACK) - from));
}

// Returns whether the part of a center ray between the bounds of its surface meets the sphere.
static bool endsWithin(const wkDepthMap* map, const ownSphere* sphere, int32_t u, int32_t v)
{
    size_t i = (size_t)v * (size_t)map->pitch + (size_t)u;
    double from = (double)map->freeTo[i];
    double to = nearestEnd(map, from, (double)map->surfaceEnd[i] - map->def.thickness);
    double a = wkSlopeOfColumn(map, u), b = wkSlopeOfRow(map, v);
    wkVec3d ray = {a, b, 1.0};
    double along = wkClamp(wkDot(ray, sphere->inCamera.center) / wkDot(ray, ray), from, to);
    wkVec3d apart = wkSub(wkScale(along, ray), sphere->inCamera.center);
    return wkDot(apart, apart) <= sphere->squaredRadius;
}

static int32_t maskPixels(wkDepthMap* map, const ownSphere* sphere, wkPixelRange range,
                          wkMaskRule rule)
{
    int32_t maskedCount = 0;
    for (int32_t v = range.top; v <= range.bottom; ++v) {
        float* freeTo = map->freeTo + (size_t)v * (size_t)map->pitch;
        float* surfaceEnd = map->surfaceEnd + (size_t)v * (size_t)map->pitch;
        for (int32_t u = range.left; u <= range.right; ++u) {
            bool isSurface = surfaceEnd[u] >= 0.0f && (double)freeTo[u] <= sphere->inCamera.deepest;
            if (isSurface && endsWithin(map, sphere, u, v)) {
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
static int32_t maskSphere(wkDepthMap* map, const ownSphere* sphere, wkMaskRule rule)
{
    wkPixelRange range = wkDepthMap_Range(map, &sphere->inCamera);
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
        const wkSphere3d* sphere = &mask->spheres[i];
        wkVec3d center = wkFrameLocal(&map->frame, sphere->center);
        double radius = sphere->radius + mask->padding;
        ownSphere own = {wkDepthMap_See(map, center, radius), radius * radius};
        maskedCount += maskSphere(map, &own, mask->rule);
    }
    return maskedCount;
}
