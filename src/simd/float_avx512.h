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

WK_FORCE_FN wkFloatW wkFusedMulAddF(wkFloatW a, wkFloatW b, wkFloatW c)
{
    wkFloatW w = {_mm512_fmadd_ps(a.v, b.v, c.v)};
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

WK_FORCE_FN wkFloatW wkLoadAnyF(const float* memory)
{
    wkFloatW w = {_mm512_loadu_ps(memory)};
    return w;
}

WK_FORCE_FN void wkStoreAnyF(float* memory, wkFloatW a)
{
    _mm512_storeu_ps(memory, a.v);
}

WK_FORCE_FN unsigned wkGreaterBitsF(wkFloatW a, wkFloatW b)
{
    return _mm512_cmp_ps_mask(a.v, b.v, _CMP_GT_OQ);
}

WK_FORCE_FN unsigned wkNotAboveBitsF(wkFloatW a, wkFloatW b)
{
    return _mm512_cmp_ps_mask(a.v, b.v, _CMP_NGT_UQ);
}

WK_FORCE_FN wkFloatW wkSelectGreaterF(wkFloatW a, wkFloatW b, wkFloatW chosen, wkFloatW other)
{
    __mmask16 mask = _mm512_cmp_ps_mask(a.v, b.v, _CMP_GT_OQ);
    wkFloatW w = {_mm512_mask_blend_ps(mask, other.v, chosen.v)};
    return w;
}

WK_FORCE_FN void wkLoadColumnsF(const double* rows, size_t stride, wkFloatW columns[4])
{
    // rows k, k + 4, k + 8 and k + 12 side by side, then 4 x 4 transposes in each quarter
    __m512 fours[4];
    for (int k = 0; k < 4; ++k) {
        const double* row = rows + (size_t)k * stride;
        __m512 four = _mm512_castps128_ps512(_mm256_cvtpd_ps(_mm256_loadu_pd(row)));
        four = _mm512_insertf32x4(four, _mm256_cvtpd_ps(_mm256_loadu_pd(row + 4 * stride)), 1);
        four = _mm512_insertf32x4(four, _mm256_cvtpd_ps(_mm256_loadu_pd(row + 8 * stride)), 2);
        fours[k] = _mm512_insertf32x4(four, _mm256_cvtpd_ps(_mm256_loadu_pd(row + 12 * stride)), 3);
    }
    __m512 a = _mm512_unpacklo_ps(fours[0], fours[2]), b = _mm512_unpacklo_ps(fours[1], fours[3]);
    __m512 c = _mm512_unpackhi_ps(fours[0], fours[2]), d = _mm512_unpackhi_ps(fours[1], fours[3]);
    columns[0].v = _mm512_unpacklo_ps(a, b);
    columns[1].v = _mm512_unpackhi_ps(a, b);
    columns[2].v = _mm512_unpacklo_ps(c, d);
    columns[3].v = _mm512_unpackhi_ps(c, d);
}
