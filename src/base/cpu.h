// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Instruction sets that lane code may be compiled for.

#include "whisker/base.h"

// In order of preference: a later one that is present is faster.
typedef enum wkIsa {
    wk_isaScalar,
    wk_isaSse2,
    wk_isaAvx2,
    wk_isaAvx512,
    wk_isaNeon,
    wk_isaCount,
} wkIsa;

// True when this build has lane code for it and the machine can run it.
bool wkHasIsa(wkIsa isa);

// The best one that is present; WHISKER_ISA in the environment, read once, forces a lower one.
wkIsa wkGetIsa(void);
