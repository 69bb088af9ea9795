// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Dispatch table of the kernels of each instruction set.

#include "fit/fit_kernel.h"

#include "base/isa_table.h"

WK_DEFINE_LANES(const wkFitLanes, wkFitLanes)
