// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Fills bodies, groups, named states, end effectors and pairs of a robot.

#include "robot/robot_maker.h"

#include <float.h>
#include <stdlib.h>

// A box that meets nothing, for bodies without geometry.
#define NOTHING (-1e60)

// Computes the middle of an interval and its half length, rounded up.
static void halve(double lower, double upper, double* middle, double* half)
{
    bool isFinite = lower > -INFINITY && upper < INFINITY;
    *middle = isFinite ? 0.5 * lower + 0.5 * upper : 0.0;
    double reach = wkMaxD(upper - *middle, *middle - lower) * (1.0 + 2.0 * DBL_EPSILON);
    *half = isFinite ? reach : INFINITY;
    *half = lower > upper ? NOTHING : *half;
}

// Computes a box around a shape, in its own frame. Negative padding is ignored, so that boxes that are apart
// imply shapes that are: the gap of boxes is never larger than the distance.
static void fillBox(wkRobotBody* body)
{
    wkShape shape = body->shape;
    shape.padding = wkPositive(shape.padding);
    wkAabb box = wkShape_Bounds(&shape, wkIdentityPose());
    halve(box.lower.x, box.upper.x, &body->middle.x, &body->half.x);
    halve(box.lower.y, box.upper.y, &body->middle.y, &body->half.y);
    halve(box.lower.z, box.upper.z, &body->middle.z, &body->half.z);
}

static void fillBody(wkRobotMaker* maker, const wkBodyDef* def, int32_t link, wkRobotBody* body)
{
    const wkRobotLink* carrier = &maker->robot->links[link];
    body->shape = def->shape;
    body->info.name = wkKeepText(maker, def->name);
    body->info.link = link;
    body->info.shape = &body->shape;
    body->info.pose = def->pose;
    body->rigidGroup = carrier->rigidGroup;
    body->pose = wkMulPose(carrier->pose, def->pose);
    fillBox(body);
    if (def->shape.type == wk_shapeMesh) {
        maker->robot->info.triangleCount += wkMesh_Info(def->shape.mesh).triangleCount;
    }
}

// Fills bodies sorted by link; those of a link keep the order of the description.
static void fillBodies(wkRobotMaker* maker)
{
    const wkRobotBuilder* builder = maker->builder;
    const wkRobotDef* def = builder->def;
    wkRobot* robot = maker->robot;
    for (int32_t i = 0; i < def->bodyCount; i++) {
        int32_t link = builder->linkRank[wkNames_Find(&builder->links, def->bodies[i].link)];
        robot->links[link].info.bodyCount++;
    }
    int32_t bodyCount = 0;
    for (int32_t i = 0; i < def->linkCount; i++) {
        robot->links[i].info.firstBody = bodyCount;
        bodyCount += robot->links[i].info.bodyCount;
        robot->links[i].info.bodyCount = 0;
    }
    for (int32_t i = 0; i < def->bodyCount; i++) {
        int32_t link = builder->linkRank[wkNames_Find(&builder->links, def->bodies[i].link)];
        wkLinkInfo* info = &robot->links[link].info;
        fillBody(maker, &def->bodies[i], link, &robot->bodies[info->firstBody + info->bodyCount]);
        info->bodyCount++;
    }
}

static int compareNumbers(const void* a, const void* b)
{
    int32_t left = *(const int32_t*)a, right = *(const int32_t*)b;
    return (left > right) - (left < right);
}

// Sorts the numbers that were added last and removes duplicates.
// @return count of numbers left
static int32_t sortUnique(int32_t* numbers, int32_t count)
{
    if (count > 1) {
        qsort(numbers, (size_t)count, sizeof *numbers, compareNumbers);
    }
    int32_t left = 0;
    for (int32_t i = 0; i < count; i++) {
        if (left == 0 || numbers[left - 1] != numbers[i]) {
            numbers[left++] = numbers[i];
        }
    }
    return left;
}

static const wkJointInfo* jointNamed(const wkRobotMaker* maker, const char* name)
{
    int32_t number = wkNames_Find(&maker->builder->joints, name);
    return &maker->robot->joints[wkJointRank(maker->builder, number)];
}

static int32_t linkNamed(const wkRobotBuilder* builder, const char* name)
{
    return builder->linkRank[wkNames_Find(&builder->links, name)];
}

static void fillGroups(wkRobotMaker* maker)
{
    const wkRobotBuilder* builder = maker->builder;
    for (int32_t i = 0; i < builder->def->groupCount; i++) {
        const wkGroupDef* def = &builder->def->groups[i];
        wkGroupInfo* group = &maker->robot->groups[i];
        group->name = wkKeepText(maker, def->name);

        int32_t* numbers = maker->numbers;
        int32_t count = 0;
        for (int32_t k = 0; k < def->jointCount; k++) {
            const wkJointInfo* joint = jointNamed(maker, def->joints[k]);
            for (int32_t v = 0; v < joint->variableCount; v++) {
                numbers[count++] = joint->firstVariable + v;
            }
        }
        group->variables = numbers;
        group->variableCount = sortUnique(numbers, count);

        numbers += group->variableCount;
        for (int32_t k = 0; k < def->linkCount; k++) {
            numbers[k] = linkNamed(builder, def->links[k]);
        }
        group->links = numbers;
        group->linkCount = sortUnique(numbers, def->linkCount);
        maker->numbers = numbers + group->linkCount;
    }
}

static void fillStates(wkRobotMaker* maker)
{
    const wkRobotBuilder* builder = maker->builder;
    for (int32_t i = 0; i < builder->def->stateCount; i++) {
        const wkNamedStateDef* def = &builder->def->states[i];
        wkNamedStateInfo* state = &maker->robot->states[i];
        state->name = wkKeepText(maker, def->name);
        state->group = wkNames_Find(&builder->groups, def->group);
        state->variables = maker->numbers;
        state->values = maker->values;
        for (int32_t k = 0; k < def->jointCount; k++) {
            const wkJointInfo* joint = jointNamed(maker, def->joints[k]);
            for (int32_t v = 0; v < joint->variableCount; v++) {
                *maker->numbers++ = joint->firstVariable + v;
                *maker->values++ = def->values[state->count++];
            }
        }
    }
}

static void fillEndEffectors(wkRobotMaker* maker)
{
    const wkRobotBuilder* builder = maker->builder;
    for (int32_t i = 0; i < builder->def->endEffectorCount; i++) {
        const wkEndEffectorDef* def = &builder->def->endEffectors[i];
        wkEndEffectorInfo* endEffector = &maker->robot->endEffectors[i];
        endEffector->name = wkKeepText(maker, def->name);
        endEffector->group = wkNames_Find(&builder->groups, def->group);
        endEffector->parentLink = linkNamed(builder, def->parentLink);
        endEffector->parentGroup = wkNames_Find(&builder->groups, def->parentGroup);
    }
}

static void fillPairs(wkRobotMaker* maker)
{
    const wkRobotBuilder* builder = maker->builder;
    for (int32_t i = 0; i < builder->def->disabledPairCount; i++) {
        const wkDisabledPairDef* def = &builder->def->disabledPairs[i];
        wkDisabledPairInfo* pair = &maker->robot->disabledPairs[i];
        int32_t a = linkNamed(builder, def->linkA), b = linkNamed(builder, def->linkB);
        pair->linkA = a < b ? a : b;
        pair->linkB = a < b ? b : a;
        pair->reason = wkKeepText(maker, def->reason);
    }
}

void wkFillRobotParts(wkRobotMaker* maker)
{
    fillBodies(maker);
    fillGroups(maker);
    fillStates(maker);
    fillEndEffectors(maker);
    fillPairs(maker);
}
