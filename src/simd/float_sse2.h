// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Four lanes of single precision.

#define WK_FLOAT_LANES 4

typedef struct wkFloatW {
    __m128 v;
} wkFloatW;

WK_FORCE_FN wkFloatW wkSplatF(float value)
{
    wkFloatW w = {_mm_set1_ps(value)};
    return w;
}

WK_FORCE_FN wkFloatW wkLoadF(const float* memory)
{
    wkFloatW w = {_mm_load_ps(memory)};
    return w;
}

WK_FORCE_FN void wkStoreF(float* memory, wkFloatW a)
{
    _mm_store_ps(memory, a.v);
}

WK_FORCE_FN wkFloatW wkAddF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm_add_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkSubF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm_sub_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkMulF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm_mul_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkFusedMulAddF(wkFloatW a, wkFloatW b, wkFloatW c)
{
    wkFloatW w = {_mm_add_ps(_mm_mul_ps(a.v, b.v), c.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkDivF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm_div_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkMinF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm_min_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkMaxF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm_max_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkSqrtF(wkFloatW a)
{
    wkFloatW w = {_mm_sqrt_ps(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkAbsF(wkFloatW a)
{
    wkFloatW w = {_mm_andnot_ps(_mm_set1_ps(-0.0f), a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkKeepGreaterF(wkFloatW a, wkFloatW b, wkFloatW kept)
{
    wkFloatW w = {_mm_and_ps(_mm_cmpgt_ps(a.v, b.v), kept.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkLoadAnyF(const float* memory)
{
    wkFloatW w = {_mm_loadu_ps(memory)};
    return w;
}

WK_FORCE_FN void wkStoreAnyF(float* memory, wkFloatW a)
{
    _mm_storeu_ps(memory, a.v);
}

WK_FORCE_FN unsigned wkGreaterBitsF(wkFloatW a, wkFloatW b)
{
    return (unsigned)_mm_movemask_ps(_mm_cmpgt_ps(a.v, b.v));
}

WK_FORCE_FN unsigned wkNotAboveBitsF(wkFloatW a, wkFloatW b)
{
    return (unsigned)_mm_movemask_ps(_mm_cmpngt_ps(a.v, b.v));
}

WK_FORCE_FN wkFloatW wkSelectGreaterF(wkFloatW a, wkFloatW b, wkFloatW chosen, wkFloatW other)
{
    __m128 mask = _mm_cmpgt_ps(a.v, b.v);
    wkFloatW w = {_mm_or_ps(_mm_and_ps(mask, chosen.v), _mm_andnot_ps(mask, other.v))};
    return w;
}

WK_FORCE_FN __m128 wkFourFloats(const double* row)
{
    return _mm_movelh_ps(_mm_cvtpd_ps(_mm_loadu_pd(row)), _mm_cvtpd_ps(_mm_loadu_pd(row + 2)));
}

WK_FORCE_FN void wkLoadColumnsF(const double* rows, size_t stride, wkFloatW columns[4])
{
    for (int k = 0; k < 4; ++k) {
        columns[k].v = wkFourFloats(rows + (size_t)k * stride);
    }
    _MM_TRANSPOSE4_PS(columns[0].v, columns[1].v, columns[2].v, columns[3].v);
}
