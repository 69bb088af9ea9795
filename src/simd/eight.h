// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight floats side by side on every machine: the slots of a node (tree/bvh/tree.h). Loads and stores are
// 32-byte aligned. `wkNotAbove8` sets a bit for each lane where a > b does not hold, so that NaN never rules
// a candidate out. `wkPickGreater8` selects `yes` where a > b and `no` elsewhere.

#include "simd/quad.h"
#include "simd/simd.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(WK_ISA_IS_SSE2)
#include "simd/eight_sse2.h"
#elif defined(WK_ISA_IS_AVX2) || defined(WK_ISA_IS_AVX512)
#include "simd/eight_avx.h"
#elif defined(WK_ISA_IS_NEON)
#include "simd/eight_neon.h"
#else
#include "simd/eight_scalar.h"
#endif

// Writes `from[i] + added` for the lanes in a mask side by side; `into` has capacity for eight, and the
// entries after the last one are undefined.
#if defined(WK_ISA_IS_AVX512)
WK_FORCE_FN void wkPackLanes8(unsigned mask, const uint32_t* from, uint32_t added, uint32_t* into)
{
    __m256i sum =
        _mm256_add_epi32(_mm256_loadu_si256((const __m256i*)from), _mm256_set1_epi32((int)added));
    _mm256_storeu_si256((__m256i*)into, _mm256_maskz_compress_epi32((__mmask8)mask, sum));
}
#else
WK_FORCE_FN void wkPackLanes8(unsigned mask, const uint32_t* from, uint32_t added, uint32_t* into)
{
    // no branch depends on the mask, which is mostly unpredictable
    unsigned count = 0;
    for (unsigned i = 0; i < 8; ++i) {
        into[count] = from[i] + added;
        count += mask >> i & 1u;
    }
}
#endif
