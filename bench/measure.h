// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Timing in alternating blocks, so that a slow moment of the machine meets all sides alike.

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WK_MAX_BLOCKS 63

// One of the sides that are compared on the same work.
typedef struct wkBenchSide {
    void (*pass)(void* context); // does every item once
    void* context;
    bool (*isUnchanged)(void* context); // not timed: did the last pass answer as the first one did?
    int itemCount;                // items of a pass, where it has others than the rest; 0: the same
    int passCount;                // passes per block, chosen so that a block is long enough
    double blocks[WK_MAX_BLOCKS]; // nanoseconds per item
    double median;                // of the blocks
    int changedCount;             // blocks with other answers than the first pass
} wkBenchSide;

// Pins the thread to the core it runs on; false when the system does not allow it.
bool wkBenchPin(void);

// Lets the thread, and those it starts, run on all cores again.
void wkBenchUnpin(void);

// CPU time of this thread in nanoseconds.
double wkBenchNow(void);

// Time on the wall in nanoseconds.
double wkBenchWallNow(void);

// Runs the sides one after another, block by block.
void wkMeasure(wkBenchSide* sides, int sideCount, int itemCount, int blockCount);

// Median; sorts the values.
double wkMedian(double* values, int count);

// Median of the ratios of blocks measured side by side, and their interquartile range over it.
double wkBlockRatio(const wkBenchSide* theirs, const wkBenchSide* ours, int blockCount,
                    double* spread);

// Interquartile range over median of the blocks of one side.
double wkBlockSpread(const wkBenchSide* side, int blockCount);

#ifdef __cplusplus
}
#endif
