// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "gpu/gpu_timing.h"

#include "measure.h"

// The clock of a GPU that was idle rises within milliseconds.
#define WARM_UP_COUNT 3
#define WARM_UP_NS 20e6
#define RUNS 51

void wkTimeOnGpu(wkBenchRow* row, long (*pass)(void* context), void* context)
{
    double times[RUNS], warmFrom = wkBenchWallNow();
    for (int i = 0; i < WARM_UP_COUNT || wkBenchWallNow() - warmFrom < WARM_UP_NS; i++) {
        row->wrong += pass(context);
    }
    for (int i = 0; i < RUNS; i++) {
        double start = wkBenchWallNow();
        long wrong = pass(context);
        times[i] = 1e-6 * (wkBenchWallNow() - start);
        row->wrong += wrong;
    }
    row->unit = "ms";
    row->peer = "cpu";
    row->ours = wkMedian(times, RUNS);
    row->spread = (times[RUNS * 3 / 4] - times[RUNS / 4]) / row->ours;
    row->ratio = row->theirs / row->ours;
}
