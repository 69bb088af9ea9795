// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Access to the parts of a robot, by number and by name.

#include "robot/robot_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "whisker/detail/counts.h"
#include "whisker/hull.h"

#include <string.h>

static const char* const jointTypeNames[WK_JOINT_TYPE_COUNT] = {
    [wk_jointFixed] = "fixed",           [wk_jointRevolute] = "revolute",
    [wk_jointContinuous] = "continuous", [wk_jointPrismatic] = "prismatic",
    [wk_jointPlanar] = "planar",         [wk_jointFloating] = "floating",
};

const char* wkJointTypeName(wkJointType type)
{
    bool isKnown = (unsigned)type < (unsigned)WK_JOINT_TYPE_COUNT;
    return isKnown ? jointTypeNames[type] : "none";
}

wkResult wkJointTypeFromName(const char* name, wkJointType* type)
{
    for (int i = 0; name != NULL && i < WK_JOINT_TYPE_COUNT; i++) {
        if (strcmp(name, jointTypeNames[i]) == 0) {
            *type = (wkJointType)i;
            return wk_ok;
        }
    }
    return wkFail(wk_errorArgument, "joint: \"%.40s\" is no type of joints",
                  name != NULL ? name : "");
}

// Bytes of the lists of adopted meshes and hulls.
static size_t ownedByteCount(int32_t meshCount, int32_t hullCount)
{
    return (size_t)meshCount * sizeof(wkMesh*) + (size_t)hullCount * sizeof(wkHull*);
}

void wkRobot_Destroy(wkRobot* robot)
{
    if (robot == NULL) {
        return;
    }
    wkFreeBodyHulls(robot);
    for (int32_t i = 0; i < robot->meshCount; i++) {
        wkMesh_Destroy(robot->meshes[i]);
    }
    for (int32_t i = 0; i < robot->hullCount; i++) {
        wkHull_Destroy(robot->hulls[i]);
    }
    wkFree(robot->meshes, ownedByteCount(robot->meshCount, robot->hullCount));
    wkFree(robot, robot->blockByteCount);
}

// Checks pointers that are to be adopted.
static wkResult checkOwned(const char* kind, const void* const* owned, int32_t count)
{
    if (count < 0) {
        return wkFail(wk_errorRange, "adopt: %d %ss, must be >= 0", (int)count, kind);
    }
    for (int32_t i = 0; i < count; i++) {
        if (owned == NULL || owned[i] == NULL) {
            return wkFail(wk_errorArgument, "adopt: %s %d is NULL", kind, (int)i);
        }
    }
    return wk_ok;
}

wkResult wkRobot_Adopt(wkRobot* robot, wkMesh* const* meshes, int32_t meshCount,
                       wkHull* const* hulls, int32_t hullCount)
{
    if (robot == NULL) {
        return wkFail(wk_errorArgument, "adopt: the robot is NULL");
    }
    if (robot->meshes != NULL) {
        return wkFail(wk_errorState, "robot '%s' has adopted meshes before", robot->info.name);
    }
    wkResult result = checkOwned("mesh", (const void* const*)meshes, meshCount);
    result = result == wk_ok ? checkOwned("hull", (const void* const*)hulls, hullCount) : result;
    if (result != wk_ok || meshCount + hullCount == 0) {
        return result;
    }
    robot->meshes = (wkMesh**)wkAlloc(ownedByteCount(meshCount, hullCount));
    if (robot->meshes == NULL) {
        return wkFail(wk_errorMemory, "robot '%s': no memory for %d meshes and %d hulls",
                      robot->info.name, (int)meshCount, (int)hullCount);
    }
    robot->hulls = (wkHull**)(void*)(robot->meshes + meshCount);
    robot->meshCount = meshCount;
    robot->hullCount = hullCount;
    robot->info.byteCount += ownedByteCount(meshCount, hullCount);
    for (int32_t i = 0; i < meshCount; i++) {
        robot->meshes[i] = meshes[i];
        robot->info.byteCount += wkMesh_Info(meshes[i]).byteCount;
    }
    for (int32_t i = 0; i < hullCount; i++) {
        robot->hulls[i] = hulls[i];
        robot->info.byteCount += wkHull_Info(hulls[i]).byteCount;
    }
    return wk_ok;
}

wkRobotInfo wkRobot_Info(const wkRobot* robot)
{
    static const wkRobotInfo nothing = {.name = ""};
    return robot != NULL ? robot->info : nothing;
}

// Returns whether a robot has a part with that number.
static bool has(const wkRobot* robot, int32_t index, size_t countOffset)
{
    if (robot == NULL) {
        return false;
    }
    int32_t count = *(const int32_t*)(const void*)((const char*)&robot->info + countOffset);
    return index >= 0 && index < count;
}

wkLinkInfo wkRobot_Link(const wkRobot* robot, int32_t link)
{
    static const wkLinkInfo none = {.name = "", -1, -1, -1, 0};
    return has(robot, link, offsetof(wkRobotInfo, linkCount)) ? robot->links[link].info : none;
}

wkJointInfo wkRobot_Joint(const wkRobot* robot, int32_t joint)
{
    static const wkJointInfo none = {.name = "",
                                     .parentLink = -1,
                                     .childLink = -1,
                                     .firstVariable = -1,
                                     .origin = {.rotation = {0.0, 0.0, 0.0, 1.0}},
                                     .axis = {0.0, 0.0, 1.0},
                                     .mimic = -1};
    return has(robot, joint, offsetof(wkRobotInfo, jointCount)) ? robot->joints[joint] : none;
}

wkVariableInfo wkRobot_Variable(const wkRobot* robot, int32_t variable)
{
    static const wkVariableInfo none = {.name = "", .joint = -1};
    bool isOne = has(robot, variable, offsetof(wkRobotInfo, variableCount));
    return isOne ? robot->variables[variable] : none;
}

wkBodyInfo wkRobot_Body(const wkRobot* robot, int32_t body)
{
    static const wkBodyInfo none = {
        .name = "", .link = -1, .pose = {.rotation = {0.0, 0.0, 0.0, 1.0}}};
    return has(robot, body, offsetof(wkRobotInfo, bodyCount)) ? robot->bodies[body].info : none;
}

wkGroupInfo wkRobot_Group(const wkRobot* robot, int32_t group)
{
    static const wkGroupInfo none = {.name = ""};
    return has(robot, group, offsetof(wkRobotInfo, groupCount)) ? robot->groups[group] : none;
}

wkNamedStateInfo wkRobot_NamedState(const wkRobot* robot, int32_t state)
{
    static const wkNamedStateInfo none = {.name = "", .group = -1};
    return has(robot, state, offsetof(wkRobotInfo, stateCount)) ? robot->states[state] : none;
}

wkEndEffectorInfo wkRobot_EndEffector(const wkRobot* robot, int32_t endEffector)
{
    static const wkEndEffectorInfo none = {.name = "", -1, -1, -1};
    bool isOne = has(robot, endEffector, offsetof(wkRobotInfo, endEffectorCount));
    return isOne ? robot->endEffectors[endEffector] : none;
}

wkDisabledPairInfo wkRobot_DisabledPair(const wkRobot* robot, int32_t pair)
{
    static const wkDisabledPairInfo none = {-1, -1, ""};
    bool isOne = has(robot, pair, offsetof(wkRobotInfo, disabledPairCount));
    return isOne ? robot->disabledPairs[pair] : none;
}

// Returns the index of a name in an array of structs whose first field is a name; -1: none.
static int32_t find(const void* things, size_t stride, int32_t count, const char* name)
{
    const char* thing = (const char*)things;
    for (int32_t i = 0; i < count && name != NULL; i++, thing += stride) {
        if (strcmp(*(const char* const*)(const void*)thing, name) == 0) {
            return i;
        }
    }
    return -1;
}

#define FIND(robot, things, count, name)                                                           \
    ((robot) != NULL ? find((robot)->things, sizeof *(robot)->things, (robot)->info.count, name)   \
                     : -1)

int32_t wkRobot_FindLink(const wkRobot* robot, const char* name)
{
    return FIND(robot, links, linkCount, name);
}

int32_t wkRobot_FindJoint(const wkRobot* robot, const char* name)
{
    return FIND(robot, joints, jointCount, name);
}

int32_t wkRobot_FindVariable(const wkRobot* robot, const char* name)
{
    return FIND(robot, variables, variableCount, name);
}

int32_t wkRobot_FindGroup(const wkRobot* robot, const char* name)
{
    return FIND(robot, groups, groupCount, name);
}

int32_t wkRobot_FindNamedState(const wkRobot* robot, int32_t group, const char* name)
{
    for (int32_t i = 0; robot != NULL && name != NULL && i < robot->info.stateCount; i++) {
        const wkNamedStateInfo* state = &robot->states[i];
        if ((group < 0 || state->group == group) && strcmp(state->name, name) == 0) {
            return i;
        }
    }
    return -1;
}
