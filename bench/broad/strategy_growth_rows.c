// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// octree/growth/<query>/<size>: the same bodies among the same cells in larger and larger maps, 1 to 64
// times the cells, and the exponent p of the fit time = c * cells^p: 0 when only what is near counts.

#include "peers/strategy_peer.h"
#include "race.h"

#include <math.h>
#include <string.h>

#define SIZE_COUNT 3
static const struct {
    const char* name;
    int growth; // along each axis
} sizes[SIZE_COUNT] = {{"1x", 1}, {"8x", 2}, {"64x", 4}};

#define QUESTION_COUNT 2
static const struct {
    const char* name;
    wkStrategyQuery query;
    double tolerance;
} questions[QUESTION_COUNT] = {
    {"collide", wk_strategyAll, 0.0},
    {"distance", wk_strategyDistance, 1e-9},
};

#define REPEAT_COUNT 10

static void nameRow(char* name, int question, const char* size)
{
    snprintf(name, WK_ROW_NAME_CAPACITY, "octree/growth/%s%s%s", questions[question].name,
             size[0] != '\0' ? "/" : "", size);
}

// @return nanoseconds for a question; 0: not measured
static double runSize(wkBench* bench, const wkStrategyScene* scene, int question, int size)
{
    wkStrategyQuery query = questions[question].query;
    wkStrategyJob job = {scene, wk_strategyAsk, query, true, REPEAT_COUNT};
    wkRacer racer;
    wkBenchSide side;
    if (!wkRacer_Init(&racer, "whisker", NULL, REPEAT_COUNT) ||
        !wkRacer_Start(&racer, wkOurStrategySide.open(&job, racer.answers), wkOurStrategySide.pass,
                       wkOurStrategySide.close)) {
        bench->wrongCount++;
        return 0.0;
    }
    wkRace(&racer, &side, 1, bench->blockCount);
    char name[WK_ROW_NAME_CAPACITY];
    nameRow(name, question, sizes[size].name);
    wkBenchRow row = wkRaceRow(name, &side, scene->cellCount, bench->blockCount);
    double truth = wkStrategyTruth(scene, query, 0);
    bool isRight = fabs(racer.answers[0] - truth) <= questions[question].tolerance;
    row.wrong = side.changedCount + (isRight ? 0 : 1);
    wkBench_Emit(bench, &row);
    wkRacer_Close(&racer);
    return side.median;
}

// The slope of a line through three points whose places are evenly apart is that of its ends.
static void emitExponent(wkBench* bench, int question, const double times[SIZE_COUNT])
{
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    nameRow(row.name, question, "");
    row.unit = "exponent";
    row.ours = log(times[SIZE_COUNT - 1] / times[0]) / log(64.0);
    row.n = SIZE_COUNT;
    wkBench_Emit(bench, &row);
}

void wkRunStrategyGrowthRows(wkBench* bench)
{
    double times[QUESTION_COUNT][SIZE_COUNT] = {{0.0}};
    bool isWanted[QUESTION_COUNT];
    bool isNeeded = false;
    for (int q = 0; q < QUESTION_COUNT; q++) {
        char name[WK_ROW_NAME_CAPACITY];
        nameRow(name, q, "");
        isWanted[q] = wkBench_Wants(bench, name);
        isNeeded = isNeeded || isWanted[q];
    }
    for (int size = 0; isNeeded && size < SIZE_COUNT; size++) {
        static wkStrategyScene scene;
        if (!wkStrategyScene_MakeCells(&scene, wk_cellsFree, false, sizes[size].growth)) {
            bench->wrongCount++;
        } else {
            for (int q = 0; q < QUESTION_COUNT; q++) {
                times[q][size] = isWanted[q] ? runSize(bench, &scene, q, size) : 0.0;
            }
        }
        wkStrategyScene_Free(&scene);
    }
    for (int q = 0; q < QUESTION_COUNT; q++) {
        if (isWanted[q] && times[q][0] > 0.0 && times[q][SIZE_COUNT - 1] > 0.0) {
            emitExponent(bench, q, times[q]);
        }
    }
}
