// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Which functions of lane_hull_sweep.c this machine can run.

#include "solve/hull_sweep.h"

#include <stdatomic.h>
#include <stddef.h>

extern const wkSweepLanes wkSweepLanes_scalar, wkSweepLanes_sse2, wkSweepLanes_avx2,
    wkSweepLanes_avx512, wkSweepLanes_neon;

const wkSweepLanes* wkSweepLanesOf(wkIsa isa)
{
    // clang-format off
    static const wkSweepLanes* const lanes[wk_isaCount] = {
#if defined(WK_ISA_HAS_SCALAR)
        [wk_isaScalar] = &wkSweepLanes_scalar,
#endif
#if defined(WK_ISA_HAS_SSE2)
        [wk_isaSse2]   = &wkSweepLanes_sse2,
#endif
#if defined(WK_ISA_HAS_AVX2)
        [wk_isaAvx2]   = &wkSweepLanes_avx2,
#endif
#if defined(WK_ISA_HAS_AVX512)
        [wk_isaAvx512] = &wkSweepLanes_avx512,
#endif
#if defined(WK_ISA_HAS_NEON)
        [wk_isaNeon]   = &wkSweepLanes_neon,
#endif
    };
    // clang-format on
    return wkHasIsa(isa) ? lanes[isa] : NULL;
}

const wkSweepLanes* wkSweepLanesOfMachine(void)
{
    static _Atomic(const wkSweepLanes*) chosen = NULL;
    const wkSweepLanes* lanes = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (WK_UNLIKELY(lanes == NULL)) {
        lanes = wkSweepLanesOf(wkGetIsa());
        atomic_store_explicit(&chosen, lanes, memory_order_relaxed);
    }
    return lanes;
}
