// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sixty-four bytes, and sets of them as bits of a number: bit i is byte i.

#include "simd/simd.h"

#include <string.h>

#define WK_BYTE_ROW 64

#if defined(WK_ISA_IS_AVX512)

// Sets the bytes whose bit is set.
WK_FORCE_FN void wkSetBytes(uint8_t bytes[WK_BYTE_ROW], uint64_t bits, uint8_t value)
{
    __m512i all = _mm512_set1_epi8((char)value);
    _mm512_storeu_si512(bytes, _mm512_mask_mov_epi8(_mm512_loadu_si512(bytes), bits, all));
}

// Writes one value to the bytes whose bit is set, and another one to all others.
WK_FORCE_FN void wkSelectBytes(uint8_t bytes[WK_BYTE_ROW], uint64_t bits, uint8_t chosen,
                               uint8_t other)
{
    __m512i all = _mm512_set1_epi8((char)other);
    _mm512_storeu_si512(bytes, _mm512_mask_blend_epi8(bits, all, _mm512_set1_epi8((char)chosen)));
}

// Returns the bytes that are zero.
WK_FORCE_FN uint64_t wkZeroBytes(const uint8_t bytes[WK_BYTE_ROW])
{
    __m512i row = _mm512_loadu_si512(bytes);
    return _mm512_testn_epi8_mask(row, row);
}

#elif defined(WK_ISA_IS_AVX2)

// Bytes of all ones where a bit is set.
WK_FORCE_FN __m256i wkSpreadBits(uint32_t bits)
{
    // each byte gets the eight bits that its own is among, and keeps that one
    const __m256i spread =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i own = _mm256_set1_epi64x((int64_t)0x8040201008040201);
    __m256i each = _mm256_shuffle_epi8(_mm256_set1_epi32((int32_t)bits), spread);
    return _mm256_cmpeq_epi8(_mm256_and_si256(each, own), own);
}

WK_FORCE_FN void wkSetBytes(uint8_t bytes[WK_BYTE_ROW], uint64_t bits, uint8_t value)
{
    __m256i *rows = (__m256i*)(void*)bytes, all = _mm256_set1_epi8((char)value);
    for (int half = 0; half < 2; ++half) {
        __m256i isSet = wkSpreadBits((uint32_t)(bits >> 32 * half));
        __m256i before = _mm256_loadu_si256(rows + half);
        _mm256_storeu_si256(rows + half, _mm256_blendv_epi8(before, all, isSet));
    }
}

WK_FORCE_FN void wkSelectBytes(uint8_t bytes[WK_BYTE_ROW], uint64_t bits, uint8_t chosen,
                               uint8_t other)
{
    __m256i* rows = (__m256i*)(void*)bytes;
    __m256i set = _mm256_set1_epi8((char)chosen), clear = _mm256_set1_epi8((char)other);
    for (int half = 0; half < 2; ++half) {
        __m256i isSet = wkSpreadBits((uint32_t)(bits >> 32 * half));
        _mm256_storeu_si256(rows + half, _mm256_blendv_epi8(clear, set, isSet));
    }
}

WK_FORCE_FN uint32_t wkZeroHalfBytes(const uint8_t bytes[WK_BYTE_ROW / 2])
{
    __m256i row = _mm256_loadu_si256((const __m256i*)(const void*)bytes);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(row, _mm256_setzero_si256()));
}

WK_FORCE_FN uint64_t wkZeroBytes(const uint8_t bytes[WK_BYTE_ROW])
{
    return wkZeroHalfBytes(bytes) | (uint64_t)wkZeroHalfBytes(bytes + WK_BYTE_ROW / 2) << 32;
}

#else

#define WK_ALL_BYTES UINT64_C(0x0101010101010101)
#define WK_LOW_BITS UINT64_C(0x7f7f7f7f7f7f7f7f)

WK_FORCE_FN void wkSetBytes(uint8_t bytes[WK_BYTE_ROW], uint64_t bits, uint8_t value)
{
    for (int i = 0; i < WK_BYTE_ROW && bits != 0; i += 8, bits >>= 8) {
        // byte k has bit k of the eight, then 0x80 where it is set, then all bits
        uint64_t each = ((bits & 0xff) * WK_ALL_BYTES) & UINT64_C(0x8040201008040201);
        uint64_t high = (each + WK_LOW_BITS) & ~WK_LOW_BITS;
        uint64_t mask = (high >> 7) * 0xff, eight;
        memcpy(&eight, bytes + i, sizeof eight);
        eight = (eight & ~mask) | (mask & value * WK_ALL_BYTES);
        memcpy(bytes + i, &eight, sizeof eight);
    }
}

WK_FORCE_FN void wkSelectBytes(uint8_t bytes[WK_BYTE_ROW], uint64_t bits, uint8_t chosen,
                               uint8_t other)
{
    memset(bytes, other, WK_BYTE_ROW);
    wkSetBytes(bytes, bits, chosen);
}

WK_FORCE_FN uint64_t wkZeroBytes(const uint8_t bytes[WK_BYTE_ROW])
{
    uint64_t bits = 0;
    for (int i = 0; i < WK_BYTE_ROW; i += 8) {
        uint64_t eight;
        memcpy(&eight, bytes + i, sizeof eight);
        // 0x80 in each byte that is not zero, then bit k of the highest byte from byte k
        uint64_t high = (((eight & WK_LOW_BITS) + WK_LOW_BITS) | eight) & ~WK_LOW_BITS;
        bits |= ((high >> 7 ^ WK_ALL_BYTES) * UINT64_C(0x0102040810204080)) >> 56 << i;
    }
    return bits;
}

#endif
