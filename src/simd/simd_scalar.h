// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One lane: the scalar twin of the other headers, for every machine and as their oracle in tests.

#define WK_LANES 1

typedef struct wkDoubleW {
    double v;
} wkDoubleW;

WK_FORCE_FN wkDoubleW wkSplatW(double value)
{
    wkDoubleW w = {value};
    return w;
}

// Loads from memory aligned to the width of the lanes.
WK_FORCE_FN wkDoubleW wkLoadW(const double* memory)
{
    return wkSplatW(*memory);
}

// Stores to memory aligned to the width of the lanes.
WK_FORCE_FN void wkStoreW(double* memory, wkDoubleW a)
{
    *memory = a.v;
}

WK_FORCE_FN wkDoubleW wkAddW(wkDoubleW a, wkDoubleW b)
{
    return wkSplatW(a.v + b.v);
}

WK_FORCE_FN wkDoubleW wkSubW(wkDoubleW a, wkDoubleW b)
{
    return wkSplatW(a.v - b.v);
}

WK_FORCE_FN wkDoubleW wkMulW(wkDoubleW a, wkDoubleW b)
{
    return wkSplatW(a.v * b.v);
}

WK_FORCE_FN wkDoubleW wkAbsW(wkDoubleW a)
{
    return wkSplatW(a.v < 0.0 ? -a.v : a.v);
}

// Where a lane is NaN the result is either operand.
WK_FORCE_FN wkDoubleW wkMaxW(wkDoubleW a, wkDoubleW b)
{
    return wkSplatW(a.v > b.v ? a.v : b.v);
}

// Where a lane is NaN the result is either operand.
WK_FORCE_FN wkDoubleW wkMinW(wkDoubleW a, wkDoubleW b)
{
    return wkSplatW(a.v < b.v ? a.v : b.v);
}

// `chosen` where a > b, `other` where it is not or a lane is NaN.
WK_FORCE_FN wkDoubleW wkSelectGreaterW(wkDoubleW a, wkDoubleW b, wkDoubleW chosen, wkDoubleW other)
{
    return wkSplatW(a.v > b.v ? chosen.v : other.v);
}

// Returns the largest lane; any lane when one is NaN.
WK_FORCE_FN double wkReduceMaxW(wkDoubleW a)
{
    return a.v;
}

// Returns one bit per lane, lane 0 lowest: 1 where the two are equal.
WK_FORCE_FN unsigned wkEqualBitsW(wkDoubleW a, wkDoubleW b)
{
    return a.v == b.v;
}

// `chosen` where the two are equal, `other` where they are not or a lane is NaN.
WK_FORCE_FN wkDoubleW wkSelectEqualW(wkDoubleW a, wkDoubleW b, wkDoubleW chosen, wkDoubleW other)
{
    return wkSplatW(a.v == b.v ? chosen.v : other.v);
}

// Returns one bit per lane, lane 0 lowest: 1 where a > b.
WK_FORCE_FN unsigned wkGreaterBitsW(wkDoubleW a, wkDoubleW b)
{
    return a.v > b.v;
}

// Stores integers of less than 31 bits, one per lane.
WK_FORCE_FN void wkStoreIntsW(int32_t* memory, wkDoubleW a)
{
    *memory = (int32_t)a.v;
}
