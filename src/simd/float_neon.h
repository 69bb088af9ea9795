// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Four lanes of single precision.

#define WK_FLOAT_LANES 4

typedef struct wkFloatW {
    float32x4_t v;
} wkFloatW;

WK_FORCE_FN wkFloatW wkSplatF(float value)
{
    wkFloatW w = {vdupq_n_f32(value)};
    return w;
}

WK_FORCE_FN wkFloatW wkLoadF(const float* memory)
{
    wkFloatW w = {vld1q_f32(memory)};
    return w;
}

WK_FORCE_FN void wkStoreF(float* memory, wkFloatW a)
{
    vst1q_f32(memory, a.v);
}

WK_FORCE_FN wkFloatW wkAddF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {vaddq_f32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkSubF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {vsubq_f32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkMulF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {vmulq_f32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkDivF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {vdivq_f32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkMinF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {vminnmq_f32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkMaxF(wkFloatW a, wkFloatW b)
{
    wkFloatW w = {vmaxnmq_f32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkSqrtF(wkFloatW a)
{
    wkFloatW w = {vsqrtq_f32(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkAbsF(wkFloatW a)
{
    wkFloatW w = {vabsq_f32(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkKeepGreaterF(wkFloatW a, wkFloatW b, wkFloatW kept)
{
    wkFloatW w = {
        vreinterpretq_f32_u32(vandq_u32(vcgtq_f32(a.v, b.v), vreinterpretq_u32_f32(kept.v)))};
    return w;
}
