// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A conveyor: an arm moves across a belt while a box comes along it. The same waypoints are hit at one time and free at
// another, and both are proven for every instant.

#include "whisker/whisker.h"

#include <stdio.h>

#define WAYPOINT_COUNT 4

static void report(const char* what, const wkMotionResult* result)
{
    printf("%-18s %s, free until %.2f s\n", what, wkVerdictName(result->verdict),
           result->freeUntil);
    if (result->verdict != wk_verdictFree) {
        printf("%-18s at %.2f s %s touches %s\n", "", result->time, result->contact.first.a.name,
               result->contact.first.b.name);
    }
}

// A belt across the front of the robot, and the box on it.
static wkResult addConveyor(wkRobotScene* scene)
{
    wkShape shapes[2] = {wkMakeBox(0.4, 3.0, 0.1), wkMakeBox(0.3, 0.3, 0.5)};
    const char* names[2] = {"belt", "box"};
    wkPose poses[2] = {wkMakePose(0.9, 0.0, 0.4), wkMakePose(0.9, -1.2, 0.71)};
    wkResult result = wk_ok;
    for (int i = 0; i < 2 && result == wk_ok; i++) {
        wkRobotObjectDef def = wkDefaultRobotObjectDef();
        def.name = names[i];
        def.shapes = &shapes[i];
        def.shapeCount = 1;
        def.pose = poses[i];
        result = wkRobotScene_Add(scene, &def);
    }
    return result;
}

// Checks the swing of the arm over the belt with its waypoints at the given times.
static wkResult checkSwing(const wkRobotScene* scene, wkRobotState* state, const double* times,
                           const wkTrajectoryRequest* request, const char* what)
{
    const wkRobot* robot = wkRobotScene_Robot(scene);
    double rest[16];
    wkRobot_DefaultConfiguration(robot, rest);
    wkRobot_ApplyNamedState(robot, wkRobot_FindNamedState(robot, -1, "home"), rest);

    // only the shoulder moves, and it stands at each end
    int32_t shoulder = wkRobot_FindVariable(robot, "shoulder_pan_joint");
    const double angles[WAYPOINT_COUNT] = {-1.2, -1.2, 0.0, 1.0};
    const double rates[WAYPOINT_COUNT] = {0.0, 0.0, 0.8, 0.0};
    wkTrajectoryDef def = wkDefaultTrajectoryDef();
    def.robot = robot;
    def.times = times;
    def.positions = angles;
    def.velocities = rates;
    def.variables = &shoulder;
    def.variableCount = 1;
    def.rest = rest;
    def.count = WAYPOINT_COUNT;
    wkTrajectory* trajectory = NULL;
    wkResult result = wkTrajectory_Create(&def, &trajectory);
    if (result == wk_ok) {
        wkMotionResult motion =
            wkRobotScene_CheckTrajectory(scene, state, wkIdentityPose(), trajectory, request);
        report(what, &motion);
    }
    wkTrajectory_Destroy(trajectory);
    return result;
}

int main(void)
{
    wkRobot* robot = NULL;
    wkRobotScene* scene = NULL;
    wkRobotState* state = NULL;
    int status = 1;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    if (wkRobot_CreateBuiltIn(&robot) != wk_ok || wkRobotState_Create(robot, &state) != wk_ok) {
        goto cleanup;
    }
    def.robot = robot;
    if (wkRobotScene_Create(&def, &scene) != wk_ok || addConveyor(scene) != wk_ok) {
        goto cleanup;
    }

    // The box travels 2.4 m in 4 s.
    wkMovingObstacle box = {
        .object = wkRobotScene_Find(scene, "box"),
        .motion = wkMakeLinearMotion(wkMakePose(0.9, -1.2, 0.71), wkMakePose(0.9, 1.2, 0.71)),
        .start = 0.0,
        .end = 4.0};
    wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
    request.obstacles = &box;
    request.obstacleCount = 1;

    const double soon[WAYPOINT_COUNT] = {0.0, 0.5, 2.0, 3.5};
    const double later[WAYPOINT_COUNT] = {0.0, 3.0, 5.0, 7.0};
    if (checkSwing(scene, state, soon, &request, "at once") != wk_ok ||
        checkSwing(scene, state, later, &request, "after waiting") != wk_ok ||
        checkSwing(scene, state, soon, NULL, "a belt at rest") != wk_ok) {
        goto cleanup;
    }
    status = 0;

cleanup:
    if (status != 0) {
        fprintf(stderr, "%s\n", wkGetLastError());
    }
    wkRobotScene_Destroy(scene);
    wkRobotState_Destroy(state);
    wkRobot_Destroy(robot);
    return status;
}
