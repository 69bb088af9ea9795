// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// SIMD kernels over many points and one center, compiled once per instruction set.

#include "base/cpu.h"
#include "math/vec.h"

// Coordinate arrays, aligned to 64 bytes. They are padded with readable numbers up to the next multiple of
// WK_FIT_GROUP.
typedef struct wkPointLanes {
    const double *x, *y, *z;
    int32_t count;
} wkPointLanes;

#define WK_FIT_GROUP 8

typedef struct wkFitLanes {
    // Returns the squared distance of the furthest point, padding included.
    double (*furthest)(const wkPointLanes* points, wkVec3d center);

    // Sets the bit of each point within sqrt(`square`) of the center; writes whole words.
    void (*within)(const wkPointLanes* points, wkVec3d center, double square, uint64_t* words);
} wkFitLanes;

const wkFitLanes* wkFitLanesOf(wkIsa isa);
const wkFitLanes* wkFitLanesOfMachine(void);

WK_FN int32_t wkRoundToGroup(int32_t count)
{
    return (count + WK_FIT_GROUP - 1) / WK_FIT_GROUP * WK_FIT_GROUP;
}

WK_FN int32_t wkWordsOf(int32_t count)
{
    return (count + 63) / 64;
}
