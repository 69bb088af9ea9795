// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Lower bounds of a form over many caps of directions at once, one function per instruction set.

#include "base/cpu.h"
#include "solve/global_depth/support_sum.h"

// Caps are looked at in groups of so many: the width of the widest lanes.
#define WK_COVER_GROUP 16

// A form in single precision, with wkSupportSum.scale as the unit of length.
typedef struct wkFloatRound {
    float xx, yy, zz, xy, xz, yz;
    float trace;
    float apex[3];
    float inverseSlope; // 1 / how fast a cone's kink can change; 0 for the others
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

// Caps side by side, 64-byte aligned: their axes, the sines of their angles and what
// follows from those.
typedef struct wkFloatCaps {
    const float* x;
    const float* y;
    const float* z;
    const float* sine;
    const float* cosecant; // 1 / sine
    const float* versed;   // 1 / (1 + cosine)
} wkFloatCaps;

// What is known of caps, side by side, 64-byte aligned and but for rounding: a lower bound of the
// form over each, and its height at the axis.
typedef struct wkFloatBounds {
    float* bound;
    float* height;
} wkFloatBounds;

// Bounds for `count` caps, a multiple of WK_COVER_GROUP. `opposite` gets those of the opposite caps
// too, for a form that is symmetric but for `way`; else NULL.
typedef void wkGlobalDepthBoundFcn(const wkFloatSupportSum* supportSum, const wkFloatCaps* caps,
                                   int count, wkFloatBounds* out, wkFloatBounds* opposite);

// The function for that instruction set; NULL when it is not present.
wkGlobalDepthBoundFcn* wkGlobalDepthBoundOf(wkIsa isa);

// The function of this machine, found by the first call.
wkGlobalDepthBoundFcn* wkGlobalDepthBoundOfMachine(void);
