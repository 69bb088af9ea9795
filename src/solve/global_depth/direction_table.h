// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Covers of all directions: triangles, and the caps around them. Triangle i of one level is split into the
// triangles 4 i to 4 i + 3 of the next. The second half of the first level is opposite to the first half.

#include "solve/global_depth/global_depth_kernel.h"

#define WK_COVER_LEVELS 2
#define WK_DIRECTION_FIRST 80
#define WK_COVER_HALF 40
#define WK_COVER_HALF_PADDED 48
#define WK_COVER_VERTICES 162

typedef struct wkDirectionLevel {
    wkFloatCaps caps;
    const uint8_t (*vertex)[3]; // indices into wkDirectionVertex
} wkDirectionLevel;

extern const wkDirectionLevel wkDirectionLevels[WK_COVER_LEVELS];
extern const float wkDirectionVertex[WK_COVER_VERTICES][3];
