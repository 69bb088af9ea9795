// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Random configurations of a robot at a table, checked on a GPU where there is one and on the CPU otherwise: the verdicts
// are the same.

#include <stdio.h>
#include <stdlib.h>
#include <whisker/cuda.h>

#define COUNT 20000

static wkResult addTable(wkRobotScene* scene)
{
    wkShape top = wkMakeBox(0.7, 1.4, 0.04);
    wkRobotObjectDef table = wkDefaultRobotObjectDef();
    table.name = "table";
    table.shapes = &top;
    table.shapeCount = 1;
    table.pose = wkMakePose(0.95, 0.0, 0.62);
    return wkRobotScene_Add(scene, &table);
}

// A copy of a batch on a GPU; NULL, with a message, where there is none.
static wkCudaBatch* copyToGpu(const wkBatch* batch, wkCuda** cuda)
{
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCudaBatchDef def = wkDefaultCudaBatchDef();
    wkCudaBatch* onGpu = NULL;
    wkResult result = wkCuda_Create(&cudaDef, cuda);
    def.cuda = *cuda;
    def.batch = batch;
    if (result != wk_ok || wkCudaBatch_Create(&def, &onGpu) != wk_ok) {
        fprintf(stderr, "on the CPU: %s\n", wkGetLastError());
    }
    return onGpu;
}

int main(void)
{
    wkRobot* robot = NULL;
    wkRobotScene* scene = NULL;
    wkBatch* batch = NULL;
    wkCuda* cuda = NULL;
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    wkBatchDef batchDef = wkDefaultBatchDef(); // with spheres that cover the robot
    wkResult result = wkRobot_CreateBuiltIn(&robot);
    sceneDef.robot = robot;
    result = result == wk_ok ? wkRobotScene_Create(&sceneDef, &scene) : result;
    result = result == wk_ok ? addTable(scene) : result;
    batchDef.scene = scene;
    result = result == wk_ok ? wkBatch_Create(&batchDef, &batch) : result;

    int32_t length = wkRobot_Info(robot).variableCount;
    double* rows = (double*)calloc((size_t)COUNT * (size_t)length, sizeof *rows);
    uint8_t* verdicts = (uint8_t*)calloc(COUNT, 1);
    if (result == wk_ok && rows != NULL && verdicts != NULL) {
        uint64_t seed = 1;
        for (int i = 0; i < COUNT; i++) {
            wkRobot_RandomConfiguration(robot, &seed, rows + (ptrdiff_t)i * length);
        }
        wkCudaBatch* onGpu = copyToGpu(batch, &cuda);
        result = onGpu != NULL ? wkCudaBatch_CheckStates(onGpu, rows, COUNT, NULL, verdicts)
                               : wkBatch_CheckStates(batch, NULL, rows, COUNT, verdicts);
        wkCudaBatch_Destroy(onGpu);
    }
    int counts[8] = {0};
    for (int i = 0; i < COUNT && result == wk_ok && verdicts != NULL; i++) {
        counts[verdicts[i]]++;
    }
    printf("%d configurations: free %d, touching themselves %d, touching the table %d\n", COUNT,
           counts[wk_verdictFree], counts[wk_verdictSelf], counts[wk_verdictWorld]);
    if (result != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
    }

    free(rows);
    free(verdicts);
    wkCuda_Destroy(cuda);
    wkBatch_Destroy(batch);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
    return result == wk_ok ? 0 : 1;
}
