// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rays of pixels. The ray of a pixel depends on the camera alone, not on pixels that were read before it: a table of
// rays, as GPUs have it, gives the same points as a reader that skips pixels. Undistortion begins between the solutions
// at both ends of a tile, so that most pixels take few steps.

#include "sense/lens.h"

// The pixels of a row.
typedef struct wkRowRays {
    const wkLens* lens;
    wkSlope perPixel; // 1 / fx, 1 / fy
    int32_t v;
    int32_t tile;      // whose shares are known; -1: none
    double first, end; // shares of the first column of that tile, and of the next one
} wkRowRays;

wkRowRays wkMakeRowRays(const wkLens* lens, int32_t v);

// Returns the ray of a pixel; not finite: there is none.
wkSlope wkRowRays_At(wkRowRays* rays, int32_t u);
