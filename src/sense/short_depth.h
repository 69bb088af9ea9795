// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Depths in 16 bits, for blocks of pixels: what is told about a block is a bound, which may be rounded.
//
// They are the exponent of a float and the first bits after it, counted from those of 0.25. So they are
// in the order of the depths, and are narrowed from the float by a shift that rounds down: by less than
// 1/2048 of the depth. Depths from 2^-18 to 2^14 are told apart. What is less becomes INT16_MIN, and
// proves nothing; what is more becomes INT16_MAX, and proves no more than that.

#include "base/compiler.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

// The bits of 0.25f.
#define WK_SHORT_ORIGIN 0x3e800000
// Bits of a float that are rounded away.
#define WK_SHORT_SHIFT 12
// No depth of a look-up may be less: the least that is told apart.
#define WK_SHORT_LEAST 0x1p-18f
// Units in the last place of a float by which look-ups take depths as less: at least a share of 2^-20,
// more than rounding can take off the depth of a sphere.
#define WK_SHORT_SLACK 16

WK_FN float wkFloatOfBits(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The depth is not less.
WK_FN float wkShortDepth(int16_t narrow)
{
    float depth = wkFloatOfBits(WK_SHORT_ORIGIN + narrow * (1 << WK_SHORT_SHIFT));
    return narrow == INT16_MIN ? 0.0f : depth;
}

// Where surfaces end at the latest is kept with the sign turned, so that the least of them counts too.
WK_FN float wkShortEnd(int16_t rotated)
{
    float end = wkFloatOfBits(WK_SHORT_ORIGIN - rotated * (1 << WK_SHORT_SHIFT));
    return rotated == INT16_MIN ? FLT_MAX : end;
}
