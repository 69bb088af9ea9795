// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight lanes.

#include <immintrin.h>

#define WK_LANES 8

typedef struct wkDoubleW {
    __m512d v;
} wkDoubleW;

typedef struct wkMaskW {
    __mmask8 v;
} wkMaskW;

WK_FORCE_FN wkDoubleW wkPackW(__m512d value)
{
    wkDoubleW w = {value};
    return w;
}

WK_FORCE_FN wkDoubleW wkSplatW(double value)
{
    return wkPackW(_mm512_set1_pd(value));
}

WK_FORCE_FN wkDoubleW wkIotaW(void)
{
    return wkPackW(_mm512_set_pd(7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0));
}

WK_FORCE_FN wkDoubleW wkLoadW(const double* memory)
{
    return wkPackW(_mm512_load_pd(memory));
}

WK_FORCE_FN wkDoubleW wkAddW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm512_add_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkMulW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm512_mul_pd(a.v, b.v));
}

WK_FORCE_FN wkMaskW wkGreaterW(wkDoubleW a, wkDoubleW b)
{
    wkMaskW mask = {_mm512_cmp_pd_mask(a.v, b.v, _CMP_GT_OQ)};
    return mask;
}

WK_FORCE_FN wkMaskW wkEqualW(wkDoubleW a, wkDoubleW b)
{
    wkMaskW mask = {_mm512_cmp_pd_mask(a.v, b.v, _CMP_EQ_OQ)};
    return mask;
}

WK_FORCE_FN wkDoubleW wkSelectW(wkMaskW mask, wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm512_mask_blend_pd(mask.v, b.v, a.v));
}

WK_FORCE_FN double wkReduceMaxW(wkDoubleW a)
{
    return _mm512_reduce_max_pd(a.v);
}

WK_FORCE_FN double wkReduceMinW(wkDoubleW a)
{
    return _mm512_reduce_min_pd(a.v);
}
