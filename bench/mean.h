// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Geometric means over rows, one for each library.

#include "peers/peer.h"

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

// A geometric mean in the making, against one library.
typedef struct wkMean {
    const char* peer;
    double logOurs;
    double logTheirs;
    double logRatio;
    int count;
    long wrong;
    long peerWrong;
    long n;
    double least;
    char leastName[WK_ROW_NAME_CAPACITY];
} wkMean;

// All zero is an empty one.
typedef struct wkMeanTable {
    wkMean means[WK_MAX_PEERS];
    int count;
} wkMeanTable;

void wkAddToMean(wkMeanTable* table, const wkBenchRow* row);

// One row per library. `bar` is asked for against FCL, and against "fastest"; 0: none.
void wkEmitMeans(wkBench* bench, const char* name, const wkMeanTable* table, double bar);

#ifdef __cplusplus
}
#endif
