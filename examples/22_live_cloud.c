// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A live loop: the head camera of a robot sends 30 frames per second, in which it sees itself, too, a person walks
// towards the arm, and then the camera stops sending. `22_live_cloud latency` prints the times from a frame to its verdict.

#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define COLUMNS 160
#define ROWS 120
#define BODIES 64 // at most

static wkVec3d points[COLUMNS * ROWS + BODIES];

// What the camera sees: a person of 1.8 m at a position, NaN where nothing comes back, and a point on each body of the
// robot itself. Returns the number of points.
static int takeFrame(const wkRobot* robot, const wkRobotState* state, double x, double y)
{
    wkPose camera = wkRobotState_LinkPose(state, wkRobot_FindLink(robot, "head_camera"));
    wkShape person = wkMakeCapsule(0.25, 1.3);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        int column = i % COLUMNS, row = i / COLUMNS;
        wkVec3d ray = {(column - 0.5 * COLUMNS) / 80.0, (row - 0.5 * ROWS) / 80.0, 1.0};
        wkRay world = {camera.position, wkRotateVector(camera, ray), 5.0};
        wkRayResult hit = wkShape_RayCast(&person, wkMakePose(x, y, 0.9), world);
        double depth = hit.isHit ? hit.distance / sqrt(ray.x * ray.x + ray.y * ray.y + 1.0) : NAN;
        points[i] = (wkVec3d){depth * ray.x, depth * ray.y, depth};
    }
    int count = COLUMNS * ROWS;
    for (int i = 0; i < wkRobot_Info(robot).bodyCount && i < BODIES; i++) {
        wkVec3d body = wkRobotState_BodyPose(state, i).position;
        points[count++] = wkTransformPoint(wkInvPose(camera), body);
    }
    return count;
}

// A thread that plans takes the last snapshot, while the next frame may be on its way.
static void plan(const wkRobotScene* scene, wkRobotState* state, int frame)
{
    const wkRobotScene* snapshot = wkRobotScene_Acquire(scene);
    wkVerdict verdict = wkRobotScene_Check(snapshot, state, NULL).verdict;
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksSelf = false;
    wkRobotClearanceResult r = wkRobotScene_Clearance(snapshot, state, &request, NULL, NULL);
    if (frame % 10 == 0) {
        printf("frame %2d: %-7s  %5.2f m to the safety distance%s%s\n", frame,
               wkVerdictName(verdict), r.distance, *r.a.name ? " of " : "", r.a.name);
    }
    wkRobotScene_Release(snapshot);
}

static wkResult run(wkRobot* robot, wkRobotScene* scene, wkRobotState* state, bool printsLatency)
{
    wkFilterStep self = wkMakeSelfFilter((wkFilterRobot){0}, 0.02); // the robot and 2 cm of padding
    wkCloudStreamDef def = wkDefaultCloudStreamDef();
    def.scene = scene;
    def.name = "head camera";
    def.category = "people";
    def.link = "head_camera";
    def.frameCount = 3;    // the last three frames are obstacles,
    def.maxAge = 0.1;      // none of them older than 0.1 s,
    def.staleAfter = 0.25; // and without a frame for longer than this nothing is free
    def.steps = &self;     // by its exact bodies; faster with def.spheres
    def.stepCount = 1;
    def.cloud.radius = 0.01;
    wkCloudStream* stream = NULL;
    wkResult result = wkRobotScene_SetCategory(scene, "people", 0.3);
    result = result == wk_ok ? wkCloudStream_Create(&def, &stream) : result;
    plan(scene, state, 0); // no frame yet
    for (int i = 1; i <= 70 && result == wk_ok; i++) {
        clock_t begin = clock();
        if (i <= 50) { // then the camera stops
            int count = takeFrame(robot, state, 3.0 - 0.04 * i, 0.2);
            begin = clock();
            wkCloudFrame frame = wkDefaultCloudFrame();
            frame.points = wkMakeCloudView(points, count);
            frame.points.isDouble = true;
            frame.time = i / 30.0;
            frame.state = state; // of the robot at that time: where it and the camera were
            result = wkCloudStream_Push(stream, &frame);
        } else {
            result = wkCloudStream_Expire(stream, i / 30.0);
        }
        plan(scene, state, i);
        if (printsLatency && i % 10 == 0) {
            printf("    %.2f ms\n", 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC);
        }
    }
    wkCloudStreamInfo info = wkCloudStream_Info(stream);
    printf("%d frames; the last had %d points: %d without a return, %d on the robot\n",
           (int)info.pushCount, (int)info.inputCount, info.notFiniteCount, info.removedCount);
    wkCloudStream_Destroy(stream);
    return result;
}

int main(int argc, char** argv)
{
    (void)argv;
    wkRobot* robot = NULL;
    wkRobotScene* scene = NULL;
    wkRobotState* state = NULL;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    wkResult result = wkRobot_CreateBuiltIn(&robot);
    def.robot = robot;
    result = result == wk_ok ? wkRobotScene_Create(&def, &scene) : result;
    result = result == wk_ok ? wkRobotState_Create(robot, &state) : result;
    result = result == wk_ok ? run(robot, scene, state, argc > 1) : result;
    if (result != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
    }
    wkRobotState_Destroy(state);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
    return result == wk_ok ? 0 : 1;
}
