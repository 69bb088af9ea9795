// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Describes a robot again, from what it says about itself.

#include "batch/bare_arm.h"

#include <math.h>
#include <stdlib.h>

static bool isInGroup(const wkGroupInfo* group, int32_t link)
{
    for (int32_t i = 0; i < group->linkCount; i++) {
        if (group->links[i] == link) {
            return true;
        }
    }
    return false;
}

static wkJointDef describeJoint(const wkRobot* robot, int32_t number)
{
    wkJointInfo info = wkRobot_Joint(robot, number);
    wkJointDef def = wkDefaultJointDef();
    def.type = info.type;
    def.name = info.name;
    def.parent = wkRobot_Link(robot, info.parentLink).name;
    def.child = wkRobot_Link(robot, info.childLink).name;
    def.origin = info.origin;
    def.axis = info.axis;
    if (info.variableCount > 0) {
        wkVariableInfo variable = wkRobot_Variable(robot, info.firstVariable);
        def.lower = variable.lower;
        def.upper = variable.upper;
    }
    if (info.mimic >= 0) {
        def.mimic = wkRobot_Joint(robot, info.mimic).name;
        def.mimicFactor = info.mimicFactor;
        def.mimicOffset = info.mimicOffset;
        def.lower = -INFINITY;
        def.upper = INFINITY;
    }
    return def;
}

// Arrays of a description.
typedef struct bareParts {
    const char** links;
    wkJointDef* joints;
    wkBodyDef* bodies;
    wkDisabledPairDef* pairs;
} bareParts;

static void describe(const wkRobot* robot, const wkGroupInfo* group, const bareParts* parts,
                     wkRobotDef* def)
{
    wkRobotInfo info = wkRobot_Info(robot);
    for (int32_t i = 0; i < info.linkCount; i++) {
        parts->links[def->linkCount++] = wkRobot_Link(robot, i).name;
    }
    for (int32_t i = 0; i < info.jointCount; i++) {
        parts->joints[def->jointCount++] = describeJoint(robot, i);
    }
    for (int32_t i = 0; i < info.bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(robot, i);
        if (isInGroup(group, body.link)) {
            wkBodyDef kept = {wkRobot_Link(robot, body.link).name, body.name, *body.shape,
                              body.pose};
            parts->bodies[def->bodyCount++] = kept;
        }
    }
    for (int32_t i = 0; i < info.disabledPairCount; i++) {
        wkDisabledPairInfo pair = wkRobot_DisabledPair(robot, i);
        wkDisabledPairDef disabled = {wkRobot_Link(robot, pair.linkA).name,
                                      wkRobot_Link(robot, pair.linkB).name, pair.reason};
        parts->pairs[def->disabledPairCount++] = disabled;
    }
    def->links = parts->links;
    def->joints = parts->joints;
    def->bodies = parts->bodies;
    def->disabledPairs = parts->pairs;
}

wkResult wkMakeBareArm(const wkRobot* robot, const char* group, wkRobot** bare)
{
    *bare = NULL;
    int32_t number = wkRobot_FindGroup(robot, group);
    if (number < 0) {
        return wk_errorArgument;
    }
    wkGroupInfo info = wkRobot_Group(robot, number);
    wkRobotInfo counts = wkRobot_Info(robot);
    bareParts parts = {(const char**)calloc((size_t)counts.linkCount, sizeof(char*)),
                       (wkJointDef*)calloc((size_t)counts.linkCount, sizeof(wkJointDef)),
                       (wkBodyDef*)calloc((size_t)counts.bodyCount + 1, sizeof(wkBodyDef)),
                       (wkDisabledPairDef*)calloc((size_t)counts.disabledPairCount + 1,
                                                  sizeof(wkDisabledPairDef))};
    wkResult result = wk_errorMemory;
    if (parts.links != NULL && parts.joints != NULL && parts.bodies != NULL &&
        parts.pairs != NULL) {
        wkRobotDef def = wkDefaultRobotDef();
        describe(robot, &info, &parts, &def);
        result = wkRobot_Create(&def, bare);
    }
    free((void*)parts.links);
    free(parts.joints);
    free(parts.bodies);
    free(parts.pairs);
    return result;
}
