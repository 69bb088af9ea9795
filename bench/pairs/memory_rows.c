// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// memory/...: bytes of hulls, and the allocations of a pass of every query over every pair.

#include "bench.h"
#include "malloc_count.h"
#include "peers/peer.h"

#include <stdlib.h>
#include <string.h>

#define SEED 7u

static void emit(wkBench* bench, const char* name, const char* unit, double ours, long n,
                 long wrong)
{
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "%s", name);
    row.unit = unit;
    row.ours = ours;
    row.n = n;
    row.wrong = wrong;
    wkBench_Emit(bench, &row);
}

// Allocations of all queries on all pairs; one of them is one too many.
static void countQueryAllocations(wkBench* bench, const char* name)
{
    enum {
        poseCount = 50
    };
    wkPairBodies set;
    wkPosePair poses[poseCount];
    wkAnswer answers[poseCount];
    if (!wkPairBodies_Create(&set)) {
        return;
    }
    long questions = 0;
    long allocations = 0;
    for (int a = 0; a <= wk_bodyTriangle; a++) {
        for (int b = a; b < wk_bodyCount; b++) {
            wkMakePairPoses(&set, (wkBody)a, (wkBody)b, wk_pairMixed, SEED, poseCount, poses);
            for (int q = 0; q < wk_queryCount; q++) {
                wkPairJob job = {&set.shapes[a], &set.shapes[b], poses,
                                 poseCount,      (wkPairQuery)q, q % 2 == 1};
                void* handle = wkOurSide.open(&job, answers);
                if (handle == NULL) {
                    continue;
                }
                long before = wkMallocCount();
                wkOurSide.pass(handle);
                allocations += wkMallocCount() - before;
                questions += poseCount;
                wkOurSide.close(handle);
            }
        }
    }
    wkPairBodies_Destroy(&set);
    emit(bench, name, "mallocs", (double)allocations, questions, allocations);
}

static void measureHullBytes(wkBench* bench, const char* name, int size)
{
    wkHull* hull = wkMakeScatteredHull(size, SEED);
    if (hull == NULL) {
        fprintf(stderr, "%s: left out: %s\n", name, wkGetLastError());
        return;
    }
    wkHullInfo info = wkHull_Info(hull);
    emit(bench, name, "bytes", (double)info.byteCount, info.vertexCount, 0);
    wkHull_Destroy(hull);
}

void wkRunMemoryRows(wkBench* bench)
{
    if (wkMallocCount() < 0) {
        return;
    }
    if (wkBench_Wants(bench, "memory/pair-queries")) {
        countQueryAllocations(bench, "memory/pair-queries");
    }
    static const int sizes[] = {20, 100, 500, 2000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "memory/hull/%d", sizes[i]);
        if (wkBench_Wants(bench, name)) {
            measureHullBytes(bench, name, sizes[i]);
        }
    }
}
