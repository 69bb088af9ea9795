// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One lane: the plain twin of the other rows, for every machine and as their oracle in tests.

#include <stdbool.h>

#define WK_LANES 1

typedef struct wkDoubleW {
    double v;
} wkDoubleW;

typedef struct wkMaskW {
    bool v;
} wkMaskW;

WK_FORCE_FN wkDoubleW wkSplatW(double value)
{
    wkDoubleW w = {value};
    return w;
}

// 0, 1, 2 ... one per lane
WK_FORCE_FN wkDoubleW wkIotaW(void)
{
    return wkSplatW(0.0);
}

// From memory aligned to the width of the lanes.
WK_FORCE_FN wkDoubleW wkLoadW(const double* memory)
{
    return wkSplatW(*memory);
}

WK_FORCE_FN wkDoubleW wkAddW(wkDoubleW a, wkDoubleW b)
{
    return wkSplatW(a.v + b.v);
}

WK_FORCE_FN wkDoubleW wkMulW(wkDoubleW a, wkDoubleW b)
{
    return wkSplatW(a.v * b.v);
}

// False where a lane is NaN.
WK_FORCE_FN wkMaskW wkGreaterW(wkDoubleW a, wkDoubleW b)
{
    wkMaskW mask = {a.v > b.v};
    return mask;
}

WK_FORCE_FN wkMaskW wkEqualW(wkDoubleW a, wkDoubleW b)
{
    wkMaskW mask = {a.v == b.v};
    return mask;
}

// mask ? a : b
WK_FORCE_FN wkDoubleW wkSelectW(wkMaskW mask, wkDoubleW a, wkDoubleW b)
{
    return wkSplatW(mask.v ? a.v : b.v);
}

// Largest lane; any lane when one is NaN.
WK_FORCE_FN double wkReduceMaxW(wkDoubleW a)
{
    return a.v;
}

// Smallest lane; any lane when one is NaN.
WK_FORCE_FN double wkReduceMinW(wkDoubleW a)
{
    return a.v;
}
