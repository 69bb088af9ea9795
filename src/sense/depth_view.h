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
// finest level, so that a row is computed without a branch or another look-up. Columns of the narrow
// margins come first, those of the wide ones after them.

#include <stdint.h>

// Depths beyond this are not told apart, and nothing is free beyond.
#define WK_FARTHEST 1e9f
// The end of a surface where there is none.
#define WK_NO_SURFACE (-1.0f)

// Around every ball, so that no depth in a proof is too small for single precision.
#define WK_LEAST_PADDING 1e-9f

typedef struct wkDepthView {
    const float* entries;
    int32_t pitch;     // entries of a row of the table, both margins
    int32_t wideFrom;  // column of the first entry for wide margins
    float doubleRows;  // 2 h
    float rowStep;     // 2 h times the finest stride
    float leastMargin; // of the finest level, in pixels
    float fx, fy, cx, cy;
    float middleU, middleV; // of the image
    float halfU, halfV;     // from there to its edges, less what rounding may do
    float focal;            // pixels for a slope, with what rounding may do
    float pixelSlack;       // that rounding may move a window, in pixels
    float halfPixel;        // as in the map, with what rounding may do
    float padding;          // of every ball
} wkDepthView;
