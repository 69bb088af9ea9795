// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sine and cosine by SIMD, for angles up to WK_LANE_ANGLE. Lanes hold angles.
//
// An angle is reduced to -pi/2 … pi/2 by whole half revolutions, which change both signs. The first
// part of pi has 21 bits: its products with at most three half revolutions are exact, and so is the
// difference. The minimax polynomials, rounded to floats, approximate sine within 2e-8 and
// cosine within 8e-8; the roundings of their sums come to less than 4 * 2^-24. WK_SINE_SLACK is
// larger than both.

#include "simd/simd_int.h"

#define WK_HALF_TURN_1 0x1.921fbp+1f
#define WK_HALF_TURN_2 0x1.5110b4p-21f
#define WK_HALF_TURNS_PER_RADIAN 0x1.45f306p-2f

// Adding it rounds to a whole number, and leaves that number in the lowest bits.
#define WK_WHOLE_SHIFT_F 0x1.8p+23f

WK_FORCE_FN wkFloatW wkMulAddF(wkFloatW a, wkFloatW b, wkFloatW c)
{
    return wkAddF(a, wkMulF(b, c));
}

WK_FORCE_FN void wkSinCosF(wkFloatW angle, wkFloatW* sine, wkFloatW* cosine)
{
    wkFloatW shift = wkSplatF(WK_WHOLE_SHIFT_F);
    wkFloatW shifted = wkMulAddF(shift, angle, wkSplatF(WK_HALF_TURNS_PER_RADIAN));
    wkFloatW halves = wkSubF(shifted, shift);
    wkFloatW x = wkSubF(angle, wkMulF(halves, wkSplatF(WK_HALF_TURN_1)));
    x = wkSubF(x, wkMulF(halves, wkSplatF(WK_HALF_TURN_2)));
    wkIntW sign = wkShiftLeftI(wkBitsOfF(shifted), 31);

    wkFloatW z = wkMulF(x, x);
    wkFloatW s = wkMulAddF(wkSplatF(-0x1.9f5ff2p-13f), z, wkSplatF(0x1.5cf918p-19f));
    wkFloatW c = wkMulAddF(wkSplatF(-0x1.6b398cp-10f), z, wkSplatF(0x1.8523p-16f));
    s = wkMulAddF(wkSplatF(0x1.110e6ap-7f), z, s);
    c = wkMulAddF(wkSplatF(0x1.554fb8p-5f), z, c);
    s = wkMulAddF(wkSplatF(-0x1.555548p-3f), z, s);
    c = wkMulAddF(wkSplatF(-0x1.ffffd2p-2f), z, c);
    s = wkMulAddF(x, wkMulF(x, z), s);
    c = wkMulAddF(wkSplatF(1.0f), z, c);
    *sine = wkFloatOfBitsI(wkXorI(wkBitsOfF(s), sign));
    *cosine = wkFloatOfBitsI(wkXorI(wkBitsOfF(c), sign));
}
