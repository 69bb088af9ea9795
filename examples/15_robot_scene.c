// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A robot in front of a table: checks a configuration, computes its clearance, and attaches a mug to the
// gripper.

#include "whisker/whisker.h"

#include <stdio.h>

static const char* const fingers[] = {"left_finger_link", "right_finger_link"};

static wkResult addThing(wkRobotScene* scene, const char* name, const char* category, wkShape shape,
                         wkPose pose)
{
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.category = category;
    def.shapes = &shape;
    def.shapeCount = 1;
    def.pose = pose;
    return wkRobotScene_Add(scene, &def);
}

// Everything but the mug, which stands where the hand will be.
static wkResult furnish(wkRobotScene* scene, wkPose endEffector)
{
    wkVec3d up = {0.0, 0.0, 1.0};
    wkPose pose = wkMulPose(endEffector, wkMakePose(0.12, 0.0, 0.0));
    pose.rotation = wkIdentityPose().rotation;
    double top = pose.position.z - 0.05;
    wkResult result =
        addThing(scene, "floor", "static", wkMakeHalfspace(up, 0.0), wkIdentityPose());
    if (result == wk_ok) {
        result = addThing(scene, "table", "static", wkMakeBox(0.5, 1.2, 0.04),
                          wkMakePose(pose.position.x + 0.2, 0.0, top - 0.02));
    }
    if (result == wk_ok) {
        result = addThing(scene, "mug", "handled", wkMakeCylinder(0.03, 0.1), pose);
    }
    // the wheels stand on the floor, and a centimetre to other things is near enough
    wkAllowed* allowed = NULL;
    result = result == wk_ok ? wkAllowed_Copy(wkRobotScene_Allowed(scene), &allowed) : result;
    if (result == wk_ok) {
        result = wkAllowed_Set(allowed, "base_link", "floor", wk_ruleAllowed);
    }
    result = result == wk_ok ? wkRobotScene_SetAllowed(scene, allowed) : result;
    wkAllowed_Destroy(allowed);
    return result == wk_ok ? wkRobotScene_SetCategory(scene, "static", 0.01) : result;
}

static void report(const char* what, const wkRobotScene* scene, wkRobotState* state)
{
    wkRobotCheckResult check = wkRobotScene_Check(scene, state, NULL);
    wkRobotClearanceResult clearance = wkRobotScene_Clearance(scene, state, NULL, NULL, NULL);
    bool isFree = check.verdict == wk_verdictFree;
    printf("%-24s %s%s%s%s%s\n", what, wkVerdictName(check.verdict), isFree ? "" : ": ",
           check.first.a.name, isFree ? "" : " and ", check.first.b.name);
    printf("%-24s %.3f m from %s to %s\n", "", clearance.distance, clearance.a.name,
           clearance.b.name);
}

int main(void)
{
    wkRobot* robot = NULL;
    wkRobotScene* scene = NULL;
    wkRobotState* state = NULL;
    double q[16];
    int status = 1;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    if (wkRobot_CreateBuiltIn(&robot) != wk_ok || wkRobotState_Create(robot, &state) != wk_ok) {
        goto cleanup;
    }
    def.robot = robot;
    wkRobot_DefaultConfiguration(robot, q);
    wkRobot_ApplyNamedState(robot, wkRobot_FindNamedState(robot, -1, "ready"), q);
    if (wkRobotState_Set(state, wkIdentityPose(), q) != wk_ok ||
        wkRobotScene_Create(&def, &scene) != wk_ok) {
        goto cleanup;
    }
    int32_t endEffector = wkRobot_FindLink(robot, "gripper_link");
    if (furnish(scene, wkRobotState_LinkPose(state, endEffector)) != wk_ok) {
        goto cleanup;
    }
    report("around the mug", scene, state);

    // From now on the mug is a part of the robot, and the fingers may touch it.
    if (wkRobotScene_Attach(scene, state, "mug", "gripper_link", fingers, 2) != wk_ok) {
        goto cleanup;
    }
    report("with the mug", scene, state);
    q[wkRobot_FindVariable(robot, "torso_lift_joint")] += 0.05;
    wkRobotState_Set(state, wkIdentityPose(), q);
    report("lifted by 5 cm", scene, state);
    q[wkRobot_FindVariable(robot, "shoulder_lift_joint")] = 1.5;
    q[wkRobot_FindVariable(robot, "elbow_flex_joint")] = 2.2;
    wkRobotState_Set(state, wkIdentityPose(), q);
    report("arm folded", scene, state);
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
