// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "gpu/gpu_timing.h"

#include "measure.h"

#define WARM_UP 3
#define RUNS 51

void wkTimeOnGpu(wkBenchRow* row, long (*pass)(void* context), void* context)
{
    double times[RUNS];
    for (int i = -WARM_UP; i < RUNS; i++) {
        double start = wkBenchWallNow();
        long wrong = pass(context);
        times[i < 0 ? 0 : i] = 1e-6 * (wkBenchWallNow() - start);
        row->wrong += wrong;
    }
    row->unit = "ms";
    row->peer = "cpu";
    row->ours = wkMedian(times, RUNS);
    row->spread = (times[RUNS * 3 / 4] - times[RUNS / 4]) / row->ours;
    row->ratio = row->theirs / row->ours;
}
