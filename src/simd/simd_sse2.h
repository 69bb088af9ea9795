// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two lanes: the baseline of x86-64.

#include <emmintrin.h>

#define WK_LANES 2

typedef struct wkDoubleW {
    __m128d v;
} wkDoubleW;

typedef struct wkMaskW {
    __m128d v;
} wkMaskW;

WK_FORCE_FN wkDoubleW wkPackW(__m128d value)
{
    wkDoubleW w = {value};
    return w;
}

WK_FORCE_FN wkDoubleW wkSplatW(double value)
{
    return wkPackW(_mm_set1_pd(value));
}

WK_FORCE_FN wkDoubleW wkIotaW(void)
{
    return wkPackW(_mm_set_pd(1.0, 0.0));
}

WK_FORCE_FN wkDoubleW wkLoadW(const double* memory)
{
    return wkPackW(_mm_load_pd(memory));
}

WK_FORCE_FN wkDoubleW wkAddW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm_add_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkMulW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm_mul_pd(a.v, b.v));
}

WK_FORCE_FN wkMaskW wkGreaterW(wkDoubleW a, wkDoubleW b)
{
    wkMaskW mask = {_mm_cmpgt_pd(a.v, b.v)};
    return mask;
}

WK_FORCE_FN wkMaskW wkEqualW(wkDoubleW a, wkDoubleW b)
{
    wkMaskW mask = {_mm_cmpeq_pd(a.v, b.v)};
    return mask;
}

WK_FORCE_FN wkDoubleW wkSelectW(wkMaskW mask, wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm_or_pd(_mm_and_pd(mask.v, a.v), _mm_andnot_pd(mask.v, b.v)));
}

WK_FORCE_FN double wkReduceMaxW(wkDoubleW a)
{
    return _mm_cvtsd_f64(_mm_max_sd(a.v, _mm_unpackhi_pd(a.v, a.v)));
}

WK_FORCE_FN double wkReduceMinW(wkDoubleW a)
{
    return _mm_cvtsd_f64(_mm_min_sd(a.v, _mm_unpackhi_pd(a.v, a.v)));
}
