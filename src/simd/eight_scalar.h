// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight floats one after another.

#include <math.h>

typedef struct wkEight {
    float v[8];
} wkEight;

WK_FORCE_FN wkEight wkSplat8(float value)
{
    wkEight w;
    for (int i = 0; i < 8; ++i) {
        w.v[i] = value;
    }
    return w;
}

WK_FORCE_FN wkEight wkLoad8(const float* memory)
{
    wkEight w;
    for (int i = 0; i < 8; ++i) {
        w.v[i] = memory[i];
    }
    return w;
}

WK_FORCE_FN void wkStore8(float* memory, wkEight a)
{
    for (int i = 0; i < 8; ++i) {
        memory[i] = a.v[i];
    }
}

WK_FORCE_FN wkEight wkAdd8(wkEight a, wkEight b)
{
    for (int i = 0; i < 8; ++i) {
        a.v[i] = a.v[i] + b.v[i];
    }
    return a;
}

WK_FORCE_FN wkEight wkSub8(wkEight a, wkEight b)
{
    for (int i = 0; i < 8; ++i) {
        a.v[i] = a.v[i] - b.v[i];
    }
    return a;
}

WK_FORCE_FN wkEight wkMul8(wkEight a, wkEight b)
{
    for (int i = 0; i < 8; ++i) {
        a.v[i] = a.v[i] * b.v[i];
    }
    return a;
}

WK_FORCE_FN wkEight wkDiv8(wkEight a, wkEight b)
{
    for (int i = 0; i < 8; ++i) {
        a.v[i] = a.v[i] / b.v[i];
    }
    return a;
}

WK_FORCE_FN wkEight wkMin8(wkEight a, wkEight b)
{
    for (int i = 0; i < 8; ++i) {
        a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
    }
    return a;
}

WK_FORCE_FN wkEight wkMax8(wkEight a, wkEight b)
{
    for (int i = 0; i < 8; ++i) {
        a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
    }
    return a;
}

WK_FORCE_FN wkEight wkAbs8(wkEight a)
{
    for (int i = 0; i < 8; ++i) {
        a.v[i] = fabsf(a.v[i]);
    }
    return a;
}

WK_FORCE_FN wkEight wkSqrt8(wkEight a)
{
    for (int i = 0; i < 8; ++i) {
        a.v[i] = sqrtf(a.v[i]);
    }
    return a;
}

WK_FORCE_FN wkEight wkPickGreater8(wkEight a, wkEight b, wkEight yes, wkEight no)
{
    for (int i = 0; i < 8; ++i) {
        yes.v[i] = a.v[i] > b.v[i] ? yes.v[i] : no.v[i];
    }
    return yes;
}

WK_FORCE_FN unsigned wkNotAbove8(wkEight a, wkEight b)
{
    unsigned mask = 0;
    for (int i = 0; i < 8; ++i) {
        mask |= (a.v[i] > b.v[i] ? 0u : 1u) << i;
    }
    return mask;
}

// A mask over the eight lanes.
typedef struct wkMask8 {
    bool in[8];
} wkMask8;

WK_FORCE_FN wkMask8 wkAllIf8(bool condition)
{
    wkMask8 m;
    for (int i = 0; i < 8; ++i) {
        m.in[i] = condition;
    }
    return m;
}

WK_FORCE_FN wkMask8 wkLess8(wkEight a, wkEight b)
{
    wkMask8 m;
    for (int i = 0; i < 8; ++i) {
        m.in[i] = a.v[i] < b.v[i];
    }
    return m;
}

WK_FORCE_FN wkEight wkMinWhere8(wkMask8 mask, wkEight smallest, wkEight a)
{
    for (int i = 0; i < 8; ++i) {
        a.v[i] = mask.in[i] && a.v[i] < smallest.v[i] ? a.v[i] : smallest.v[i];
    }
    return a;
}

WK_FORCE_FN wkEight wkMinElsewhere8(wkMask8 mask, wkEight smallest, wkEight a)
{
    for (int i = 0; i < 8; ++i) {
        a.v[i] = !mask.in[i] && a.v[i] < smallest.v[i] ? a.v[i] : smallest.v[i];
    }
    return a;
}

WK_FORCE_FN wkEight wkAddWhere8(wkMask8 mask, wkEight sum, wkEight a)
{
    for (int i = 0; i < 8; ++i) {
        sum.v[i] = mask.in[i] ? sum.v[i] + a.v[i] : sum.v[i];
    }
    return sum;
}

WK_FORCE_FN wkEight wkSwapHalves8(wkEight a)
{
    wkEight w;
    for (int i = 0; i < 8; ++i) {
        w.v[i] = a.v[i ^ 4];
    }
    return w;
}

// Adds both halves.
WK_FORCE_FN wkQuad wkFold8(wkEight a)
{
    return wkMakeQuad(a.v[0] + a.v[4], a.v[1] + a.v[5], a.v[2] + a.v[6], a.v[3] + a.v[7]);
}
