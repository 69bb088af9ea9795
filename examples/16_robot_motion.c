// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Motions: sampled in steps, the arm passes through a sheet of glass without a contact. A certified check
// proves that the motion is free at every instant, or finds the contact.

#include "whisker/whisker.h"

#include <stdio.h>

static void report(const char* what, const wkMotionResult* motion)
{
    printf("%-22s %s, free until %.3f, %d configurations\n", what, wkVerdictName(motion->verdict),
           motion->freeUntil, (int)motion->checkCount);
    if (motion->verdict != wk_verdictFree) {
        printf("%-22s at %.3f %s touches %s\n", "", motion->time, motion->contact.first.a.name,
               motion->contact.first.b.name);
    }
}

// A sheet of 5 mm that stands where the hand passes halfway.
static wkResult addGlass(wkRobotScene* scene, wkPose endEffector)
{
    wkShape sheet = wkMakeBox(0.4, 0.005, 0.4);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = "glass";
    def.shapes = &sheet;
    def.shapeCount = 1;
    def.pose =
        wkMakePose(endEffector.position.x + 0.2, endEffector.position.y, endEffector.position.z);
    return wkRobotScene_Add(scene, &def);
}

int main(void)
{
    wkRobot* robot = NULL;
    wkRobotScene* scene = NULL;
    wkRobotState* state = NULL;
    double from[16], to[16], halfway[16];
    wkPose base = wkIdentityPose();
    int status = 1;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    if (wkRobot_CreateBuiltIn(&robot) != wk_ok || wkRobotState_Create(robot, &state) != wk_ok) {
        goto cleanup;
    }
    def.robot = robot;
    if (wkRobotScene_Create(&def, &scene) != wk_ok) {
        goto cleanup;
    }

    // The arm swings from one side to the other.
    wkRobot_DefaultConfiguration(robot, from);
    wkRobot_ApplyNamedState(robot, wkRobot_FindNamedState(robot, -1, "ready"), from);
    wkRobot_Interpolate(robot, from, from, 1.0, to);
    int32_t shoulder = wkRobot_FindVariable(robot, "shoulder_pan_joint");
    from[shoulder] = -0.7;
    to[shoulder] = 0.8;
    wkMotionResult motion = wkRobotScene_CheckMotion(scene, state, base, from, to, NULL);
    report("nothing around", &motion);

    wkRobot_Interpolate(robot, from, to, 0.5, halfway);
    wkRobotState_Set(state, base, halfway);
    int32_t endEffector = wkRobot_FindLink(robot, "gripper_link");
    if (addGlass(scene, wkRobotState_LinkPose(state, endEffector)) != wk_ok) {
        goto cleanup;
    }
    wkMotionRequest request = wkDefaultMotionRequest();
    request.isCertified = false;
    request.step = 0.5;
    motion = wkRobotScene_CheckMotion(scene, state, base, from, to, &request);
    report("glass, in coarse steps", &motion);

    request.isCertified = true;
    motion = wkRobotScene_CheckMotion(scene, state, base, from, to, &request);
    report("glass, certified", &motion);

    request.wantsFirst = true;
    motion = wkRobotScene_CheckMotion(scene, state, base, from, to, &request);
    report("glass, first contact", &motion);

    // As far as it is proven to be free, with a little to spare.
    wkRobot_Interpolate(robot, from, to, motion.freeUntil - 0.02, to);
    motion = wkRobotScene_CheckMotion(scene, state, base, from, to, NULL);
    report("up to the glass", &motion);
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
