// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows of single-precision numbers: conversion from 16-bit words, and minima of neighbours.

#include "simd/simd_float.h"

#if defined(WK_ISA_IS_AVX512)

WK_FORCE_FN wkFloatW wkLoadWordsF(const uint16_t* memory)
{
    __m256i words = _mm256_loadu_si256((const __m256i*)memory);
    wkFloatW w = {_mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(words))};
    return w;
}

WK_FORCE_FN wkFloatW wkMinPairsF(wkFloatW a, wkFloatW b)
{
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd =
        _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    wkFloatW w = {_mm512_min_ps(_mm512_permutex2var_ps(a.v, even, b.v),
                                _mm512_permutex2var_ps(a.v, odd, b.v))};
    return w;
}

#elif defined(WK_ISA_IS_AVX2)

WK_FORCE_FN wkFloatW wkLoadWordsF(const uint16_t* memory)
{
    __m128i words = _mm_loadu_si128((const __m128i*)memory);
    wkFloatW w = {_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(words))};
    return w;
}

WK_FORCE_FN wkFloatW wkMinPairsF(wkFloatW a, wkFloatW b)
{
    // within halves of the register first, which are then exchanged
    __m256 least =
        _mm256_min_ps(_mm256_shuffle_ps(a.v, b.v, 0x88), _mm256_shuffle_ps(a.v, b.v, 0xdd));
    wkFloatW w = {_mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(least), 0xd8))};
    return w;
}

#elif defined(WK_ISA_IS_SSE2)

WK_FORCE_FN wkFloatW wkLoadWordsF(const uint16_t* memory)
{
    __m128i words = _mm_loadl_epi64((const __m128i*)memory);
    wkFloatW w = {_mm_cvtepi32_ps(_mm_unpacklo_epi16(words, _mm_setzero_si128()))};
    return w;
}

WK_FORCE_FN wkFloatW wkMinPairsF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {_mm_min_ps(_mm_shuffle_ps(a.v, b.v, 0x88), _mm_shuffle_ps(a.v, b.v, 0xdd))};
    return w;
}

#elif defined(WK_ISA_IS_NEON)

WK_FORCE_FN wkFloatW wkLoadWordsF(const uint16_t* memory)
{
    wkFloatW w = {vcvtq_f32_u32(vmovl_u16(vld1_u16(memory)))};
    return w;
}

WK_FORCE_FN wkFloatW wkMinPairsF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {vminq_f32(vuzp1q_f32(a.v, b.v), vuzp2q_f32(a.v, b.v))};
    return w;
}

#else

// Loads 16-bit unsigned integers from memory of any alignment.
WK_FORCE_FN wkFloatW wkLoadWordsF(const uint16_t* memory)
{
    wkFloatW w = {(float)*memory};
    return w;
}

// Returns the smaller of each two neighbours in the row a followed by b.
WK_FORCE_FN wkFloatW wkMinPairsF(wkFloatW a, wkFloatW b)
{
    return wkMinF(a, b);
}

#endif
