// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bits in rows of 64-bit words, and in masks. Code of this header is C, C++ and CUDA.

#include "base/compiler.h"

#include <stdbool.h>
#include <stdint.h>

WK_FN bool wkHasBit(const uint64_t* row, int32_t bit)
{
    return (row[bit / 64] >> (bit % 64) & 1) != 0;
}

// Returns the index of the lowest bit of a mask other than 0.
WK_FN int wkLowestBit(uint32_t mask)
{
#if defined(__CUDA_ARCH__)
    return __ffs((int)mask) - 1;
#else
    return __builtin_ctz(mask);
#endif
}

WK_FN int wkLowestBit64(uint64_t mask)
{
#if defined(__CUDA_ARCH__)
    return __ffsll((long long)mask) - 1;
#else
    return __builtin_ctzll(mask);
#endif
}
