// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From a point cloud and a robot to verdicts: configurations and a motion are checked against the points of a
// sensor as they are, and the nearest point and link are printed.
//
//     24_cloud_robot [ROBOT.urdf [CLOUD.pcd]]
//
// Without arguments the robot is the built-in one, and the cloud a person who stands beside it.

#include "whisker/io.h"
#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>

#define AROUND 60
#define ROWS 90

// What a sensor measures of a person: a point each 2 cm on an upright cylinder, and some returns that are missing.
static wkResult observePerson(const wkCloudDef* options, wkCloud** cloud)
{
    static float points[3 * AROUND * ROWS];
    for (int i = 0; i < AROUND * ROWS; i++) {
        double angle = 2.0 * 3.14159265358979 * (i % AROUND) / AROUND;
        points[3 * i] = i % 50 == 7 ? NAN : (float)(0.2 * cos(angle));
        points[3 * i + 1] = (float)(0.2 * sin(angle));
        int row = i / AROUND;
        points[3 * i + 2] = 0.02f * (float)row;
    }
    wkCloudDef def = *options;
    def.points.data = points;
    def.points.count = AROUND * ROWS;
    return wkCloud_Create(&def, cloud);
}

// The cloud is an object of the scene, to which the robot keeps the safety distance of its category.
static wkResult addCloud(wkRobotScene* scene, const wkCloud* cloud)
{
    wkShape shape = wkMakeCloud(cloud);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = "person";
    def.category = "people";
    def.shapes = &shape;
    def.shapeCount = 1;
    def.pose = wkMakePose(0.5, 0.9, 0.0);
    wkResult result = wkRobotScene_Add(scene, &def);
    return result == wk_ok ? wkRobotScene_SetCategory(scene, "people", 0.1) : result;
}

static void checkState(const wkRobotScene* scene, wkRobotState* state, const double* q,
                       const char* what)
{
    wkRobotState_Set(state, wkIdentityPose(), q);
    wkRobotRequest request = wkDefaultRobotRequest();
    wkVerdict verdict = wkRobotScene_Check(scene, state, &request).verdict;
    request.checksSelf = false;
    wkRobotClearanceResult nearest = wkRobotScene_Clearance(scene, state, &request, NULL, NULL);
    wkVec3d p = nearest.closest.pointA;
    printf("%-16s %-5s %6.1f mm left between point %d and %s at (%.2f, %.2f, %.2f)\n", what,
           wkVerdictName(verdict), 1000.0 * nearest.distance, (int)nearest.closest.partB,
           nearest.a.name, p.x, p.y, p.z);
}

int main(int argc, char** argv)
{
    wkRobot* robot = NULL;
    wkRobotState* state = NULL;
    wkRobotScene* scene = NULL;
    wkCloud* cloud = NULL;
    double from[64], to[64];
    wkLoadDef load = wkDefaultLoadDef();
    load.cloud.radius = 0.015; // more than half of the distance between neighbours: no gaps
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    wkMotionRequest request = wkDefaultMotionRequest();
    wkResult result =
        argc > 1 ? wkRobot_Load(argv[1], NULL, NULL, &robot) : wkRobot_CreateBuiltIn(&robot);
    if (result == wk_ok) {
        result = argc > 2 ? wkCloud_Load(argv[2], &load, NULL, &cloud)
                          : observePerson(&load.cloud, &cloud);
    }
    def.robot = robot;
    if (result != wk_ok || wkRobotState_Create(robot, &state) != wk_ok ||
        wkRobotScene_Create(&def, &scene) != wk_ok || addCloud(scene, cloud) != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
        result = wk_errorState;
        goto cleanup;
    }
    wkCloudInfo info = wkCloud_Info(cloud);
    printf("%d points, %d without a return\n", (int)info.pointCount, (int)info.notFiniteCount);

    // the first variable of the arm turns it towards the person
    wkRobot_DefaultConfiguration(robot, from);
    wkRobot_ApplyNamedState(robot, wkRobot_FindNamedState(robot, -1, "ready"), from);
    int32_t shoulder = wkRobot_FindVariable(robot, "shoulder_pan_joint");
    wkRobot_Interpolate(robot, from, from, 1.0, to);
    to[shoulder >= 0 ? shoulder : 0] += 1.0;
    checkState(scene, state, from, "start");
    checkState(scene, state, to, "towards person");

    request.wantsFirst = true;
    wkMotionResult motion =
        wkRobotScene_CheckMotion(scene, state, wkIdentityPose(), from, to, &request);
    printf("%-16s %-5s at %.3f: %s comes too near to %s; proven free until %.3f\n", "motion",
           wkVerdictName(motion.verdict), motion.time, motion.contact.first.a.name,
           motion.contact.first.b.name, motion.freeUntil);
    wkRobot_Interpolate(robot, from, to, motion.freeUntil, to);
    checkState(scene, state, to, "as far as proven");

cleanup:
    wkRobotScene_Destroy(scene);
    wkRobotState_Destroy(state);
    wkCloud_Destroy(cloud); // after the scene, which borrows it
    wkRobot_Destroy(robot);
    return result == wk_ok ? 0 : 1;
}
