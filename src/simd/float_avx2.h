// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight lanes of single precision.

#define WK_FLOAT_LANES 8

typedef struct wkFloatW {
    __m256 v;
} wkFloatW;

WK_FORCE_FN wkFloatW wkSplatF(float value)
{
    wkFloatW w = {_mm256_set1_ps(value)};
    return w;
}

WK_FORCE_FN wkFloatW wkLoadF(const float* memory)
{
    wkFloatW w = {_mm256_load_ps(memory)};
    return w;
}

WK_FORCE_FN void wkStoreF(float* memory, wkFloatW a)
{
    _mm256_store_ps(memory, a.v);
}

WK_FORCE_FN wkFloatW wkAddF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm256_add_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkSubF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm256_sub_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkMulF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm256_mul_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkFusedMulAddF(wkFloatW a, wkFloatW b, wkFloatW c)
{
    wkFloatW w = {_mm256_fmadd_ps(a.v, b.v, c.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkDivF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm256_div_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkMinF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm256_min_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkMaxF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm256_max_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkSqrtF(wkFloatW a)
{
    wkFloatW w = {_mm256_sqrt_ps(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkAbsF(wkFloatW a)
{
    wkFloatW w = {_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkKeepGreaterF(wkFloatW a, wkFloatW b, wkFloatW kept)
{
    wkFloatW w = {_mm256_and_ps(_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ), kept.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkLoadAnyF(const float* memory)
{
    wkFloatW w = {_mm256_loadu_ps(memory)};
    return w;
}

WK_FORCE_FN void wkStoreAnyF(float* memory, wkFloatW a)
{
    _mm256_storeu_ps(memory, a.v);
}

WK_FORCE_FN unsigned wkGreaterBitsF(wkFloatW a, wkFloatW b)
{
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ));
}

WK_FORCE_FN unsigned wkNotAboveBitsF(wkFloatW a, wkFloatW b)
{
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a.v, b.v, _CMP_NGT_UQ));
}

WK_FORCE_FN wkFloatW wkSelectGreaterF(wkFloatW a, wkFloatW b, wkFloatW chosen, wkFloatW other)
{
    wkFloatW w = {_mm256_blendv_ps(other.v, chosen.v, _mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ))};
    return w;
}

WK_FORCE_FN void wkLoadColumnsF(const double* rows, size_t stride, wkFloatW columns[4])
{
    // row k and row k + 4 side by side, then 4 x 4 transposes in both halves
    __m256 pairs[4];
    for (int k = 0; k < 4; ++k) {
        const double* row = rows + (size_t)k * stride;
        __m128 low = _mm256_cvtpd_ps(_mm256_loadu_pd(row));
        __m128 high = _mm256_cvtpd_ps(_mm256_loadu_pd(row + 4 * stride));
        pairs[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
    }
    __m256 a = _mm256_unpacklo_ps(pairs[0], pairs[2]), b = _mm256_unpacklo_ps(pairs[1], pairs[3]);
    __m256 c = _mm256_unpackhi_ps(pairs[0], pairs[2]), d = _mm256_unpackhi_ps(pairs[1], pairs[3]);
    columns[0].v = _mm256_unpacklo_ps(a, b);
    columns[1].v = _mm256_unpackhi_ps(a, b);
    columns[2].v = _mm256_unpacklo_ps(c, d);
    columns[3].v = _mm256_unpackhi_ps(c, d);
}
