// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// pairs/<a>-<b>/<query> on mixed poses, .../<kind> on the other kinds, and the geometric means over
// the 28 pairs of solid bodies.

#include "compare.h"
#include "mean.h"

#include <stdlib.h>
#include <string.h>

#define SEED 20130506u

// The ratios to FCL's faster solver that the project asks for, over the 28 pairs.
static const struct {
    const char* name;
    double bar;
} queries[wk_queryCount] = {
    [wk_queryCollide] = {"collide", 4.0},
    [wk_queryContacts] = {"contacts", 5.0},
    [wk_queryDistance] = {"distance", 6.0},
    [wk_querySignedDistance] = {"signed_distance", 0.0},
};

// pairs/box-cone/distance, with the kind at the end when it is not mixed
static void nameRow(char* name, const char* pair, wkPairQuery query, wkPairKind kind)
{
    bool isMixed = kind == wk_pairMixed;
    snprintf(name, WK_ROW_NAME_CAPACITY, "pairs/%s/%s%s%s", pair, queries[query].name,
             isMixed ? "" : "/", isMixed ? "" : wkPairKindName(kind));
}

// Half-spaces and planes are paired with the bounded bodies only.
static bool isPair(wkBody a, wkBody b)
{
    return a <= b && a <= wk_bodyTriangle;
}

typedef struct pairRun {
    wkBench* bench;
    wkPairBodies set;
    wkPosePair* poses;
    wkPairTruth* truths;
    bool isMeanWanted[wk_queryCount];
    wkMeanTable means[wk_queryCount];
} pairRun;

// All queries on one pair of bodies and one kind of poses.
static void runPair(pairRun* run, wkBody a, wkBody b, wkPairKind kind)
{
    char pair[WK_ROW_NAME_CAPACITY / 2];
    char names[wk_queryCount][WK_ROW_NAME_CAPACITY];
    bool isWanted[wk_queryCount];
    bool isSolid = b < WK_SOLID_BODY_COUNT;
    bool isNeeded = false;
    snprintf(pair, sizeof pair, "%s-%s", wkBodyName(a), wkBodyName(b));
    for (int q = 0; q < wk_queryCount; q++) {
        nameRow(names[q], pair, (wkPairQuery)q, kind);
        isWanted[q] = wkBench_Wants(run->bench, names[q]);
        isNeeded = isNeeded || isWanted[q] || (isSolid && run->isMeanWanted[q]);
    }
    if (!isNeeded) {
        return;
    }

    int count = run->bench->itemCount;
    const wkShape* shapeA = &run->set.shapes[a];
    const wkShape* shapeB = &run->set.shapes[b];
    wkMakePairPoses(&run->set, a, b, kind, SEED, count, run->poses);
    for (int i = 0; i < count; i++) {
        run->truths[i] = wkProvePair(shapeA, run->poses[i].a, shapeB, run->poses[i].b);
    }
    for (int q = 0; q < wk_queryCount; q++) {
        bool isForMean = isSolid && run->isMeanWanted[q];
        if (!isWanted[q] && !isForMean) {
            continue;
        }
        wkPairJob job = {shapeA, shapeB, run->poses, count, (wkPairQuery)q, false};
        wkComparison comparison;
        if (!wkCompare(run->bench, names[q], &job, run->truths, &comparison)) {
            continue;
        }
        if (isWanted[q]) {
            wkEmitComparison(run->bench, &comparison);
        }
        for (int i = 0; isForMean && i < comparison.rowCount; i++) {
            wkAddToMean(&run->means[q], &comparison.rows[i]);
        }
    }
}

static void runKind(pairRun* run, wkPairKind kind)
{
    char means[wk_queryCount][WK_ROW_NAME_CAPACITY];
    for (int q = 0; q < wk_queryCount; q++) {
        nameRow(means[q], "geomean", (wkPairQuery)q, kind);
        run->isMeanWanted[q] = wkBench_Wants(run->bench, means[q]);
        run->means[q].count = 0;
    }
    for (int a = 0; a < wk_bodyCount; a++) {
        for (int b = a; b < wk_bodyCount; b++) {
            if (isPair((wkBody)a, (wkBody)b)) {
                runPair(run, (wkBody)a, (wkBody)b, kind);
            }
        }
    }
    for (int q = 0; q < wk_queryCount; q++) {
        if (run->isMeanWanted[q]) {
            wkEmitMeans(run->bench, means[q], &run->means[q], queries[q].bar);
        }
    }
}

void wkRunPairRows(wkBench* bench)
{
    pairRun* run = (pairRun*)calloc(1, sizeof(pairRun));
    if (run == NULL) {
        return;
    }
    run->bench = bench;
    run->poses = (wkPosePair*)malloc(sizeof(wkPosePair) * (size_t)bench->itemCount);
    run->truths = (wkPairTruth*)malloc(sizeof(wkPairTruth) * (size_t)bench->itemCount);
    if (run->poses != NULL && run->truths != NULL && wkPairBodies_Create(&run->set)) {
        for (int kind = 0; kind < wk_pairKindCount; kind++) {
            runKind(run, (wkPairKind)kind);
        }
    } else {
        fprintf(stderr, "pairs: %s\n", wkGetLastError());
        bench->wrongCount++;
    }
    wkPairBodies_Destroy(&run->set);
    free(run->poses);
    free(run->truths);
    free(run);
}
