// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From the pixels of an image to what they prove, and to least depths of blocks.

#include "base/cpu.h"
#include "sense/depth_map.h"

// How depths are taken, in single precision, and never as proving more than they do.
typedef struct wkDepthRecipe {
    float scale;
    float minDepth; // depths are above
    float maxDepth; // surfaces are below
    float noise, noiseSquare;
    float thickness;
} wkDepthRecipe;

// Share of a depth that rounding may be off by: it counts as noise.
#define WK_DEPTH_ROUNDING 0x1p-20f

// What a depth proves.
typedef struct wkProvenDepth {
    float freeTo, surfaceEnd;
} wkProvenDepth;

// The same as the lanes do; `value` is what stands in the image.
WK_FN wkProvenDepth wkProveDepth(const wkDepthRecipe* r, float value)
{
    wkProvenDepth none = {0.0f, WK_NO_SURFACE};
    float depth = value * r->scale;
    if (!(depth > r->minDepth && depth < INFINITY)) {
        return none;
    }
    bool isNear = depth < r->maxDepth;
    depth = depth < WK_FARTHEST ? depth : WK_FARTHEST;
    float noise = r->noise + r->noiseSquare * (depth * depth) + depth * WK_DEPTH_ROUNDING;
    float freeTo = depth - noise;
    freeTo = freeTo < r->maxDepth ? freeTo : r->maxDepth;
    freeTo = freeTo > 0.0f ? freeTo : 0.0f;
    float end = depth + noise + r->thickness;
    wkProvenDepth proven = {freeTo, isNear ? end : WK_NO_SURFACE};
    return proven;
}

wkDepthRecipe wkMakeDepthRecipe(const wkDepthMap* map, const wkDepthImage* image);

// A pinhole that sees what a camera sees, as far as pinholes can; the camera itself if it is one.
wkCamera wkStraightCamera(const wkCamera* camera);

// Pixels are taken in by bands of so many rows.
#define WK_BAND_ROWS 8
// Numbers before and after each row that is spread.
#define WK_SPREAD_PADDING 32

// Bytes that rows on the way need.
size_t wkDepthScratchBytes(int32_t pitch);

// The rest of a row of both images, beyond their width, counts for nothing.
void wkEndDepthRow(wkDepthMap* map, int32_t v);

// Fills a band of both images of a map from an image that is straight.
// @return number of pixels with a depth
int32_t wkFillBand(wkDepthMap* map, const wkDepthImage* image, int32_t band);

// All of both where the lens bends.
int32_t wkRectifyDepths(wkDepthMap* map, const wkDepthImage* image);

// Takes out what shows the robot itself: needs bands that are halved, and leaves them to be halved again.
// @return number of its pixels
int32_t wkMaskDepths(wkDepthMap* map, const wkDepthMask* mask);

// Blocks of up to eight by eight pixels, and the surfaces of those.
void wkHalveBand(wkDepthMap* map, int32_t band);

// All else, from these: larger blocks, the pyramid and the tree over surfaces.
void wkBuildDepthLevels(wkDepthMap* map);

// Rows in lanes. Counts are of numbers that come out: multiples of 16 from pixels, and of 32 from short
// depths. Rows of a map are aligned to 64 bytes.
typedef struct wkDepthLanes {
    // What values of a row prove. @return number of those that are depths
    int32_t (*proveWords)(const wkDepthRecipe* recipe, const uint16_t* row, int32_t count,
                          float* freeTo, float* surfaceEnd);
    int32_t (*proveFloats)(const wkDepthRecipe* recipe, const float* row, int32_t count,
                           float* freeTo, float* surfaceEnd);
    // Least depths of blocks of two by two pixels, and the least of those that show a surface.
    void (*halvePixels)(const float* const freeTo[2], const float* const surfaceEnd[2],
                        int32_t count, int16_t* free, int16_t* nearest);
    // Where surfaces of some rows end, with the sign turned.
    void (*endPixels)(const float* surfaceEnd, int32_t pitch, int32_t rowCount, int32_t count,
                      int16_t* rotated);
    // Least of blocks of two by two, from two rows of twice `count` numbers.
    void (*halve)(const int16_t* first, const int16_t* second, int32_t count, int16_t* least);
    // Least of five and of seven columns about each, and of as many rows. Two rows at once: rows[3] and
    // rows[4] are their middles. `scratch` has room for four rows with WK_SPREAD_PADDING.
    void (*spread)(const int16_t* const rows[8], int32_t count, int16_t* scratch,
                   int16_t* const narrows[2], int16_t* const wides[2]);
} wkDepthLanes;

// NULL when that instruction set is not present.
const wkDepthLanes* wkDepthLanesOf(wkIsa isa);
const wkDepthLanes* wkDepthLanesOfMachine(void);
