// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points in lanes against a box whose axes are those of the coordinates.

#include "simd/simd_float.h"

#include <math.h>

// Returns the lanes whose point is in the box, from `box[0]` to `box[3]` along x and so on, sides included. NaN is in
// any box or in none.
#if defined(WK_ISA_IS_AVX512)
WK_FORCE_FN unsigned wkInBoxBitsF(const wkFloatW p[3], const float box[6])
{
    unsigned in = 0xffff;
    for (int axis = 0; axis < 3; ++axis) {
        in &= _mm512_cmp_ps_mask(p[axis].v, _mm512_set1_ps(box[axis]), _CMP_GE_OQ);
        in &= _mm512_cmp_ps_mask(p[axis].v, _mm512_set1_ps(box[3 + axis]), _CMP_LE_OQ);
    }
    return in;
}
#elif defined(WK_ISA_IS_AVX2)
WK_FORCE_FN unsigned wkInBoxBitsF(const wkFloatW p[3], const float box[6])
{
    __m256 in[3];
    for (int axis = 0; axis < 3; ++axis) {
        __m256 lower = _mm256_cmp_ps(p[axis].v, _mm256_set1_ps(box[axis]), _CMP_GE_OQ);
        __m256 upper = _mm256_cmp_ps(p[axis].v, _mm256_set1_ps(box[3 + axis]), _CMP_LE_OQ);
        in[axis] = _mm256_and_ps(lower, upper);
    }
    return (unsigned)_mm256_movemask_ps(_mm256_and_ps(_mm256_and_ps(in[0], in[1]), in[2]));
}
#else
WK_FORCE_FN unsigned wkInBoxBitsF(const wkFloatW p[3], const float box[6])
{
    wkFloatW past = wkSplatF(-INFINITY);
    for (int axis = 0; axis < 3; ++axis) {
        past = wkMaxF(past, wkSubF(wkSplatF(box[axis]), p[axis]));
        past = wkMaxF(past, wkSubF(p[axis], wkSplatF(box[3 + axis])));
    }
    return wkNotAboveBitsF(past, wkSplatF(0.0f));
}
#endif
