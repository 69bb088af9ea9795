// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Packs selected lanes: the lanes left over from many groups fill whole groups again.

#include "simd/eight.h"
#include "simd/simd_float.h"

// Stores the lanes whose bit is set, one after the other, in their order. Up to the number of lanes, the
// memory after them is overwritten with undefined values.
#if defined(WK_ISA_IS_AVX512)
WK_FORCE_FN void wkPackF(float* memory, wkFloatW a, unsigned bits)
{
    _mm512_storeu_ps(memory, _mm512_maskz_compress_ps((__mmask16)bits, a.v));
}
#elif defined(WK_ISA_IS_AVX2)
// Indices of the lanes that are set in a mask of four bits.
#define WK_PACK_ROW(a, b, c, d)                                                                    \
    {                                                                                              \
        a, b, c, d                                                                                 \
    }
static const _Alignas(16) int32_t wkPackTable[16][4] = {
    WK_PACK_ROW(0, 0, 0, 0), WK_PACK_ROW(0, 0, 0, 0), WK_PACK_ROW(1, 0, 0, 0),
    WK_PACK_ROW(0, 1, 0, 0), WK_PACK_ROW(2, 0, 0, 0), WK_PACK_ROW(0, 2, 0, 0),
    WK_PACK_ROW(1, 2, 0, 0), WK_PACK_ROW(0, 1, 2, 0), WK_PACK_ROW(3, 0, 0, 0),
    WK_PACK_ROW(0, 3, 0, 0), WK_PACK_ROW(1, 3, 0, 0), WK_PACK_ROW(0, 1, 3, 0),
    WK_PACK_ROW(2, 3, 0, 0), WK_PACK_ROW(0, 2, 3, 0), WK_PACK_ROW(1, 2, 3, 0),
    WK_PACK_ROW(0, 1, 2, 3),
};

WK_FORCE_FN __m128i wkPackOrder(unsigned four)
{
    return _mm_load_si128((const __m128i*)wkPackTable[four]);
}

WK_FORCE_FN void wkPackF(float* memory, wkFloatW a, unsigned bits)
{
    unsigned low = bits & 15u, high = bits >> 4 & 15u;
    __m128 first = _mm_permutevar_ps(_mm256_castps256_ps128(a.v), wkPackOrder(low));
    __m128 second = _mm_permutevar_ps(_mm256_extractf128_ps(a.v, 1), wkPackOrder(high));
    _mm_storeu_ps(memory, first);
    _mm_storeu_ps(memory + __builtin_popcount(low), second);
}
#else
WK_FORCE_FN void wkPackF(float* memory, wkFloatW a, unsigned bits)
{
    float lanes[WK_FLOAT_LANES];
    wkStoreAnyF(lanes, a);
    for (int i = 0; i < WK_FLOAT_LANES; ++i) {
        *memory = lanes[i];
        memory += bits >> i & 1u;
    }
}
#endif

// The same for eight floats.
#if defined(WK_ISA_IS_AVX512)
WK_FORCE_FN void wkPack8(float* memory, wkEight a, unsigned bits)
{
    _mm256_storeu_ps(memory, _mm256_maskz_compress_ps((__mmask8)bits, a.v));
}
#elif defined(WK_ISA_IS_AVX2)
WK_FORCE_FN void wkPack8(float* memory, wkEight a, unsigned bits)
{
    wkFloatW all = {a.v};
    wkPackF(memory, all, bits);
}
#else
WK_FORCE_FN void wkPack8(float* memory, wkEight a, unsigned bits)
{
    _Alignas(32) float lanes[8];
    wkStore8(lanes, a);
    for (int i = 0; i < 8; ++i) {
        *memory = lanes[i];
        memory += bits >> i & 1u;
    }
}
#endif
