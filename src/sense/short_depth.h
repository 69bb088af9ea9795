// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Depths in 16 bits, for blocks of pixels: the value of a block is a bound, which may be rounded.
//
// They are the exponent of a float and the first bits of its mantissa, relative to those of 0.25. So they
// sort like depths, and are converted from floats by a shift that rounds down: by less than
// 1/2048 of the depth. Depths from 2^-18 to 2^14 are distinguished. Lesser depths become INT16_MIN, which
// proves nothing; larger ones become INT16_MAX, which proves no more than that.

#include "base/compiler.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

// The bits of 0.25f.
#define WK_SHORT_ORIGIN 0x3e800000
// Bits of a float that are rounded away.
#define WK_SHORT_SHIFT 12
// The least depth that is distinguished; depths in look-ups must not be less.
#define WK_SHORT_LEAST 0x1p-18f
// Units in the last place of a float by which look-ups reduce depths: at least a share of 2^-20,
// more than the rounding of the depth of a sphere.
#define WK_SHORT_SLACK 16

WK_FN float wkFloatOfBits(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

WK_FN int32_t wkBitsOfFloat(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

WK_FN int16_t wkSaturated(int32_t value)
{
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

// Rounds a depth down to a short depth.
WK_FN int16_t wkNarrowDepth(float depth)
{
    return wkSaturated((wkBitsOfFloat(depth) - WK_SHORT_ORIGIN) >> WK_SHORT_SHIFT);
}

// Rounds the end of a surface up to a short depth, and negates it; INT16_MAX for WK_NO_SURFACE.
WK_FN int16_t wkNarrowEnd(float end)
{
    return wkSaturated((WK_SHORT_ORIGIN - wkBitsOfFloat(end)) >> WK_SHORT_SHIFT);
}

// Returns a lower bound on the depth.
WK_FN float wkShortDepth(int16_t narrow)
{
    float depth = wkFloatOfBits(WK_SHORT_ORIGIN + narrow * (1 << WK_SHORT_SHIFT));
    return narrow == INT16_MIN ? 0.0f : depth;
}

// The upper bound on the end of surfaces is stored negated, so that the minimum of the stored values counts.
WK_FN float wkShortEnd(int16_t rotated)
{
    float end = wkFloatOfBits(WK_SHORT_ORIGIN - rotated * (1 << WK_SHORT_SHIFT));
    return rotated == INT16_MIN ? FLT_MAX : end;
}
