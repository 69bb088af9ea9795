// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A robot alone: its links and joints, the pose of its end effector, and the Jacobian. With the path of a
// URDF file it prints the same of that robot: 14_robot robot.urdf

#include <stdio.h>
#include <stdlib.h>
#include <whisker/io.h>
#include <whisker/whisker.h>

static void printModel(const wkRobot* robot)
{
    wkRobotInfo info = wkRobot_Info(robot);
    printf("%s: %d links, %d bodies, %d variables\n", info.name, info.linkCount, info.bodyCount,
           info.variableCount);
    for (int32_t i = 0; i < info.variableCount; i++) {
        wkVariableInfo variable = wkRobot_Variable(robot, i);
        printf("  %-20s %6.2f to %5.2f\n", variable.name, variable.lower, variable.upper);
    }
}

// The link that is furthest from the root has the highest number among those with bodies.
static int32_t lastLink(const wkRobot* robot)
{
    int32_t last = 0;
    for (int32_t i = 0; i < wkRobot_Info(robot).linkCount; i++) {
        last = wkRobot_Link(robot, i).bodyCount > 0 ? i : last;
    }
    return last;
}

// Compares the Jacobian with a small step of each variable.
static void printMotion(const wkRobot* robot, wkRobotState* state, double* q)
{
    int32_t count = wkRobot_Info(robot).variableCount, endEffector = lastLink(robot);
    double* jacobian = malloc(6 * (size_t)count * sizeof *jacobian);
    if (jacobian == NULL) {
        return;
    }
    wkVec3d position = wkRobotState_LinkPose(state, endEffector).position;
    printf("%s is at (%.3f, %.3f, %.3f)\n", wkRobot_Link(robot, endEffector).name, position.x,
           position.y, position.z);
    wkRobotState_Jacobian(state, endEffector, position, jacobian);
    for (int32_t i = 0; i < count; i++) {
        const double step = 1e-3;
        double before = q[i];
        q[i] = before + step;
        wkRobotState_Set(state, wkIdentityPose(), q);
        wkVec3d moved = wkRobotState_LinkPose(state, endEffector).position;
        q[i] = before;
        printf("  %-20s moves it by (%6.3f, %6.3f, %6.3f) a unit, a step says z %6.3f\n",
               wkRobot_Variable(robot, i).name, jacobian[i], jacobian[count + i],
               jacobian[2 * count + i], (moved.z - position.z) / step);
    }
    free(jacobian);
}

int main(int argc, char** argv)
{
    wkRobot* robot = NULL;
    wkRobotState* state = NULL;
    wkResult result =
        argc > 1 ? wkRobot_Load(argv[1], NULL, NULL, &robot) : wkRobot_CreateBuiltIn(&robot);
    if (result != wk_ok || wkRobotState_Create(robot, &state) != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
        wkRobot_Destroy(robot);
        return 1;
    }
    printModel(robot);

    // "ready" is one of the configurations that the robot has names for
    double* q = calloc((size_t)wkRobot_Info(robot).variableCount + 1, sizeof *q);
    if (q != NULL) {
        wkRobot_DefaultConfiguration(robot, q);
        wkRobot_ApplyNamedState(robot, wkRobot_FindNamedState(robot, -1, "ready"), q);
        wkRobotState_Set(state, wkIdentityPose(), q);
        printMotion(robot, state, q);
    }
    free(q);
    wkRobotState_Destroy(state);
    wkRobot_Destroy(robot);
    return 0;
}
