// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Instruction sets present in this build (WK_ISA_HAS_<NAME>, from
// cmake/WhiskerIsa.cmake) and in the machine.

#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

// clang-format off
static const char* const isaNames[wk_isaCount] = {
    [wk_isaScalar] = "scalar",
    [wk_isaSse2]   = "sse2",
    [wk_isaAvx2]   = "avx2",
    [wk_isaAvx512] = "avx512",
    [wk_isaNeon]   = "neon",
};
// clang-format on

bool wkHasIsa(wkIsa isa)
{
    switch (isa) {
#if defined(WK_ISA_HAS_SCALAR)
    case wk_isaScalar:
        return true;
#endif
#if defined(WK_ISA_HAS_SSE2)
    case wk_isaSse2:
        return true;
#endif
#if defined(WK_ISA_HAS_AVX2)
    case wk_isaAvx2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#if defined(WK_ISA_HAS_AVX512)
    case wk_isaAvx512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
#if defined(WK_ISA_HAS_NEON)
    case wk_isaNeon:
        return true;
#endif
    default:
        return false;
    }
}

// Returns the last row that is present, or the one that WHISKER_ISA names.
static wkIsa detect(void)
{
    const char* wanted = getenv("WHISKER_ISA");
    wkIsa best = wk_isaScalar;
    for (int isa = 0; isa < wk_isaCount; ++isa) {
        if (!wkHasIsa((wkIsa)isa)) {
            continue;
        }
        best = (wkIsa)isa;
        if (wanted != NULL && strcmp(wanted, isaNames[isa]) == 0) {
            break;
        }
    }
    return best;
}

atomic_int wkChosenIsa = -1;

wkIsa wkChooseIsa(void)
{
    wkIsa isa = detect();
    atomic_store_explicit(&wkChosenIsa, (int)isa, memory_order_relaxed);
    return isa;
}

const char* wkGetIsaName(void)
{
    return isaNames[wkGetIsa()];
}
