// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pseudo-random numbers, the same on every machine: SplitMix64 (Steele, Lea, Flood 2014).

#include "base/compiler.h"

#include <stdint.h>

// 2^64 over the golden ratio: multiples of it are far from each other.
#define WK_GOLDEN_STEP UINT64_C(0x9e3779b97f4a7c15)

// Mixes the bits so that every bit of the result depends on all bits.
WK_FN uint64_t wkMixBits(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

// Returns the next number and advances `seed`.
WK_FN uint64_t wkNextBits(uint64_t* seed)
{
    *seed += WK_GOLDEN_STEP;
    return wkMixBits(*seed);
}

// Returns the next number in [0, 1).
WK_FN double wkNextShare(uint64_t* seed)
{
    return (double)(wkNextBits(seed) >> 11) * 0x1p-53;
}
