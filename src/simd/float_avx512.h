// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sixteen lanes of single precision.

#define WK_FLOAT_LANES 16

typedef struct wkFloatW {
    __m512 v;
} wkFloatW;

WK_FORCE_FN wkFloatW wkSplatF(float value)
{
    wkFloatW w = {_mm512_set1_ps(value)};
    return w;
}

WK_FORCE_FN wkFloatW wkLoadF(const float* memory)
{
    wkFloatW w = {_mm512_load_ps(memory)};
    return w;
}

WK_FORCE_FN void wkStoreF(float* memory, wkFloatW a)
{
    _mm512_store_ps(memory, a.v);
}

WK_FORCE_FN wkFloatW wkAddF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm512_add_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkSubF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm512_sub_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkMulF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm512_mul_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkDivF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm512_div_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkMinF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm512_min_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkMaxF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm512_max_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkSqrtF(wkFloatW a)
{
    wkFloatW w = {_mm512_sqrt_ps(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkAbsF(wkFloatW a)
{
    wkFloatW w = {_mm512_abs_ps(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkKeepGreaterF(wkFloatW a, wkFloatW b, wkFloatW kept)
{
    wkFloatW w = {_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a.v, b.v, _CMP_GT_OQ), kept.v)};
    return w;
}
