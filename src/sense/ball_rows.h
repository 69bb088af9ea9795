// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Balls side by side, as lanes take them.

#include "base/cpu.h"
#include "sense/depth_map.h"

#include <stdalign.h>

typedef struct wkBallRows {
    alignas(64) float x[WK_MAX_SEEN_BALLS];
    float y[WK_MAX_SEEN_BALLS], z[WK_MAX_SEEN_BALLS], radius[WK_MAX_SEEN_BALLS];
} wkBallRows;

// A bit for each ball that the pyramid does not prove free, or to stay clear of surfaces; `count` is a
// multiple of 16.
typedef uint64_t wkProveBallsFcn(const wkDepthView* view, const wkBallRows* rows, int32_t count);

// NULL when that instruction set is not present.
wkProveBallsFcn* wkProveBallsOf(wkIsa isa);
wkProveBallsFcn* wkProveBallsOfMachine(void);
wkProveBallsFcn* wkProveBallsClearOf(wkIsa isa);
wkProveBallsFcn* wkProveBallsClearOfMachine(void);
