// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The pyramid of a depth map in the layout of look-ups, in single precision.
//
// A level has blocks every `stride` pixels; strides double from level to level. For each block it has
// the least depth of all pixels that a window around any point of the block can reach, once for
// windows of 2 strides to each side and once for 3. So one entry covers the window, and a window that
// fits its margin loosely is covered by at most half as much again.
//
// All levels are in one table: rows of level k begin at row 2 h - (2 h >> k), where h is the number of rows
// of the finest level, and those for wide margins 2 h further down. So a row is computed without a branch or
// another look-up. Entries are short depths (short_depth.h).

#include <stdint.h>

// Depths beyond this are not distinguished, and no space is free beyond.
#define WK_FARTHEST 1e9f
// The end of a surface where there is none.
#define WK_NO_SURFACE (-1.0f)
// Padding of every sphere in a look-up, so that no depth in a proof is below the least short depth.
#define WK_LEAST_PADDING 0x1p-17f
// Rounding of a few operations in single precision, as a share of the lengths involved.
#define WK_LANE_ROUNDING 0x1p-19f
// Share by which entries are below the depths: more than the rounding of a sphere's depth.
#define WK_ENTRY_SLACK 0x1p-21f

// A plane through the camera and an edge of the image. The normal points out of the view; its component
// along the edge is 0.
typedef struct wkEdgePlane {
    float across, forward;
} wkEdgePlane;

typedef struct wkDepthView {
    const int16_t* entries;
    int32_t
        surfaceOffset; // offset to the entries of surfaces: where there is no surface, all is free
    int32_t pitch;     // entries of a row of the table
    float doubleRows;  // 2 h
    float leastMargin; // of the finest level, in pixels: twice its stride
    float mostMargin;  // of the coarsest level
    float nearestSurface;   // the least entry of surfaces
    float fx, fy;           // of the camera
    float offsetU, offsetV; // from the middle of the image to the principal point
    float middleU;          // of the image
    float rowMiddle;        // the same for rows, less 2 h times the finest stride
    float halfU, halfV;     // from the middle to the edges
    float focal, halfFocal; // pixels per slope, with rounding slack; half of it
    float pixelSlack;       // bound on the shift of a window by rounding, in pixels
    float halfPixel;        // half the diagonal of a pixel at z = 1, with rounding slack;
                            // infinite: nothing is proven
    float padding;          // of every sphere
    wkEdgePlane left, right, top, bottom;
} wkDepthView;
