// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Counts the work that threads do, reports it to the caller's function, and records a cancellation.

#include "whisker/base.h"

#include <stdatomic.h>

typedef struct wkProgressMeter {
    wkProgressFcn* fcn; // NULL: no reports, no cancellation
    void* context;
    _Atomic int64_t done;
    _Atomic int64_t total;
    int64_t reported;      // count last reported to the function; guarded by the flag
    double reportedAt;     // time of that report, in seconds
    atomic_flag isTelling; // set while a thread is in the function
    atomic_bool isCancelled;
} wkProgressMeter;

void wkProgressMeter_Start(wkProgressMeter* meter, wkProgressFcn* fcn, void* context,
                           int64_t total);

// Adds to the expected work, or subtracts where `change` is negative.
void wkProgressMeter_Extend(wkProgressMeter* meter, int64_t change);

// Adds `count` to the finished work; 0 only asks whether to continue.
// @return false: cancelled, stop
bool wkProgressMeter_Add(wkProgressMeter* meter, int64_t count);

// NULL is allowed and never cancelled.
bool wkProgressMeter_IsCancelled(const wkProgressMeter* meter);
