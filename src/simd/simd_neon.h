// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two lanes: the baseline of aarch64.

#include <arm_neon.h>

#define WK_LANES 2

typedef struct wkDoubleW {
    float64x2_t v;
} wkDoubleW;

typedef struct wkMaskW {
    uint64x2_t v;
} wkMaskW;

WK_FORCE_FN wkDoubleW wkPackW(float64x2_t value)
{
    wkDoubleW w = {value};
    return w;
}

WK_FORCE_FN wkDoubleW wkSplatW(double value)
{
    return wkPackW(vdupq_n_f64(value));
}

WK_FORCE_FN wkDoubleW wkIotaW(void)
{
    return wkPackW(vsetq_lane_f64(1.0, vdupq_n_f64(0.0), 1));
}

WK_FORCE_FN wkDoubleW wkLoadW(const double* memory)
{
    return wkPackW(vld1q_f64(memory));
}

WK_FORCE_FN wkDoubleW wkAddW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(vaddq_f64(a.v, b.v));
}

WK_FORCE_FN wkDoubleW wkMulW(wkDoubleW a, wkDoubleW b)
{
    return wkPackW(vmulq_f64(a.v, b.v));
}

WK_FORCE_FN wkMaskW wkGreaterW(wkDoubleW a, wkDoubleW b)
{
    wkMaskW mask = {vcgtq_f64(a.v, b.v)};
    return mask;
}

WK_FORCE_FN wkMaskW wkEqualW(wkDoubleW a, wkDoubleW b)
{
    wkMaskW mask = {vceqq_f64(a.v, b.v)};
    return mask;
}

WK_FORCE_FN wkDoubleW wkSelectW(wkMaskW mask, wkDoubleW a, wkDoubleW b)
{
    return wkPackW(vbslq_f64(mask.v, a.v, b.v));
}

WK_FORCE_FN double wkReduceMaxW(wkDoubleW a)
{
    return vmaxnmvq_f64(a.v);
}

WK_FORCE_FN double wkReduceMinW(wkDoubleW a)
{
    return vminnmvq_f64(a.v);
}
