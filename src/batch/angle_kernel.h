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

#include "batch/angle_terms.h"
#include "simd/simd_int.h"

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
    wkFloatW s = wkMulAddF(wkSplatF(WK_SINE_F_3), z, wkSplatF(WK_SINE_F_4));
    wkFloatW c = wkMulAddF(wkSplatF(WK_COSINE_F_3), z, wkSplatF(WK_COSINE_F_4));
    s = wkMulAddF(wkSplatF(WK_SINE_F_2), z, s);
    c = wkMulAddF(wkSplatF(WK_COSINE_F_2), z, c);
    s = wkMulAddF(wkSplatF(WK_SINE_F_1), z, s);
    c = wkMulAddF(wkSplatF(WK_COSINE_F_1), z, c);
    s = wkMulAddF(x, wkMulF(x, z), s);
    c = wkMulAddF(wkSplatF(1.0f), z, c);
    *sine = wkFloatOfBitsI(wkXorI(wkBitsOfF(s), sign));
    *cosine = wkFloatOfBitsI(wkXorI(wkBitsOfF(c), sign));
}
