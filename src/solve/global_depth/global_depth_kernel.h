// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Lower bounds of a support sum over many caps of directions at once, one function per instruction set.

#include "base/cpu.h"
#include "solve/global_depth/support_sum.h"

// Caps are evaluated in groups of this size: the largest number of lanes.
#define WK_COVER_GROUP 16

// A support sum in single precision, with wkSupportSum.scale as the unit of length.
typedef struct wkFloatRound {
    float xx, yy, zz, xy, xz, yz;
    float trace;
    float apex[3];
    float inverseSlope; // 1 / the largest rate of change of a cone's kink; 0 for the others
} wkFloatRound;

typedef struct wkFloatSupportSum {
    int edgeCount;
    int roundCount;
    float way[3];
    float edge[WK_SUPPORT_SUM_EDGES][3];
    float inverseLength[WK_SUPPORT_SUM_EDGES];
    wkFloatRound round[WK_SUPPORT_SUM_ROUNDS];
} wkFloatSupportSum;

void wkNarrowSupportSum(const wkSupportSum* supportSum, wkFloatSupportSum* out);

// Arrays of caps, 64-byte aligned: their axes, the sines of their angles and derived quantities.
typedef struct wkFloatCaps {
    const float* x;
    const float* y;
    const float* z;
    const float* sine;
    const float* cosecant; // 1 / sine
    const float* versed;   // 1 / (1 + cosine)
} wkFloatCaps;

// Results for caps as arrays, 64-byte aligned, up to rounding: a lower bound of the support sum over each
// cap, and its height at the axis.
typedef struct wkFloatBounds {
    float* bound;
    float* height;
} wkFloatBounds;

// Computes bounds for `count` caps, a multiple of WK_COVER_GROUP. `opposite` receives those of the opposite
// caps too, for a support sum that is symmetric except for `way`; else NULL.
typedef void wkGlobalDepthBoundFcn(const wkFloatSupportSum* supportSum, const wkFloatCaps* caps,
                                   int count, wkFloatBounds* out, wkFloatBounds* opposite);

// Returns the function for that instruction set; NULL when it is not present.
wkGlobalDepthBoundFcn* wkGlobalDepthBoundOf(wkIsa isa);

// Returns the function of this machine, found by the first call.
wkGlobalDepthBoundFcn* wkGlobalDepthBoundOfMachine(void);
