// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// batch/panda/cloud/<points>/<states>: nanoseconds for each configuration of the Panda of 59 spheres among the
// points of a sensor, on one thread. Elsewhere: code that was generated for this robot, with the fastest
// structure that misses no point.
// batch/panda/cloud/<points>/build: a new cloud and a batch that is refreshed to it, for all that was measured
// elsewhere for the structure alone; /first: the same and one configuration.
// cloud/frame: a new frame of 640 x 480 points, without those on the robot, and 1000 configurations.

#include "batch/cloud_case.h"
#include "bench.h"
#include "measure.h"
#include "race.h"

#include <stdlib.h>
#include <string.h>

#define STATE_COUNT 8192
#define FRAME_POINTS (640 * 480)
#define FRAME_STATES 1000

static const struct {
    const char* name;
    int pointCount;
    double elsewhere[2];   // nanoseconds for a configuration: random, along motions; 0: not known
    double most;           // nanoseconds for a configuration
    double buildElsewhere; // nanoseconds; 0: not known
    double mostToBuild;    // nanoseconds
} sizes[] = {
    {"10k", 10000, {0.0, 0.0}, 190.0, 0.0, 0.0},
    {"100k", 100000, {568.0, 568.0}, 190.0, 2.8e6, 5.6e6},
    {"1M", 1000000, {0.0, 0.0}, 190.0, 0.0, 0.0},
};
#define SIZE_COUNT ((int)(sizeof sizes / sizeof *sizes))

typedef struct stateSide {
    wkBatch* batch;
    const double* states;
    int count;
    uint8_t* verdicts;
    uint8_t* first; // of the first pass
    bool hasFirst;
    wkResult result;
} stateSide;

static void passStates(void* context)
{
    stateSide* side = (stateSide*)context;
    wkResult result =
        wkBatch_CheckStates(side->batch, NULL, side->states, side->count, side->verdicts);
    side->result = result != wk_ok ? result : side->result;
    if (!side->hasFirst) {
        memcpy(side->first, side->verdicts, (size_t)side->count);
        side->hasFirst = true;
    }
}

static bool isUnchanged(void* context)
{
    const stateSide* side = (const stateSide*)context;
    return memcmp(side->first, side->verdicts, (size_t)side->count) == 0;
}

static void runStates(wkBench* bench, const char* name, int size, int kind, wkBatchCloudCase* made,
                      wkBatch* batch)
{
    size_t count = (size_t)made->robot.count;
    stateSide ours = {.batch = batch, .states = made->robot.states, .count = made->robot.count};
    ours.verdicts = (uint8_t*)calloc(count, 1);
    ours.first = (uint8_t*)calloc(count, 1);
    if (ours.verdicts != NULL && ours.first != NULL) {
        wkBenchSide side = {.pass = passStates, .context = &ours, .isUnchanged = isUnchanged};
        wkMeasure(&side, 1, made->robot.count, bench->blockCount);
        wkBenchRow row = wkRaceRow(name, &side, made->robot.count, bench->blockCount);
        row.wrong = side.changedCount + wkBatchCloudCase_Wrong(made, ours.verdicts) +
                    (ours.result != wk_ok ? 1 : 0);
        row.paper = sizes[size].elsewhere[kind];
        row.most = sizes[size].most;
        wkBench_Emit(bench, &row);
    }
    free(ours.verdicts);
    free(ours.first);
}

// A frame of the sensor: a new cloud, a batch that knows it, and some configurations.
typedef struct frameSide {
    wkBatchCloudCase* made;
    wkBatch* batch;
    bool isFiltered; // the robot's own points are removed
    int stateCount;
    uint8_t* verdicts;
    long failedCount;
} frameSide;

static void passFrame(void* context)
{
    frameSide* side = (frameSide*)context;
    bool isDone = wkBatchCloudCase_Renew(side->made, side->isFiltered) &&
                  wkBatch_Refresh(side->batch) == wk_ok;
    if (isDone && side->stateCount > 0) {
        isDone = wkBatch_CheckStates(side->batch, NULL, side->made->robot.states, side->stateCount,
                                     side->verdicts) == wk_ok;
    }
    side->failedCount += isDone ? 0 : 1;
}

static void runFrame(wkBench* bench, const char* name, wkBatchCloudCase* made, wkBatch* batch,
                     bool isFiltered, int stateCount, double elsewhere, double most)
{
    frameSide ours = {made, batch, isFiltered, stateCount, NULL, 0};
    ours.verdicts = (uint8_t*)calloc((size_t)made->robot.count, 1);
    if (ours.verdicts == NULL) {
        bench->wrongCount++;
        return;
    }
    wkBenchSide side = {.pass = passFrame, .context = &ours};
    wkMeasure(&side, 1, 1, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &side, stateCount > 0 ? stateCount : 1, bench->blockCount);
    row.wrong = ours.failedCount;
    if (stateCount == made->robot.count) {
        row.wrong += wkBatchCloudCase_Wrong(made, ours.verdicts);
    }
    row.paper = elsewhere;
    row.most = most;
    wkBench_Emit(bench, &row);
    free(ours.verdicts);
}

// Opens a case and a batch for it; false with a message.
static bool openCase(wkBench* bench, const char* name, int pointCount, int stateCount,
                     wkBatchCloudCase* made, wkBatch** batch)
{
    if (!wkBatchCloudCase_Open(made, pointCount, stateCount)) {
        fprintf(stderr, "%s: left out: %s\n", name, wkGetLastError());
        return false;
    }
    wkBatchDef def = wkBatchCase_Def(&made->robot);
    if (wkBatch_Create(&def, batch) != wk_ok) {
        fprintf(stderr, "%s: %s\n", name, wkGetLastError());
        wkBatchCloudCase_Close(made);
        bench->wrongCount++;
        return false;
    }
    return true;
}

enum {
    randomRow,
    motionRow,
    buildRow,
    firstRow,
    rowKindCount,
};
static const char* const rowNames[rowKindCount] = {"random", "motion", "build", "first"};

static void runSize(wkBench* bench, int size)
{
    char names[rowKindCount][WK_ROW_NAME_CAPACITY];
    bool isWanted[rowKindCount], wantsAny = false;
    for (int i = 0; i < rowKindCount; i++) {
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "batch/panda/cloud/%s/%s", sizes[size].name, rowNames[i]);
        wkBench_NameVectorRow(bench, name, names[i]);
        isWanted[i] = wkBench_Wants(bench, names[i]);
        wantsAny = wantsAny || isWanted[i];
    }
    wkBatchCloudCase made;
    wkBatch* batch = NULL;
    if (!wantsAny ||
        !openCase(bench, names[0], sizes[size].pointCount, STATE_COUNT, &made, &batch)) {
        return;
    }
    if (isWanted[motionRow]) {
        wkBatchCase_DrawMotions(&made.robot);
        runStates(bench, names[motionRow], size, 1, &made, batch);
    }
    wkBatchCase_DrawStates(&made.robot);
    if (isWanted[randomRow]) {
        runStates(bench, names[randomRow], size, 0, &made, batch);
    }
    for (int i = buildRow; i <= firstRow; i++) {
        if (isWanted[i]) {
            runFrame(bench, names[i], &made, batch, false, i == firstRow ? 1 : 0,
                     sizes[size].buildElsewhere, sizes[size].mostToBuild);
        }
    }
    wkBatch_Destroy(batch);
    wkBatchCloudCase_Close(&made);
}

static void runCloudFrame(wkBench* bench)
{
    const char* name = "cloud/frame";
    wkBatchCloudCase made;
    wkBatch* batch = NULL;
    if (bench->isa == NULL && wkBench_Wants(bench, name) &&
        openCase(bench, name, FRAME_POINTS, FRAME_STATES, &made, &batch)) {
        wkBatchCase_DrawStates(&made.robot);
        runFrame(bench, name, &made, batch, true, FRAME_STATES, 0.0, 12e6);
        wkBatch_Destroy(batch);
        wkBatchCloudCase_Close(&made);
    }
}

void wkRunBatchCloudRows(wkBench* bench)
{
    for (int size = 0; size < SIZE_COUNT; size++) {
        runSize(bench, size);
    }
    runCloudFrame(bench);
}
