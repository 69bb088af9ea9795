// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The table of what was compiled for each instruction set.

#include "fit/lanes.h"

#include "base/lanes.h"

WK_DEFINE_LANES(const wkFitLanes, wkFitLanes)
