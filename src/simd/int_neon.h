// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Four lanes of integers.

#include <string.h>

typedef struct wkIntW {
    int32x4_t v;
} wkIntW;

WK_FORCE_FN wkIntW wkSplatI(int32_t value)
{
    wkIntW w = {vdupq_n_s32(value)};
    return w;
}

WK_FORCE_FN wkIntW wkLoadI(const int32_t* memory)
{
    wkIntW w = {vld1q_s32(memory)};
    return w;
}

WK_FORCE_FN void wkStoreI(int32_t* memory, wkIntW a)
{
    vst1q_s32(memory, a.v);
}

WK_FORCE_FN wkIntW wkAddI(wkIntW a, wkIntW b)
{
    wkIntW w = {vaddq_s32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkSubI(wkIntW a, wkIntW b)
{
    wkIntW w = {vsubq_s32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkMulI(wkIntW a, wkIntW b)
{
    wkIntW w = {vmulq_s32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkAndI(wkIntW a, wkIntW b)
{
    wkIntW w = {vandq_s32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkOrI(wkIntW a, wkIntW b)
{
    wkIntW w = {vorrq_s32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkXorI(wkIntW a, wkIntW b)
{
    wkIntW w = {veorq_s32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkMaxI(wkIntW a, wkIntW b)
{
    wkIntW w = {vmaxq_s32(a.v, b.v)};
    return w;
}

WK_FORCE_FN wkIntW wkShiftLeftI(wkIntW a, int count)
{
    wkIntW w = {vshlq_s32(a.v, vdupq_n_s32(count))};
    return w;
}

WK_FORCE_FN wkIntW wkShiftRightI(wkIntW a, int count)
{
    wkIntW w = {vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(a.v), vdupq_n_s32(-count)))};
    return w;
}

WK_FORCE_FN wkIntW wkShiftRightSignI(wkIntW a, int count)
{
    wkIntW w = {vshlq_s32(a.v, vdupq_n_s32(-count))};
    return w;
}

WK_FORCE_FN wkIntW wkTruncateF(wkFloatW a)
{
    uint32x4_t fits =
        vandq_u32(vcgeq_f32(a.v, vdupq_n_f32(-0x1p31f)), vcltq_f32(a.v, vdupq_n_f32(0x1p31f)));
    wkIntW w = {vbslq_s32(fits, vcvtq_s32_f32(a.v), vdupq_n_s32(INT32_MIN))};
    return w;
}

WK_FORCE_FN wkFloatW wkToFloatI(wkIntW a)
{
    wkFloatW w = {vcvtq_f32_s32(a.v)};
    return w;
}

WK_FORCE_FN wkIntW wkBitsOfF(wkFloatW a)
{
    wkIntW w = {vreinterpretq_s32_f32(a.v)};
    return w;
}

WK_FORCE_FN wkFloatW wkFloatOfBitsI(wkIntW a)
{
    wkFloatW w = {vreinterpretq_f32_s32(a.v)};
    return w;
}

WK_FORCE_FN unsigned wkGreaterBitsI(wkIntW a, wkIntW b)
{
    return wkLaneBits(vcgtq_s32(a.v, b.v));
}

WK_FORCE_FN unsigned wkEqualBitsI(wkIntW a, wkIntW b)
{
    return wkLaneBits(vceqq_s32(a.v, b.v));
}

WK_FORCE_FN wkIntW wkGatherI(const int32_t* base, wkIntW index)
{
    int32_t at[4], words[4];
    vst1q_s32(at, index.v);
    for (int i = 0; i < 4; ++i) {
        words[i] = base[at[i]];
    }
    wkIntW w = {vld1q_s32(words)};
    return w;
}

WK_FORCE_FN wkIntW wkGatherHighI(const int16_t* base, wkIntW index)
{
    int32_t at[4], words[4];
    vst1q_s32(at, index.v);
    for (int i = 0; i < 4; ++i) {
        memcpy(&words[i], base + at[i] - 1, sizeof words[i]);
    }
    wkIntW w = {vld1q_s32(words)};
    return w;
}
