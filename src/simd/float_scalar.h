// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One lane of single precision.

#include <math.h>

#define WK_FLOAT_LANES 1

typedef struct wkFloatW {
    float v;
} wkFloatW;

WK_FORCE_FN wkFloatW wkSplatF(float value)
{
    wkFloatW w = {value};
    return w;
}

// From memory aligned to the width of the lanes.
WK_FORCE_FN wkFloatW wkLoadF(const float* memory)
{
    wkFloatW w = {*memory};
    return w;
}

WK_FORCE_FN void wkStoreF(float* memory, wkFloatW a)
{
    *memory = a.v;
}

WK_FORCE_FN wkFloatW wkAddF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {a.v + b.v};
    return w;
}

WK_FORCE_FN wkFloatW wkSubF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {a.v - b.v};
    return w;
}

WK_FORCE_FN wkFloatW wkMulF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {a.v * b.v};
    return w;
}

WK_FORCE_FN wkFloatW wkDivF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {a.v / b.v};
    return w;
}

// One of the two where a lane is NaN, whichever.
WK_FORCE_FN wkFloatW wkMinF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {a.v < b.v ? a.v : b.v};
    return w;
}

WK_FORCE_FN wkFloatW wkMaxF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {a.v > b.v ? a.v : b.v};
    return w;
}

WK_FORCE_FN wkFloatW wkSqrtF(wkFloatW a)
{
    wkFloatW w = {sqrtf(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkAbsF(wkFloatW a)
{
    wkFloatW w = {fabsf(a.v)};
    return w;
}

// `kept` where a > b, else 0.
WK_FORCE_FN wkFloatW wkKeepGreaterF(wkFloatW a, wkFloatW b, wkFloatW kept)
{
    wkFloatW w = {a.v > b.v ? kept.v : 0.0f};
    return w;
}
