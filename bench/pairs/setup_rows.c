// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// setup/hull/<vertices>: what a hull costs before its first query, from bare points and back.

#include "bench.h"
#include "measure.h"
#include "peers/peer.h"

#include <stdlib.h>
#include <string.h>

#define SEED 11u

// Passes have one item each: a hull made and destroyed.
typedef struct hullJob {
    int size;
    long failedCount;
} hullJob;

static void makeOne(void* context)
{
    hullJob* job = (hullJob*)context;
    wkHull* hull = wkMakeScatteredHull(job->size, SEED);
    if (hull == NULL || wkHull_Info(hull).vertexCount != job->size) {
        job->failedCount++;
    }
    wkHull_Destroy(hull);
}

static void measureHull(wkBench* bench, const char* name, int size)
{
    hullJob job = {size, 0};
    makeOne(&job);
    if (job.failedCount > 0) {
        fprintf(stderr, "%s: left out: %s\n", name, wkGetLastError());
        return;
    }
    wkBenchSide side;
    memset(&side, 0, sizeof side);
    side.pass = makeOne;
    side.context = &job;
    wkMeasure(&side, 1, 1, bench->blockCount);

    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "%s", name);
    row.unit = "ns";
    row.ours = side.median;
    row.spread = wkBlockSpread(&side, bench->blockCount);
    row.wrong = job.failedCount;
    row.n = 1;
    wkBench_Emit(bench, &row);
}

void wkRunSetupRows(wkBench* bench)
{
    static const int sizes[] = {20, 100, 500, 2000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "setup/hull/%d", sizes[i]);
        if (wkBench_Wants(bench, name)) {
            measureHull(bench, name, sizes[i]);
        }
    }
}
