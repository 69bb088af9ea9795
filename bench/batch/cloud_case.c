// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The Panda among the points of a sensor. See cloud_case.h.

#include "batch/cloud_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLOUD_SEED 71u
#define CLOUD_NAME "cloud"
#define POINT_RADIUS 0.0025 // of all points
#define SELF_PADDING 0.02   // of the robot that the filter removes
#define FAR_AWAY 0.1        // clearances above it are not told apart

// Comparisons of a point with a sphere that brute force may take for a row.
#define PAIR_BUDGET 1.5e9

bool wkBatchCloudCase_Renew(wkBatchCloudCase* made)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(made->points, made->pointCount);
    def.radius = made->radius;
    wkCloud* cloud = NULL;
    if (wkCloud_Create(&def, &cloud) != wk_ok) {
        return false;
    }
    if (made->cloud != NULL) {
        wkRobotScene_Remove(made->robot.scene, CLOUD_NAME);
        wkCloud_Destroy(made->cloud);
    }
    made->cloud = cloud;
    wkShape shape = wkMakeCloud(cloud);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = CLOUD_NAME;
    object.shapes = &shape;
    object.shapeCount = 1;
    return wkRobotScene_Add(made->robot.scene, &object) == wk_ok;
}

bool wkBatchCloudCase_OpenStream(wkBatchCloudCase* made)
{
    wkFilterStep step = wkMakeSelfFilter((wkFilterRobot){0}, SELF_PADDING);
    wkCloudStreamDef def = wkDefaultCloudStreamDef();
    def.scene = made->robot.scene;
    def.name = CLOUD_NAME;
    def.steps = &step;
    def.stepCount = 1;
    def.spheres = made->robot.spheres;
    def.cloud.radius = made->radius;
    def.staleAfter = INFINITY;
    wkRobotScene_Remove(made->robot.scene, CLOUD_NAME);
    wkCloud_Destroy(made->cloud);
    made->cloud = NULL;
    return wkRobotState_Create(made->robot.peer.robot, &made->state) == wk_ok &&
           wkRobotState_Set(made->state, wkIdentityPose(), made->robot.states) == wk_ok &&
           wkCloudStream_Create(&def, &made->stream) == wk_ok && wkBatchCloudCase_Push(made);
}

bool wkBatchCloudCase_Push(wkBatchCloudCase* made)
{
    wkCloudFrame frame = wkDefaultCloudFrame();
    frame.points = wkMakeCloudView(made->points, made->pointCount);
    frame.time = 0.0;
    frame.state = made->state;
    return wkCloudStream_Push(made->stream, &frame) == wk_ok;
}

bool wkBatchCloudCase_Open(wkBatchCloudCase* made, int pointCount, int stateCount)
{
    memset(made, 0, sizeof *made);
    if (!wkBatchCase_Open(&made->robot, wk_batchAlone, stateCount, 1)) {
        return false;
    }
    made->pointCount = pointCount;
    made->radius = POINT_RADIUS;
    made->points = (float*)calloc((size_t)pointCount * 3, sizeof(float));
    if (made->points != NULL) {
        wkDrawCloud(pointCount, CLOUD_SEED, made->points);
    }
    if (made->points == NULL || !wkBatchCloudCase_Renew(made)) {
        wkBatchCloudCase_Close(made);
        return false;
    }
    return true;
}

void wkBatchCloudCase_Close(wkBatchCloudCase* made)
{
    wkCloudStream_Destroy(made->stream);
    wkRobotState_Destroy(made->state);
    wkBatchCase_Close(&made->robot);
    wkCloud_Destroy(made->cloud);
    free(made->points);
    memset(made, 0, sizeof *made);
}

// Returns whether a point is an obstacle: all of them, or those that are not on the robot of a stream.
static bool isObstacle(const wkBatchCloudCase* made, const wkSphere3d* robot, const float* p)
{
    for (int k = 0; made->stream != NULL && k < made->robot.peer.bodyCount; k++) {
        wkVec3d c = robot[k].center;
        double x = (double)p[0] - c.x, y = (double)p[1] - c.y, z = (double)p[2] - c.z;
        double reach = robot[k].radius + SELF_PADDING;
        if (x * x + y * y + z * z <= reach * reach) {
            return false;
        }
    }
    return true;
}

static double cloudClearance(const wkBatchCloudCase* made, const double* q)
{
    wkSphere3d spheres[WK_BATCH_SPHERES], first[WK_BATCH_SPHERES];
    wkBatchCase_PlaceSpheres(&made->robot, q, spheres);
    wkBatchCase_PlaceSpheres(&made->robot, made->robot.states, first);
    double nearest = FAR_AWAY;
    for (int k = 0; k < made->robot.peer.bodyCount && nearest > 0.0; k++) {
        wkVec3d c = spheres[k].center;
        double square = INFINITY;
        for (int i = 0; i < made->pointCount; i++) {
            const float* p = &made->points[3 * (size_t)i];
            double x = (double)p[0] - c.x, y = (double)p[1] - c.y, z = (double)p[2] - c.z;
            double here = x * x + y * y + z * z;
            square = here < square && isObstacle(made, first, p) ? here : square;
        }
        nearest = fmin(nearest, sqrt(square) - spheres[k].radius - made->radius);
    }
    return nearest;
}

long wkBatchCloudCase_Wrong(const wkBatchCloudCase* made, const uint8_t* verdicts)
{
    const wkBatchBenchCase* robot = &made->robot;
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksLimits = false;
    wkRobotState* state = NULL;
    if (wkRobotState_Create(robot->peer.robot, &state) != wk_ok) {
        return 1;
    }
    double pairs = (double)made->pointCount * robot->peer.bodyCount;
    int every = 1 + (int)(robot->count * pairs / PAIR_BUDGET);
    long wrong = 0;
    for (int i = 0; i < robot->count; i++) {
        const double* q = &robot->states[i * robot->variableCount];
        bool isFree = verdicts[i] == wk_verdictFree;
        wkRobotState_Set(state, wkIdentityPose(), q);
        bool isSceneFree =
            wkRobotScene_Check(robot->scene, state, &request).verdict == wk_verdictFree;
        if (isFree != isSceneFree || i % every == 0) {
            double clearance = wkBatchCase_Clearance(robot, q, false);
            clearance = fmin(clearance, clearance > 0.0 ? cloudClearance(made, q) : clearance);
            wrong += wkIsVerdictWrong(clearance, isFree) ? 1 : 0;
        }
    }
    wkRobotState_Destroy(state);
    return wrong;
}
