// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// SIMD kernels are written with wkDoubleW, WK_LANES doubles side by side, and the functions that every header
// below defines alike. Kernel files are compiled once per instruction set (cmake/WhiskerIsa.cmake): WK_ISA is
// the name of the instruction set, WK_KERNEL(name) makes exported names unique, and all else is static.
//
// No function fuses a multiplication with an addition, so every instruction set gives the same bits.

#include "base/compiler.h"

#include <stdint.h>

#define WK_LANE_JOIN2(name, isa) name##_##isa
#define WK_LANE_JOIN(name, isa) WK_LANE_JOIN2(name, isa)
#define WK_KERNEL(name) WK_LANE_JOIN(name, WK_ISA)

#if defined(WK_ISA_IS_SSE2)
#include "simd/simd_sse2.h"
#elif defined(WK_ISA_IS_AVX2)
#include "simd/simd_avx2.h"
#elif defined(WK_ISA_IS_AVX512)
#include "simd/simd_avx512.h"
#elif defined(WK_ISA_IS_NEON)
#include "simd/simd_neon.h"
#else
#include "simd/simd_scalar.h"
#endif
