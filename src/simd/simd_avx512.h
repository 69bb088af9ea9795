// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight lanes.

#include <immintrin.h>

#define WK_LANES 8

typedef struct wkDoubleW {
    __m512d v;
} wkDoubleW;

WK_FORCE_FN wkDoubleW wkPackW(__m512d value)
{
    wkDoubleW w = {value};
    return w;
}

WK_FORCE_FN wkDoubleW wkSplatW(double value)
{
    return wkPackW(_mm512_set1_pd(value));
}

WK_FORCE_FN wkDoubleW wkLoadW(const double* memory)
{
    return wkPackW(_mm512_load_pd(memory));
}

WK_FORCE_FN void wkStoreW(double* memory, wkDoubleW a)
{
    _mm512_store_pd(memory, a.v);
}

WK_FORCE_FN wkDoubleW wkAddW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm512_add_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkSubW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm512_sub_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkMulW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm512_mul_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkAbsW(wkDoubleW a)
{
    return wkPackW(_mm512_abs_pd(a.v));
}

WK_FORCE_FN wkDoubleW wkMaxW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm512_max_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkMinW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm512_min_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkSelectGreaterW(wkDoubleW a, wkDoubleW b, wkDoubleW chosen, wkDoubleW other)
{
    __mmask8 mask = _mm512_cmp_pd_mask(a.v, b.v, _CMP_GT_OQ);
    return wkPackW(_mm512_mask_blend_pd(mask, other.v, chosen.v));
}

WK_FORCE_FN double wkReduceMaxW(wkDoubleW a)
{
    return _mm512_reduce_max_pd(a.v);
}

WK_FORCE_FN unsigned wkEqualBitsW(wkDoubleW a, wkDoubleW b)
{
    return _mm512_cmp_pd_mask(a.v, b.v, _CMP_EQ_OQ);
}

WK_FORCE_FN wkDoubleW wkSelectEqualW(wkDoubleW a, wkDoubleW b, wkDoubleW chosen, wkDoubleW other)
{
    __mmask8 mask = _mm512_cmp_pd_mask(a.v, b.v, _CMP_EQ_OQ);
    return wkPackW(_mm512_mask_blend_pd(mask, other.v, chosen.v));
}

WK_FORCE_FN unsigned wkGreaterBitsW(wkDoubleW a, wkDoubleW b)
{
    return _mm512_cmp_pd_mask(a.v, b.v, _CMP_GT_OQ);
}

WK_FORCE_FN void wkStoreIntsW(int32_t* memory, wkDoubleW a)
{
    _mm256_store_si256((__m256i*)memory, _mm512_cvttpd_epi32(a.v));
}
