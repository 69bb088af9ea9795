// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A form in single precision, and the lane function of this machine.

#include "solve/cover_lanes.h"

#include <stdatomic.h>
#include <stddef.h>

wkCoverBoundFcn wkCoverBound_scalar, wkCoverBound_sse2, wkCoverBound_avx2, wkCoverBound_avx512,
    wkCoverBound_neon;

wkCoverBoundFcn* wkCoverBoundOf(wkIsa isa)
{
    // clang-format off
    static wkCoverBoundFcn* const bounds[wk_isaCount] = {
#if defined(WK_ISA_HAS_SCALAR)
        [wk_isaScalar] = wkCoverBound_scalar,
#endif
#if defined(WK_ISA_HAS_SSE2)
        [wk_isaSse2]   = wkCoverBound_sse2,
#endif
#if defined(WK_ISA_HAS_AVX2)
        [wk_isaAvx2]   = wkCoverBound_avx2,
#endif
#if defined(WK_ISA_HAS_AVX512)
        [wk_isaAvx512] = wkCoverBound_avx512,
#endif
#if defined(WK_ISA_HAS_NEON)
        [wk_isaNeon]   = wkCoverBound_neon,
#endif
    };
    // clang-format on
    return wkHasIsa(isa) ? bounds[isa] : NULL;
}

// The function of this machine, found by the first call.
wkCoverBoundFcn* wkCoverBoundOfMachine(void)
{
    static _Atomic(wkCoverBoundFcn*) chosen;
    wkCoverBoundFcn* bound = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (WK_UNLIKELY(bound == NULL)) {
        bound = wkCoverBoundOf(wkGetIsa());
        atomic_store_explicit(&chosen, bound, memory_order_relaxed);
    }
    return bound;
}

static void narrow(wkVec3d v, double scale, float out[3])
{
    out[0] = (float)(scale * v.x), out[1] = (float)(scale * v.y), out[2] = (float)(scale * v.z);
}

static void narrowRound(const wkRoundTerm* round, double scale, wkFloatRound* out)
{
    const wkSym3d* m = &round->matrix;
    double squared = scale * scale;
    out->xx = (float)(squared * m->xx), out->yy = (float)(squared * m->yy);
    out->zz = (float)(squared * m->zz), out->xy = (float)(squared * m->xy);
    out->xz = (float)(squared * m->xz), out->yz = (float)(squared * m->yz);
    out->trace = out->xx + out->yy + out->zz;
    narrow(round->apex, scale, out->apex);
    double slope = sqrt(round->radius * round->radius + 4.0 * wkDot(round->apex, round->apex));
    out->inverseSlope = round->isCone ? (float)(1.0 / (scale * slope)) : 0.0f;
}

void wkNarrowForm(const wkForm* form, wkFloatForm* out)
{
    double scale = 1.0 / form->scale;
    out->edgeCount = form->edgeCount;
    out->roundCount = form->roundCount;
    narrow(form->way, scale, out->way);
    for (int i = 0; i < form->edgeCount; ++i) {
        narrow(form->edge[i], scale, out->edge[i]);
        out->inverseLength[i] = (float)(form->scale / form->edgeLength[i]);
    }
    for (int i = 0; i < form->roundCount; ++i) {
        narrowRound(&form->round[i], scale, &out->round[i]);
    }
}
