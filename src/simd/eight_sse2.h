// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight floats in two registers.

typedef struct wkEight {
    __m128 low;
    __m128 high;
} wkEight;

WK_FORCE_FN wkEight wkSplat8(float value)
{
    wkEight w = {_mm_set1_ps(value), _mm_set1_ps(value)};
    return w;
}

WK_FORCE_FN wkEight wkLoad8(const float* memory)
{
    wkEight w = {_mm_load_ps(memory), _mm_load_ps(memory + 4)};
    return w;
}

WK_FORCE_FN void wkStore8(float* memory, wkEight a)
{
    _mm_store_ps(memory, a.low);
    _mm_store_ps(memory + 4, a.high);
}

WK_FORCE_FN wkEight wkAdd8(wkEight a, wkEight b)
{
    wkEight w = {_mm_add_ps(a.low, b.low), _mm_add_ps(a.high, b.high)};
    return w;
}

WK_FORCE_FN wkEight wkSub8(wkEight a, wkEight b)
{
    wkEight w = {_mm_sub_ps(a.low, b.low), _mm_sub_ps(a.high, b.high)};
    return w;
}

WK_FORCE_FN wkEight wkMul8(wkEight a, wkEight b)
{
    wkEight w = {_mm_mul_ps(a.low, b.low), _mm_mul_ps(a.high, b.high)};
    return w;
}

WK_FORCE_FN wkEight wkDiv8(wkEight a, wkEight b)
{
    wkEight w = {_mm_div_ps(a.low, b.low), _mm_div_ps(a.high, b.high)};
    return w;
}

WK_FORCE_FN wkEight wkMin8(wkEight a, wkEight b)
{
    wkEight w = {_mm_min_ps(a.low, b.low), _mm_min_ps(a.high, b.high)};
    return w;
}

WK_FORCE_FN wkEight wkMax8(wkEight a, wkEight b)
{
    wkEight w = {_mm_max_ps(a.low, b.low), _mm_max_ps(a.high, b.high)};
    return w;
}

WK_FORCE_FN wkEight wkAbs8(wkEight a)
{
    __m128 sign = _mm_set1_ps(-0.0f);
    wkEight w = {_mm_andnot_ps(sign, a.low), _mm_andnot_ps(sign, a.high)};
    return w;
}

WK_FORCE_FN wkEight wkSqrt8(wkEight a)
{
    wkEight w = {_mm_sqrt_ps(a.low), _mm_sqrt_ps(a.high)};
    return w;
}

WK_FORCE_FN wkEight wkPickGreater8(wkEight a, wkEight b, wkEight yes, wkEight no)
{
    __m128 low = _mm_cmpgt_ps(a.low, b.low), high = _mm_cmpgt_ps(a.high, b.high);
    wkEight w = {_mm_or_ps(_mm_and_ps(low, yes.low), _mm_andnot_ps(low, no.low)),
                 _mm_or_ps(_mm_and_ps(high, yes.high), _mm_andnot_ps(high, no.high))};
    return w;
}

WK_FORCE_FN unsigned wkNotAbove8(wkEight a, wkEight b)
{
    int low = _mm_movemask_ps(_mm_cmpngt_ps(a.low, b.low));
    int high = _mm_movemask_ps(_mm_cmpngt_ps(a.high, b.high));
    return (unsigned)(low | high << 4);
}

// A mask over the eight lanes.
typedef struct wkMask8 {
    wkEight in;
    wkEight out;
} wkMask8;

WK_FORCE_FN wkMask8 wkAllIf8(bool condition)
{
    __m128 in = _mm_castsi128_ps(_mm_set1_epi32(-(int)condition));
    __m128 out = _mm_castsi128_ps(_mm_set1_epi32((int)condition - 1));
    wkMask8 m = {{in, in}, {out, out}};
    return m;
}

WK_FORCE_FN wkMask8 wkLess8(wkEight a, wkEight b)
{
    wkMask8 m = {{_mm_cmplt_ps(a.low, b.low), _mm_cmplt_ps(a.high, b.high)},
                 {_mm_cmpnlt_ps(a.low, b.low), _mm_cmpnlt_ps(a.high, b.high)}};
    return m;
}

// Excluded lanes become NaN, for which the instruction returns its second operand.
WK_FORCE_FN wkEight wkMinWhere8(wkMask8 mask, wkEight smallest, wkEight a)
{
    wkEight w = {_mm_min_ps(_mm_or_ps(a.low, mask.out.low), smallest.low),
                 _mm_min_ps(_mm_or_ps(a.high, mask.out.high), smallest.high)};
    return w;
}

WK_FORCE_FN wkEight wkMinElsewhere8(wkMask8 mask, wkEight smallest, wkEight a)
{
    wkEight w = {_mm_min_ps(_mm_or_ps(a.low, mask.in.low), smallest.low),
                 _mm_min_ps(_mm_or_ps(a.high, mask.in.high), smallest.high)};
    return w;
}

WK_FORCE_FN wkEight wkAddWhere8(wkMask8 mask, wkEight sum, wkEight a)
{
    wkEight w = {_mm_add_ps(sum.low, _mm_and_ps(a.low, mask.in.low)),
                 _mm_add_ps(sum.high, _mm_and_ps(a.high, mask.in.high))};
    return w;
}

WK_FORCE_FN wkEight wkSwapHalves8(wkEight a)
{
    wkEight w = {a.high, a.low};
    return w;
}

// Adds both halves.
WK_FORCE_FN wkQuad wkFold8(wkEight a)
{
    return (wkQuad)_mm_add_ps(a.low, a.high);
}
