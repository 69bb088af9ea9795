// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Internals of depth maps: proven depths of pixels, least depths of blocks, and the one rule
// by which every method classifies a sphere at a pixel. docs/depth_images.md has the proof. Inline functions are C, C++
// and CUDA.

#include "math/frame.h"
#include "sense/depth_view.h"
#include "sense/short_depth.h"
#include "whisker/depth.h"

// Sides of blocks double from 2 pixels on.
#define WK_MAX_DEPTH_LEVELS 14
// Levels of the tree over surfaces: blocks of 8, 64, ... pixels.
#define WK_MAX_SURFACE_LEVELS 5

// Least depths are those up to which pixels prove free space, or those at which surfaces begin.
typedef enum wkDepthKind {
    wk_depthOfFree,
    wk_depthOfSurfaces,
    wk_depthKindCount,
} wkDepthKind;

// Least depths of blocks of pixels, as short depths, row by row. Values beyond `width` are
// neutral.
typedef struct wkDepthLevel {
    int16_t* values[wk_depthKindCount];
    int32_t width, height;
    int32_t pitch;
} wkDepthLevel;

// Where surfaces of a block of pixels begin, and where they end, negated, as short depths.
// Both are INT16_MAX where there is no surface.
typedef struct wkSurfaceBounds {
    int16_t nearest, rotatedEnd;
} wkSurfaceBounds;

typedef struct wkSurfaceLevel {
    wkSurfaceBounds* bounds;
    int32_t width, height;
} wkSurfaceLevel;

// The same as depths; without a surface: from WK_FARTHEST to WK_NO_SURFACE.
typedef struct wkSurfaceRange {
    float nearest, farthest;
} wkSurfaceRange;

struct wkDepthMap {
    int32_t maxWidth, maxHeight;
    void* block; // all memory of the map except this struct
    size_t blockBytes;

    wkCamera camera; // after rectification
    wkPose pose;
    wkFrame frame; // the same pose
    wkDepthMapDef def;
    int32_t measuredCount, maskedCount;
    bool isStraightened; // rectified: a pixel stands for several pixels of the image

    int32_t pitch;      // of both images, in pixels
    float* freeTo;      // depth up to which each pixel proves free space
    float* surfaceEnd;  // depth at which its surface ends; WK_NO_SURFACE: none
    int32_t levelCount; // of least depths
    wkDepthLevel levels[WK_MAX_DEPTH_LEVELS]; // of blocks of 2, 4, ... pixels
    int32_t surfaceLevelCount;                // of surfaces
    wkSurfaceLevel surfaces[WK_MAX_SURFACE_LEVELS];
    wkDepthView view;               // the pyramid, in the layout of look-ups
    int16_t* table;                 // its entries
    size_t tableSize;               // of each kind
    int32_t tableFirst, tableCount; // levels in the table
    void* scratch;                  // for rows

    double perFx, perFy;             // slope per pixel
    double halfPixel;                // half the diagonal of a pixel at z = 1
    double left, right, top, bottom; // slopes of the edges of the image
    double leftLength, rightLength, topLength, bottomLength; // of (1, slope)
};

// A sphere in the frame of a camera.
typedef struct wkCameraSphere {
    wkVec3d center; // in the frame of the camera
    double radius;  // with padding and rounding slack
    double nearest; // range of its depths
    double deepest;
    double grown;   // radius for which center rays of pixels stand for whole pixels
    double squared; // of the distance of the center from the camera
    bool isInView;  // wholly between the edges of the image, and in front of the camera
} wkCameraSphere;

// Findings about a sphere, as bits.
typedef enum wkDepthFinding {
    wk_findUnobserved = 1,
    wk_findOccluded = 2,
    wk_findHit = 4,
} wkDepthFinding;

// Pixels from `left` to `right` and from `top` to `bottom`; empty when the first is after the last.
typedef struct wkPixelRange {
    int32_t left, right, top, bottom;
} wkPixelRange;

// Returns the findings about one sphere, by least depths of blocks; the search ends with a hit.
// @param known findings that need not be searched for
// @param isComplete false: the worst finding is reported, others may be left out
unsigned wkDepthMap_FindByPyramid(const wkDepthMap* map, const wkCameraSphere* sphere,
                                  unsigned known, bool isComplete);

// Returns the findings of several cameras about a sphere: none where one of them proves it free. It is a hit,
// or occluded, where any camera reports that, and unobserved where no camera has observed all of it.
// @param isUnobservedFree true: unobserved parts need not be reported
// @param isComplete false: the worst finding is reported, others may be left out
unsigned wkFindInDepths(const wkDepthMap* const* maps, int32_t mapCount, const wkSphere3d* sphere,
                        bool isUnobservedFree, bool isComplete);

// A method: writes the findings about spheres, `findings[i]` about spheres[i].
typedef void wkFindSpheresFcn(const wkDepthMap* map, const wkCameraSphere* spheres, int32_t count,
                              unsigned* findings);
wkFindSpheresFcn wkFindByPixels, wkFindByLines, wkFindByPyramids;

// Maximum number of spheres that methods take at once.
#define WK_MAX_CAMERA_SPHERES 64

// Returns the range of the surfaces of a block.
WK_FN wkSurfaceRange wkSurfaceLevel_Range(const wkSurfaceLevel* level, int32_t u, int32_t v)
{
    wkSurfaceBounds bounds = level->bounds[(size_t)v * (size_t)level->width + (size_t)u];
    wkSurfaceRange none = {WK_FARTHEST, WK_NO_SURFACE};
    wkSurfaceRange range = {wkShortDepth(bounds.nearest), wkShortEnd(bounds.rotatedEnd)};
    return bounds.nearest > -bounds.rotatedEnd ? none : range;
}

// Returns the verdict for the worst of the findings.
WK_FN wkDepthVerdict wkVerdictOf(unsigned findings)
{
    return (findings & wk_findHit) != 0          ? wk_depthHit
           : (findings & wk_findOccluded) != 0   ? wk_depthOccluded
           : (findings & wk_findUnobserved) != 0 ? wk_depthUnobserved
                                                 : wk_depthFree;
}

// Returns the findings before any pixel is checked.
WK_FN unsigned wkFirstFindings(const wkCameraSphere* sphere)
{
    return sphere->isInView ? 0u : (unsigned)wk_findUnobserved;
}

// Return the slopes of the center of a pixel.
WK_FN double wkSlopeOfColumn(const wkDepthMap* map, int32_t u)
{
    return (u - map->camera.cx) * map->perFx;
}

WK_FN double wkSlopeOfRow(const wkDepthMap* map, int32_t v)
{
    return (v - map->camera.cy) * map->perFy;
}

// The rule: classifies a sphere at a pixel that does not prove it free by depth alone. The distance between
// ray and center comes from their cross product: differences of squared distances would lose small spheres
// that are far away, and narrow pixels, to rounding.
WK_FN unsigned wkClassifyPixel(const wkDepthMap* map, const wkCameraSphere* sphere, int32_t u,
                               int32_t v)
{
    size_t i = (size_t)v * (size_t)map->pitch + (size_t)u;
    double a = wkSlopeOfColumn(map, u), b = wkSlopeOfRow(map, v);
    double x = sphere->center.x, y = sphere->center.y, z = sphere->center.z;
    double square = 1.0 + a * a + b * b;
    double acrossX = y - b * z, acrossY = a * z - x, acrossZ = b * x - a * y;
    double across = acrossX * acrossX + acrossY * acrossY + acrossZ * acrossZ;
    double inside = square * (sphere->grown * sphere->grown) - across;
    if (!(inside >= 0.0)) {
        return 0u; // the ray misses the sphere
    }
    double along = a * x + b * y + z;
    double root = sqrt(inside), far = (along + root) / square;
    far = far < sphere->deepest ? far : sphere->deepest;
    if (far <= 0.0 || far < (double)map->freeTo[i]) {
        return 0u;
    }
    double end = (double)map->surfaceEnd[i], near = (along - root) / square;
    if (end < 0.0) {
        return (unsigned)wk_findUnobserved;
    }
    return (unsigned)(near <= end && sphere->nearest <= end ? wk_findHit : wk_findOccluded);
}

// Returns the findings about the sphere at a pixel.
WK_FN unsigned wkFindAtPixel(const wkDepthMap* map, const wkCameraSphere* sphere, int32_t u,
                             int32_t v)
{
    float freeTo = map->freeTo[(size_t)v * (size_t)map->pitch + (size_t)u];
    return sphere->deepest < (double)freeTo ? 0u : wkClassifyPixel(map, sphere, u, v);
}
