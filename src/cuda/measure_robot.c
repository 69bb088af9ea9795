// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Costs of an example: the built-in robot among boxes, and points around it.

#include "cuda/cost_line.h"

#include "base/random.h"
#include "whisker/detail/library.h"
#include "whisker/sphere_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Boxes around the robot, on a spiral.
#define BOX_COUNT 100
#define BOX_EDGE 0.12
#define GOLDEN_ANGLE 2.399963229728653

// Spheres of the robot, and those of trees of its links: metres, and numbers.
#define ACCURACY 0.05
#define TREE_ACCURACY 0.1
#define INNER_COUNT 100
#define MAX_LINKS 32

// Items of the longest run.
#define STATE_COUNT (1 << 18)
#define POINT_COUNT (1 << 20)

// Metres from the robot's root within which points are.
#define POINT_REACH 1.5

typedef struct example {
    wkCuda* cuda;
    const wkCudaCostsDef* def;
    wkRobot* robot;
    wkRobotState* state;
    wkRobotScene* scene;
    wkSphereModel* model;
    wkBatch* batch;
    wkSphereTree* trees[MAX_LINKS];
    wkPlacedSphereTree placed[MAX_LINKS];
} example;

static wkResult addBoxes(wkRobotScene* scene)
{
    wkShape box = wkMakeBox(BOX_EDGE, BOX_EDGE, BOX_EDGE);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    char name[32];
    def.name = name;
    def.shapes = &box;
    def.shapeCount = 1;
    wkResult result = wk_ok;
    for (int i = 0; i < BOX_COUNT && result == wk_ok; ++i) {
        double share = (i + 0.5) / BOX_COUNT, angle = GOLDEN_ANGLE * i;
        double r = 0.6 + 0.7 * share;
        snprintf(name, sizeof name, "box %d", i);
        def.pose = wkMakePose(r * cos(angle), r * sin(angle), 0.1 + 1.6 * fmod(7.3 * share, 1.0));
        result = wkRobotScene_Add(scene, &def);
    }
    return result;
}

static wkResult makeBatch(example* e)
{
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = e->robot;
    wkResult result = wkRobotScene_Create(&sceneDef, &e->scene);
    result = result == wk_ok ? addBoxes(e->scene) : result;
    wkSphereFitDef fitDef = wkDefaultSphereFitDef();
    fitDef.accuracy = ACCURACY;
    fitDef.parallel = e->def->parallel;
    result = result == wk_ok ? wkSphereModel_Fit(e->robot, &fitDef, &e->model) : result;
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = e->scene;
    def.spheres = e->model;
    def.exactness = wk_exactnessSpheres;
    def.checksSelf = false;
    def.parallel = e->def->parallel;
    return result == wk_ok ? wkBatch_Create(&def, &e->batch) : result;
}

static wkResult measureStates(example* e, wkCudaRobotCosts* costs)
{
    wkResult result = makeBatch(e);
    if (result != wk_ok) {
        return result;
    }
    size_t length = (size_t)wkRobot_Info(e->robot).variableCount;
    size_t byteCount = STATE_COUNT * length * sizeof(double);
    wkCudaBatchDef def = wkDefaultCudaBatchDef();
    wkCudaBatch* onGpu = NULL;
    void* pinned = NULL;
    def.cuda = e->cuda;
    def.batch = e->batch;
    def.pieceCount = STATE_COUNT;
    def.motionCount = 0;
    result = wkCudaBatch_Create(&def, &onGpu);
    result = result == wk_ok ? wkCuda_AllocatePinned(e->cuda, byteCount, &pinned) : result;
    if (result == wk_ok) {
        double* rows = (double*)pinned;
        uint64_t seed = 1;
        for (size_t i = 0; i < STATE_COUNT; ++i) {
            wkRobot_RandomConfiguration(e->robot, &seed, rows + i * length);
        }
        costs->sphereCount = wkSphereModel_Info(e->model).sphereCount;
        costs->boxCount = BOX_COUNT;
        result = wkCudaBatch_MeasureCosts(onGpu, rows, STATE_COUNT, e->def, &costs->states);
    }
    wkCuda_ReleasePinned(e->cuda, pinned);
    wkCudaBatch_Destroy(onGpu);
    return result;
}

// Makes the trees of all links with bodies, where they are in the first state.
static wkResult makeTrees(example* e, wkCudaRobotCosts* costs)
{
    wkSphereTreeDef def = wkDefaultSphereTreeDef();
    def.innerCount = INNER_COUNT;
    def.outerAccuracy = TREE_ACCURACY;
    def.parallel = e->def->parallel;
    wkResult result = wkRobotState_Create(e->robot, &e->state);
    int32_t linkCount = wkRobot_Info(e->robot).linkCount;
    for (int32_t link = 0; link < linkCount && result == wk_ok; ++link) {
        wkSphereTree** tree = &e->trees[costs->treeCount];
        result = wkSphereTree_CreateForLink(e->robot, link, &def, tree);
        if (*tree != NULL) {
            wkSphereTreeInfo info = wkSphereTree_Info(*tree);
            costs->treeSpheres += info.innerCount + info.outerCount;
            e->placed[costs->treeCount++] =
                (wkPlacedSphereTree){.tree = *tree, .pose = wkRobotState_LinkPose(e->state, link)};
        }
    }
    return result;
}

static void drawPoints(float* points)
{
    uint64_t seed = 2;
    for (size_t i = 0; i < (size_t)3 * POINT_COUNT; ++i) {
        points[i] = (float)(POINT_REACH * (2.0 * wkNextShare(&seed) - 1.0));
    }
}

static wkResult measurePoints(example* e, wkCudaRobotCosts* costs)
{
    wkResult result = makeTrees(e, costs);
    if (result != wk_ok) {
        return result;
    }
    wkCudaTreesDef def = wkDefaultCudaTreesDef();
    wkCudaTrees* onGpu = NULL;
    void* pinned = NULL;
    def.cuda = e->cuda;
    def.trees = (const wkSphereTree* const*)e->trees;
    def.treeCount = costs->treeCount;
    result = wkCudaTrees_Create(&def, &onGpu);
    size_t byteCount = 3 * (size_t)POINT_COUNT * sizeof(float);
    result = result == wk_ok ? wkCuda_AllocatePinned(e->cuda, byteCount, &pinned) : result;
    if (result == wk_ok) {
        drawPoints((float*)pinned);
        wkCloudView points = wkMakeCloudView(pinned, POINT_COUNT);
        wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
        request.parallel = e->def->parallel;
        result = wkCudaTrees_MeasureCosts(onGpu, e->placed, costs->treeCount, &points,
                                          wkIdentityPose(), &request, e->def, &costs->points);
    }
    wkCuda_ReleasePinned(e->cuda, pinned);
    wkCudaTrees_Destroy(onGpu);
    return result;
}

static void closeExample(example* e)
{
    for (int i = 0; i < MAX_LINKS; ++i) {
        wkSphereTree_Destroy(e->trees[i]);
    }
    wkBatch_Destroy(e->batch);
    wkSphereModel_Destroy(e->model);
    wkRobotScene_Destroy(e->scene);
    wkRobotState_Destroy(e->state);
    wkRobot_Destroy(e->robot);
}

wkResult wkCuda_MeasureRobotCosts(wkCuda* cuda, const wkCudaCostsDef* def, wkCudaRobotCosts* costs)
{
    if (costs == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda costs: costs is NULL");
    }
    memset(costs, 0, sizeof *costs);
    if (cuda == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda costs: cuda is NULL");
    }
    wkCudaCostsDef defaults;
    wkResult result = wkTakeCostsDef(&def, &defaults);
    if (result != wk_ok) {
        return result;
    }
    example e = {.cuda = cuda, .def = def};
    result = wkRobot_CreateBuiltIn(&e.robot);
    result = result == wk_ok ? measureStates(&e, costs) : result;
    result = result == wk_ok ? measurePoints(&e, costs) : result;
    closeExample(&e);
    if (result != wk_ok) {
        memset(costs, 0, sizeof *costs);
    }
    return result;
}
