// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Instruction sets that SIMD kernels may be compiled for.

#include "whisker/base.h"

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

// Returns the best instruction set present; WHISKER_ISA in the environment, read once, forces a lower one.
wkIsa wkGetIsa(void);
