// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Selects between SIMD kernels that were compiled once per instruction set.

#include "base/cpu.h"

#include <stddef.h>

// One row per instruction set of this build: `NAME` with the suffix that WK_KERNEL gives it.
#if defined(WK_ISA_HAS_SCALAR)
#define WK_LANES_ROW_SCALAR(NAME) [wk_isaScalar] = &NAME##_scalar,
#else
#define WK_LANES_ROW_SCALAR(NAME)
#endif
#if defined(WK_ISA_HAS_SSE2)
#define WK_LANES_ROW_SSE2(NAME) [wk_isaSse2] = &NAME##_sse2,
#else
#define WK_LANES_ROW_SSE2(NAME)
#endif
#if defined(WK_ISA_HAS_AVX2)
#define WK_LANES_ROW_AVX2(NAME) [wk_isaAvx2] = &NAME##_avx2,
#else
#define WK_LANES_ROW_AVX2(NAME)
#endif
#if defined(WK_ISA_HAS_AVX512)
#define WK_LANES_ROW_AVX512(NAME) [wk_isaAvx512] = &NAME##_avx512,
#else
#define WK_LANES_ROW_AVX512(NAME)
#endif
#if defined(WK_ISA_HAS_NEON)
#define WK_LANES_ROW_NEON(NAME) [wk_isaNeon] = &NAME##_neon,
#else
#define WK_LANES_ROW_NEON(NAME)
#endif

// clang-format off
#define WK_LANES_ROWS(NAME)                                                                        \
    WK_LANES_ROW_SCALAR(NAME)                                                                      \
    WK_LANES_ROW_SSE2(NAME)                                                                        \
    WK_LANES_ROW_AVX2(NAME)                                                                        \
    WK_LANES_ROW_AVX512(NAME)                                                                      \
    WK_LANES_ROW_NEON(NAME)
// clang-format on

// Defines NAMEOf(isa), which returns NULL when that instruction set is not present, and NAMEOfMachine(),
// which returns that of the chosen one (wkGetIsa). TYPE is that of a function or of a constant.
#define WK_DEFINE_LANES(TYPE, NAME)                                                                \
    extern TYPE NAME##_scalar, NAME##_sse2, NAME##_avx2, NAME##_avx512, NAME##_neon;               \
                                                                                                   \
    static TYPE* const NAME##Table[wk_isaCount] = {WK_LANES_ROWS(NAME)};                           \
                                                                                                   \
    TYPE* NAME##Of(wkIsa isa)                                                                      \
    {                                                                                              \
        return wkHasIsa(isa) ? NAME##Table[isa] : NULL;                                            \
    }                                                                                              \
                                                                                                   \
    TYPE* NAME##OfMachine(void)                                                                    \
    {                                                                                              \
        return NAME##Table[wkGetIsa()];                                                            \
    }
