// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight floats in two registers.

typedef struct wkEight {
    float32x4_t low;
    float32x4_t high;
} wkEight;

WK_FORCE_FN wkEight wkSplat8(float value)
{
    wkEight w = {vdupq_n_f32(value), vdupq_n_f32(value)};
    return w;
}

WK_FORCE_FN wkEight wkLoad8(const float* memory)
{
    wkEight w = {vld1q_f32(memory), vld1q_f32(memory + 4)};
    return w;
}

WK_FORCE_FN void wkStore8(float* memory, wkEight a)
{
    vst1q_f32(memory, a.low);
    vst1q_f32(memory + 4, a.high);
}

WK_FORCE_FN wkEight wkAdd8(wkEight a, wkEight b)
{
    wkEight w = {vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high)};
    return w;
}

WK_FORCE_FN wkEight wkSub8(wkEight a, wkEight b)
{
    wkEight w = {vsubq_f32(a.low, b.low), vsubq_f32(a.high, b.high)};
    return w;
}

WK_FORCE_FN wkEight wkMul8(wkEight a, wkEight b)
{
    wkEight w = {vmulq_f32(a.low, b.low), vmulq_f32(a.high, b.high)};
    return w;
}

WK_FORCE_FN wkEight wkDiv8(wkEight a, wkEight b)
{
    wkEight w = {vdivq_f32(a.low, b.low), vdivq_f32(a.high, b.high)};
    return w;
}

// Returns b where the lanes are equal or one is NaN, as on x86.
WK_FORCE_FN wkEight wkMin8(wkEight a, wkEight b)
{
    wkEight w = {vbslq_f32(vcltq_f32(a.low, b.low), a.low, b.low),
                 vbslq_f32(vcltq_f32(a.high, b.high), a.high, b.high)};
    return w;
}

// Returns b where the lanes are equal or one is NaN, as on x86.
WK_FORCE_FN wkEight wkMax8(wkEight a, wkEight b)
{
    wkEight w = {vbslq_f32(vcgtq_f32(a.low, b.low), a.low, b.low),
                 vbslq_f32(vcgtq_f32(a.high, b.high), a.high, b.high)};
    return w;
}

WK_FORCE_FN wkEight wkAbs8(wkEight a)
{
    wkEight w = {vabsq_f32(a.low), vabsq_f32(a.high)};
    return w;
}

WK_FORCE_FN wkEight wkSqrt8(wkEight a)
{
    wkEight w = {vsqrtq_f32(a.low), vsqrtq_f32(a.high)};
    return w;
}

WK_FORCE_FN wkEight wkPickGreater8(wkEight a, wkEight b, wkEight yes, wkEight no)
{
    wkEight w = {vbslq_f32(vcgtq_f32(a.low, b.low), yes.low, no.low),
                 vbslq_f32(vcgtq_f32(a.high, b.high), yes.high, no.high)};
    return w;
}

WK_FORCE_FN unsigned wkNotAbove8(wkEight a, wkEight b)
{
    static const uint32_t bits[4] = {1, 2, 4, 8};
    uint32x4_t weights = vld1q_u32(bits);
    uint32x4_t low = vbicq_u32(weights, vcgtq_f32(a.low, b.low));
    uint32x4_t high = vbicq_u32(weights, vcgtq_f32(a.high, b.high));
    return vaddvq_u32(low) | vaddvq_u32(high) << 4;
}

// A mask over the eight lanes.
typedef struct wkMask8 {
    uint32x4_t low;
    uint32x4_t high;
} wkMask8;

WK_FORCE_FN wkMask8 wkAllIf8(bool condition)
{
    uint32x4_t all = vdupq_n_u32(0u - (uint32_t)condition);
    wkMask8 m = {all, all};
    return m;
}

WK_FORCE_FN wkMask8 wkLess8(wkEight a, wkEight b)
{
    wkMask8 m = {vcltq_f32(a.low, b.low), vcltq_f32(a.high, b.high)};
    return m;
}

WK_FORCE_FN wkEight wkMinWhere8(wkMask8 mask, wkEight smallest, wkEight a)
{
    wkEight w = {
        vbslq_f32(vandq_u32(mask.low, vcltq_f32(a.low, smallest.low)), a.low, smallest.low),
        vbslq_f32(vandq_u32(mask.high, vcltq_f32(a.high, smallest.high)), a.high, smallest.high)};
    return w;
}

WK_FORCE_FN wkEight wkMinElsewhere8(wkMask8 mask, wkEight smallest, wkEight a)
{
    wkMask8 others = {vmvnq_u32(mask.low), vmvnq_u32(mask.high)};
    return wkMinWhere8(others, smallest, a);
}

WK_FORCE_FN wkEight wkAddWhere8(wkMask8 mask, wkEight sum, wkEight a)
{
    wkEight w = {vbslq_f32(mask.low, vaddq_f32(sum.low, a.low), sum.low),
                 vbslq_f32(mask.high, vaddq_f32(sum.high, a.high), sum.high)};
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
    return (wkQuad)vaddq_f32(a.low, a.high);
}
