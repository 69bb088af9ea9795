// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Digests of robots: of their collision bodies, and of all inputs of verdicts.

#include "robot/robot_impl.h"

static void addBodies(wkDigestBuilder* builder, const wkRobot* robot)
{
    wkDigestBuilder_AddInteger(builder, robot->info.linkCount);
    for (int32_t i = 0; i < robot->info.linkCount; ++i) {
        wkDigestBuilder_AddText(builder, robot->links[i].info.name);
    }
    wkDigestBuilder_AddInteger(builder, robot->info.bodyCount);
    for (int32_t i = 0; i < robot->info.bodyCount; ++i) {
        const wkBodyInfo* body = &robot->bodies[i].info;
        wkDigestBuilder_AddInteger(builder, body->link);
        wkDigestBuilder_AddPose(builder, body->pose);
        wkDigestBuilder_AddShape(builder, body->shape);
    }
}

static void addJoints(wkDigestBuilder* builder, const wkRobot* robot)
{
    wkDigestBuilder_AddInteger(builder, robot->info.jointCount);
    for (int32_t i = 0; i < robot->info.jointCount; ++i) {
        const wkJointInfo* joint = &robot->joints[i];
        const double numbers[5] = {joint->axis.x, joint->axis.y, joint->axis.z, joint->mimicFactor,
                                   joint->mimicOffset};
        wkDigestBuilder_AddText(builder, joint->name);
        wkDigestBuilder_AddText(builder, wkJointTypeName(joint->type));
        wkDigestBuilder_AddInteger(builder, joint->parentLink);
        wkDigestBuilder_AddInteger(builder, joint->childLink);
        wkDigestBuilder_AddPose(builder, joint->origin);
        wkDigestBuilder_AddInteger(builder, joint->mimic);
        wkDigestBuilder_AddNumbers(builder, numbers, 5);
    }
    wkDigestBuilder_AddInteger(builder, robot->info.variableCount);
    for (int32_t i = 0; i < robot->info.variableCount; ++i) {
        const double limits[2] = {robot->variables[i].lower, robot->variables[i].upper};
        wkDigestBuilder_AddNumbers(builder, limits, 2);
    }
}

static void addDisabledPairs(wkDigestBuilder* builder, const wkRobot* robot)
{
    wkDigestBuilder_AddInteger(builder, robot->info.disabledPairCount);
    for (int32_t i = 0; i < robot->info.disabledPairCount; ++i) {
        wkDigestBuilder_AddInteger(builder, robot->disabledPairs[i].linkA);
        wkDigestBuilder_AddInteger(builder, robot->disabledPairs[i].linkB);
    }
}

wkDigest wkRobot_BodyDigest(const wkRobot* robot)
{
    wkDigestBuilder builder = wkDigestBuilder_Begin("whisker robot bodies 1");
    if (robot == NULL) {
        return (wkDigest){{0}};
    }
    addBodies(&builder, robot);
    return wkDigestBuilder_End(&builder);
}

wkDigest wkRobot_Digest(const wkRobot* robot)
{
    wkDigestBuilder builder = wkDigestBuilder_Begin("whisker robot 1");
    if (robot == NULL) {
        return (wkDigest){{0}};
    }
    addBodies(&builder, robot);
    addJoints(&builder, robot);
    addDisabledPairs(&builder, robot);
    return wkDigestBuilder_End(&builder);
}
