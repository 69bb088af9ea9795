// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whole numbers of 32 bits beside the floats of simd_float.h: wkIntW, WK_FLOAT_LANES of them, and
// what goes from one to the other. Sums and products keep the low bits.

#include "simd/simd_float.h"

#if defined(WK_ISA_IS_SSE2)
#include "simd/int_sse2.h"
#elif defined(WK_ISA_IS_AVX2)
#include "simd/int_avx2.h"
#elif defined(WK_ISA_IS_AVX512)
#include "simd/int_avx512.h"
#elif defined(WK_ISA_IS_NEON)
#include "simd/int_neon.h"
#else
#include "simd/int_scalar.h"
#endif

// Masks of lanes are bits of an unsigned number, lane 0 the lowest.
#define WK_ALL_FLOAT_LANES ((unsigned)((UINT64_C(1) << WK_FLOAT_LANES) - 1))
