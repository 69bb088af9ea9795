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

// Numbers that rows on the way need.
size_t wkDepthScratchSize(int32_t pitch);

// Fills both images of a map. @return number of pixels with a depth
int32_t wkFillDepths(wkDepthMap* map, const wkDepthImage* image);

// The same where the lens bends.
int32_t wkStraightenDepths(wkDepthMap* map, const wkDepthImage* image);

// Takes out what shows the robot itself. @return number of its pixels
int32_t wkMaskDepths(wkDepthMap* map, const wkDepthMask* mask);

// Least depths of blocks.
void wkHalveDepths(wkDepthMap* map);

// The same, the pyramid and the tree over surfaces.
void wkBuildDepthLevels(wkDepthMap* map);

// Rows in lanes. Counts are numbers of floats, multiples of 16; rows are aligned to 64 bytes.
typedef struct wkDepthLanes {
    // What values of a row prove. @return number of those that are depths
    int32_t (*proveWords)(const wkDepthRecipe* recipe, const uint16_t* row, int32_t count,
                          float* freeTo, float* surfaceEnd);
    int32_t (*proveFloats)(const wkDepthRecipe* recipe, const float* row, int32_t count,
                           float* freeTo, float* surfaceEnd);
    // Least of blocks of two by two, from two rows of twice `count` values.
    void (*halve)(const float* first, const float* second, int32_t count, float* least);
    // The same of two rows of pixels, of those that show a surface.
    void (*halveSurfaces)(const float* const freeTo[2], const float* const surfaceEnd[2],
                          int32_t count, float* least);
    // Least of five and of seven columns about each, and of as many rows, less WK_ENTRY_SLACK of it.
    // `padded` has room for count + 32 values.
    void (*spread)(const float* const rows[7], int32_t count, float* padded, float* narrow,
                   float* wide);
    // Where surfaces of some rows begin, and where they end with the sign turned: the least of each.
    void (*bound)(const float* freeTo, const float* surfaceEnd, int32_t pitch, int32_t rowCount,
                  int32_t count, float* const bounds[2]);
} wkDepthLanes;

// NULL when that instruction set is not present.
const wkDepthLanes* wkDepthLanesOf(wkIsa isa);
const wkDepthLanes* wkDepthLanesOfMachine(void);
