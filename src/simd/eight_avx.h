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
