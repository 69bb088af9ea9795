// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight floats in one register.

typedef struct wkEight {
    __m256 v;
} wkEight;

WK_FORCE_FN wkEight wkSplat8(float value)
{
    wkEight w = {_mm256_set1_ps(value)};
    return w;
}

WK_FORCE_FN wkEight wkLoad8(const float* memory)
{
    wkEight w = {_mm256_load_ps(memory)};
    return w;
}

WK_FORCE_FN void wkStore8(float* memory, wkEight a)
{
    _mm256_store_ps(memory, a.v);
}

WK_FORCE_FN wkEight wkAdd8(wkEight a, wkEight b)
{
    wkEight w = {_mm256_add_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkEight wkSub8(wkEight a, wkEight b)
{
    wkEight w = {_mm256_sub_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkEight wkMul8(wkEight a, wkEight b)
{
    wkEight w = {_mm256_mul_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkEight wkDiv8(wkEight a, wkEight b)
{
    wkEight w = {_mm256_div_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkEight wkMin8(wkEight a, wkEight b)
{
    wkEight w = {_mm256_min_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkEight wkMax8(wkEight a, wkEight b)
{
    wkEight w = {_mm256_max_ps(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkEight wkAbs8(wkEight a)
{
    wkEight w = {_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v)};
    return w;
}

WK_FORCE_FN wkEight wkSqrt8(wkEight a)
{
    wkEight w = {_mm256_sqrt_ps(a.v)};
    return w;
}

WK_FORCE_FN wkEight wkPickGreater8(wkEight a, wkEight b, wkEight yes, wkEight no)
{
    wkEight w = {_mm256_blendv_ps(no.v, yes.v, _mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ))};
    return w;
}

WK_FORCE_FN unsigned wkNotAbove8(wkEight a, wkEight b)
{
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a.v, b.v, _CMP_NGT_UQ));
}

// A mask over the eight lanes.
#if defined(WK_ISA_IS_AVX512)
typedef struct wkMask8 {
    __mmask8 in;
} wkMask8;

WK_FORCE_FN wkMask8 wkAllIf8(bool condition)
{
    wkMask8 m = {(__mmask8)(0u - (unsigned)condition)};
    return m;
}

WK_FORCE_FN wkMask8 wkLess8(wkEight a, wkEight b)
{
    wkMask8 m = {_mm256_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ)};
    return m;
}

WK_FORCE_FN wkEight wkMinWhere8(wkMask8 mask, wkEight smallest, wkEight a)
{
    wkEight w = {_mm256_mask_min_ps(smallest.v, mask.in, a.v, smallest.v)};
    return w;
}

WK_FORCE_FN wkEight wkMinElsewhere8(wkMask8 mask, wkEight smallest, wkEight a)
{
    wkEight w = {_mm256_mask_min_ps(smallest.v, _knot_mask8(mask.in), a.v, smallest.v)};
    return w;
}

WK_FORCE_FN wkEight wkAddWhere8(wkMask8 mask, wkEight sum, wkEight a)
{
    wkEight w = {_mm256_mask_add_ps(sum.v, mask.in, sum.v, a.v)};
    return w;
}
#else
typedef struct wkMask8 {
    __m256 in;
    __m256 out;
} wkMask8;

WK_FORCE_FN wkMask8 wkAllIf8(bool condition)
{
    wkMask8 m = {_mm256_castsi256_ps(_mm256_set1_epi32(-(int)condition)),
                 _mm256_castsi256_ps(_mm256_set1_epi32((int)condition - 1))};
    return m;
}

WK_FORCE_FN wkMask8 wkLess8(wkEight a, wkEight b)
{
    wkMask8 m = {_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ), _mm256_cmp_ps(a.v, b.v, _CMP_NLT_UQ)};
    return m;
}

// Excluded lanes become NaN, for which the instruction returns its second operand.
WK_FORCE_FN wkEight wkMinWhere8(wkMask8 mask, wkEight smallest, wkEight a)
{
    wkEight w = {_mm256_min_ps(_mm256_or_ps(a.v, mask.out), smallest.v)};
    return w;
}

WK_FORCE_FN wkEight wkMinElsewhere8(wkMask8 mask, wkEight smallest, wkEight a)
{
    wkEight w = {_mm256_min_ps(_mm256_or_ps(a.v, mask.in), smallest.v)};
    return w;
}

WK_FORCE_FN wkEight wkAddWhere8(wkMask8 mask, wkEight sum, wkEight a)
{
    wkEight w = {_mm256_add_ps(sum.v, _mm256_and_ps(a.v, mask.in))};
    return w;
}
#endif

WK_FORCE_FN wkEight wkSwapHalves8(wkEight a)
{
    wkEight w = {_mm256_permute2f128_ps(a.v, a.v, 1)};
    return w;
}

// Adds both halves.
WK_FORCE_FN wkQuad wkFold8(wkEight a)
{
    return (wkQuad)_mm_add_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
}
