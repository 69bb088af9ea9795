// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Selects the functions of hull_sweep_kernel.c that this machine can run.

#include "solve/depth_list/hull_sweep.h"

#include "base/isa_table.h"

WK_DEFINE_LANES(const wkSweepLanes, wkSweepLanes)
