// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The same as simd.h in single precision: wkFloatW, WK_FLOAT_LANES of them side by side.

#include "simd/simd.h"

#include <stddef.h>

#if defined(WK_ISA_IS_SSE2)
#include "simd/float_sse2.h"
#elif defined(WK_ISA_IS_AVX2)
#include "simd/float_avx2.h"
#elif defined(WK_ISA_IS_AVX512)
#include "simd/float_avx512.h"
#elif defined(WK_ISA_IS_NEON)
#include "simd/float_neon.h"
#else
#include "simd/float_scalar.h"
#endif
