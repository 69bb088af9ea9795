// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Depth maps from the inside: pixels with what they prove, least depths of blocks, and the one rule
// by which every method judges a sphere at a pixel. docs/depth_images.md has the proof.

#include "math/frame.h"
#include "sense/depth_view.h"
#include "sense/short_depth.h"
#include "whisker/depth.h"

// Sides of blocks double from 2 pixels on.
#define WK_MAX_DEPTH_LEVELS 14
// Of the tree over surfaces: blocks of 8, 64, ... pixels.
#define WK_MAX_SURFACE_LEVELS 5

// Least depths are those up to which pixels prove free space, or at which surfaces begin.
typedef enum wkDepthKind {
    wk_depthOfFree,
    wk_depthOfSurfaces,
    wk_depthKindCount,
} wkDepthKind;

// Least depths of blocks of pixels, as short ones, row by row. What stands beyond `width` counts for
// nothing.
typedef struct wkDepthLevel {
    int16_t* values[wk_depthKindCount];
    int32_t width, height;
    int32_t pitch;
} wkDepthLevel;

// Where surfaces of a block of pixels begin, and where they end with the sign turned, as short depths.
// Both are INT16_MAX where there is none.
typedef struct wkSurfaceBounds {
    int16_t nearest, rotatedEnd;
} wkSurfaceBounds;

typedef struct wkSurfaceLevel {
    wkSurfaceBounds* bounds;
    int32_t width, height;
} wkSurfaceLevel;

// The same as depths; none: from WK_FARTHEST to WK_NO_SURFACE.
typedef struct wkSurfaceRange {
    float nearest, farthest;
} wkSurfaceRange;

struct wkDepthMap {
    int32_t maxWidth, maxHeight;
    void* block; // all memory of the map but itself
    size_t blockBytes;

    wkCamera camera; // as straightened
    wkPose pose;
    wkFrame frame; // the same
    wkDepthTrust trust;
    int32_t measuredCount, maskedCount;
    bool isStraightened; // pixels stand for several ones of the image

    int32_t pitch;                            // of both images, in pixels
    float* freeTo;                            // depth up to which each pixel proves free space
    float* surfaceEnd;                        // depth at which its surface ends; or WK_NO_SURFACE
    int32_t levelCount;                       // of least depths
    wkDepthLevel levels[WK_MAX_DEPTH_LEVELS]; // of blocks of 2, 4, ... pixels
    int32_t surfaceLevelCount;                // of surfaces
    wkSurfaceLevel surfaces[WK_MAX_SURFACE_LEVELS];
    wkDepthView view;               // the pyramid, as look-ups need it
    int16_t* table;                 // its entries
    size_t tableSize;               // of each kind
    int32_t tableFirst, tableCount; // levels that are in it
    void* scratch;                  // rows on the way

    double perFx, perFy;             // slope for a pixel
    double halfPixel;                // half the diagonal of a pixel at z = 1
    double left, right, top, bottom; // slopes of the edges of the image
    double leftLength, rightLength, topLength, bottomLength; // of (1, slope)
};

// A sphere in front of a camera.
typedef struct wkCameraSphere {
    wkVec3d center; // in the frame of the camera
    double radius;  // with padding and what rounding may do
    double nearest; // depths between which all of it is
    double deepest;
    double grown;   // radius by which rays through the middles of pixels stand for pixels
    double squared; // of the distance of the center from the camera
    bool isInView;  // wholly between the edges of the image, and in front
} wkCameraSphere;

// What was found out about a sphere so far.
typedef enum wkDepthFinding {
    wk_findUnobserved = 1,
    wk_findOccluded = 2,
    wk_findHit = 4,
} wkDepthFinding;

// Pixels from `left` to `right` and from `top` to `bottom`, none when a first one is after the last.
typedef struct wkPixelRange {
    int32_t left, right, top, bottom;
} wkPixelRange;

// Whether a sphere is one: finite, no larger than squares can be, its radius not negative.
bool wkIsSeeableSphere(const wkSphere3d* sphere);

// The sphere in front of the camera of a map; false: it is not a sphere.
bool wkDepthMap_Place(const wkDepthMap* map, const wkSphere3d* sphere, wkCameraSphere* inCamera);

// The same for a sphere in the frame of the camera.
wkCameraSphere wkDepthMap_See(const wkDepthMap* map, wkVec3d center, double radius);

// All pixels whose middle rays can meet the sphere, and few others.
wkPixelRange wkDepthMap_Range(const wkDepthMap* map, const wkCameraSphere* sphere);

// Findings about one sphere, by least depths of blocks; the search ends with a hit.
// @param known findings that need not be looked for
// @param isComplete false: the worst of them is there, others may be left out
unsigned wkDepthMap_FindByPyramid(const wkDepthMap* map, const wkCameraSphere* sphere,
                                  unsigned known, bool isComplete);

// Findings of several cameras about a sphere: none where one of them proves it free. It hits, or is behind
// a surface, where any of them says so, and is unobserved where none of them has seen all of it.
// @param isUnobservedFree whether nobody wants to know if it is unobserved
// @param isComplete false: the worst of them is there, others may be left out
unsigned wkFindInDepths(const wkDepthMap* const* maps, int32_t mapCount, const wkSphere3d* sphere,
                        bool isUnobservedFree, bool isComplete);

// Methods: findings about spheres, `findings[i]` about spheres[i].
typedef void wkFindSpheresFcn(const wkDepthMap* map, const wkCameraSphere* spheres, int32_t count,
                              unsigned* findings);
wkFindSpheresFcn wkFindByPixels, wkFindByLines, wkFindByPyramids;

// Most spheres that methods take at once.
#define WK_MAX_CAMERA_SPHERES 64

// Surfaces of a block.
WK_FN wkSurfaceRange wkSurfaceLevel_Range(const wkSurfaceLevel* level, int32_t u, int32_t v)
{
    wkSurfaceBounds bounds = level->bounds[(size_t)v * (size_t)level->width + (size_t)u];
    wkSurfaceRange none = {WK_FARTHEST, WK_NO_SURFACE};
    wkSurfaceRange range = {wkShortDepth(bounds.nearest), wkShortEnd(bounds.rotatedEnd)};
    return bounds.nearest > -bounds.rotatedEnd ? none : range;
}

// The worst of the findings.
WK_FN wkDepthVerdict wkVerdictOf(unsigned findings)
{
    static const wkDepthVerdict verdicts[8] = {
        wk_depthFree, wk_depthUnobserved, wk_depthOccluded, wk_depthOccluded,
        wk_depthHit,  wk_depthHit,        wk_depthHit,      wk_depthHit,
    };
    return verdicts[findings & 7u];
}

// What is known before any pixel is looked at.
WK_FN unsigned wkFirstFindings(const wkCameraSphere* sphere)
{
    return sphere->isInView ? 0u : wk_findUnobserved;
}

// Slopes of the middle of a pixel.
WK_FN double wkSlopeOfColumn(const wkDepthMap* map, int32_t u)
{
    return (u - map->camera.cx) * map->perFx;
}

WK_FN double wkSlopeOfRow(const wkDepthMap* map, int32_t v)
{
    return (v - map->camera.cy) * map->perFy;
}

// The rule: what a pixel that does not prove the sphere free by its depth alone has to say. How far the
// ray passes from the center is told by their cross product: differences of squares of distances would
// lose small spheres that are far away, and narrow pixels, to rounding.
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
        return 0u; // the ray passes
    }
    double along = a * x + b * y + z;
    double root = sqrt(inside), far = (along + root) / square;
    far = far < sphere->deepest ? far : sphere->deepest;
    if (far <= 0.0 || far < (double)map->freeTo[i]) {
        return 0u;
    }
    double end = (double)map->surfaceEnd[i], near = (along - root) / square;
    if (end < 0.0) {
        return wk_findUnobserved;
    }
    return near <= end && sphere->nearest <= end ? wk_findHit : wk_findOccluded;
}

// Findings about the sphere at a pixel.
WK_FN unsigned wkFindAtPixel(const wkDepthMap* map, const wkCameraSphere* sphere, int32_t u,
                             int32_t v)
{
    float freeTo = map->freeTo[(size_t)v * (size_t)map->pitch + (size_t)u];
    return sphere->deepest < (double)freeTo ? 0u : wkClassifyPixel(map, sphere, u, v);
}
