// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sixteen lanes of integers.

typedef struct wkIntW {
    __m512i v;
} wkIntW;

WK_FORCE_FN wkIntW wkSplatI(int32_t value)
{
    wkIntW w = {_mm512_set1_epi32(value)};
    return w;
}

WK_FORCE_FN wkIntW wkLoadI(const int32_t* memory)
{
    wkIntW w = {_mm512_load_si512((const __m512i*)memory)};
    return w;
}

WK_FORCE_FN void wkStoreI(int32_t* memory, wkIntW a)
{
    _mm512_store_si512((__m512i*)memory, a.v);
}

WK_FORCE_FN wkIntW wkAddI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm512_add_epi32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkSubI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm512_sub_epi32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkMulI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm512_mullo_epi32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkAndI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm512_and_si512(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkOrI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm512_or_si512(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkXorI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm512_xor_si512(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkMaxI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm512_max_epi32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkShiftLeftI(wkIntW a, int count)
{
    wkIntW w = {_mm512_slli_epi32(a.v, (unsigned)count)};
    return w;
}

WK_FORCE_FN wkIntW wkShiftRightI(wkIntW a, int count)
{
    wkIntW w = {_mm512_srli_epi32(a.v, (unsigned)count)};
    return w;
}

WK_FORCE_FN wkIntW wkShiftRightSignI(wkIntW a, int count)
{
    wkIntW w = {_mm512_srai_epi32(a.v, (unsigned)count)};
    return w;
}

WK_FORCE_FN wkIntW wkTruncateF(wkFloatW a)
{
    wkIntW w = {_mm512_cvttps_epi32(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkToFloatI(wkIntW a)
{
    wkFloatW w = {_mm512_cvtepi32_ps(a.v)};
    return w;
}

WK_FORCE_FN wkIntW wkBitsOfF(wkFloatW a)
{
    wkIntW w = {_mm512_castps_si512(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkFloatOfBitsI(wkIntW a)
{
    wkFloatW w = {_mm512_castsi512_ps(a.v)};
    return w;
}

WK_FORCE_FN unsigned wkGreaterBitsI(wkIntW a, wkIntW b)
{
    return _mm512_cmpgt_epi32_mask(a.v, b.v);
}

WK_FORCE_FN unsigned wkEqualBitsI(wkIntW a, wkIntW b)
{
    return _mm512_cmpeq_epi32_mask(a.v, b.v);
}

WK_FORCE_FN wkIntW wkGatherI(const int32_t* base, wkIntW index)
{
    wkIntW w = {_mm512_i32gather_epi32(index.v, base, 4)};
    return w;
}

WK_FORCE_FN wkIntW wkGatherHighI(const int16_t* base, wkIntW index)
{
    wkIntW w = {_mm512_i32gather_epi32(index.v, (const void*)(base - 1), 2)};
    return w;
}
