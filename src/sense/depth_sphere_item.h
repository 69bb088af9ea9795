// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A sphere in front of a camera: its position, the pixels that it can reach, and which blocks of pixels can change what is
// known about it. The CPU and other devices search differently and decide alike, by wkClassifyPixel. Code of this header is
// C, C++ and CUDA.

#include "sense/depth_map.h"

// Rounding of positions and radii, as a share of the lengths involved.
#define WK_SPHERE_SLACK 1e-13

// Returns whether the sphere is on the inner side of the edge of the image with that slope.
WK_FN bool wkIsWithinEdge(double distance, double slope, double z, double length, double radius)
{
    return distance - slope * z >= radius * length;
}

// Returns whether the sphere is wholly between the edges of the image, and in front of the camera.
WK_FN bool wkIsInView(const wkDepthMap* map, wkVec3d c, double radius)
{
    return map->camera.width > 0 && c.z - radius > 0.0 &&
           wkIsWithinEdge(c.x, map->left, c.z, map->leftLength, radius) &&
           wkIsWithinEdge(-c.x, -map->right, c.z, map->rightLength, radius) &&
           wkIsWithinEdge(c.y, map->top, c.z, map->topLength, radius) &&
           wkIsWithinEdge(-c.y, -map->bottom, c.z, map->bottomLength, radius);
}

// Returns a sphere in the frame of the camera.
// @param radius with padding
WK_FN wkCameraSphere wkDepthMap_See(const wkDepthMap* map, wkVec3d center, double radius)
{
    double squared = wkDot(center, center);
    radius += WK_SPHERE_SLACK * (sqrt(squared) + radius);
    double deepest = center.z + radius;
    double grown = radius + map->halfPixel * wkMaxD(deepest, 0.0);
    wkCameraSphere sphere = {center,
                             radius,
                             center.z - radius,
                             deepest,
                             grown,
                             squared,
                             wkIsInView(map, center, radius)};
    return sphere;
}

// Returns whether a sphere is valid: finite, with squares that do not overflow, and a radius of at least 0.
WK_FN bool wkIsSeeableSphere(const wkSphere3d* sphere)
{
    return wkDot(sphere->center, sphere->center) < 1e60 && sphere->radius >= 0.0 &&
           sphere->radius < 1e30;
}

// Transforms a sphere into the camera of a map; false: it is not a valid sphere.
WK_FN bool wkDepthMap_Place(const wkDepthMap* map, const wkSphere3d* sphere,
                            wkCameraSphere* inCamera)
{
    wkVec3d p = sphere->center, at = map->frame.position;
    double slack = WK_SPHERE_SLACK *
                   (fabs(p.x) + fabs(p.y) + fabs(p.z) + fabs(at.x) + fabs(at.y) + fabs(at.z));
    *inCamera = wkDepthMap_See(map, wkFrameLocal(&map->frame, p),
                               sphere->radius + map->def.padding + slack);
    return wkIsSeeableSphere(sphere);
}

// Returns a pixel index within an image from a value that may be far outside.
WK_FN int32_t wkClampedPixel(double value, int32_t count)
{
    return (int32_t)wkClamp(value, -1.0, count);
}

// Finds the pixels between the two planes through the camera and a coordinate axis that touch a disc.
WK_FN void wkRangeOfDisc(double x, double z, double radius, double focal, double middle,
                         int32_t count, int32_t* first, int32_t* last)
{
    double under = (z - radius) * (z + radius);
    double root = sqrt(wkMaxD(x * x + under, 0.0));
    if (!(z - radius > 1e-6 * (z + radius))) {
        *first = 0;
        *last = count - 1;
        return;
    }
    double low = (x * z - radius * root) / under * focal + middle;
    double high = (x * z + radius * root) / under * focal + middle;
    // more than the rounding, which is relative to lengths that may cancel out
    double slack = 1.0 + 1e-9 * (fabs(middle) + focal * (fabs(x) + radius) / z);
    int32_t from = wkClampedPixel(floor(low - slack), count);
    int32_t to = wkClampedPixel(ceil(high + slack), count);
    *first = from > 0 ? from : 0;
    *last = to < count ? to : count - 1;
}

// Returns the range of all pixels whose center rays can meet the sphere, and few others.
WK_FN wkPixelRange wkDepthMap_Range(const wkDepthMap* map, const wkCameraSphere* sphere)
{
    const wkCamera* c = &map->camera;
    wkPixelRange range = {0, -1, 0, -1};
    if (sphere->deepest > 0.0) {
        wkRangeOfDisc(sphere->center.x, sphere->center.z, sphere->grown, c->fx, c->cx, c->width,
                      &range.left, &range.right);
        wkRangeOfDisc(sphere->center.y, sphere->center.z, sphere->grown, c->fy, c->cy, c->height,
                      &range.top, &range.bottom);
    }
    return range;
}

// Returns the level at which a search begins: with a few blocks to each side of the range.
WK_FN int32_t wkFirstLevel(const wkDepthMap* map, const wkPixelRange* range)
{
    int32_t width = range->right - range->left + 1, height = range->bottom - range->top + 1;
    int32_t level = 0;
    while (level + 1 < map->levelCount && (2 << level) * 4 < (width > height ? width : height)) {
        ++level;
    }
    return level;
}

// Returns the squared distance of the camera from the sphere, grown for the center rays of the blocks of a level; below 0:
// the camera is inside.
WK_FN double wkOutsideOfBlocks(const wkDepthMap* map, const wkCameraSphere* sphere, int32_t level)
{
    double reach = map->halfPixel * wkMaxD(sphere->center.z + sphere->grown, 0.0);
    double grown = sphere->grown + ((2 << level) - 1) * reach;
    // the rounding is relative to the squares
    return sphere->squared * (1.0 - 1e-12) - grown * grown * (1.0 + 1e-12);
}

// Range of depths in which rays are in the sphere.
typedef struct wkRayWay {
    double from, to;
} wkRayWay;

// The center ray of a block stands for those of its pixels, for a sphere that is grown by their distance
// from it. @return false: all of them miss the sphere
// @param outside wkOutsideOfBlocks of the level
WK_FN bool wkWayThroughBlock(const wkDepthMap* map, const wkCameraSphere* sphere, double outside,
                             int32_t level, int32_t u, int32_t v, wkRayWay* way)
{
    wkVec3d center = sphere->center;
    double step = (double)(2 << level), middle = 0.5 * (step - 1.0);
    double a = (u * step + middle - map->camera.cx) * map->perFx;
    double b = (v * step + middle - map->camera.cy) * map->perFy;
    double square = 1.0 + a * a + b * b;
    double along = a * center.x + b * center.y + center.z;
    double inside = along * along - square * outside;
    if (inside < 0.0) {
        return false;
    }
    double root = sqrt(inside), share = 1.0 / square;
    way->from = wkMaxD((along - root) * share, sphere->nearest);
    way->to = wkMinD((along + root) * share, sphere->deepest);
    return true;
}

// Returns whether surfaces between two depths would change the findings. A surface beyond the range changes
// nothing, one before it occludes, and without a surface the pixel is unobserved.
// @param isUnobservedNews a pixel without a surface would change them
WK_FN bool wkIsNews(unsigned found, bool isUnobservedNews, wkRayWay way, float nearest,
                    float farthest)
{
    bool isMet = farthest >= 0.0f && way.to >= (double)nearest;
    bool isHit = isMet && way.from <= (double)farthest;
    return isHit || isUnobservedNews || (isMet && (found & wk_findOccluded) == 0);
}

// Returns whether pixels of a block with surfaces would change the findings, where unobserved ones would not. The range of
// surfaces is known for blocks of 8, 64, ... pixels.
WK_FN bool wkIsNewsInBlock(const wkDepthMap* map, unsigned found, int32_t level, int32_t u,
                           int32_t v, wkRayWay way)
{
    if (level % 3 != 2) {
        return true;
    }
    wkSurfaceRange range = wkSurfaceLevel_Range(&map->surfaces[level / 3], u, v);
    return wkIsNews(found, false, way, range.nearest, range.farthest);
}
