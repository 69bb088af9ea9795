// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// pairs/hull-hull/<query>/<vertices>/<start>: two hulls in coherent motion, each question answered
// from nothing (cold) or from the answer before (warm); and how the time grows with the vertices.

#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 19881215u
#define SIZE_COUNT 4

static const int sizes[SIZE_COUNT] = {20, 100, 500, 2000};
// The four ways a hull row may ask.
#define CASE_COUNT 4
static const struct {
    wkPairQuery query;
    const char* queryName;
    bool isWarm;
    const char* startName;
} cases[CASE_COUNT] = {
    {wk_queryCollide, "collide", false, "cold"},
    {wk_queryCollide, "collide", true, "warm"},
    {wk_queryDistance, "distance", false, "cold"},
    {wk_queryDistance, "distance", true, "warm"},
};

typedef struct hullRun {
    wkBench* bench;
    wkPosePair* poses;
    wkPairTruth* truths;
    double times[CASE_COUNT][SIZE_COUNT]; // 0: not measured
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

static void nameCase(char* name, int caseIndex, const char* size)
{
    snprintf(name, WK_ROW_NAME_CAPACITY, "pairs/hull-hull/%s/%s/%s", cases[caseIndex].queryName,
             size, cases[caseIndex].startName);
}

static void nameSize(char* name, int caseIndex, int sizeIndex)
{
    char size[16];
    snprintf(size, sizeof size, "%d", sizes[sizeIndex]);
    nameCase(name, caseIndex, size);
}

static void runSize(hullRun* run, int sizeIndex, const bool* needs)
{
    int count = run->bench->itemCount;
    uint64_t seed = SEED + 2u * (uint64_t)sizeIndex;
    wkHull* hullA = wkMakeScatteredHull(sizes[sizeIndex], seed);
    wkHull* hullB = wkMakeScatteredHull(sizes[sizeIndex], seed + 1u);
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

    for (int c = 0; c < CASE_COUNT; c++) {
        wkPairJob job = {&shapeA, &shapeB, run->poses, count, cases[c].query, cases[c].isWarm};
        wkComparison comparison;
        char name[WK_ROW_NAME_CAPACITY];
        nameSize(name, c, sizeIndex);
        if (!needs[c] || !wkCompare(run->bench, name, &job, run->truths, &comparison)) {
            continue;
        }
        run->times[c][sizeIndex] = comparison.rows[0].ours;
        if (wkBench_IsSelected(run->bench, name)) {
            wkEmitComparison(run->bench, &comparison);
        }
    }

cleanup:
    wkHull_Destroy(hullA);
    wkHull_Destroy(hullB);
}

static void emitGrowth(wkBench* bench, const char* name, const double* times)
{
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
    wkBench_Emit(bench, &row);
}

// A growth row needs the rows of all sizes.
static void runAll(hullRun* run)
{
    bool hasGrowth[CASE_COUNT];
    char growthNames[CASE_COUNT][WK_ROW_NAME_CAPACITY];
    for (int c = 0; c < CASE_COUNT; c++) {
        nameCase(growthNames[c], c, "growth");
        hasGrowth[c] = wkBench_Wants(run->bench, growthNames[c]);
    }
    for (int i = 0; i < SIZE_COUNT; i++) {
        bool needs[CASE_COUNT];
        bool isNeeded = false;
        for (int c = 0; c < CASE_COUNT; c++) {
            char name[WK_ROW_NAME_CAPACITY];
            nameSize(name, c, i);
            needs[c] = wkBench_Wants(run->bench, name) || hasGrowth[c];
            isNeeded = isNeeded || needs[c];
        }
        if (isNeeded) {
            runSize(run, i, needs);
        }
    }
    for (int c = 0; c < CASE_COUNT; c++) {
        if (hasGrowth[c]) {
            emitGrowth(run->bench, growthNames[c], run->times[c]);
        }
    }
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
    if (run->poses != NULL && run->truths != NULL) {
        runAll(run);
    }
    free(run->poses);
    free(run->truths);
    free(run);
}
