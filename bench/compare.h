// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One job, answered by us and by every peer that can, in alternating blocks, every answer checked.

#include "bench.h"
#include "pairs/pair_check.h"

#ifdef __cplusplus
extern "C" {
#endif

// One row per library; the first is the row without a peer when there is none.
typedef struct wkComparison {
    int rowCount;
    wkBenchRow rows[WK_MAX_PEERS];
} wkComparison;

// Measures a job. Of a library's variants the one with the smaller median counts.
// @return false when memory is short
bool wkCompare(const wkBench* bench, const char* name, const wkPairJob* job,
               const wkPairTruth* truths, wkComparison* out);

void wkEmitComparison(wkBench* bench, const wkComparison* comparison);

#ifdef __cplusplus
}
#endif
