// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Four lanes of integers.

#include <string.h>

typedef struct wkIntW {
    __m128i v;
} wkIntW;

WK_FORCE_FN wkIntW wkSplatI(int32_t value)
{
    wkIntW w = {_mm_set1_epi32(value)};
    return w;
}

WK_FORCE_FN wkIntW wkLoadI(const int32_t* memory)
{
    wkIntW w = {_mm_load_si128((const __m128i*)memory)};
    return w;
}

WK_FORCE_FN void wkStoreI(int32_t* memory, wkIntW a)
{
    _mm_store_si128((__m128i*)memory, a.v);
}

WK_FORCE_FN wkIntW wkAddI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm_add_epi32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkSubI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm_sub_epi32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkMulI(wkIntW a, wkIntW b)
{
    __m128i even = _mm_mul_epu32(a.v, b.v);
    __m128i odd = _mm_mul_epu32(_mm_srli_epi64(a.v, 32), _mm_srli_epi64(b.v, 32));
    even = _mm_shuffle_epi32(even, _MM_SHUFFLE(0, 0, 2, 0));
    odd = _mm_shuffle_epi32(odd, _MM_SHUFFLE(0, 0, 2, 0));
    wkIntW w = {_mm_unpacklo_epi32(even, odd)};
    return w;
}

WK_FORCE_FN wkIntW wkAndI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm_and_si128(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkOrI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm_or_si128(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkXorI(wkIntW a, wkIntW b)
{
    wkIntW w = {_mm_xor_si128(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkChooseI(__m128i mask, wkIntW chosen, wkIntW other)
{
    wkIntW w = {_mm_or_si128(_mm_and_si128(mask, chosen.v), _mm_andnot_si128(mask, other.v))};
    return w;
}

WK_FORCE_FN wkIntW wkMaxI(wkIntW a, wkIntW b)
{
    return wkChooseI(_mm_cmpgt_epi32(a.v, b.v), a, b);
}

WK_FORCE_FN wkIntW wkShiftLeftI(wkIntW a, int count)
{
    wkIntW w = {_mm_slli_epi32(a.v, count)};
    return w;
}

WK_FORCE_FN wkIntW wkShiftRightI(wkIntW a, int count)
{
    wkIntW w = {_mm_srli_epi32(a.v, count)};
    return w;
}

WK_FORCE_FN wkIntW wkShiftRightSignI(wkIntW a, int count)
{
    wkIntW w = {_mm_srai_epi32(a.v, count)};
    return w;
}

WK_FORCE_FN wkIntW wkTruncateF(wkFloatW a)
{
    wkIntW w = {_mm_cvttps_epi32(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkToFloatI(wkIntW a)
{
    wkFloatW w = {_mm_cvtepi32_ps(a.v)};
    return w;
}

WK_FORCE_FN wkIntW wkBitsOfF(wkFloatW a)
{
    wkIntW w = {_mm_castps_si128(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkFloatOfBitsI(wkIntW a)
{
    wkFloatW w = {_mm_castsi128_ps(a.v)};
    return w;
}

WK_FORCE_FN unsigned wkGreaterBitsI(wkIntW a, wkIntW b)
{
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpgt_epi32(a.v, b.v)));
}

WK_FORCE_FN unsigned wkEqualBitsI(wkIntW a, wkIntW b)
{
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(a.v, b.v)));
}

WK_FORCE_FN wkIntW wkGatherI(const int32_t* base, wkIntW index)
{
    _Alignas(16) int32_t at[4];
    wkStoreI(at, index);
    wkIntW w = {_mm_setr_epi32(base[at[0]], base[at[1]], base[at[2]], base[at[3]])};
    return w;
}

WK_FORCE_FN wkIntW wkGatherHighI(const int16_t* base, wkIntW index)
{
    _Alignas(16) int32_t at[4], words[4];
    wkStoreI(at, index);
    for (int i = 0; i < 4; ++i) {
        memcpy(&words[i], base + at[i] - 1, sizeof words[i]);
    }
    return wkLoadI(words);
}
