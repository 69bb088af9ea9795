// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The cells of a clearance field, as look-ups on the CPU and on other devices read them. Code of this header is C, C++
// and CUDA.

#include <stdint.h>

// The cells in the layout of the SIMD kernels. The outermost cells stand for all space beyond.
typedef struct wkFieldGrid {
    float lower[3];   // lower vertex of the first cell
    float perMetre;   // cells
    float size;       // of a cell
    float step;       // metres per unit of the distance of a plane
    float bias;       // metres that all planes are raised by
    float slope;      // metres per unit of a slope, over a cell
    float gapStep;    // metres per unit of the gap between plane and upper bound
    float last[3];    // the middle of the last cell, in cells from the first
    int32_t count[3]; // cells along each axis, multiples of four
    const uint32_t*
        words; // x first; from the lowest bit: 8 bits distance of the plane, 6 bits gap between
               // the plane and the upper bound, 6 bits each slope along x, y, z
} wkFieldGrid;

// The highest numbers: planes as far as the reach, and cells in which nothing is proven to be near.
#define WK_FIELD_FAR 255
#define WK_FIELD_NONE 63

// Slopes from -1 to 1 are stored as whole numbers up to this one, over the next power of two.
#define WK_FIELD_STEEPEST 31
