// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Four lanes.

#include <immintrin.h>

#define WK_LANES 4

typedef struct wkDoubleW {
    __m256d v;
} wkDoubleW;

WK_FORCE_FN wkDoubleW wkPackW(__m256d value)
{
    wkDoubleW w = {value};
    return w;
}

WK_FORCE_FN wkDoubleW wkSplatW(double value)
{
    return wkPackW(_mm256_set1_pd(value));
}

WK_FORCE_FN wkDoubleW wkLoadW(const double* memory)
{
    return wkPackW(_mm256_load_pd(memory));
}

WK_FORCE_FN void wkStoreW(double* memory, wkDoubleW a)
{
    _mm256_store_pd(memory, a.v);
}

WK_FORCE_FN wkDoubleW wkAddW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm256_add_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkSubW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm256_sub_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkMulW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm256_mul_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkAbsW(wkDoubleW a)
{
    return wkPackW(_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.v));
}

WK_FORCE_FN wkDoubleW wkMaxW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm256_max_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkMinW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(_mm256_min_pd(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkSelectGreaterW(wkDoubleW a, wkDoubleW b, wkDoubleW chosen, wkDoubleW other)
{
    return wkPackW(_mm256_blendv_pd(other.v, chosen.v, _mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ)));
}

WK_FORCE_FN double wkReduceMaxW(wkDoubleW a)
{
    __m128d half = _mm_max_pd(_mm256_castpd256_pd128(a.v), _mm256_extractf128_pd(a.v, 1));
    return _mm_cvtsd_f64(_mm_max_sd(half, _mm_unpackhi_pd(half, half)));
}

WK_FORCE_FN unsigned wkEqualBitsW(wkDoubleW a, wkDoubleW b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a.v, b.v, _CMP_EQ_OQ));
}

WK_FORCE_FN wkDoubleW wkSelectEqualW(wkDoubleW a, wkDoubleW b, wkDoubleW chosen, wkDoubleW other)
{
    return wkPackW(_mm256_blendv_pd(other.v, chosen.v, _mm256_cmp_pd(a.v, b.v, _CMP_EQ_OQ)));
}

WK_FORCE_FN unsigned wkGreaterBitsW(wkDoubleW a, wkDoubleW b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ));
}

WK_FORCE_FN void wkStoreIntsW(int32_t* memory, wkDoubleW a)
{
    _mm_store_si128((__m128i*)memory, _mm256_cvttpd_epi32(a.v));
}
