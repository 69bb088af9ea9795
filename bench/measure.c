// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Blocks of passes, timed by the CPU clock of the thread.

#define _GNU_SOURCE

#include "measure.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A block lasts at least this long, so that reading the clock does not count.
#define MIN_BLOCK_NS 100e3

bool wkBenchPin(void)
{
    int core = sched_getcpu();
    if (core < 0) {
        return false;
    }
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET((unsigned)core, &cores);
    return sched_setaffinity(0, sizeof cores, &cores) == 0;
}

void wkBenchUnpin(void)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (unsigned i = 0; i < CPU_SETSIZE; i++) {
        CPU_SET(i, &cores);
    }
    sched_setaffinity(0, sizeof cores, &cores);
}

double wkBenchWallNow(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

double wkBenchNow(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int compareDoubles(const void* a, const void* b)
{
    double x = *(const double*)a;
    double y = *(const double*)b;
    return (x > y) - (x < y);
}

static double quantile(const double* sorted, int count, double share)
{
    double rank = share * (count - 1);
    int below = (int)rank;
    int above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
}

double wkMedian(double* values, int count)
{
    qsort(values, (size_t)count, sizeof(double), compareDoubles);
    return quantile(values, count, 0.5);
}

// Median and interquartile range over it, of a copy.
static double medianAndSpread(const double* values, int count, double* spread)
{
    double sorted[WK_MAX_BLOCKS];
    memcpy(sorted, values, sizeof(double) * (size_t)count);
    double median = wkMedian(sorted, count);
    *spread = (quantile(sorted, count, 0.75) - quantile(sorted, count, 0.25)) / median;
    return median;
}

static double timeBlock(const wkBenchSide* side)
{
    double start = wkBenchNow();
    for (int i = 0; i < side->passCount; i++) {
        side->pass(side->context);
    }
    return wkBenchNow() - start;
}

void wkMeasure(wkBenchSide* sides, int sideCount, int itemCount, int blockCount)
{
    // warm up, and find out how many passes fill a block
    for (int s = 0; s < sideCount; s++) {
        sides[s].passCount = 1;
        sides[s].changedCount = 0;
        sides[s].pass(sides[s].context);
        double once = timeBlock(&sides[s]);
        sides[s].passCount = once < MIN_BLOCK_NS ? 1 + (int)(MIN_BLOCK_NS / (once + 100.0)) : 1;
    }

    for (int block = 0; block < blockCount; block++) {
        for (int s = 0; s < sideCount; s++) {
            double time = timeBlock(&sides[s]);
            int count = sides[s].itemCount > 0 ? sides[s].itemCount : itemCount;
            sides[s].blocks[block] = time / sides[s].passCount / count;
            if (sides[s].isUnchanged != NULL && !sides[s].isUnchanged(sides[s].context)) {
                sides[s].changedCount++;
            }
        }
    }

    for (int s = 0; s < sideCount; s++) {
        double spread;
        sides[s].median = medianAndSpread(sides[s].blocks, blockCount, &spread);
    }
}

double wkBlockRatio(const wkBenchSide* theirs, const wkBenchSide* ours, int blockCount,
                    double* spread)
{
    double ratios[WK_MAX_BLOCKS];
    for (int block = 0; block < blockCount; block++) {
        ratios[block] = theirs->blocks[block] / ours->blocks[block];
    }
    return medianAndSpread(ratios, blockCount, spread);
}

double wkBlockSpread(const wkBenchSide* side, int blockCount)
{
    double spread;
    medianAndSpread(side->blocks, blockCount, &spread);
    return spread;
}
