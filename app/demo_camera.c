// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The built-in robot rotates the camera on its head; around another robot, cameras are fixed in the room.
// Their depth images are inserted into a map.

#include "demo.h"
#include "vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RANGE 4.5 // range limit of pixel rays

// Adds the robot's own body, which the camera observes in front of the room.
static wkResult addRobot(wkDemo* demo, wkScene* scene, wkObjectId* ids)
{
    wkResult result = wk_ok;
    for (int32_t i = 0; i < wkRobot_Info(demo->robot).bodyCount && result == wk_ok; i++) {
        wkBodyInfo body = wkRobot_Body(demo->robot, i);
        wkObjectDef def = wkDefaultObjectDef();
        def.shape = *body.shape;
        def.user = demo->robot;
        // the camera does not occlude itself
        bool isCamera = strstr(wkRobot_Link(demo->robot, body.link).name, "camera") != NULL;
        if (!isCamera) {
            result = wkScene_Add(scene, &def, &ids[i]);
        }
    }
    return result;
}

static void removeRobot(wkScene* scene, const wkObjectId* ids, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (!wkObjectId_IsNull(ids[i])) {
            wkScene_Remove(scene, ids[i]);
        }
    }
}

// Rotates the head: the views cover the room from left to right, low and high alternately, and the last one
// is directed at the table.
static wkResult turnHead(wkDemo* demo, int view, double* q)
{
    wkRobot_DefaultConfiguration(demo->robot, q);
    wkDemo_ApplyState(demo, "tucked", q);
    int32_t head = wkRobot_FindGroup(demo->robot, "head");
    wkGroupInfo group = wkRobot_Group(demo->robot, head);
    int others = demo->size.viewCount - 1;
    if (group.variableCount >= 2) {
        double share = view < others && others > 1 ? (double)view / (others - 1) : 0.5;
        q[group.variables[0]] = 1.9 * (2.0 * share - 1.0);
        q[group.variables[1]] = view == others || view % 2 == 0 ? 0.62 : 0.18;
    }
    wkRobot_ClampConfiguration(demo->robot, q);
    wkResult result = wkRobotState_Set(demo->state, demo->base, q);
    demo->view.pose =
        wkRobotState_LinkPose(demo->state, wkRobot_FindLink(demo->robot, "head_camera"));
    return result;
}

// Returns the pose of a camera at `eye` directed at a point, in its optical frame.
static wkPose aimCamera(wkVec3d eye, wkVec3d point)
{
    const double quarter = 1.57079632679489662;
    wkVec3d along = wkVec_Unit(wkVec_Sub(point, eye));
    wkPose aimed = wkMakePoseRpy(eye, 0.0, -asin(along.z), atan2(along.y, along.x));
    return wkMulPose(aimed, wkMakePoseRpy((wkVec3d){0.0, 0.0, 0.0}, -quarter, 0.0, -quarter));
}

// Sets the pose of a fixed camera: on an arc around the table, high and low alternately; the last one is
// behind the robot's shoulder.
static wkResult placeCamera(wkDemo* demo, int view)
{
    int others = demo->size.viewCount - 1;
    double share = others > 1 ? (double)view / (others - 1) : 0.5;
    double angle = 2.0 * (2.0 * share - 1.0);
    wkVec3d eye = {0.55 + 1.5 * cos(angle), 1.5 * sin(angle), view % 2 == 0 ? 1.75 : 1.2};
    wkVec3d target = {0.55, 0.0, 0.55};
    if (view == others) {
        eye = (wkVec3d){-0.75, -1.0, 1.8};
        target = (wkVec3d){0.85, 0.05, 0.6};
    }
    demo->view.pose = aimCamera(wkVec_Scale(demo->scale, eye), wkVec_Scale(demo->scale, target));
    return wkRobotState_Set(demo->state, demo->base, demo->ready);
}

static wkResult takeSlot(wkDemo* demo, int view, double* q)
{
    return demo->isBuiltIn ? turnHead(demo, view, q) : placeCamera(demo, view);
}

// Clears the cells that the robot occupies, around it, and above it as far as its torso lifts: its own body
// occludes them.
static wkResult clearOwnSpace(wkDemo* demo, double* q)
{
    const float surelyFree = -2.0f;
    const double around = 0.2 * demo->scale;
    wkResult result = takeSlot(demo, 0, q);
    wkAabb space = wkDemo_RobotBounds(demo, NULL);
    space.lower = (wkVec3d){space.lower.x - around, space.lower.y - around, space.lower.z - around};
    space.upper = (wkVec3d){space.upper.x, space.upper.y + around, space.upper.z + 3.0 * around};
    return result == wk_ok ? wkOctree_FillBox(demo->map, space, surelyFree) : result;
}

// Renders a depth image. The robot's own body occludes the room and is then filtered out.
static wkResult takePicture(wkDemo* demo, uint32_t seed)
{
    const wkParallel parallel = {.threadCount = 0};
    wkDepthNoise noise = wkDefaultDepthNoise();
    noise.seed = seed;
    noise.minDepth *= demo->scale;
    noise.maxDepth *= demo->scale;
    return wkScene_RenderDepth(demo->room.scene, &demo->view.camera, demo->view.pose, &noise,
                               demo->robot, &parallel, demo->depths);
}

static wkResult observeOnce(wkDemo* demo, int view, const wkObjectId* ids, double* q,
                            int64_t* pointCount)
{
    wkResult result = takeSlot(demo, view, q);
    for (int32_t i = 0; i < wkRobot_Info(demo->robot).bodyCount && result == wk_ok; i++) {
        if (!wkObjectId_IsNull(ids[i])) {
            result = wkScene_Move(demo->room.scene, ids[i], wkRobotState_BodyPose(demo->state, i));
        }
    }
    if (result != wk_ok) {
        return result;
    }
    wkScene_Update(demo->room.scene);
    double start = wkNow();
    result = takePicture(demo, (uint32_t)view + 1u);
    double rendered = wkNow();
    wkScan scan = wkDefaultScan();
    wkScanInfo report = {0};
    scan.maxRange = MAX_RANGE * demo->scale;
    if (result == wk_ok) {
        result =
            wkOctree_InsertDepth(demo->map, &demo->view, NULL, &scan, wkIdentityPose(), &report);
    }
    *pointCount += report.usedCount;
    double kept = wkNow();
    wkSamples_Add(&demo->stages[wk_demoCamera].samples, rendered - start);
    wkSamples_Add(&demo->stages[wk_demoMap].samples, kept - rendered);
    demo->stages[wk_demoCamera].seconds += rendered - start;
    demo->stages[wk_demoMap].seconds += kept - rendered;
    return result;
}

static wkResult addMap(wkDemo* demo)
{
    wkShape shape = wkMakeOctree(demo->map);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = WK_DEMO_MAP;
    def.shapes = &shape;
    def.shapeCount = 1;
    return wkRobotScene_Add(demo->scene, &def);
}

wkResult wkDemo_Observe(wkDemo* demo)
{
    int32_t bodyCount = wkRobot_Info(demo->robot).bodyCount;
    wkObjectId* ids = calloc((size_t)bodyCount + 1, sizeof *ids);
    double* q = wkDemo_MakeConfigurations(demo, 1);
    int64_t pointCount = 0;
    wkResult result =
        ids != NULL && q != NULL ? addRobot(demo, demo->room.scene, ids) : wkDemo_OutOfMemory();
    if (result == wk_ok) {
        result = clearOwnSpace(demo, q);
    }
    for (int i = 0; i < demo->size.viewCount && result == wk_ok; i++) {
        result = observeOnce(demo, i, ids, q, &pointCount);
    }
    if (ids != NULL) {
        removeRobot(demo->room.scene, ids, bodyCount);
    }
    free(ids);
    free(q);
    if (result != wk_ok) {
        return result;
    }
    wkOctreeInfo stats = wkOctree_Info(demo->map);
    wkDemoStage* stage = &demo->stages[wk_demoCamera];
    snprintf(stage->words, sizeof stage->words, "%d views of %d x %d, %.2f million points",
             demo->size.viewCount, demo->view.camera.width, demo->view.camera.height,
             1e-6 * (double)pointCount);
    stage = &demo->stages[wk_demoMap];
    snprintf(stage->words, sizeof stage->words,
             "cells of %.3g m: %lld known, %lld occupied, %.1f MB",
             wkOctree_Def(demo->map).resolution, (long long)stats.leafCount,
             (long long)stats.occupiedCount, 1e-6 * (double)stats.byteCount);
    return addMap(demo);
}
