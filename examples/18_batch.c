// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Batches: checks many configurations and motions at once with a sphere model of the robot, one configuration
// in each SIMD lane, and computes clearances.

#include "whisker/whisker.h"

#include <stdio.h>
#include <time.h>

#define COUNT 20000
#define MOTIONS 1000

static double configurations[COUNT * 16];
static uint8_t verdicts[COUNT];
static float clearances[COUNT];
static wkBatchMotionResult results[MOTIONS];

static const struct {
    const char* name;
    double x, y, z, sizeX, sizeY, sizeZ;
} boxes[] = {
    {"table", 0.88, 0.0, 0.72, 0.72, 1.50, 0.04},
    {"crate", 0.98, 0.48, 0.84, 0.24, 0.18, 0.20},
    {"books", 0.96, -0.46, 0.79, 0.24, 0.17, 0.10},
    {"shelf", 0.0, 1.95, 0.90, 1.24, 0.34, 1.80},
};

static wkResult furnish(wkRobotScene* scene)
{
    wkResult result = wk_ok;
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0] && result == wk_ok; i++) {
        wkShape shape = wkMakeBox(boxes[i].sizeX, boxes[i].sizeY, boxes[i].sizeZ);
        wkRobotObjectDef def = wkDefaultRobotObjectDef();
        def.name = boxes[i].name;
        def.shapes = &shape;
        def.shapeCount = 1;
        def.pose = wkMakePose(boxes[i].x, boxes[i].y, boxes[i].z);
        result = wkRobotScene_Add(scene, &def);
    }
    return result;
}

static void checkStates(const wkBatch* batch)
{
    int counts[wk_verdictInvalid + 1] = {0};
    clock_t start = clock();
    wkBatch_CheckStates(batch, NULL, configurations, COUNT, verdicts);
    double time = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC;
    for (int i = 0; i < COUNT; i++) {
        counts[verdicts[i]]++;
    }
    printf("%d configurations in %.1f ms:\n", COUNT, time);
    printf("%d are free, in %d the robot touches itself, in %d something else\n",
           counts[wk_verdictFree], counts[wk_verdictSelf], counts[wk_verdictWorld]);
}

// Distances are lower bounds: the robot is at least this far from obstacles.
static void measure(const wkBatch* batch)
{
    int count = 0;
    wkBatch_Clearances(batch, NULL, configurations, COUNT, 0.1, clearances);
    for (int i = 0; i < COUNT; i++) {
        count += clearances[i] >= 0.01f ? 1 : 0;
    }
    printf("%d keep 1 cm from everything\n", count);
}

// From each configuration to the next: free means free at every instant.
static void checkMotions(const wkBatch* batch, int variableCount)
{
    int count = 0;
    wkBatch_CheckMotions(batch, NULL, configurations, configurations + variableCount, MOTIONS, NULL,
                         results);
    for (int i = 0; i < MOTIONS; i++) {
        count += results[i].verdict == wk_verdictFree ? 1 : 0;
    }
    printf("%d of %d motions between them are certified to be free\n", count, MOTIONS);
}

int main(void)
{
    wkRobot* robot = NULL;
    wkRobotScene* scene = NULL;
    wkBatch* batch = NULL;
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    wkBatchDef def = wkDefaultBatchDef(); // spheres that stick out by 2 cm at most are fitted
    int status = 1;
    if (wkRobot_CreateBuiltIn(&robot) != wk_ok) {
        goto cleanup;
    }
    sceneDef.robot = robot;
    if (wkRobotScene_Create(&sceneDef, &scene) != wk_ok || furnish(scene) != wk_ok) {
        goto cleanup;
    }
    def.scene = scene;
    if (wkBatch_Create(&def, &batch) != wk_ok) {
        goto cleanup;
    }
    uint64_t seed = 1;
    int variableCount = wkBatch_Info(batch).variableCount;
    for (int i = 0; i < COUNT; i++) {
        wkRobot_RandomConfiguration(robot, &seed, configurations + i * variableCount);
    }
    checkStates(batch);
    measure(batch);
    checkMotions(batch, variableCount);
    status = 0;

cleanup:
    if (status != 0) {
        fprintf(stderr, "%s\n", wkGetLastError());
    }
    wkBatch_Destroy(batch);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
    return status;
}
