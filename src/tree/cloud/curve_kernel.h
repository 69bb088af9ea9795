// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Positions of points on Hilbert's curve, many at a time.

#include "base/cpu.h"

#include <stdint.h>

// Points whose positions are computed together.
#define WK_CURVE_BLOCK 64

// A grid of cubes around all points, with 2^bits of them along each axis.
typedef struct wkCurveGrid {
    float lower[3];
    float scale; // cubes per metre
    int bits;    // at most 21
} wkCurveGrid;

typedef struct wkCurveLanes {
    // positions of WK_CURVE_BLOCK points; points outside of the grid have undefined ones
    void (*positions)(const wkCurveGrid* grid, const float* x, const float* y, const float* z,
                      uint64_t* positions);
} wkCurveLanes;

// NULL when the instruction set is not available.
const wkCurveLanes* wkCurveLanesOf(wkIsa isa);

// Kernels for this machine.
const wkCurveLanes* wkCurveLanesOfMachine(void);
