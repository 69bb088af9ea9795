// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The pyramid of a depth map as look-ups see it, in single precision.
//
// A level has blocks every `stride` pixels; strides double from level to level. For each block it has
// the least depth of all pixels that a window around any point of the block can reach, once for
// windows of 2 strides to each side and once for 3. So one entry covers the window, and a window that
// fits its margin loosely still has no more than half again as much looked at.
//
// All levels stand in one table: rows of level k begin at row 2 h - (2 h >> k), h being the rows of the
// finest level, and those for wide margins 2 h further down. So a row is computed without a branch or
// another look-up. Entries are short depths (short_depth.h).

#include <stdint.h>

// Depths beyond this are not told apart, and nothing is free beyond.
#define WK_FARTHEST 1e9f
// The end of a surface where there is none.
#define WK_NO_SURFACE (-1.0f)
// Around every sphere in a look-up, so that no depth in a proof is less than a short one can be.
#define WK_LEAST_PADDING 0x1p-17f
// By this share of the lengths involved single precision may be off in a few operations.
#define WK_LANE_ROUNDING 0x1p-19f
// By this share entries are less than the depths: more than rounding can take off a sphere's.
#define WK_ENTRY_SLACK 0x1p-21f

// A plane through the camera and an edge of the image. The normal points out of the view; across the
// edge it has no part.
typedef struct wkEdgePlane {
    float across, forward;
} wkEdgePlane;

typedef struct wkDepthView {
    const int16_t* entries;
    int32_t
        surfaceOffset; // entries from there to those of surfaces: where no surface is, all is free
    int32_t pitch;     // entries of a row of the table
    float doubleRows;  // 2 h
    float leastMargin; // of the finest level, in pixels: twice its stride
    float mostMargin;  // of the coarsest one
    float nearestSurface;   // the least entry of surfaces
    float fx, fy;           // of the camera
    float offsetU, offsetV; // from the middle of the image to where its axis meets it
    float middleU;          // of the image
    float rowMiddle;        // the same for rows, less 2 h times the finest stride
    float halfU, halfV;     // from the middle to the edges
    float focal, halfFocal; // pixels for a slope, with what rounding may do; half of it
    float pixelSlack;       // that rounding may move a window, in pixels
    float halfPixel;        // half the diagonal of a pixel at z = 1, with what rounding may do;
                            // infinite: nothing is proven
    float padding;          // of every sphere
    wkEdgePlane left, right, top, bottom;
} wkDepthView;
