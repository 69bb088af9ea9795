// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builds a robot from a description that was checked: one block of memory with everything in it.

#include "base/error.h"
#include "base/memory.h"
#include "robot/kinematics.h"
#include "robot/robot_maker.h"
#include "whisker/hull.h"

#include <string.h>

// Sums over a description that the size of the block depends on.
typedef struct bulk {
    size_t valueCount;
    size_t numberCount;
    size_t textByteCount;
} bulk;

static size_t textOf(const char* string)
{
    return string != NULL ? strlen(string) + 1 : 1;
}

static int32_t variablesOf(const wkJointDef* joint)
{
    return joint->mimic == NULL ? wkJointVariableCount(joint->type) : 0;
}

static int32_t variablesOfNamed(const wkRobotBuilder* builder, const char* joint)
{
    return variablesOf(&builder->def->joints[wkNames_Find(&builder->joints, joint)]);
}

static void measureTree(const wkRobotDef* def, bulk* sums)
{
    sums->textByteCount += textOf(def->name);
    for (int32_t i = 0; i < def->linkCount; i++) {
        sums->textByteCount += textOf(def->links[i]);
    }
    for (int32_t i = 0; i < def->jointCount; i++) {
        size_t variableCount = (size_t)variablesOf(&def->joints[i]);
        size_t byteCount = textOf(def->joints[i].name);
        sums->textByteCount += byteCount + variableCount * (byteCount + WK_VARIABLE_NAME_CAPACITY);
    }
    for (int32_t i = 0; i < def->bodyCount; i++) {
        sums->textByteCount += textOf(def->bodies[i].name);
    }
}

static void measureParts(const wkRobotBuilder* builder, bulk* sums)
{
    const wkRobotDef* def = builder->def;
    for (int32_t i = 0; i < def->groupCount; i++) {
        const wkGroupDef* group = &def->groups[i];
        sums->textByteCount += textOf(group->name);
        sums->numberCount += (size_t)group->linkCount;
        for (int32_t k = 0; k < group->jointCount; k++) {
            sums->numberCount += (size_t)variablesOfNamed(builder, group->joints[k]);
        }
    }
    for (int32_t i = 0; i < def->stateCount; i++) {
        const wkNamedStateDef* state = &def->states[i];
        sums->textByteCount += textOf(state->name);
        for (int32_t k = 0; k < state->jointCount; k++) {
            size_t variableCount = (size_t)variablesOfNamed(builder, state->joints[k]);
            sums->numberCount += variableCount;
            sums->valueCount += variableCount;
        }
    }
    for (int32_t i = 0; i < def->endEffectorCount; i++) {
        sums->textByteCount += textOf(def->endEffectors[i].name);
    }
    for (int32_t i = 0; i < def->disabledPairCount; i++) {
        sums->textByteCount += textOf(def->disabledPairs[i].reason);
    }
}

static void count(const wkRobotDef* def, wkRobot* robot)
{
    wkRobotInfo* info = &robot->info;
    info->linkCount = def->linkCount;
    info->jointCount = def->jointCount;
    info->bodyCount = def->bodyCount;
    info->groupCount = def->groupCount;
    info->stateCount = def->stateCount;
    info->endEffectorCount = def->endEffectorCount;
    info->disabledPairCount = def->disabledPairCount;
    robot->rigidGroupCount = 1;
    for (int32_t i = 0; i < def->jointCount; i++) {
        info->variableCount += variablesOf(&def->joints[i]);
        robot->rigidGroupCount += def->joints[i].type != wk_jointFixed;
    }
}

// Memory that is handed out in pieces; without a start, only sizes are added up.
typedef struct arena {
    char* start;
    size_t used;
} arena;

// Alignment for SIMD.
#define PIECE_ALIGNMENT 64

static void* take(arena* from, size_t itemCount, size_t itemSize)
{
    void* piece = from->start != NULL ? from->start + from->used : NULL;
    from->used += (itemCount * itemSize + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

#define TAKE(from, type, itemCount) ((type*)take(from, (size_t)(itemCount), sizeof(type)))

// Sets the pointers into the block of a robot whose parts were counted.
static wkRobotMaker layOut(wkRobot* robot, const bulk* sums, arena* block)
{
    const wkRobotInfo* info = &robot->info;
    take(block, 1, sizeof *robot);
    robot->links = TAKE(block, wkRobotLink, info->linkCount);
    robot->joints = TAKE(block, wkJointInfo, info->jointCount);
    robot->rigidGroups = TAKE(block, wkRigidGroup, robot->rigidGroupCount);
    robot->rigidGroupBlocks = TAKE(block, wkRigidGroupBlock, wkRigidGroupBlockCount(robot));
    robot->variables = TAKE(block, wkVariableInfo, info->variableCount);
    robot->bodies = TAKE(block, wkRobotBody, info->bodyCount);
    robot->groups = TAKE(block, wkGroupInfo, info->groupCount);
    robot->states = TAKE(block, wkNamedStateInfo, info->stateCount);
    robot->endEffectors = TAKE(block, wkEndEffectorInfo, info->endEffectorCount);
    robot->disabledPairs = TAKE(block, wkDisabledPairInfo, info->disabledPairCount);
    wkRobotMaker maker = {.robot = robot,
                          .values = TAKE(block, double, sums->valueCount),
                          .numbers = TAKE(block, int32_t, sums->numberCount),
                          .text = TAKE(block, char, sums->textByteCount)};
    return maker;
}

const char* wkKeepText(wkRobotMaker* maker, const char* string)
{
    size_t byteCount = textOf(string);
    char* copy = maker->text;
    memcpy(copy, string != NULL ? string : "", byteCount);
    maker->text += byteCount;
    return copy;
}

static wkResult build(const wkRobotBuilder* builder, wkRobot** result)
{
    const wkRobotDef* def = builder->def;
    bulk sums = {0, 0, 0};
    measureTree(def, &sums);
    measureParts(builder, &sums);
    wkRobot counted;
    memset(&counted, 0, sizeof counted);
    count(def, &counted);
    arena block = {NULL, 0};
    layOut(&counted, &sums, &block);

    wkRobot* robot = (wkRobot*)wkAlloc(block.used);
    if (robot == NULL) {
        return wkFail(wk_errorMemory, "robot '%s': no memory for %zu bytes", def->name, block.used);
    }
    memset(robot, 0, block.used);
    *robot = counted;
    robot->blockByteCount = block.used;
    block.start = (char*)robot;
    block.used = 0;
    wkRobotMaker maker = layOut(robot, &sums, &block);
    maker.builder = builder;
    robot->info.name = wkKeepText(&maker, def->name);
    wkFillRobotTree(&maker);
    wkFillRigidGroupBlocks(robot);
    wkFillRobotParts(&maker);
    wkResult hulls = wkMakeBodyHulls(robot);
    if (hulls != wk_ok) {
        wkFree(robot, robot->blockByteCount);
        return hulls;
    }
    robot->info.byteCount += robot->blockByteCount;
    *result = robot;
    return wk_ok;
}

wkResult wkRobot_Create(const wkRobotDef* def, wkRobot** robot)
{
    if (robot == NULL) {
        return wkFail(wk_errorArgument, "robot: the pointer for it is NULL");
    }
    *robot = NULL;
    wkRobotBuilder builder;
    wkResult result = wkRobotBuilder_Begin(&builder, def);
    if (result != wk_ok) {
        return result;
    }
    result = build(&builder, robot);
    wkRobotBuilder_End(&builder);
    return result;
}
