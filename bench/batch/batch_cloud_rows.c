// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// batch/panda/cloud/<points>/<states>: nanoseconds for each configuration of the Panda of 59 spheres among the
// points of a sensor, on one thread. Elsewhere: code that was generated for this robot, with the fastest
// structure that misses no point.
// batch/panda/cloud/<points>/build: a new cloud and a batch that is refreshed to it, for all that was measured
// elsewhere for the structure alone; /first: the same and one configuration.
// batch/panda/cloud/beside: a new cloud of 10,000 points and a refresh, beside 300,000 points that stay; elsewhere is the
// same without those that stay.
// cloud/frame: a new frame of 640 x 480 points in a live stream, without those on the robot, published, and 1000
// configurations.

#include "batch/cloud_case.h"
#include "batch/state_side.h"
#include "bench.h"
#include "measure.h"
#include "race.h"

#include <stdlib.h>

#define STATE_COUNT 8192
#define FRAME_POINTS (640 * 480)
#define FRAME_STATES 1000
#define BESIDE_POINTS 10000
#define STATIC_POINTS 300000
#define STATIC_SEED 72u
#define MOST_BESIDE 1.5 // times a refresh without the points that stay

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

static void runStates(wkBench* bench, const char* name, int size, int kind, wkBatchCloudCase* made,
                      wkBatch* batch)
{
    wkStateSide ours;
    if (wkStateSide_Open(&ours, made->robot.states, made->robot.count, 1)) {
        ours.batch = batch;
        wkBenchSide side = {
            .pass = wkPassStates, .context = &ours, .isUnchanged = wkAreVerdictsUnchanged};
        wkMeasure(&side, 1, made->robot.count, bench->blockCount);
        wkBenchRow row = wkRaceRow(name, &side, made->robot.count, bench->blockCount);
        row.wrong = side.changedCount + wkBatchCloudCase_Wrong(made, ours.verdicts) +
                    (ours.result != wk_ok ? 1 : 0);
        row.paper = sizes[size].elsewhere[kind];
        row.most = sizes[size].most;
        wkBench_Emit(bench, &row);
    }
    wkStateSide_Close(&ours);
}

// A frame of the sensor: a new cloud, a batch that knows it, and some configurations.
typedef struct frameSide {
    wkBatchCloudCase* made;
    wkBatch* batch;
    int stateCount;
    uint8_t* verdicts;
    long failedCount;
} frameSide;

static void passFrame(void* context)
{
    frameSide* side = (frameSide*)context;
    bool isDone = side->made->stream != NULL ? wkBatchCloudCase_Push(side->made)
                                             : wkBatchCloudCase_Renew(side->made);
    isDone = isDone && wkBatch_Refresh(side->batch) == wk_ok;
    if (isDone && side->stateCount > 0) {
        isDone = wkBatch_CheckStates(side->batch, NULL, side->made->robot.states, side->stateCount,
                                     side->verdicts) == wk_ok;
    }
    side->failedCount += isDone ? 0 : 1;
}

static void runFrame(wkBench* bench, const char* name, wkBatchCloudCase* made, wkBatch* batch,
                     int stateCount, double elsewhere, double most)
{
    frameSide ours = {made, batch, stateCount, NULL, 0};
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
            runFrame(bench, names[i], &made, batch, i == firstRow ? 1 : 0,
                     sizes[size].buildElsewhere, sizes[size].mostToBuild);
        }
    }
    wkBatch_Destroy(batch);
    wkBatchCloudCase_Close(&made);
}

// Puts a cloud into the scene that stays there.
static wkCloud* addStatic(wkBatchCloudCase* made)
{
    float* points = (float*)calloc(3 * (size_t)STATIC_POINTS, sizeof(float));
    wkCloud* cloud = NULL;
    if (points != NULL) {
        wkDrawCloud(STATIC_POINTS, STATIC_SEED, points);
        wkCloudDef def = wkDefaultCloudDef();
        def.points.data = points;
        def.points.count = STATIC_POINTS;
        def.radius = made->radius;
        wkShape shape;
        wkRobotObjectDef object = wkDefaultRobotObjectDef();
        object.name = "static";
        object.shapes = &shape;
        object.shapeCount = 1;
        if (wkCloud_Create(&def, &cloud) == wk_ok) {
            shape = wkMakeCloud(cloud);
            (void)wkRobotScene_Add(made->robot.scene, &object);
        }
    }
    free(points);
    return cloud;
}

// The frames of two cases in turn, of which one has points that stay.
static void raceBeside(wkBench* bench, const char* name, frameSide frames[2])
{
    wkBenchSide sides[2] = {{.pass = passFrame, .context = &frames[0]},
                            {.pass = passFrame, .context = &frames[1]}};
    wkMeasure(sides, 2, 1, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &sides[0], 1, bench->blockCount);
    wkBenchRow alone = wkRaceRow(name, &sides[1], 1, bench->blockCount);
    row.wrong = frames[0].failedCount + frames[1].failedCount;
    row.paper = alone.ours;
    row.most = MOST_BESIDE * alone.ours;
    wkBench_Emit(bench, &row);
}

static void runBeside(wkBench* bench)
{
    const char* name = "batch/panda/cloud/beside";
    wkBatchCloudCase made[2];
    wkBatch* batches[2] = {NULL, NULL};
    if (bench->isa != NULL || !wkBench_Wants(bench, name) ||
        !openCase(bench, name, BESIDE_POINTS, 1, &made[0], &batches[0])) {
        return;
    }
    if (openCase(bench, name, BESIDE_POINTS, 1, &made[1], &batches[1])) {
        wkCloud* cloud = addStatic(&made[0]);
        if (cloud != NULL && wkBatch_Refresh(batches[0]) == wk_ok) {
            frameSide frames[2] = {{made, batches[0], 0, NULL, 0},
                                   {made + 1, batches[1], 0, NULL, 0}};
            raceBeside(bench, name, frames);
        } else {
            fprintf(stderr, "%s: %s\n", name, wkGetLastError());
            bench->wrongCount++;
        }
        wkBatch_Destroy(batches[1]);
        wkBatchCloudCase_Close(&made[1]);
        wkBatch_Destroy(batches[0]);
        batches[0] = NULL;
        wkBatchCloudCase_Close(&made[0]);
        wkCloud_Destroy(cloud);
    } else {
        wkBatch_Destroy(batches[0]);
        wkBatchCloudCase_Close(&made[0]);
    }
}

static void runCloudFrame(wkBench* bench)
{
    const char* name = "cloud/frame";
    wkBatchCloudCase made;
    wkBatch* batch = NULL;
    if (bench->isa == NULL && wkBench_Wants(bench, name) &&
        openCase(bench, name, FRAME_POINTS, FRAME_STATES, &made, &batch)) {
        wkBatchCase_DrawStates(&made.robot);
        if (wkBatchCloudCase_OpenStream(&made)) {
            runFrame(bench, name, &made, batch, FRAME_STATES, 0.0, 12e6);
        } else {
            fprintf(stderr, "%s: %s\n", name, wkGetLastError());
            bench->wrongCount++;
        }
        wkBatch_Destroy(batch);
        wkBatchCloudCase_Close(&made);
    }
}

void wkRunBatchCloudRows(wkBench* bench)
{
    for (int size = 0; size < SIZE_COUNT; size++) {
        runSize(bench, size);
    }
    runBeside(bench);
    runCloudFrame(bench);
}
