// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Progress of long work. A thread that finds another thread in the caller's function continues without
// waiting: the next report counts the work of both.

#include "base/progress_report.h"

#include <time.h>

// Minimum time between calls, so that the function may draw.
#define SECONDS_BETWEEN 0.01

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void wkProgressMeter_Start(wkProgressMeter* meter, wkProgressFcn* fcn, void* context, int64_t total)
{
    meter->fcn = fcn;
    meter->context = context;
    atomic_init(&meter->done, 0);
    atomic_init(&meter->total, total > 0 ? total : 1);
    meter->reported = 0;
    meter->reportedAt = 0.0;
    atomic_flag_clear(&meter->isTelling);
    atomic_init(&meter->isCancelled, false);
}

void wkProgressMeter_Extend(wkProgressMeter* meter, int64_t change)
{
    if (meter != NULL) {
        atomic_fetch_add(&meter->total, change);
    }
}

bool wkProgressMeter_Add(wkProgressMeter* meter, int64_t count)
{
    if (meter == NULL || meter->fcn == NULL) {
        return true;
    }
    atomic_fetch_add(&meter->done, count);
    if (atomic_load(&meter->isCancelled)) {
        return false;
    }
    if (!atomic_flag_test_and_set(&meter->isTelling)) {
        int64_t total = atomic_load(&meter->total), done = atomic_load(&meter->done);
        total = total > 0 ? total : 1;
        done = done < total ? done : total;
        double time = now();
        // a clock that was set back must not stop the reports
        bool isDue = time - meter->reportedAt >= SECONDS_BETWEEN || time < meter->reportedAt;
        if (isDue) {
            meter->reported = done > meter->reported ? done : meter->reported;
            meter->reportedAt = time;
            total = total > meter->reported ? total : meter->reported;
            if (!meter->fcn(meter->reported, total, meter->context)) {
                atomic_store(&meter->isCancelled, true);
            }
        }
        atomic_flag_clear(&meter->isTelling);
    }
    return !atomic_load(&meter->isCancelled);
}

bool wkProgressMeter_IsCancelled(const wkProgressMeter* meter)
{
    return meter != NULL && atomic_load(&meter->isCancelled);
}
