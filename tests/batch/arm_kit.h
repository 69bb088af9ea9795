// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm of four links whose hand comes back to the base, for tests of self-collision in batches: three variables
// lie between these two.

#include "batch_kit.h"

#define WK_ARM_LINKS                                                                               \
    {                                                                                              \
        "base", "upper", "fore", "hand"                                                            \
    }

// The joints of the arm, all revolute.
// @param length from joint to joint
static inline void wkFillArmJoints(double length, wkJointDef joints[3])
{
    static const char* const links[] = WK_ARM_LINKS;
    static const char* const names[] = {"shoulder", "elbow", "wrist"};
    const wkVec3d axes[3] = {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {0.6, 0.0, -0.8}};
    for (int i = 0; i < 3; i++) {
        joints[i] = wkDefaultJointDef();
        joints[i].name = names[i];
        joints[i].type = wk_jointRevolute;
        joints[i].parent = links[i];
        joints[i].child = links[i + 1];
        joints[i].axis = axes[i];
        joints[i].origin = wkMakePose(i == 0 ? 0.0 : length, 0.0, i == 0 ? 0.1 : 0.01);
        joints[i].lower = -2.9;
        joints[i].upper = 2.9;
    }
}

static inline wkRobot* wkMakeArm(const wkJointDef joints[3], const wkBodyDef* bodies,
                                 int32_t bodyCount)
{
    static const char* const links[] = WK_ARM_LINKS;
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 4;
    def.joints = joints;
    def.jointCount = 3;
    def.bodies = bodies;
    def.bodyCount = bodyCount;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Create(&def, &robot), wk_ok);
    return robot;
}

typedef struct armCase {
    wkRobotScene* scene;
    wkRobotState* state;
    wkSphereModel* spheres;
    wkBatchDef def;
} armCase;

// @param padding of the hand
static inline armCase openArm(const wkRobot* robot, double padding, double margin)
{
    armCase c = {.scene = NULL};
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = robot;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &c.scene), wk_ok);
    assert_int_equal(wkRobotScene_SetPadding(c.scene, 3, padding), wk_ok);
    assert_int_equal(wkRobotState_Create(robot, &c.state), wk_ok);
    c.spheres = wkSpheresOnBodies(robot, 1.0);
    c.def = wkDefaultBatchDef();
    c.def.scene = c.scene;
    c.def.spheres = c.spheres;
    c.def.margin = margin;
    assert_int_equal(c.def.exactness, wk_exactnessRefined);
    return c;
}

static inline void closeArm(armCase* c)
{
    wkSphereModel_Destroy(c->spheres);
    wkRobotState_Destroy(c->state);
    wkRobotScene_Destroy(c->scene);
}
