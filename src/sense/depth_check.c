// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Verdicts of cameras about spheres.

#include "sense/depth_map.h"

#include "whisker/detail/counts.h"

// Rounding of positions and radii, as a share of the lengths involved.
#define DOUBLE_SLACK 1e-13

// Returns whether the sphere is on the inner side of the edge of the image with that slope.
static bool isBehind(double distance, double slope, double z, double length, double radius)
{
    return distance - slope * z >= radius * length;
}

static bool isInView(const wkDepthMap* map, wkVec3d c, double radius)
{
    return map->camera.width > 0 && c.z - radius > 0.0 &&
           isBehind(c.x, map->left, c.z, map->leftLength, radius) &&
           isBehind(-c.x, -map->right, c.z, map->rightLength, radius) &&
           isBehind(c.y, map->top, c.z, map->topLength, radius) &&
           isBehind(-c.y, -map->bottom, c.z, map->bottomLength, radius);
}

wkCameraSphere wkDepthMap_See(const wkDepthMap* map, wkVec3d center, double radius)
{
    double squared = wkDot(center, center);
    radius += DOUBLE_SLACK * (sqrt(squared) + radius);
    double deepest = center.z + radius;
    double grown = radius + map->halfPixel * wkMaxD(deepest, 0.0);
    wkCameraSphere sphere = {
        .center = center,
        .radius = radius,
        .nearest = center.z - radius,
        .deepest = deepest,
        .grown = grown,
        .squared = squared,
        .isInView = isInView(map, center, radius),
    };
    return sphere;
}

bool wkIsSeeableSphere(const wkSphere3d* sphere)
{
    return wkDot(sphere->center, sphere->center) < 1e60 && sphere->radius >= 0.0 &&
           sphere->radius < 1e30;
}

bool wkDepthMap_Place(const wkDepthMap* map, const wkSphere3d* sphere, wkCameraSphere* inCamera)
{
    wkVec3d p = sphere->center, at = map->frame.position;
    double slack =
        DOUBLE_SLACK * (fabs(p.x) + fabs(p.y) + fabs(p.z) + fabs(at.x) + fabs(at.y) + fabs(at.z));
    *inCamera = wkDepthMap_See(map, wkFrameLocal(&map->frame, p),
                               sphere->radius + map->def.padding + slack);
    return wkIsSeeableSphere(sphere);
}

// Returns a pixel index within an image from a value that may be far outside.
static int32_t clampedPixel(double value, int32_t count)
{
    return (int32_t)wkClamp(value, -1.0, count);
}

// Finds the pixels between the two planes through the camera and a coordinate axis that touch a disc.
static void rangeOfDisc(double x, double z, double radius, double focal, double middle,
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
    int32_t from = clampedPixel(floor(low - slack), count);
    int32_t to = clampedPixel(ceil(high + slack), count);
    *first = from > 0 ? from : 0;
    *last = to < count ? to : count - 1;
}

wkPixelRange wkDepthMap_Range(const wkDepthMap* map, const wkCameraSphere* sphere)
{
    const wkCamera* c = &map->camera;
    wkPixelRange range = {0, -1, 0, -1};
    if (sphere->deepest > 0.0) {
        rangeOfDisc(sphere->center.x, sphere->center.z, sphere->grown, c->fx, c->cx, c->width,
                    &range.left, &range.right);
        rangeOfDisc(sphere->center.y, sphere->center.z, sphere->grown, c->fy, c->cy, c->height,
                    &range.top, &range.bottom);
    }
    return range;
}

static wkFindSpheresFcn* const methods[WK_DEPTH_METHOD_COUNT] = {
    [wk_depthByPyramid] = wkFindByPyramids,
    [wk_depthByLines] = wkFindByLines,
    [wk_depthByPixels] = wkFindByPixels,
};

// Computes verdicts of one camera on the spheres that no earlier camera has proven free.
static void askCamera(const wkDepthMap* map, const wkSphere3d* spheres, int32_t count,
                      wkFindSpheresFcn* find, wkDepthVerdict* verdicts)
{
    wkCameraSphere inCamera[WK_MAX_CAMERA_SPHERES];
    int32_t numbers[WK_MAX_CAMERA_SPHERES], inViewCount = 0;
    unsigned findings[WK_MAX_CAMERA_SPHERES];
    for (int32_t i = 0; i < count; ++i) {
        bool isAsked = verdicts[i] != wk_depthFree;
        if (isAsked && wkDepthMap_Place(map, &spheres[i], &inCamera[inViewCount])) {
            numbers[inViewCount++] = i;
        }
    }
    if (inViewCount > 0) {
        find(map, inCamera, inViewCount, findings);
    }
    for (int32_t i = 0; i < inViewCount; ++i) {
        // cppcheck-suppress uninitvar
        wkDepthVerdict verdict = wkVerdictOf(findings[i]), *known = &verdicts[numbers[i]];
        *known = verdict == wk_depthFree || verdict > *known ? verdict : *known;
    }
}

unsigned wkFindInDepths(const wkDepthMap* const* maps, int32_t mapCount, const wkSphere3d* sphere,
                        bool isUnobservedFree, bool isComplete)
{
    unsigned found = wk_findUnobserved;
    // with several cameras it matters whether one of them has observed all of the sphere
    unsigned known = isUnobservedFree && mapCount == 1 ? (unsigned)wk_findUnobserved : 0u;
    for (int32_t i = 0; i < mapCount; ++i) {
        wkCameraSphere inCamera;
        if (wkDepthMap_Place(maps[i], sphere, &inCamera)) {
            unsigned here = wkDepthMap_FindByPyramid(maps[i], &inCamera, known, isComplete);
            if (here == 0) {
                return 0u;
            }
            unsigned both = found & here & wk_findUnobserved;
            found = ((found | here) & ~(unsigned)wk_findUnobserved) | both;
        }
    }
    return found;
}

wkDepthVerdict wkDepthMap_CheckSpheres(const wkDepthMap* const* maps, int32_t mapCount,
                                       const wkSphere3d* spheres, int32_t count,
                                       wkDepthMethod method, wkDepthVerdict* verdicts)
{
    wkFindSpheresFcn* find = methods[(unsigned)method < WK_DEPTH_METHOD_COUNT ? method : 0];
    wkDepthVerdict worst = wk_depthFree, own[WK_MAX_CAMERA_SPHERES];
    for (int32_t first = 0; first < count; first += WK_MAX_CAMERA_SPHERES) {
        int32_t here =
            count - first < WK_MAX_CAMERA_SPHERES ? count - first : WK_MAX_CAMERA_SPHERES;
        // cppcheck-suppress legacyUninitvar
        wkDepthVerdict* found = verdicts != NULL ? verdicts + first : own;
        for (int32_t i = 0; i < here; ++i) {
            found[i] = wk_depthUnobserved;
        }
        for (int32_t i = 0; i < mapCount; ++i) {
            askCamera(maps[i], spheres + first, here, find, found);
        }
        for (int32_t i = 0; i < here; ++i) {
            worst = found[i] > worst ? found[i] : worst;
        }
        if (worst == wk_depthHit && verdicts == NULL) {
            break;
        }
    }
    return count > 0 ? worst : wk_depthUnchecked;
}
