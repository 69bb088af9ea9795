// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two lanes: the baseline of x86-64.

#include <emmintrin.h>

#define WK_LANES 2

typedef struct wkDoubleW {
    __m128d v;
} wkDoubleW;

WK_FORCE_FN wkDoubleW wkPackW(__m128d value)
{
    wkDoubleW w = {value};
    return w;
}

WK_FORCE_FN wkDoubleW wkSplatW(double value)
{
    return wkPackW(_mm_set1_pd(value));
}

WK_FORCE_FN wkDoubleW wkLoadW(const double* memory)
{
    return wkPackW(_mm_load_pd(memory));
}

WK_FORCE_FN void wkStoreW(double* memory, wkDoubleW a)
{
    _mm_store_pd(memory, a.v);
}

WK_FORCE_FN wkDoubleW wkAddW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm_add_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkSubW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm_sub_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkMulW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm_mul_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkAbsW(wkDoubleW a)
{
    return wkPackW(_mm_andnot_pd(_mm_set1_pd(-0.0), a.v));
}

WK_FORCE_FN wkDoubleW wkMaxW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm_max_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkMinW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm_min_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkSelectGreaterW(wkDoubleW a, wkDoubleW b, wkDoubleW chosen, wkDoubleW other)
{
    __m128d mask = _mm_cmpgt_pd(a.v, b.v);
    return wkPackW(_mm_or_pd(_mm_and_pd(mask, chosen.v), _mm_andnot_pd(mask, other.v)));
}

WK_FORCE_FN double wkReduceMaxW(wkDoubleW a)
{
    return _mm_cvtsd_f64(_mm_max_sd(a.v, _mm_unpackhi_pd(a.v, a.v)));
}

WK_FORCE_FN unsigned wkEqualBitsW(wkDoubleW a, wkDoubleW b)
{
    return (unsigned)_mm_movemask_pd(_mm_cmpeq_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkSelectEqualW(wkDoubleW a, wkDoubleW b, wkDoubleW chosen, wkDoubleW other)
{
    __m128d mask = _mm_cmpeq_pd(a.v, b.v);
    return wkPackW(_mm_or_pd(_mm_and_pd(mask, chosen.v), _mm_andnot_pd(mask, other.v)));
}

WK_FORCE_FN unsigned wkGreaterBitsW(wkDoubleW a, wkDoubleW b)
{
    return (unsigned)_mm_movemask_pd(_mm_cmpgt_pd(a.v, b.v));
}

WK_FORCE_FN void wkStoreIntsW(int32_t* memory, wkDoubleW a)
{
    _mm_storel_epi64((__m128i*)memory, _mm_cvttpd_epi32(a.v));
}
