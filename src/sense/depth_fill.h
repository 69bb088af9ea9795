// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Converts the pixels of an image into proven depths, and into least depths of blocks.

#include "base/cpu.h"
#include "sense/depth_map.h"
#include "sense/proven_depth.h"

// Returns a pinhole that covers the view of a camera, as far as pinholes can; the camera itself if it is one.
wkCamera wkStraightCamera(const wkCamera* camera);

// Rows in a band; pixels are processed in bands.
#define WK_BAND_ROWS 8
// Padding before and after each row for the minimum filter.
#define WK_SPREAD_PADDING 32

// Returns the size in bytes of the scratch for rows.
size_t wkDepthScratchBytes(int32_t pitch);

// Fills the rest of a row of both images, beyond their width, with neutral values.
void wkEndDepthRow(wkDepthMap* map, int32_t v);

// Fills a band of both images of a map from an undistorted image.
// @return number of pixels with a depth
int32_t wkFillBand(wkDepthMap* map, const wkDepthImage* image, int32_t band);

// Fills all of both images from an image with lens distortion.
int32_t wkRectifyDepths(wkDepthMap* map, const wkDepthImage* image);

// Masks out pixels that show the robot itself. Needs halved bands, and leaves them to be halved again.
// @return number of masked pixels
int32_t wkMaskDepths(wkDepthMap* map, const wkDepthMask* mask);

// Computes blocks of up to eight by eight pixels, and the surfaces of those.
void wkHalveBand(wkDepthMap* map, int32_t band);

// Computes the rest from these: larger blocks, the pyramid and the tree over surfaces.
void wkBuildDepthLevels(wkDepthMap* map);

// SIMD kernels for rows. Counts are of results: multiples of 16 from pixels, and of 32 from short
// depths. Rows of a map are aligned to 64 bytes.
typedef struct wkDepthLanes {
    // Convert the values of a row. @return number of valid depths
    int32_t (*proveWords)(const wkDepthRecipe* recipe, const uint16_t* row, int32_t count,
                          float* freeTo, float* surfaceEnd);
    int32_t (*proveFloats)(const wkDepthRecipe* recipe, const float* row, int32_t count,
                           float* freeTo, float* surfaceEnd);
    // Computes least depths of blocks of two by two pixels, and the least of those that show a surface.
    void (*halvePixels)(const float* const freeTo[2], const float* const surfaceEnd[2],
                        int32_t count, int16_t* free, int16_t* nearest);
    // Computes where surfaces of some rows end, negated.
    void (*endPixels)(const float* surfaceEnd, int32_t pitch, int32_t rowCount, int32_t count,
                      int16_t* rotated);
    // Computes the least values of blocks of two by two, from two rows of twice `count` numbers.
    void (*halve)(const int16_t* first, const int16_t* second, int32_t count, int16_t* least);
    // Computes the least of five and of seven columns about each, and of as many rows, for two rows at once:
    // rows[3] and rows[4] are their middles. `scratch` has the capacity for four rows with WK_SPREAD_PADDING.
    void (*spread)(const int16_t* const rows[8], int32_t count, int16_t* scratch,
                   int16_t* const narrows[2], int16_t* const wides[2]);
} wkDepthLanes;

// Returns NULL when that instruction set is not present.
const wkDepthLanes* wkDepthLanesOf(wkIsa isa);
const wkDepthLanes* wkDepthLanesOfMachine(void);
