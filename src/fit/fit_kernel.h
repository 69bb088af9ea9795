// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Many points against one center, compiled once per instruction set.

#include "base/cpu.h"
#include "math/vec.h"

// Points side by side, from multiples of 64 bytes on. Up to the next multiple of WK_FIT_GROUP there are
// numbers to read, too.
typedef struct wkPointLanes {
    const double *x, *y, *z;
    int32_t count;
} wkPointLanes;

#define WK_FIT_GROUP 8

typedef struct wkFitLanes {
    // Squared distance of the furthest point, numbers after the last one included.
    double (*furthest)(const wkPointLanes* points, wkVec3d center);

    // A bit for each point that is no further than the root of `square`; whole words are written.
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
