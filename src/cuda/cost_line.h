// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Times of runs, and the line through them.

#include "cuda/cuda_impl.h"

// Does work that is timed.
// @param count items
typedef wkResult wkTimedFcn(void* context, int64_t count);

// Items of the shortest run, and the least number that a line needs.
#define WK_FEWEST_ITEMS 32
#define WK_LEAST_ITEMS 64

// Checks a definition; NULL is replaced by `defaults`.
wkResult wkTakeCostsDef(const wkCudaCostsDef** def, wkCudaCostsDef* defaults);

// Seconds of a run: the median of up to five that take `runSeconds` together, one at least, after one that does not count.
wkResult wkTimeRuns(wkTimedFcn* run, void* context, int64_t count, double runSeconds,
                    double* seconds);

// The line through two times. Both parts are 0 or more, and the line is right at the longer run.
wkWorkCost wkLineThrough(double fewest, double shortest, double most, double longest);

// Measures runs with the fewest items and with more and more of them, until a run takes `runSeconds`.
// @param most items there are, WK_LEAST_ITEMS or more
// @param cost set to the line through the shortest and the longest run
wkResult wkMeasureLine(wkTimedFcn* run, void* context, int64_t most, double runSeconds,
                       wkWorkCost* cost);
