// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Instruction sets that SIMD kernels may be compiled for.

#include "base/compiler.h"
#include "whisker/base.h"

#include <stdatomic.h>

// In order of preference: a later instruction set that is present is faster.
typedef enum wkIsa {
    wk_isaScalar,
    wk_isaSse2,
    wk_isaAvx2,
    wk_isaAvx512,
    wk_isaNeon,
    wk_isaCount,
} wkIsa;

// Returns true when this build has kernels for the instruction set and the machine can run it.
bool wkHasIsa(wkIsa isa);

// The instruction set of all kernels, the only state of their dispatch; negative: not chosen yet.
extern atomic_int wkChosenIsa;

// Chooses the instruction set. Every thread finds the same one, so a race to store it does no harm.
wkIsa wkChooseIsa(void);

// Returns the best instruction set present; WHISKER_ISA in the environment, read once, forces a lower one.
WK_FN wkIsa wkGetIsa(void)
{
    int isa = atomic_load_explicit(&wkChosenIsa, memory_order_relaxed);
    return WK_UNLIKELY(isa < 0) ? wkChooseIsa() : (wkIsa)isa;
}
