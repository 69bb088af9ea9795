// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Fills links, joints, variables and rigid groups of a robot, from the root outward.

#include "robot/robot_maker.h"

#include "whisker/detail/counts.h"

#include <string.h>

// The variables of a joint type: planar joints use the first three of their row, and so on.
typedef struct variableRow {
    const char* suffix;
    wkVariableKind kind;
} variableRow;

static const variableRow variableTable[WK_JOINT_TYPE_COUNT][7] = {
    [wk_jointRevolute] = {{"", wk_variableAngle}},
    [wk_jointContinuous] = {{"", wk_variableContinuous}},
    [wk_jointPrismatic] = {{"", wk_variableLength}},
    [wk_jointPlanar] = {{"/x", wk_variableLength},
                        {"/y", wk_variableLength},
                        {"/angle", wk_variableContinuous}},
    [wk_jointFloating] = {{"/x", wk_variableLength},
                          {"/y", wk_variableLength},
                          {"/z", wk_variableLength},
                          {"/qx", wk_variableRotation},
                          {"/qy", wk_variableRotation},
                          {"/qz", wk_variableRotation},
                          {"/qw", wk_variableRotation}},
};

// Returns the description of a joint of the robot, and its number there.
static const wkJointDef* describedJoint(const wkRobotBuilder* builder, int32_t joint,
                                        int32_t* number)
{
    *number = builder->carrier[builder->linkOrder[joint + 1]];
    return &builder->def->joints[*number];
}

static const char* variableName(wkRobotMaker* maker, const wkJointInfo* joint, const char* suffix)
{
    if (suffix[0] == '\0') {
        return joint->name;
    }
    const char* name = wkKeepText(maker, joint->name);
    // the suffix overwrites the terminating zero of the name
    maker->text--;
    wkKeepText(maker, suffix);
    return name;
}

static void fillVariables(wkRobotMaker* maker, int32_t jointIndex, const wkJointDef* def)
{
    const wkJointInfo* joint = &maker->robot->joints[jointIndex];
    bool hasLimits = def->type == wk_jointRevolute || def->type == wk_jointPrismatic;
    for (int32_t k = 0; k < joint->variableCount; k++) {
        const variableRow* row = &variableTable[def->type][k];
        wkVariableInfo* variable = &maker->robot->variables[joint->firstVariable + k];
        variable->name = variableName(maker, joint, row->suffix);
        variable->kind = row->kind;
        variable->joint = jointIndex;
        variable->lower = hasLimits ? def->lower : -INFINITY;
        variable->upper = hasLimits ? def->upper : INFINITY;
        variable->velocity = joint->variableCount == 1 ? def->velocity : INFINITY;
    }
}

// Fills joints with numbers and names; variables are numbered in this order.
static void fillJoints(wkRobotMaker* maker)
{
    const wkRobotBuilder* builder = maker->builder;
    const wkVec3d up = {0.0, 0.0, 1.0};
    int32_t variableCount = 0;
    for (int32_t i = 0; i < maker->robot->info.jointCount; i++) {
        int32_t number = 0;
        const wkJointDef* def = describedJoint(builder, i, &number);
        wkJointInfo* joint = &maker->robot->joints[i];
        int32_t mimicked = builder->mimicked[number];
        joint->name = wkKeepText(maker, def->name);
        joint->type = def->type;
        joint->parentLink = builder->linkRank[wkNames_Find(&builder->links, def->parent)];
        joint->childLink = i + 1;
        joint->variableCount = mimicked < 0 ? wkJointVariableCount(def->type) : 0;
        joint->firstVariable = joint->variableCount > 0 ? variableCount : -1;
        joint->origin = def->origin;
        joint->axis = wkIsFiniteVec(def->axis) ? wkNormalizeOr(def->axis, up) : up;
        joint->mimic = mimicked >= 0 ? wkJointRank(builder, mimicked) : -1;
        joint->mimicFactor = builder->factor[number];
        joint->mimicOffset = builder->offset[number];
        variableCount += joint->variableCount;
        fillVariables(maker, i, def);
    }
}

// Narrows a variable to values that keep a mimic joint within its limits. When that leaves no value, which is
// an error of the description, the variable keeps its own limits.
static void narrow(wkVariableInfo* variable, const wkJointInfo* joint, const wkJointDef* def)
{
    if (def->type == wk_jointContinuous || joint->mimicFactor == 0.0) {
        return;
    }
    double a = (def->lower - joint->mimicOffset) / joint->mimicFactor;
    double b = (def->upper - joint->mimicOffset) / joint->mimicFactor;
    double lower = wkMaxD(variable->lower, wkMinD(a, b));
    double upper = wkMinD(variable->upper, wkMaxD(a, b));
    if (lower <= upper) {
        variable->lower = lower;
        variable->upper = upper;
    }
}

// Returns whether a mimic joint has the same pose after a full revolution of the joint that it mimics.
static bool isSameAfterRotation(const wkJointInfo* joint)
{
    bool isWhole = joint->mimicFactor == rint(joint->mimicFactor);
    return joint->mimicFactor == 0.0 || (joint->type != wk_jointPrismatic && isWhole);
}

static void applyMimics(wkRobotMaker* maker)
{
    wkRobot* robot = maker->robot;
    for (int32_t i = 0; i < robot->info.jointCount; i++) {
        const wkJointInfo* joint = &robot->joints[i];
        if (joint->mimic < 0) {
            continue;
        }
        int32_t number = 0;
        const wkJointDef* def = describedJoint(maker->builder, i, &number);
        wkVariableInfo* variable = &robot->variables[robot->joints[joint->mimic].firstVariable];
        narrow(variable, joint, def);
        bool isLimited = variable->lower > -INFINITY || variable->upper < INFINITY;
        if (variable->kind == wk_variableContinuous && (isLimited || !isSameAfterRotation(joint))) {
            variable->kind = wk_variableAngle;
        }
    }
}

// Returns the shortest rotation that takes z to the unit vector `axis`; about x when it is -z.
static wkQuat turnUpTo(wkVec3d axis)
{
    wkQuat q = {-axis.y, axis.x, 0.0, 1.0 + axis.z};
    wkQuat flip = {1.0, 0.0, 0.0, 0.0};
    return wkQuatLengthSquared(q) > 1e-30 ? wkNormalizeQuat(q) : flip;
}

// Precomputes the motion of a joint for kinematics, in the frame of its parent.
static void fillMotion(wkRigidGroup* rigidGroup)
{
    wkQuat o = rigidGroup->origin.rotation;
    wkVec3d a = rigidGroup->axis;
    wkMat3d frame = wkMatFromQuat(o);
    rigidGroup->axisRotation =
        (wkQuat){o.w * a.x + o.y * a.z - o.z * a.y, o.w * a.y - o.x * a.z + o.z * a.x,
                 o.w * a.z + o.x * a.y - o.y * a.x, -(o.x * a.x + o.y * a.y + o.z * a.z)};
    rigidGroup->translation[0] = frame.x;
    rigidGroup->translation[1] = frame.y;
    rigidGroup->translation[2] = frame.z;
    if (rigidGroup->type == wk_jointPrismatic) {
        rigidGroup->translation[0] = wkMulMV(&frame, a);
    }
    if (rigidGroup->type == wk_jointPlanar) {
        wkMat3d plane = wkMatFromQuat(turnUpTo(a));
        rigidGroup->translation[0] = wkMulMV(&frame, plane.x);
        rigidGroup->translation[1] = wkMulMV(&frame, plane.y);
    }
}

// Fills the rigid group of a joint, which is a child of `parent` with the pose `origin` in its frame.
static void fillRigidGroup(const wkRobot* robot, int32_t jointIndex, int32_t parent, wkPose origin,
                           wkRigidGroup* rigidGroup)
{
    const wkJointInfo* joint = &robot->joints[jointIndex];
    int32_t source = joint->mimic >= 0 ? joint->mimic : jointIndex;
    rigidGroup->parent = parent;
    rigidGroup->joint = jointIndex;
    rigidGroup->type = joint->type;
    rigidGroup->variable = robot->joints[source].firstVariable;
    rigidGroup->factor = joint->mimicFactor;
    rigidGroup->offset = joint->mimicOffset;
    rigidGroup->origin = origin;
    rigidGroup->axis = joint->axis;
    fillMotion(rigidGroup);
}

// Links on a fixed joint belong to the rigid group of their parent; other links start a rigid group.
static void fillLinks(wkRobotMaker* maker)
{
    const wkRobotBuilder* builder = maker->builder;
    wkRobot* robot = maker->robot;
    robot->rigidGroups[0] = (wkRigidGroup){.parent = -1,
                                           .joint = -1,
                                           .variable = -1,
                                           .origin = wkIdentityPose(),
                                           .axis = {0.0, 0.0, 1.0}};
    int32_t rigidGroupCount = 1;
    for (int32_t i = 0; i < robot->info.linkCount; i++) {
        wkRobotLink* link = &robot->links[i];
        link->info.name = wkKeepText(maker, builder->def->links[builder->linkOrder[i]]);
        link->info.parentJoint = i - 1;
        link->info.parentLink = i > 0 ? robot->joints[i - 1].parentLink : -1;
        link->rigidGroup = 0;
        link->isGroupFrame = true;
        link->pose = wkIdentityPose();
        if (i == 0) {
            continue;
        }
        const wkRobotLink* parent = &robot->links[link->info.parentLink];
        wkPose origin = wkMulPose(parent->pose, robot->joints[i - 1].origin);
        link->isGroupFrame = robot->joints[i - 1].type != wk_jointFixed;
        if (link->isGroupFrame) {
            link->rigidGroup = rigidGroupCount++;
            fillRigidGroup(robot, i - 1, parent->rigidGroup, origin,
                           &robot->rigidGroups[link->rigidGroup]);
        } else {
            link->rigidGroup = parent->rigidGroup;
            link->pose = origin;
        }
    }
}

void wkFillRobotTree(wkRobotMaker* maker)
{
    fillJoints(maker);
    applyMimics(maker);
    fillLinks(maker);
}
