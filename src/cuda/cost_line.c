// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "cuda/cost_line.h"

#include "base/cookie.h"

#include <time.h>

// Runs whose median counts.
#define MOST_RUNS 5

// From one number of items to the next.
#define ITEM_STEP 4

#define LEAST_RUN_SECONDS 1e-6
#define MOST_RUN_SECONDS 10.0
#define DEFAULT_RUN_SECONDS 0.01

wkCudaCostsDef wkDefaultCudaCostsDef(void)
{
    wkCudaCostsDef def = {.cookie = WK_COOKIE(wkCudaCostsDef), .runSeconds = DEFAULT_RUN_SECONDS};
    return def;
}

wkResult wkTakeCostsDef(const wkCudaCostsDef** def, wkCudaCostsDef* defaults)
{
    *defaults = wkDefaultCudaCostsDef();
    *def = *def != NULL ? *def : defaults;
    if (!WK_HAS_COOKIE(*def, wkCudaCostsDef)) {
        return WK_FAIL_COOKIE(*def, wkCudaCostsDef);
    }
    double seconds = (*def)->runSeconds;
    return seconds >= LEAST_RUN_SECONDS && seconds <= MOST_RUN_SECONDS
               ? wk_ok
               : wkFailCuda(wk_errorRange, "cuda costs: runSeconds is %g, must be %g to %g",
                            seconds, LEAST_RUN_SECONDS, MOST_RUN_SECONDS);
}

static double secondsNow(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static wkResult timeOnce(wkTimedFcn* run, void* context, int64_t count, double* seconds)
{
    double start = secondsNow();
    wkResult result = run(context, count);
    double spent = secondsNow() - start;
    *seconds = spent > 1e-9 ? spent : 1e-9; // a clock may stand still, a cost is above 0
    return result;
}

// Sorts the times, which are few.
static double medianOf(double* times, int count)
{
    for (int i = 1; i < count; ++i) {
        for (int k = i; k > 0 && times[k] < times[k - 1]; --k) {
            double swap = times[k];
            times[k] = times[k - 1];
            times[k - 1] = swap;
        }
    }
    return times[(count - 1) / 2];
}

wkResult wkTimeRuns(wkTimedFcn* run, void* context, int64_t count, double runSeconds,
                    double* seconds)
{
    double times[MOST_RUNS], spent = 0.0;
    int runCount = 0;
    wkResult result = timeOnce(run, context, count, seconds);
    while (result == wk_ok && runCount < MOST_RUNS && (runCount == 0 || spent < runSeconds)) {
        result = timeOnce(run, context, count, &times[runCount]);
        spent += times[runCount++];
    }
    *seconds = result == wk_ok ? medianOf(times, runCount) : 0.0;
    return result;
}

wkWorkCost wkLineThrough(double fewest, double shortest, double most, double longest)
{
    double each = longest > shortest ? (longest - shortest) / (most - fewest) : 0.0;
    double fixed = longest - each * most;
    return fixed > 0.0 ? (wkWorkCost){fixed, each} : (wkWorkCost){0.0, longest / most};
}

wkResult wkMeasureLine(wkTimedFcn* run, void* context, int64_t most, double runSeconds,
                       wkWorkCost* cost)
{
    double shortest = 0.0, longest = 0.0;
    int64_t count = WK_FEWEST_ITEMS;
    wkResult result = wkTimeRuns(run, context, count, runSeconds, &shortest);
    do {
        count = count < most / ITEM_STEP ? count * ITEM_STEP : most;
        result = result == wk_ok ? wkTimeRuns(run, context, count, runSeconds, &longest) : result;
    } while (result == wk_ok && count < most && ITEM_STEP * longest <= runSeconds);
    *cost = result == wk_ok ? wkLineThrough(WK_FEWEST_ITEMS, shortest, (double)count, longest)
                            : (wkWorkCost){0.0, 0.0};
    return result;
}
