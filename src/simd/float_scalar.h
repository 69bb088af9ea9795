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

// Loads from memory aligned to the width of the lanes.
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

// a * b + c, fused where the instruction set has it: for bounds that cover one rounding as well as two.
WK_FORCE_FN wkFloatW wkFusedMulAddF(wkFloatW a, wkFloatW b, wkFloatW c)
{
    wkFloatW w = {a.v * b.v + c.v};
    return w;
}

WK_FORCE_FN wkFloatW wkDivF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {a.v / b.v};
    return w;
}

// Where a lane is NaN the result is either operand.
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

// Loads from memory of any alignment.
WK_FORCE_FN wkFloatW wkLoadAnyF(const float* memory)
{
    return wkLoadF(memory);
}

WK_FORCE_FN void wkStoreAnyF(float* memory, wkFloatW a)
{
    wkStoreF(memory, a);
}

// Returns a bit for each lane, lane 0 lowest, where a > b; never for NaN.
WK_FORCE_FN unsigned wkGreaterBitsF(wkFloatW a, wkFloatW b)
{
    return a.v > b.v ? 1u : 0u;
}

// Returns a bit for each lane where a > b does not hold, so that NaN rules no candidate out.
WK_FORCE_FN unsigned wkNotAboveBitsF(wkFloatW a, wkFloatW b)
{
    return a.v > b.v ? 0u : 1u;
}

// `chosen` where a > b, `other` elsewhere.
WK_FORCE_FN wkFloatW wkSelectGreaterF(wkFloatW a, wkFloatW b, wkFloatW chosen, wkFloatW other)
{
    wkFloatW w = {a.v > b.v ? chosen.v : other.v};
    return w;
}

// Loads four consecutive numbers from each of WK_FLOAT_LANES rows, `stride` apart, as floats by column.
WK_FORCE_FN void wkLoadColumnsF(const double* rows, size_t stride, wkFloatW columns[4])
{
    (void)stride;
    for (int k = 0; k < 4; ++k) {
        columns[k].v = (float)rows[k];
    }
}
