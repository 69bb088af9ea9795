// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight floats side by side on every machine: the slots of a node (tree/tree.h). Loads and stores
// are 32-byte aligned. `wkNotAbove8` has a bit for each lane where a > b does not hold, so that NaN
// never rules anything out; `wkPickGreater8` takes `yes` where a > b and `no` elsewhere.

#include "simd/quad.h"
#include "simd/simd.h"

#include <stdbool.h>

#if defined(WK_ISA_IS_SSE2)
#include "simd/eight_sse2.h"
#elif defined(WK_ISA_IS_AVX2) || defined(WK_ISA_IS_AVX512)
#include "simd/eight_avx.h"
#elif defined(WK_ISA_IS_NEON)
#include "simd/eight_neon.h"
#else
#include "simd/eight_scalar.h"
#endif
