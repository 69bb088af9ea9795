// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// 32-bit integers beside the floats of simd_float.h: wkIntW holds WK_FLOAT_LANES of them; conversions between
// both. Sums and products keep the low bits.

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

// Lane masks are bits of an unsigned number, lane 0 lowest.
#define WK_ALL_FLOAT_LANES ((unsigned)((UINT64_C(1) << WK_FLOAT_LANES) - 1))
