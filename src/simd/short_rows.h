// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows of 16-bit integers: wkShortW holds WK_SHORT_LANES of them side by side; lanes of 32 bits are narrowed
// into them.

#include "simd/simd_int.h"

#if defined(WK_ISA_IS_AVX512)

#define WK_SHORT_LANES 32

typedef struct wkShortW {
    __m512i v;
} wkShortW;

WK_FORCE_FN wkShortW wkLoadS(const int16_t* memory)
{
    wkShortW w = {_mm512_loadu_si512(memory)};
    return w;
}

WK_FORCE_FN void wkStoreS(int16_t* memory, wkShortW a)
{
    _mm512_storeu_si512(memory, a.v);
}

WK_FORCE_FN wkShortW wkMinS(wkShortW a, wkShortW b)
{
    wkShortW w = {_mm512_min_epi16(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkShortW wkMinPairsS(wkShortW a, wkShortW b)
{
    // the smaller of each pair moves to the upper half of 32 bits; quarters are then exchanged
    __m512i x = _mm512_srai_epi32(_mm512_min_epi16(a.v, _mm512_slli_epi32(a.v, 16)), 16);
    __m512i y = _mm512_srai_epi32(_mm512_min_epi16(b.v, _mm512_slli_epi32(b.v, 16)), 16);
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    wkShortW w = {_mm512_permutexvar_epi64(order, _mm512_packs_epi32(x, y))};
    return w;
}

WK_FORCE_FN void wkNarrowI(int16_t* memory, wkIntW a)
{
    _mm256_storeu_si256((__m256i*)memory, _mm512_cvtsepi32_epi16(a.v));
}

#elif defined(WK_ISA_IS_AVX2)

#define WK_SHORT_LANES 16

typedef struct wkShortW {
    __m256i v;
} wkShortW;

WK_FORCE_FN wkShortW wkLoadS(const int16_t* memory)
{
    wkShortW w = {_mm256_loadu_si256((const __m256i*)memory)};
    return w;
}

WK_FORCE_FN void wkStoreS(int16_t* memory, wkShortW a)
{
    _mm256_storeu_si256((__m256i*)memory, a.v);
}

WK_FORCE_FN wkShortW wkMinS(wkShortW a, wkShortW b)
{
    wkShortW w = {_mm256_min_epi16(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkShortW wkMinPairsS(wkShortW a, wkShortW b)
{
    // the smaller of each pair moves to the upper half of 32 bits; quarters are then exchanged
    __m256i x = _mm256_srai_epi32(_mm256_min_epi16(a.v, _mm256_slli_epi32(a.v, 16)), 16);
    __m256i y = _mm256_srai_epi32(_mm256_min_epi16(b.v, _mm256_slli_epi32(b.v, 16)), 16);
    wkShortW w = {_mm256_permute4x64_epi64(_mm256_packs_epi32(x, y), 0xd8)};
    return w;
}

WK_FORCE_FN void wkNarrowI(int16_t* memory, wkIntW a)
{
    __m128i low = _mm256_castsi256_si128(a.v), high = _mm256_extracti128_si256(a.v, 1);
    _mm_storeu_si128((__m128i*)memory, _mm_packs_epi32(low, high));
}

#elif defined(WK_ISA_IS_SSE2)

#define WK_SHORT_LANES 8

typedef struct wkShortW {
    __m128i v;
} wkShortW;

WK_FORCE_FN wkShortW wkLoadS(const int16_t* memory)
{
    wkShortW w = {_mm_loadu_si128((const __m128i*)memory)};
    return w;
}

WK_FORCE_FN void wkStoreS(int16_t* memory, wkShortW a)
{
    _mm_storeu_si128((__m128i*)memory, a.v);
}

WK_FORCE_FN wkShortW wkMinS(wkShortW a, wkShortW b)
{
    wkShortW w = {_mm_min_epi16(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkShortW wkMinPairsS(wkShortW a, wkShortW b)
{
    // the smaller of each pair moves to the upper half of 32 bits
    __m128i x = _mm_srai_epi32(_mm_min_epi16(a.v, _mm_slli_epi32(a.v, 16)), 16);
    __m128i y = _mm_srai_epi32(_mm_min_epi16(b.v, _mm_slli_epi32(b.v, 16)), 16);
    wkShortW w = {_mm_packs_epi32(x, y)};
    return w;
}

WK_FORCE_FN void wkNarrowI(int16_t* memory, wkIntW a)
{
    _mm_storel_epi64((__m128i*)memory, _mm_packs_epi32(a.v, a.v));
}

#elif defined(WK_ISA_IS_NEON)

#define WK_SHORT_LANES 8

typedef struct wkShortW {
    int16x8_t v;
} wkShortW;

WK_FORCE_FN wkShortW wkLoadS(const int16_t* memory)
{
    wkShortW w = {vld1q_s16(memory)};
    return w;
}

WK_FORCE_FN void wkStoreS(int16_t* memory, wkShortW a)
{
    vst1q_s16(memory, a.v);
}

WK_FORCE_FN wkShortW wkMinS(wkShortW a, wkShortW b)
{
    wkShortW w = {vminq_s16(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkShortW wkMinPairsS(wkShortW a, wkShortW b)
{
    wkShortW w = {vpminq_s16(a.v, b.v)};
    return w;
}

WK_FORCE_FN void wkNarrowI(int16_t* memory, wkIntW a)
{
    vst1_s16(memory, vqmovn_s32(a.v));
}

#else

#define WK_SHORT_LANES 1

typedef struct wkShortW {
    int16_t v;
} wkShortW;

// Loads and stores of any alignment.
WK_FORCE_FN wkShortW wkLoadS(const int16_t* memory)
{
    wkShortW w = {*memory};
    return w;
}

WK_FORCE_FN void wkStoreS(int16_t* memory, wkShortW a)
{
    *memory = a.v;
}

WK_FORCE_FN wkShortW wkMinS(wkShortW a, wkShortW b)
{
    return a.v < b.v ? a : b;
}

// Returns the smaller of each two neighbours in the row a followed by b.
WK_FORCE_FN wkShortW wkMinPairsS(wkShortW a, wkShortW b)
{
    return wkMinS(a, b);
}

// Stores 32-bit lanes as 16 bits; values out of range saturate.
WK_FORCE_FN void wkNarrowI(int16_t* memory, wkIntW a)
{
    int32_t most = a.v < INT16_MAX ? a.v : INT16_MAX;
    *memory = (int16_t)(most > INT16_MIN ? most : INT16_MIN);
}

#endif
