// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// icra12/table5/<obstacles>/{first,all}: the PR2 in random configurations among a hundred obstacles of
// one type, as in the table of the paper (ICRA 2012). Every question moves all bodies and renews the
// broad phase; where the links are was found before. The robot is not checked against itself.

#include "mean.h"
#include "robot/robot_compare.h"

#include <stdlib.h>
#include <string.h>

#define MAX_COUNT 1000
#define OBSTACLE_COUNT 100
#define BAR 3.0
#define MEAN_BAR 4.0
#define TASK_COUNT 2

static const struct {
    const char* name;
    wkObstacleKind kind;
} obstacles[] = {
    {"boxes", wk_obstacleBox},
    {"spheres", wk_obstacleSphere},
    {"cylinders", wk_obstacleCylinder},
    {"meshes", wk_obstacleMesh},
};
#define KIND_COUNT ((int)(sizeof obstacles / sizeof *obstacles))

static const struct {
    const char* name;
    wkRobotTask task;
} tasks[TASK_COUNT] = {{"first", wk_robotFirst}, {"all", wk_robotAll}};

typedef struct tableRun {
    wkBench* bench;
    wkRobotCase pr2;
    wkMeanTable means[TASK_COUNT];
} tableRun;

static void nameRow(char* name, const char* kind, int task)
{
    snprintf(name, WK_ROW_NAME_CAPACITY, "icra12/table5/%s/%s", kind, tasks[task].name);
}

// Into the mean goes the fastest peer of each row.
static void addFastest(wkMeanTable* table, const wkComparison* comparison)
{
    const wkBenchRow* fastest = &comparison->rows[0];
    for (int i = 1; i < comparison->rowCount; i++) {
        const wkBenchRow* row = &comparison->rows[i];
        fastest = row->ratio < fastest->ratio ? row : fastest;
    }
    wkBenchRow row = *fastest;
    row.peer = row.peer != NULL ? "fastest" : NULL;
    wkAddToMean(table, &row);
}

static void runTask(tableRun* run, int kind, int task)
{
    char name[WK_ROW_NAME_CAPACITY];
    nameRow(name, obstacles[kind].name, task);
    wkPeerRobotJob job = {&run->pr2, tasks[task].task, NULL, 0};
    wkComparison comparison;
    if (!wkCompareRobots(run->bench, name, &job, &comparison)) {
        run->bench->wrongCount++;
        return;
    }
    for (int i = 0; i < comparison.rowCount; i++) {
        comparison.rows[i].bar = comparison.rows[i].peer != NULL ? BAR : 0.0;
    }
    wkEmitComparison(run->bench, &comparison);
    addFastest(&run->means[task], &comparison);
}

static void runKind(tableRun* run, int kind, const bool isWanted[TASK_COUNT])
{
    const wkSurround surround = {obstacles[kind].kind, OBSTACLE_COUNT, 1.6, 2.2, 0.75};
    // a pass of the slowest peer takes milliseconds for each
    int count = run->bench->itemCount >= MAX_COUNT ? MAX_COUNT : run->bench->itemCount / 2;
    bool isOpen = run->pr2.robot != NULL || wkRobotCase_Open(&run->pr2, "pr2", count);
    if (!isOpen || !wkRobotCase_Surround(&run->pr2, &surround)) {
        run->bench->wrongCount++;
        return;
    }
    for (int task = 0; task < TASK_COUNT; task++) {
        if (isWanted[task]) {
            runTask(run, kind, task);
        }
    }
}

void wkRunTable5Rows(wkBench* bench)
{
    tableRun* run = (tableRun*)calloc(1, sizeof *run);
    if (run == NULL) {
        return;
    }
    run->bench = bench;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        char name[WK_ROW_NAME_CAPACITY];
        bool isWanted[TASK_COUNT], isNeeded = false;
        for (int task = 0; task < TASK_COUNT; task++) {
            nameRow(name, obstacles[kind].name, task);
            isWanted[task] = wkBench_Wants(bench, name);
            isNeeded = isNeeded || isWanted[task];
        }
        if (isNeeded) {
            runKind(run, kind, isWanted);
        }
    }
    for (int task = 0; task < TASK_COUNT; task++) {
        char name[WK_ROW_NAME_CAPACITY];
        nameRow(name, "geomean", task);
        if (wkBench_Wants(bench, name) && run->means[task].count > 0) {
            wkEmitMeans(bench, name, &run->means[task], MEAN_BAR);
        }
    }
    wkRobotCase_Close(&run->pr2);
    free(run);
}
