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

WK_FORCE_FN wkFloatW wkFusedMulAddF(wkFloatW a, wkFloatW b, wkFloatW c)
{
    wkFloatW w = {vfmaq_f32(c.v, a.v, b.v)};
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

WK_FORCE_FN wkFloatW wkLoadAnyF(const float* memory)
{
    wkFloatW w = {vld1q_f32(memory)};
    return w;
}

WK_FORCE_FN void wkStoreAnyF(float* memory, wkFloatW a)
{
    vst1q_f32(memory, a.v);
}

// Returns a bit for each lane where the comparison holds.
WK_FORCE_FN unsigned wkLaneBits(uint32x4_t holds)
{
    static const uint32_t bits[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(holds, vld1q_u32(bits)));
}

WK_FORCE_FN unsigned wkGreaterBitsF(wkFloatW a, wkFloatW b)
{
    return wkLaneBits(vcgtq_f32(a.v, b.v));
}

WK_FORCE_FN unsigned wkNotAboveBitsF(wkFloatW a, wkFloatW b)
{
    return wkLaneBits(vmvnq_u32(vcgtq_f32(a.v, b.v)));
}

WK_FORCE_FN wkFloatW wkSelectGreaterF(wkFloatW a, wkFloatW b, wkFloatW chosen, wkFloatW other)
{
    wkFloatW w = {vbslq_f32(vcgtq_f32(a.v, b.v), chosen.v, other.v)};
    return w;
}

WK_FORCE_FN float32x4_t wkFourFloats(const double* row)
{
    return vcvt_high_f32_f64(vcvt_f32_f64(vld1q_f64(row)), vld1q_f64(row + 2));
}

WK_FORCE_FN void wkLoadColumnsF(const double* rows, size_t stride, wkFloatW columns[4])
{
    float32x4_t a = wkFourFloats(rows), b = wkFourFloats(rows + stride);
    float32x4_t c = wkFourFloats(rows + 2 * stride), d = wkFourFloats(rows + 3 * stride);
    float32x4_t ac = vzip1q_f32(a, c), bd = vzip1q_f32(b, d);
    columns[0].v = vzip1q_f32(ac, bd);
    columns[1].v = vzip2q_f32(ac, bd);
    ac = vzip2q_f32(a, c);
    bd = vzip2q_f32(b, d);
    columns[2].v = vzip1q_f32(ac, bd);
    columns[3].v = vzip2q_f32(ac, bd);
}
