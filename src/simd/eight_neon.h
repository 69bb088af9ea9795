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

// The second where they are equal or one is NaN, as on x86.
WK_FORCE_FN wkEight wkMin8(wkEight a, wkEight b)
{
    wkEight w = {vbslq_f32(vcltq_f32(a.low, b.low), a.low, b.low),
                 vbslq_f32(vcltq_f32(a.high, b.high), a.high, b.high)};
    return w;
}

// The second where they are equal or one is NaN, as on x86.
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
