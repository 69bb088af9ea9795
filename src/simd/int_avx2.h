// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight lanes of integers.

typedef struct wkIntW {
    __m256i v;
} wkIntW;

WK_FORCE_FN wkIntW wkSplatI(int32_t value)
{
    wkIntW w = {_mm256_set1_epi32(value)};
    return w;
}

WK_FORCE_FN wkIntW wkLoadI(const int32_t* memory)
{
    wkIntW w = {_mm256_load_si256((const __m256i*)memory)};
    return w;
}

WK_FORCE_FN void wkStoreI(int32_t* memory, wkIntW a)
{
    _mm256_store_si256((__m256i*)memory, a.v);
}

WK_FORCE_FN wkIntW wkAddI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm256_add_epi32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkSubI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm256_sub_epi32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkMulI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm256_mullo_epi32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkAndI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm256_and_si256(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkOrI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm256_or_si256(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkXorI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm256_xor_si256(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkMaxI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm256_max_epi32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkShiftLeftI(wkIntW a, int count)
{
    wkIntW w = {_mm256_slli_epi32(a.v, count)};
    return w;
}

WK_FORCE_FN wkIntW wkShiftRightI(wkIntW a, int count)
{
    wkIntW w = {_mm256_srli_epi32(a.v, count)};
    return w;
}

WK_FORCE_FN wkIntW wkShiftRightSignI(wkIntW a, int count)
{
    wkIntW w = {_mm256_srai_epi32(a.v, count)};
    return w;
}

WK_FORCE_FN wkIntW wkTruncateF(wkFloatW a)
{
    wkIntW w = {_mm256_cvttps_epi32(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkToFloatI(wkIntW a)
{
    wkFloatW w = {_mm256_cvtepi32_ps(a.v)};
    return w;
}

WK_FORCE_FN wkIntW wkBitsOfF(wkFloatW a)
{
    wkIntW w = {_mm256_castps_si256(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkFloatOfBitsI(wkIntW a)
{
    wkFloatW w = {_mm256_castsi256_ps(a.v)};
    return w;
}

WK_FORCE_FN unsigned wkGreaterBitsI(wkIntW a, wkIntW b)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(a.v, b.v)));
}

WK_FORCE_FN unsigned wkEqualBitsI(wkIntW a, wkIntW b)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a.v, b.v)));
}

WK_FORCE_FN wkIntW wkGatherI(const int32_t* base, wkIntW index)
{
    wkIntW w = {_mm256_i32gather_epi32(base, index.v, 4)};
    return w;
}

WK_FORCE_FN wkIntW wkGatherHighI(const int16_t* base, wkIntW index)
{
    wkIntW w = {_mm256_i32gather_epi32((const int*)(const void*)(base - 1), index.v, 2)};
    return w;
}
