// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A live loop: the head camera of a robot sends 30 frames per second, a person walks towards its arm, and then the
// camera stops sending. `22_live_cloud latency` prints the times from a frame to its verdict, too.

#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define COLUMNS 160
#define ROWS 120
#define PERIOD (1.0 / 30.0)

static float points[COLUMNS * ROWS][3];

// What the camera sees of a person of 1.8 m who stands at a position; NaN where nothing comes back.
static void takeFrame(wkPose camera, double x, double y)
{
    wkShape person = wkMakeCapsule(0.25, 1.3);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        int column = i % COLUMNS, row = i / COLUMNS;
        wkVec3d ray = {(column - COLUMNS / 2) / 80.0, (row - ROWS / 2) / 80.0, 1.0};
        double length = sqrt(ray.x * ray.x + ray.y * ray.y + 1.0);
        wkRay world = {camera.position, wkRotateVector(camera, ray), 5.0};
        wkRayResult hit = wkShape_RayCast(&person, wkMakePose(x, y, 0.9), world);
        double depth = hit.isHit ? hit.distance / length : NAN;
        points[i][0] = (float)(depth * ray.x);
        points[i][1] = (float)(depth * ray.y);
        points[i][2] = (float)depth;
    }
}

// A thread that plans takes the last snapshot, while the next frame may be on its way.
static void plan(const wkRobotScene* scene, wkRobotState* state, int frame)
{
    const wkRobotScene* snapshot = wkRobotScene_Acquire(scene);
    wkRobotCheckResult check = wkRobotScene_Check(snapshot, state, NULL);
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksSelf = false;
    wkRobotClearanceResult r = wkRobotScene_Clearance(snapshot, state, &request, NULL, NULL);
    if (frame % 10 == 0 && r.status == wk_statusInvalid) {
        printf("frame %2d: %s\n", frame, wkVerdictName(check.verdict));
    } else if (frame % 10 == 0) {
        printf("frame %2d: %-5s  %5.2f m to the safety distance of %s\n", frame,
               wkVerdictName(check.verdict), r.distance, r.a.name);
    }
    wkRobotScene_Release(snapshot);
}

static wkResult run(wkRobot* robot, wkRobotScene* scene, wkRobotState* state, bool printsLatency)
{
    wkCloudStreamDef def = wkDefaultCloudStreamDef();
    def.scene = scene;
    def.name = "head camera";
    def.category = "people";
    def.link = "head_camera";
    def.frameCount = 3;    // the last three frames are obstacles,
    def.maxAge = 0.1;      // none of them older than 0.1 s,
    def.staleAfter = 0.25; // and without a frame for longer than this nothing is free
    def.cloud.radius = 0.01;
    wkCloudStream* stream = NULL;
    wkResult result = wkRobotScene_SetCategory(scene, "people", 0.3);
    result = result == wk_ok ? wkCloudStream_Create(&def, &stream) : result;
    plan(scene, state, 0); // no frame yet
    int32_t link = wkRobot_FindLink(robot, "head_camera");
    for (int i = 1; i <= 70 && result == wk_ok; i++) {
        clock_t begin = clock();
        if (i <= 50) { // then the camera stops
            takeFrame(wkRobotState_LinkPose(state, link), 3.0 - 0.04 * i, 0.2);
            begin = clock();
            wkCloudFrame frame = wkDefaultCloudFrame();
            frame.points.data = points;
            frame.points.count = COLUMNS * ROWS;
            frame.time = PERIOD * i;
            frame.state = state; // of the robot at that time: where the camera was
            result = wkCloudStream_Push(stream, &frame);
        } else {
            result = wkCloudStream_Expire(stream, PERIOD * i);
        }
        plan(scene, state, i);
        if (printsLatency && i % 10 == 0) {
            printf("    %.2f ms\n", 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC);
        }
    }
    wkCloudStreamInfo info = wkCloudStream_Info(stream);
    printf("%d frames, %d kept; the last had %d points, %d without a return\n", (int)info.pushCount,
           (int)info.frameCount, (int)info.inputCount, (int)info.notFiniteCount);
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
