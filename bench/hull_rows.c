// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// pairs/hull-hull/<query>/<corners>/<start>: two hulls in coherent motion, each question answered from
// nothing (cold) or from the answer before (warm); and how the time grows with the corners.

#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 19881215u
#define SIZE_COUNT 4

static const int sizes[SIZE_COUNT] = {20, 100, 500, 2000};
static const char* const queryNames[wk_queryCount] = {
    [wk_queryCollide] = "collide",
    [wk_queryDistance] = "distance",
};
static const char* const startNames[2] = {"cold", "warm"};

typedef struct hullRun {
    wkBench* bench;
    wkPosePair* poses;
    wkPairTruth* truths;
    double times[wk_queryCount][2][SIZE_COUNT]; // 0: not measured
} hullRun;

// Exponent p of the fit time = c * size^p: the slope of the logarithms.
static double fitExponent(const double* times)
{
    double sumX = 0.0, sumY = 0.0, sumXX = 0.0, sumXY = 0.0;
    for (int i = 0; i < SIZE_COUNT; i++) {
        double x = log(sizes[i]);
        double y = log(times[i]);
        sumX += x;
        sumY += y;
        sumXX += x * x;
        sumXY += x * y;
    }
    return (SIZE_COUNT * sumXY - sumX * sumY) / (SIZE_COUNT * sumXX - sumX * sumX);
}

static void runSize(hullRun* run, int sizeIndex, bool needs[wk_queryCount][2])
{
    int size = sizes[sizeIndex];
    int count = run->bench->itemCount;
    wkHull* hullA = wkMakeScatteredHull(size, SEED + (uint64_t)size);
    wkHull* hullB = wkMakeScatteredHull(size, SEED + (uint64_t)size + 1u);
    if (hullA == NULL || hullB == NULL) {
        fprintf(stderr, "pairs/hull-hull: left out: %s\n", wkGetLastError());
        goto cleanup;
    }
    wkShape shapeA = wkMakeHull(hullA);
    wkShape shapeB = wkMakeHull(hullB);
    wkMakeDriftPoses(1.1, SEED, count, run->poses);
    for (int i = 0; i < count; i++) {
        run->truths[i] = wkProvePair(&shapeA, run->poses[i].a, &shapeB, run->poses[i].b);
    }

    for (int q = 0; q < wk_queryCount; q++) {
        for (int start = 0; start < 2; start++) {
            char name[WK_ROW_NAME_CAPACITY];
            if (!needs[q][start]) {
                continue;
            }
            wkPairJob job = {&shapeA, &shapeB, run->poses, count, (wkPairQuery)q, start == 1};
            wkComparison comparison;
            snprintf(name, sizeof name, "pairs/hull-hull/%s/%d/%s", queryNames[q], size,
                     startNames[start]);
            if (!wkCompare(run->bench, name, &job, run->truths, &comparison)) {
                continue;
            }
            run->times[q][start][sizeIndex] = comparison.rows[0].ours;
            if (wkBench_IsSelected(run->bench, name)) {
                wkEmitComparison(run->bench, &comparison);
            }
        }
    }

cleanup:
    wkHull_Destroy(hullA);
    wkHull_Destroy(hullB);
}

static void emitGrowth(hullRun* run, wkPairQuery query, int start, const char* name)
{
    const double* times = run->times[query][start];
    for (int i = 0; i < SIZE_COUNT; i++) {
        if (!(times[i] > 0.0)) {
            return;
        }
    }
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    memcpy(row.name, name, sizeof row.name);
    row.unit = "exponent";
    row.ours = fitExponent(times);
    row.n = SIZE_COUNT;
    wkBench_Emit(run->bench, &row);
}

void wkRunHullRows(wkBench* bench)
{
    hullRun* run = (hullRun*)calloc(1, sizeof(hullRun));
    if (run == NULL) {
        return;
    }
    run->bench = bench;
    run->poses = (wkPosePair*)malloc(sizeof(wkPosePair) * (size_t)bench->itemCount);
    run->truths = (wkPairTruth*)malloc(sizeof(wkPairTruth) * (size_t)bench->itemCount);
    if (run->poses == NULL || run->truths == NULL) {
        goto cleanup;
    }

    // a growth row needs the rows of all sizes
    bool hasGrowth[wk_queryCount][2] = {{false}};
    char growthNames[wk_queryCount][2][WK_ROW_NAME_CAPACITY];
    for (int q = 0; q < wk_queryCount; q++) {
        for (int start = 0; start < 2 && queryNames[q] != NULL; start++) {
            snprintf(growthNames[q][start], WK_ROW_NAME_CAPACITY, "pairs/hull-hull/%s/growth/%s",
                     queryNames[q], startNames[start]);
            hasGrowth[q][start] = wkBench_Wants(bench, growthNames[q][start]);
        }
    }
    for (int i = 0; i < SIZE_COUNT; i++) {
        bool needs[wk_queryCount][2] = {{false}};
        bool isNeeded = false;
        for (int q = 0; q < wk_queryCount; q++) {
            for (int start = 0; start < 2 && queryNames[q] != NULL; start++) {
                char name[WK_ROW_NAME_CAPACITY];
                snprintf(name, sizeof name, "pairs/hull-hull/%s/%d/%s", queryNames[q], sizes[i],
                         startNames[start]);
                needs[q][start] = wkBench_Wants(bench, name) || hasGrowth[q][start];
                isNeeded = isNeeded || needs[q][start];
            }
        }
        if (isNeeded) {
            runSize(run, i, needs);
        }
    }
    for (int q = 0; q < wk_queryCount; q++) {
        for (int start = 0; start < 2; start++) {
            if (hasGrowth[q][start]) {
                emitGrowth(run, (wkPairQuery)q, start, growthNames[q][start]);
            }
        }
    }

cleanup:
    free(run->poses);
    free(run->truths);
    free(run);
}
