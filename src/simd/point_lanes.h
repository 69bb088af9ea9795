// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points in memory, three floats each at any stride, into lanes of x, y and z.

#include "simd/quad.h"
#include "simd/simd_float.h"

#include <string.h>

// wkLoadPointsF loads WK_FLOAT_LANES points, wkLoadQuadPointsF those of four floats each, one behind the other. Four
// bytes behind each are read, too.
#if defined(WK_ISA_IS_AVX512)
WK_FORCE_FN __m512 wkLoadFourPoints(const char* bytes, int64_t stride)
{
    __m512 four = _mm512_castps128_ps512(_mm_loadu_ps((const float*)(const void*)bytes));
    four =
        _mm512_insertf32x4(four, _mm_loadu_ps((const float*)(const void*)(bytes + 4 * stride)), 1);
    four =
        _mm512_insertf32x4(four, _mm_loadu_ps((const float*)(const void*)(bytes + 8 * stride)), 2);
    return _mm512_insertf32x4(four, _mm_loadu_ps((const float*)(const void*)(bytes + 12 * stride)),
                              3);
}

WK_FORCE_FN void wkLoadPointsF(const char* bytes, int64_t stride, wkFloatW point[3])
{
    __m512 a = wkLoadFourPoints(bytes, stride), b = wkLoadFourPoints(bytes + stride, stride);
    __m512 c = wkLoadFourPoints(bytes + 2 * stride, stride);
    __m512 d = wkLoadFourPoints(bytes + 3 * stride, stride);
    __m512 lowAb = _mm512_unpacklo_ps(a, b), lowCd = _mm512_unpacklo_ps(c, d);
    point[0].v = _mm512_shuffle_ps(lowAb, lowCd, 0x44);
    point[1].v = _mm512_shuffle_ps(lowAb, lowCd, 0xee);
    point[2].v = _mm512_shuffle_ps(_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d), 0x44);
}

WK_FORCE_FN void wkLoadQuadPointsF(const char* bytes, wkFloatW point[3])
{
    const __m512i first =
        _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const __m512i third = _mm512_add_epi32(first, _mm512_set1_epi32(2));
    __m512 a = _mm512_loadu_ps(bytes), b = _mm512_loadu_ps(bytes + 64);
    __m512 c = _mm512_loadu_ps(bytes + 128), d = _mm512_loadu_ps(bytes + 192);
    // x of eight points and their y
    __m512 ab = _mm512_permutex2var_ps(a, first, b), cd = _mm512_permutex2var_ps(c, first, d);
    point[0].v = _mm512_shuffle_f32x4(ab, cd, 0x44);
    point[1].v = _mm512_shuffle_f32x4(ab, cd, 0xee);
    point[2].v = _mm512_shuffle_f32x4(_mm512_permutex2var_ps(a, third, b),
                                      _mm512_permutex2var_ps(c, third, d), 0x44);
}
#elif defined(WK_ISA_IS_AVX2)
WK_FORCE_FN __m256 wkLoadTwoPoints(const char* bytes, int64_t stride)
{
    __m256 two = _mm256_castps128_ps256(_mm_loadu_ps((const float*)(const void*)bytes));
    return _mm256_insertf128_ps(two, _mm_loadu_ps((const float*)(const void*)(bytes + 4 * stride)),
                                1);
}

WK_FORCE_FN void wkLoadPointsF(const char* bytes, int64_t stride, wkFloatW point[3])
{
    __m256 a = wkLoadTwoPoints(bytes, stride), b = wkLoadTwoPoints(bytes + stride, stride);
    __m256 c = wkLoadTwoPoints(bytes + 2 * stride, stride);
    __m256 d = wkLoadTwoPoints(bytes + 3 * stride, stride);
    __m256 lowAb = _mm256_unpacklo_ps(a, b), lowCd = _mm256_unpacklo_ps(c, d);
    point[0].v = _mm256_shuffle_ps(lowAb, lowCd, 0x44);
    point[1].v = _mm256_shuffle_ps(lowAb, lowCd, 0xee);
    point[2].v = _mm256_shuffle_ps(_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d), 0x44);
}
#elif WK_FLOAT_LANES == 4
WK_FORCE_FN void wkLoadPointsF(const char* bytes, int64_t stride, wkFloatW point[3])
{
    wkQuad quads[4];
    for (int i = 0; i < 4; ++i) {
        memcpy(&quads[i], bytes + i * stride, sizeof quads[i]);
    }
    wkTransposeQuads(quads);
    for (int axis = 0; axis < 3; ++axis) {
        float lanes[4];
        memcpy(lanes, &quads[axis], sizeof lanes);
        point[axis] = wkLoadAnyF(lanes);
    }
}
#else
WK_FORCE_FN void wkLoadPointsF(const char* bytes, int64_t stride, wkFloatW point[3])
{
    (void)stride;
    float lanes[3];
    memcpy(lanes, bytes, sizeof lanes);
    for (int axis = 0; axis < 3; ++axis) {
        point[axis] = wkSplatF(lanes[axis]);
    }
}
#endif

#if !defined(WK_ISA_IS_AVX512)
WK_FORCE_FN void wkLoadQuadPointsF(const char* bytes, wkFloatW point[3])
{
    wkLoadPointsF(bytes, 4 * sizeof(float), point);
}
#endif
