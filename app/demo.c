// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Construction of the demo, and functions shared by its stages.

#include "demo.h"

#include "whisker/detail/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESOLUTION 0.025 // edge of a cell
#define DOUBTFUL 0.3     // probability from which an occupied cell adds to the cost

wkResult wkDemo_OutOfMemory(void)
{
    return wkSetLastError(wk_errorMemory, "demo: out of memory");
}

void wkDemo_ApplyState(const wkDemo* demo, const char* name, double* q)
{
    wkRobotInfo info = wkRobot_Info(demo->robot);
    for (int32_t i = 0; i < info.stateCount; i++) {
        if (strcmp(wkRobot_NamedState(demo->robot, i).name, name) == 0) {
            wkRobot_ApplyNamedState(demo->robot, i, q);
        }
    }
}

double* wkDemo_MakeConfigurations(const wkDemo* demo, int count)
{
    size_t length = (size_t)wkRobot_Info(demo->robot).variableCount;
    return calloc((size_t)count * length + 1, sizeof(double));
}

static size_t pixelsOf(const wkCamera* camera)
{
    return (size_t)camera->width * (size_t)camera->height;
}

static bool reserve(wkDemo* demo)
{
    const wkDemoSize* size = &demo->size;
    demo->view = wkDefaultDepthImage();
    demo->depths = malloc(pixelsOf(&demo->view.camera) * sizeof *demo->depths);
    demo->view.pixels = demo->depths;
    demo->view.type = wk_depthFloat;
    demo->view.scale = 1.0;
    demo->configurations = wkDemo_MakeConfigurations(demo, size->stateCount);
    demo->verdicts = calloc((size_t)size->stateCount + 1, sizeof *demo->verdicts);
    demo->shown.q0 = wkDemo_MakeConfigurations(demo, 1);
    demo->shown.q1 = wkDemo_MakeConfigurations(demo, 1);
    const int counts[wk_demoStageCount] = {[wk_demoCamera] = size->viewCount,
                                           [wk_demoMap] = size->viewCount,
                                           [wk_demoStates] = size->stateCount,
                                           [wk_demoClearance] = size->clearanceCount,
                                           [wk_demoMotions] = size->motionCount};
    bool hasCapacity = demo->depths != NULL && demo->configurations != NULL &&
                       demo->verdicts != NULL && demo->shown.q0 != NULL && demo->shown.q1 != NULL;
    for (int i = 0; i < wk_demoStageCount && hasCapacity; i++) {
        hasCapacity = wkSamples_Reserve(&demo->stages[i].samples, (size_t)counts[i] + 1);
    }
    return hasCapacity;
}

// Allows contact of the base with the floor, which is a part of the map.
static wkResult letBaseStand(wkDemo* demo)
{
    wkAllowed* allowed = NULL;
    wkResult result = wkAllowed_Copy(wkRobotScene_Allowed(demo->scene), &allowed);
    for (int32_t i = 0; i < wkRobot_Info(demo->robot).linkCount && result == wk_ok; i++) {
        if (demo->isStatic[i]) {
            result = wkAllowed_Set(allowed, wkRobot_Link(demo->robot, i).name, WK_DEMO_MAP,
                                   wk_ruleAllowed);
        }
    }
    if (result == wk_ok) {
        result = wkRobotScene_SetAllowed(demo->scene, allowed);
    }
    wkAllowed_Destroy(allowed);
    return result;
}

static wkResult makeRobotScene(wkDemo* demo)
{
    wkResult result = wkRobotState_Create(demo->robot, &demo->state);
    if (result == wk_ok) {
        wkRobotSceneDef def = wkDefaultRobotSceneDef();
        def.robot = demo->robot;
        result = wkRobotScene_Create(&def, &demo->scene);
    }
    size_t linkCount = (size_t)wkRobot_Info(demo->robot).linkCount;
    demo->isStatic = calloc(linkCount + 1, sizeof *demo->isStatic);
    demo->linkPoses = calloc(linkCount + 1, sizeof *demo->linkPoses);
    demo->ready = wkDemo_MakeConfigurations(demo, 1);
    bool hasMemory = demo->isStatic != NULL && demo->linkPoses != NULL && demo->ready != NULL;
    return result == wk_ok && !hasMemory ? wkDemo_OutOfMemory() : result;
}

static wkResult create(wkDemo* demo)
{
    wkResult result = demo->isBuiltIn ? wkRobot_CreateBuiltIn(&demo->robot) : wk_ok;
    if (result == wk_ok) {
        result = makeRobotScene(demo);
    }
    if (result == wk_ok) {
        result = wkDemo_PlaceRobot(demo);
    }
    if (result == wk_ok) {
        result = wkRoom_Create(&demo->room, demo->scale, demo->pedestal);
    }
    if (result == wk_ok) {
        wkOctreeDef def = wkDefaultOctreeDef();
        def.resolution = RESOLUTION * demo->scale;
        result = wkOctree_Create(&def, &demo->map);
    }
    if (result == wk_ok) {
        wkCostDef def = wkDefaultCostDef();
        def.minProbability = DOUBTFUL;
        result = wkCost_Create(&def, &demo->cost);
    }
    return result == wk_ok ? letBaseStand(demo) : result;
}

wkResult wkDemo_Create(wkDemo* demo, const wkDemoSize* size, wkRobot* robot, const char* robotPath)
{
    static const char* const names[wk_demoStageCount] = {
        [wk_demoRoom] = "room",     [wk_demoCamera] = "camera",       [wk_demoMap] = "map",
        [wk_demoStates] = "states", [wk_demoClearance] = "clearance", [wk_demoMotions] = "motions",
        [wk_demoCost] = "cost",     [wk_demoPictures] = "pictures"};
    memset(demo, 0, sizeof *demo);
    demo->size = *size;
    demo->robot = robot;
    demo->isBuiltIn = robot == NULL;
    demo->robotPath = robotPath;
    for (int i = 0; i < wk_demoStageCount; i++) {
        demo->stages[i].name = names[i];
    }
    double start = wkNow();
    wkResult result = create(demo);
    if (result == wk_ok && !reserve(demo)) {
        result = wkDemo_OutOfMemory();
    }
    if (result != wk_ok) {
        wkDemo_Destroy(demo);
        return result;
    }
    wkRobotInfo info = wkRobot_Info(demo->robot);
    wkDemoStage* stage = &demo->stages[wk_demoRoom];
    stage->seconds = wkNow() - start;
    snprintf(stage->words, sizeof stage->words,
             "%d objects; %.40s: %d links, %d bodies, %d variables", demo->room.count, info.name,
             info.linkCount, info.bodyCount, info.variableCount);
    return wk_ok;
}

void wkDemo_Destroy(wkDemo* demo)
{
    wkCost_Destroy(demo->cost);
    wkRobotScene_Destroy(demo->scene);
    wkRobotState_Destroy(demo->state);
    wkOctree_Destroy(demo->map);
    wkRobot_Destroy(demo->robot);
    wkRoom_Destroy(&demo->room);
    free(demo->depths);
    free(demo->configurations);
    free(demo->verdicts);
    free(demo->shown.q0);
    free(demo->shown.q1);
    free(demo->isStatic);
    free(demo->linkPoses);
    free(demo->ready);
    for (int i = 0; i < wk_demoStageCount; i++) {
        wkSamples_Free(&demo->stages[i].samples);
    }
    memset(demo, 0, sizeof *demo);
}
