// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two lanes: the baseline of aarch64.

#include <arm_neon.h>

#define WK_LANES 2

typedef struct wkDoubleW {
    float64x2_t v;
} wkDoubleW;

WK_FORCE_FN wkDoubleW wkPackW(float64x2_t value)
{
    wkDoubleW w = {value};
    return w;
}

WK_FORCE_FN wkDoubleW wkSplatW(double value)
{
    return wkPackW(vdupq_n_f64(value));
}

WK_FORCE_FN wkDoubleW wkLoadW(const double* memory)
{
    return wkPackW(vld1q_f64(memory));
}

WK_FORCE_FN void wkStoreW(double* memory, wkDoubleW a)
{
    vst1q_f64(memory, a.v);
}

WK_FORCE_FN wkDoubleW wkAddW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(vaddq_f64(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkSubW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(vsubq_f64(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkMulW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(vmulq_f64(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkAbsW(wkDoubleW a)
{
    return wkPackW(vabsq_f64(a.v));
}

WK_FORCE_FN wkDoubleW wkMaxW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(vmaxnmq_f64(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkMinW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(vminnmq_f64(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkSelectGreaterW(wkDoubleW a, wkDoubleW b, wkDoubleW chosen, wkDoubleW other)
{
    return wkPackW(vbslq_f64(vcgtq_f64(a.v, b.v), chosen.v, other.v));
}

WK_FORCE_FN double wkReduceMaxW(wkDoubleW a)
{
    return vmaxnmvq_f64(a.v);
}

WK_FORCE_FN unsigned wkEqualBitsW(wkDoubleW a, wkDoubleW b)
{
    uint64x2_t equal = vceqq_f64(a.v, b.v);
    return (unsigned)((vgetq_lane_u64(equal, 0) & 1) | (vgetq_lane_u64(equal, 1) & 2));
}

WK_FORCE_FN wkDoubleW wkSelectEqualW(wkDoubleW a, wkDoubleW b, wkDoubleW chosen, wkDoubleW other)
{
    return wkPackW(vbslq_f64(vceqq_f64(a.v, b.v), chosen.v, other.v));
}

WK_FORCE_FN unsigned wkGreaterBitsW(wkDoubleW a, wkDoubleW b)
{
    uint64x2_t greater = vcgtq_f64(a.v, b.v);
    return (unsigned)((vgetq_lane_u64(greater, 0) & 1) | (vgetq_lane_u64(greater, 1) & 2));
}

WK_FORCE_FN void wkStoreIntsW(int32_t* memory, wkDoubleW a)
{
    vst1_s32(memory, vmovn_s64(vcvtq_s64_f64(a.v)));
}
