// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Times on the wall of calls that a GPU answers.

#include "bench.h"

// Calls `pass` for a moment until the GPU has its full clock, then often, and sets `ours` (milliseconds, the median), `spread`, `ratio` and
// `wrong` of a row whose `theirs` is the time of the CPU.
// @param pass returns the number of wrong answers
void wkTimeOnGpu(wkBenchRow* row, long (*pass)(void* context), void* context);
