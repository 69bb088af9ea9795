// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers that look like chance, the same on every machine: SplitMix64 (Steele, Lea, Flood 2014).

#include "base/compiler.h"

#include <stdint.h>

// 2^64 over the golden ratio: multiples of it are far from each other.
#define WK_GOLDEN_STEP UINT64_C(0x9e3779b97f4a7c15)

// Every bit depends on all bits.
WK_FN uint64_t wkMixBits(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

// The next number; `seed` is moved on.
WK_FN uint64_t wkNextBits(uint64_t* seed)
{
    *seed += WK_GOLDEN_STEP;
    return wkMixBits(*seed);
}

// From 0 up to 1, which it does not reach.
WK_FN double wkNextShare(uint64_t* seed)
{
    return (double)(wkNextBits(seed) >> 11) * 0x1p-53;
}
