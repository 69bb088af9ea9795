// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers of sine and cosine in single precision, see angle_kernel.h, and one angle computed with them: by the
// operations of the SIMD kernel in its order, so the bits are the same. The common subset of C, C++ and CUDA.

#include "base/compiler.h"

#include <stdint.h>
#include <string.h>

#define WK_HALF_TURN_1 0x1.921fbp+1f
#define WK_HALF_TURN_2 0x1.5110b4p-21f
#define WK_HALF_TURNS_PER_RADIAN 0x1.45f306p-2f

// Adding it rounds to a whole number, and leaves that number in the lowest bits.
#define WK_WHOLE_SHIFT_F 0x1.8p+23f

// Polynomials in the square of an angle: sine is x + x^3 (S1 + S2 x^2 ...), cosine 1 + x^2 (C1 + C2 x^2 ...).
#define WK_SINE_F_1 (-0x1.555548p-3f)
#define WK_SINE_F_2 0x1.110e6ap-7f
#define WK_SINE_F_3 (-0x1.9f5ff2p-13f)
#define WK_SINE_F_4 0x1.5cf918p-19f
#define WK_COSINE_F_1 (-0x1.ffffd2p-2f)
#define WK_COSINE_F_2 0x1.554fb8p-5f
#define WK_COSINE_F_3 (-0x1.6b398cp-10f)
#define WK_COSINE_F_4 0x1.8523p-16f

WK_FN float wkFlipSignF(float value, uint32_t sign)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits ^= sign;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

// Sine and cosine of one angle, as wkSinCosF computes them in lanes.
WK_FN void wkSinCosOfFloat(float angle, float* sine, float* cosine)
{
    float shifted = WK_WHOLE_SHIFT_F + angle * WK_HALF_TURNS_PER_RADIAN;
    float halves = shifted - WK_WHOLE_SHIFT_F;
    float x = angle - halves * WK_HALF_TURN_1;
    x = x - halves * WK_HALF_TURN_2;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    uint32_t sign = bits << 31;

    float z = x * x;
    float s = WK_SINE_F_3 + z * WK_SINE_F_4, c = WK_COSINE_F_3 + z * WK_COSINE_F_4;
    s = WK_SINE_F_2 + z * s;
    c = WK_COSINE_F_2 + z * c;
    s = WK_SINE_F_1 + z * s;
    c = WK_COSINE_F_1 + z * c;
    s = x + (x * z) * s;
    c = 1.0f + z * c;
    *sine = wkFlipSignF(s, sign);
    *cosine = wkFlipSignF(c, sign);
}
