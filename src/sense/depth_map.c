// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creation of a depth map, updates with another image, and statistics.

#include "sense/depth_map.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/round.h"
#include "sense/depth_fill.h"
#include "sense/depth_image_impl.h"

#include "whisker/detail/counts.h"
#include "whisker/detail/device.h"

#include <float.h>

// Rows of numbers begin at multiples of this: two of the widest SIMD registers.
#define ROW_STEP 32
// The same for rows of short depths, so that their halves are whole registers.
#define SHORT_ROW_STEP 64
// Approximate entries of the finest level of the pyramid for each margin: what fits into fast caches.
#define TABLE_ENTRIES 100000
// Bound on the rounding of a few single-precision operations, as a share.
#define SINGLE_SLACK 4e-6

wkDepthMapDef wkDefaultDepthMapDef(void)
{
    wkDepthMapDef def = {
        .cookie = WK_COOKIE(wkDepthMapDef),
        .maxDepth = INFINITY,
        .noise = 0.001,
        .noiseSquare = 0.003,
        .thickness = 0.05,
    };
    return def;
}

const char* wkDepthVerdictName(wkDepthVerdict verdict)
{
    static const char* const names[WK_DEPTH_VERDICT_COUNT] = {
        [wk_depthUnchecked] = "unchecked",
        [wk_depthFree] = "free",
        [wk_depthUnobserved] = "unobserved",
        [wk_depthOccluded] = "occluded",
        [wk_depthHit] = "hit",
    };
    return (unsigned)verdict < WK_DEPTH_VERDICT_COUNT ? names[verdict] : "invalid";
}

const char* wkDepthMethodName(wkDepthMethod method)
{
    static const char* const names[WK_DEPTH_METHOD_COUNT] = {
        [wk_depthByPyramid] = "pyramid",
        [wk_depthByLines] = "lines",
        [wk_depthByPixels] = "pixels",
    };
    return (unsigned)method < WK_DEPTH_METHOD_COUNT ? names[method] : "invalid";
}

static int32_t roundedUp(int32_t value, int32_t step)
{
    return (value + step - 1) / step * step;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// Takes memory from a block, or only counts it where there is no block yet.
typedef struct cursor {
    char* block;
    size_t used;
} cursor;

static void* take(cursor* c, size_t byteCount)
{
    void* memory = c->block != NULL ? c->block + c->used : NULL;
    c->used += (byteCount + 63) & ~(size_t)63;
    return memory;
}

static void takeLevels(wkDepthMap* map, cursor* c, int32_t width, int32_t height)
{
    // bands of pixels need three levels
    int32_t least = larger(map->tableFirst + map->tableCount, 3);
    map->levelCount = 0;
    for (int32_t w = width, h = height; w > 1 || h > 1 || map->levelCount < least;) {
        w = (w + 1) / 2;
        h = (h + 1) / 2;
        wkDepthLevel* level = &map->levels[map->levelCount++];
        *level = (wkDepthLevel){{NULL}, w, h, roundedUp(w, SHORT_ROW_STEP)};
        for (int kind = 0; kind < wk_depthKindCount; ++kind) {
            size_t byteCount = (size_t)level->pitch * (size_t)h * sizeof(int16_t);
            level->values[kind] = (int16_t*)take(c, byteCount);
        }
    }
    map->surfaceLevelCount = 0;
    for (int32_t w = width, h = height; w > 1 || h > 1 || map->surfaceLevelCount == 0;) {
        w = (w + 7) / 8;
        h = (h + 7) / 8;
        wkSurfaceLevel* level = &map->surfaces[map->surfaceLevelCount++];
        *level = (wkSurfaceLevel){NULL, w, h};
        level->bounds = (wkSurfaceBounds*)take(c, (size_t)w * (size_t)h * sizeof(wkSurfaceBounds));
    }
}

// Returns the finest stride of the pyramid, as the exponent of 2: large images have no finer levels than
// small images with the same view.
static int32_t finestStride(int32_t width, int32_t height)
{
    int32_t exponent = 1;
    while ((int64_t)(width >> exponent) * (height >> exponent) > TABLE_ENTRIES) {
        ++exponent;
    }
    return exponent;
}

// Windows of up to half the smaller side of the image have a level: larger windows are never in view.
static void takeTable(wkDepthMap* map, cursor* c, int32_t width, int32_t height)
{
    int32_t first = finestStride(map->maxWidth, map->maxHeight), count = 1;
    while ((int64_t)3 << (first + count - 1) < smaller(width, height) / 2 + 1) {
        ++count;
    }
    map->tableFirst = first - 1;
    map->tableCount = smaller(count, WK_MAX_DEPTH_LEVELS);
    int32_t step = 1 << first;
    int32_t columns = roundedUp((width + step - 1) / step, ROW_STEP);
    int32_t rows = roundedUp((height + step - 1) / step, 1 << map->tableCount);
    map->view.pitch = columns;
    map->view.doubleRows = 2.0f * (float)rows;
    map->view.leastMargin = 2.0f * (float)step;
    map->tableSize = 4 * (size_t)columns * (size_t)rows;
    map->table = (int16_t*)take(c, wk_depthKindCount * map->tableSize * sizeof(int16_t));
    map->view.entries = map->table;
    map->view.surfaceOffset = (int32_t)map->tableSize;
}

// Lays out all arrays for an image of that size. @return bytes
static size_t layOut(wkDepthMap* map, void* block, int32_t width, int32_t height)
{
    cursor c = {(char*)block, 0};
    map->pitch = roundedUp(width, ROW_STEP);
    size_t imageBytes = (size_t)map->pitch * (size_t)height * sizeof(float);
    map->freeTo = (float*)take(&c, imageBytes);
    map->surfaceEnd = (float*)take(&c, imageBytes);
    map->scratch = take(&c, wkDepthScratchBytes(map->pitch));
    takeTable(map, &c, width, height);
    takeLevels(map, &c, width, height);
    return c.used;
}

size_t wkDepthMap_LayOut(wkDepthMap* map, int32_t maxWidth, int32_t maxHeight, void* block)
{
    *map = (wkDepthMap){.maxWidth = maxWidth, .maxHeight = maxHeight, .block = block};
    map->blockBytes = layOut(map, block, maxWidth, maxHeight);
    map->pose = wkIdentityPose();
    map->frame = wkFrameFromPose(map->pose);
    map->def = wkDefaultDepthMapDef();
    map->view.halfPixel = INFINITY; // nothing is proven
    map->view.fx = map->view.fy = 1.0f;
    map->view.mostMargin = 0.0f;
    return map->blockBytes;
}

wkResult wkDepthMap_Create(int32_t maxWidth, int32_t maxHeight, wkDepthMap** map)
{
    if (map == NULL) {
        return wkFail(wk_errorArgument, "depth map: the output pointer is NULL");
    }
    *map = NULL;
    const int32_t sides[2] = {maxWidth, maxHeight};
    for (int i = 0; i < 2; ++i) {
        if (sides[i] < 1 || sides[i] > WK_MAX_IMAGE_SIDE) {
            return wkFail(wk_errorRange, "depth map: %s is %d, must be 1 to %d",
                          i == 0 ? "maxWidth" : "maxHeight", (int)sides[i], WK_MAX_IMAGE_SIDE);
        }
    }
    wkDepthMap builder;
    size_t blockBytes = wkDepthMap_LayOut(&builder, maxWidth, maxHeight, NULL);
    wkDepthMap* made = (wkDepthMap*)wkAlloc(sizeof *made);
    void* block = wkAlloc(blockBytes);
    if (made == NULL || block == NULL) {
        wkFree(made, sizeof *made);
        wkFree(block, blockBytes);
        return wkFail(wk_errorMemory, "depth map: no memory for %d x %d pixels", (int)maxWidth,
                      (int)maxHeight);
    }
    wkDepthMap_LayOut(&builder, maxWidth, maxHeight, block);
    builder.table[0] = INT16_MIN;
    *made = builder;
    *map = made;
    return wk_ok;
}

void wkDepthMap_Destroy(wkDepthMap* map)
{
    if (map != NULL) {
        wkFree(map->block, map->blockBytes);
        wkFree(map, sizeof *map);
    }
}

static wkResult checkDef(const wkDepthMapDef* def)
{
    if (!WK_HAS_COOKIE(def, wkDepthMapDef)) {
        return WK_FAIL_COOKIE(def, wkDepthMapDef);
    }
    const struct {
        const char* name;
        double value, highest;
    } fields[] = {
        {"minDepth", def->minDepth, WK_FARTHEST},   {"maxDepth", def->maxDepth, INFINITY},
        {"noise", def->noise, WK_FARTHEST},         {"noiseSquare", def->noiseSquare, WK_FARTHEST},
        {"thickness", def->thickness, WK_FARTHEST}, {"padding", def->padding, WK_FARTHEST},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; ++i) {
        if (!(fields[i].value >= 0.0 && fields[i].value <= fields[i].highest)) {
            return wkFail(isfinite(fields[i].value) ? wk_errorRange : wk_errorNotFinite,
                          "depth map: %s is %g, must be 0 to %g", fields[i].name, fields[i].value,
                          fields[i].highest);
        }
    }
    return wk_ok;
}

static wkResult checkMask(const wkDepthMask* mask)
{
    if (mask->count < 0 || (mask->spheres == NULL && mask->count > 0)) {
        return wkFail(wk_errorArgument, "depth mask: count is %d, spheres are %s", (int)mask->count,
                      mask->spheres == NULL ? "NULL" : "there");
    }
    if (mask->rule != wk_maskShadow && mask->rule != wk_maskRemove) {
        return wkFail(wk_errorArgument, "depth mask: rule is %d, must be 0 or 1", (int)mask->rule);
    }
    if (!(mask->padding >= 0.0 && mask->padding <= WK_FARTHEST)) {
        return wkFail(isfinite(mask->padding) ? wk_errorRange : wk_errorNotFinite,
                      "depth mask: padding is %g, must be 0 to %g", mask->padding, WK_FARTHEST);
    }
    for (int32_t i = 0; i < mask->count; ++i) {
        const wkSphere3d* b = &mask->spheres[i];
        if (!(wkDot(b->center, b->center) < WK_MAX_SQUARED && b->radius >= 0.0 &&
              b->radius <= WK_FARTHEST)) {
            return wkFail(wk_errorNotFinite, "depth mask: spheres[%d] is not a sphere", (int)i);
        }
    }
    return wk_ok;
}

static wkResult checkUpdate(const wkDepthMap* map, const wkDepthImage* image,
                            const wkDepthMapDef* def, const wkDepthMask* mask)
{
    if (map == NULL) {
        return wkFail(wk_errorArgument, "depth map: it is NULL");
    }
    wkResult result = wkDepthImage_Check(image);
    if (result != wk_ok) {
        return result;
    }
    if (image->camera.width > map->maxWidth || image->camera.height > map->maxHeight) {
        return wkFail(wk_errorRange, "depth map: an image of %d x %d, made for up to %d x %d",
                      (int)image->camera.width, (int)image->camera.height, (int)map->maxWidth,
                      (int)map->maxHeight);
    }
    result = checkDef(def);
    return result == wk_ok && mask != NULL ? checkMask(mask) : result;
}

// @param sign of the direction out of the view
static wkEdgePlane edgePlane(double slope, double length, double sign)
{
    wkEdgePlane plane = {(float)(sign / length), (float)(-sign * slope / length)};
    return plane;
}

// Sets the values that depend on the camera alone.
static void setView(wkDepthMap* map)
{
    const wkCamera* c = &map->camera;
    map->perFx = 1.0 / c->fx;
    map->perFy = 1.0 / c->fy;
    map->halfPixel = 0.5 * sqrt(1.0 / (c->fx * c->fx) + 1.0 / (c->fy * c->fy));
    map->left = (-0.5 - c->cx) / c->fx;
    map->right = (c->width - 0.5 - c->cx) / c->fx;
    map->top = (-0.5 - c->cy) / c->fy;
    map->bottom = (c->height - 0.5 - c->cy) / c->fy;
    map->leftLength = sqrt(1.0 + map->left * map->left);
    map->rightLength = sqrt(1.0 + map->right * map->right);
    map->topLength = sqrt(1.0 + map->top * map->top);
    map->bottomLength = sqrt(1.0 + map->bottom * map->bottom);

    wkDepthView* view = &map->view;
    double interval = fabs(c->cx) + fabs(c->cy) + c->width + c->height;
    double middleU = 0.5 * (c->width - 1), middleV = 0.5 * (c->height - 1);
    // rows of the table are computed with an error of some units in the last place of their number
    double rowSlack = 4.0 * (double)view->doubleRows * FLT_EPSILON;
    double focal = wkMaxD(c->fx, c->fy) * (1.0 + 2.0 * SINGLE_SLACK + rowSlack);
    view->fx = (float)c->fx;
    view->fy = (float)c->fy;
    view->offsetU = (float)(c->cx - middleU);
    view->offsetV = (float)(c->cy - middleV);
    view->middleU = (float)middleU;
    view->rowMiddle = (float)(middleV - 0.5 * (double)(view->doubleRows * view->leastMargin));
    view->halfU = 0.5f * (float)c->width;
    view->halfV = 0.5f * (float)c->height;
    view->focal = (float)focal;
    view->halfFocal = (float)(0.5 * focal);
    view->pixelSlack = (float)(1e-3 + 1e-6 * interval);
    // covers the rounding of the radius too, which is less than the depth
    view->halfPixel = (float)(map->halfPixel * (1.0 + SINGLE_SLACK) + 4.0 * FLT_EPSILON);
    if (view->halfPixel > 0.5f) {
        view->halfPixel = INFINITY; // spheres behind would be grown too far: none is proven free
    }
    view->mostMargin = 1.5f * view->leastMargin * (float)(1 << (map->tableCount - 1));
    view->padding = wkRoundUp(map->def.padding + WK_LEAST_PADDING);
    view->left = edgePlane(map->left, map->leftLength, -1.0);
    view->right = edgePlane(map->right, map->rightLength, 1.0);
    view->top = edgePlane(map->top, map->topLength, -1.0);
    view->bottom = edgePlane(map->bottom, map->bottomLength, 1.0);
}

// Fills the map band by band; a band is halved into blocks while it is in the fast caches.
static void takeIn(wkDepthMap* map, const wkDepthImage* image, const wkDepthMask* mask)
{
    int32_t bandCount = (map->camera.height + WK_BAND_ROWS - 1) / WK_BAND_ROWS;
    map->measuredCount = map->isStraightened ? wkRectifyDepths(map, image) : 0;
    map->maskedCount = 0;
    for (int32_t band = 0; band < bandCount; ++band) {
        map->measuredCount += map->isStraightened ? 0 : wkFillBand(map, image, band);
        wkHalveBand(map, band);
    }
    if (mask != NULL && mask->count > 0) {
        map->maskedCount = wkMaskDepths(map, mask);
        for (int32_t band = 0; band < bandCount; ++band) {
            wkHalveBand(map, band);
        }
    }
    wkBuildDepthLevels(map);
}

wkResult wkDepthMap_Aim(wkDepthMap* map, const wkDepthImage* image, const wkDepthMapDef* def,
                        const wkDepthMask* mask)
{
    wkDepthMapDef standard = wkDefaultDepthMapDef();
    def = def != NULL ? def : &standard;
    wkResult result = checkUpdate(map, image, def, mask);
    if (result != wk_ok) {
        return result;
    }
    map->def = *def;
    map->pose = image->pose;
    map->frame = wkFrameFromPose(image->pose);
    map->camera = wkStraightCamera(&image->camera);
    map->isStraightened = image->camera.distortion != wk_distortionNone;
    layOut(map, map->block, map->camera.width, map->camera.height);
    setView(map);
    return wk_ok;
}

wkResult wkDepthMap_Update(wkDepthMap* map, const wkDepthImage* image, const wkDepthMapDef* def,
                           const wkDepthMask* mask)
{
    wkResult result = wkDepthMap_Aim(map, image, def, mask);
    if (result == wk_ok) {
        takeIn(map, image, mask);
    }
    return result;
}

wkDepthMapInfo wkDepthMap_Info(const wkDepthMap* map)
{
    wkDepthMapInfo info = {0};
    if (map != NULL) {
        info = (wkDepthMapInfo){
            .camera = map->camera,
            .pose = map->pose,
            .def = map->def,
            .measuredCount = map->measuredCount,
            .maskedCount = map->maskedCount,
            .byteCount = map->blockBytes + sizeof *map,
        };
    }
    return info;
}
