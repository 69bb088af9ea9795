// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One lane of whole numbers.

#include <string.h>

typedef struct wkIntW {
    int32_t v;
} wkIntW;

WK_FORCE_FN wkIntW wkSplatI(int32_t value)
{
    wkIntW w = {value};
    return w;
}

// From memory aligned to the width of the lanes.
WK_FORCE_FN wkIntW wkLoadI(const int32_t* memory)
{
    wkIntW w = {*memory};
    return w;
}

WK_FORCE_FN void wkStoreI(int32_t* memory, wkIntW a)
{
    *memory = a.v;
}

WK_FORCE_FN wkIntW wkAddI(wkIntW a, wkIntW b)
{
    wkIntW w = {(int32_t)((uint32_t)a.v + (uint32_t)b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkSubI(wkIntW a, wkIntW b)
{
    wkIntW w = {(int32_t)((uint32_t)a.v - (uint32_t)b.v)};
    return w;
}

// The low 32 bits, as for sums and differences.
WK_FORCE_FN wkIntW wkMulI(wkIntW a, wkIntW b)
{
    wkIntW w = {(int32_t)((uint32_t)a.v * (uint32_t)b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkAndI(wkIntW a, wkIntW b)
{
    wkIntW w = {a.v & b.v};
    return w;
}

WK_FORCE_FN wkIntW wkOrI(wkIntW a, wkIntW b)
{
    wkIntW w = {a.v | b.v};
    return w;
}

WK_FORCE_FN wkIntW wkXorI(wkIntW a, wkIntW b)
{
    wkIntW w = {a.v ^ b.v};
    return w;
}

WK_FORCE_FN wkIntW wkMinI(wkIntW a, wkIntW b)
{
    wkIntW w = {a.v < b.v ? a.v : b.v};
    return w;
}

WK_FORCE_FN wkIntW wkMaxI(wkIntW a, wkIntW b)
{
    wkIntW w = {a.v > b.v ? a.v : b.v};
    return w;
}

// Bits out of either end are lost, zeros come in.
WK_FORCE_FN wkIntW wkShiftLeftI(wkIntW a, int count)
{
    wkIntW w = {(int32_t)((uint32_t)a.v << count)};
    return w;
}

WK_FORCE_FN wkIntW wkShiftRightI(wkIntW a, int count)
{
    wkIntW w = {(int32_t)((uint32_t)a.v >> count)};
    return w;
}

// The sign comes in: a / 2^count, rounded down.
WK_FORCE_FN wkIntW wkShiftRightSignI(wkIntW a, int count)
{
    wkIntW w = {a.v >> count};
    return w;
}

// Each lane by its own count, from 0 to 31.
WK_FORCE_FN wkIntW wkShiftLeftByI(wkIntW a, wkIntW counts)
{
    wkIntW w = {(int32_t)((uint32_t)a.v << counts.v)};
    return w;
}

WK_FORCE_FN wkIntW wkShiftRightByI(wkIntW a, wkIntW counts)
{
    wkIntW w = {(int32_t)((uint32_t)a.v >> counts.v)};
    return w;
}

// The whole part. INT32_MIN for what does not fit, NaN too.
WK_FORCE_FN wkIntW wkTruncateF(wkFloatW a)
{
    wkIntW w = {a.v >= -2147483648.0f && a.v < 2147483648.0f ? (int32_t)a.v : INT32_MIN};
    return w;
}

// The nearest float.
WK_FORCE_FN wkFloatW wkToFloatI(wkIntW a)
{
    wkFloatW w = {(float)a.v};
    return w;
}

// The same bits, read as another type.
WK_FORCE_FN wkIntW wkBitsOfF(wkFloatW a)
{
    wkIntW w = {0};
    memcpy(&w.v, &a.v, sizeof w.v);
    return w;
}

WK_FORCE_FN wkFloatW wkFloatOfBitsI(wkIntW a)
{
    wkFloatW w = {0.0f};
    memcpy(&w.v, &a.v, sizeof w.v);
    return w;
}

// A bit for each lane, lane 0 the lowest, where a > b.
WK_FORCE_FN unsigned wkGreaterBitsI(wkIntW a, wkIntW b)
{
    return a.v > b.v ? 1u : 0u;
}

WK_FORCE_FN unsigned wkEqualBitsI(wkIntW a, wkIntW b)
{
    return a.v == b.v ? 1u : 0u;
}

// `chosen` where a > b, `other` elsewhere.
WK_FORCE_FN wkIntW wkSelectGreaterI(wkIntW a, wkIntW b, wkIntW chosen, wkIntW other)
{
    wkIntW w = {a.v > b.v ? chosen.v : other.v};
    return w;
}

// `chosen` where a == b, `other` elsewhere.
WK_FORCE_FN wkIntW wkSelectEqualI(wkIntW a, wkIntW b, wkIntW chosen, wkIntW other)
{
    wkIntW w = {a.v == b.v ? chosen.v : other.v};
    return w;
}

// base[index] of each lane. Every index must be one that can be read.
WK_FORCE_FN wkIntW wkGatherI(const int32_t* base, wkIntW index)
{
    wkIntW w = {base[index.v]};
    return w;
}

// Numbers of 16 bits, each in the upper half of its lane; the lower half is what is before it in memory.
WK_FORCE_FN wkIntW wkGatherHighI(const int16_t* base, wkIntW index)
{
    wkIntW w;
    memcpy(&w.v, base + index.v - 1, sizeof w.v);
    return w;
}

WK_FORCE_FN wkFloatW wkGatherF(const float* base, wkIntW index)
{
    wkFloatW w = {base[index.v]};
    return w;
}
