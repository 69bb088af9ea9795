// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One lane of integers.

#include <string.h>

typedef struct wkIntW {
    int32_t v;
} wkIntW;

WK_FORCE_FN wkIntW wkSplatI(int32_t value)
{
    wkIntW w = {value};
    return w;
}

// Loads from memory aligned to the width of the lanes.
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

// Returns the low 32 bits, as for sums and differences.
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

WK_FORCE_FN wkIntW wkMaxI(wkIntW a, wkIntW b)
{
    wkIntW w = {a.v > b.v ? a.v : b.v};
    return w;
}

// Shifted-out bits are lost; zeros are shifted in.
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

// Shifts in the sign: a / 2^count, rounded down.
WK_FORCE_FN wkIntW wkShiftRightSignI(wkIntW a, int count)
{
    wkIntW w = {a.v >> count};
    return w;
}

// Truncates. INT32_MIN for values out of range and NaN.
WK_FORCE_FN wkIntW wkTruncateF(wkFloatW a)
{
    wkIntW w = {a.v >= -2147483648.0f && a.v < 2147483648.0f ? (int32_t)a.v : INT32_MIN};
    return w;
}

// Converts to the nearest float.
WK_FORCE_FN wkFloatW wkToFloatI(wkIntW a)
{
    wkFloatW w = {(float)a.v};
    return w;
}

// Reinterprets the bits as the other type.
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

// Returns a bit for each lane, lane 0 lowest, where a > b.
WK_FORCE_FN unsigned wkGreaterBitsI(wkIntW a, wkIntW b)
{
    return a.v > b.v ? 1u : 0u;
}

WK_FORCE_FN unsigned wkEqualBitsI(wkIntW a, wkIntW b)
{
    return a.v == b.v ? 1u : 0u;
}

// Returns base[index] of each lane. Every index must be readable.
WK_FORCE_FN wkIntW wkGatherI(const int32_t* base, wkIntW index)
{
    wkIntW w = {base[index.v]};
    return w;
}

// Loads 16-bit numbers into the upper half of each lane; the lower half is the number before it in memory.
WK_FORCE_FN wkIntW wkGatherHighI(const int16_t* base, wkIntW index)
{
    wkIntW w;
    memcpy(&w.v, base + index.v - 1, sizeof w.v);
    return w;
}
