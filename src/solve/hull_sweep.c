// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Which functions of lane_hull_sweep.c this machine can run.

#include "solve/hull_sweep.h"

#include "base/lanes.h"

WK_DEFINE_LANES(const wkSweepLanes, wkSweepLanes)
