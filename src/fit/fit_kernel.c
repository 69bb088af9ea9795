// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The table of what was compiled for each instruction set.

#include "fit/fit_kernel.h"

#include "base/isa_table.h"

WK_DEFINE_LANES(const wkFitLanes, wkFitLanes)
