// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Covers of all directions: triangles, and the caps around them. Triangle i of one level is cut
// into the triangles 4 i to 4 i + 3 of the next. The second half of the first level is opposite to
// the first half.

#include "solve/cover_lanes.h"

#define WK_COVER_LEVELS 2
#define WK_COVER_FIRST 80
#define WK_COVER_HALF 40
#define WK_COVER_HALF_PADDED 48
#define WK_COVER_VERTICES 162

typedef struct wkCoverLevel {
    wkFloatCaps caps;
    const uint8_t (*corner)[3]; // into wkCoverVertex
} wkCoverLevel;

extern const wkCoverLevel wkCoverLevels[WK_COVER_LEVELS];
extern const float wkCoverVertex[WK_COVER_VERTICES][3];
