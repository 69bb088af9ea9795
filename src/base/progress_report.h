// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Counts the work that threads do, tells the caller's function, and remembers that it was cancelled.

#include "whisker/base.h"

#include <stdatomic.h>

typedef struct wkProgressMeter {
    wkProgressFcn* fcn; // NULL: nobody is told, nothing is cancelled
    void* context;
    _Atomic int64_t done;
    _Atomic int64_t total;
    int64_t told;          // to the function last, under the flag
    double toldAt;         // and when, in seconds
    atomic_flag isTelling; // a thread is in the function
    atomic_bool isCancelled;
} wkProgressMeter;

void wkProgressMeter_Start(wkProgressMeter* meter, wkProgressFcn* fcn, void* context,
                           int64_t total);

// More work than was thought, or less of it where `change` is negative.
void wkProgressMeter_Extend(wkProgressMeter* meter, int64_t change);

// `count` more is done; 0 asks whether to go on.
// @return false: cancelled, stop
bool wkProgressMeter_Add(wkProgressMeter* meter, int64_t count);

// NULL is fine, and never cancelled.
bool wkProgressMeter_IsCancelled(const wkProgressMeter* meter);
