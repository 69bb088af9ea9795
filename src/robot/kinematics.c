// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Poses of rigid groups and links.

#include "robot/kinematics.h"
#include "base/isa_table.h"
#include "base/parallel.h"
#include "math/angle.h"

#include "whisker/detail/library.h"

WK_DEFINE_LANES(wkPlaceInLanesFcn, wkPlaceInLanes)

// Returns the translation by lengths along the first directions of a rigid group.
static wkVec3d translateBy(const wkRigidGroup* rigidGroup, const double* lengths, int count)
{
    wkVec3d position = rigidGroup->origin.position;
    for (int k = 0; k < count; k++) {
        position = wkMulAdd(position, lengths[k], rigidGroup->translation[k]);
    }
    return position;
}

// origin * (rotation by an angle about the axis)
static wkQuat rotateBy(const wkRigidGroup* rigidGroup, double angle)
{
    double s = 0.0, c = 1.0;
    wkSinCos(0.5 * angle, &s, &c);
    wkQuat o = rigidGroup->origin.rotation, t = rigidGroup->axisRotation;
    wkQuat rotated = {c * o.x + s * t.x, c * o.y + s * t.y, c * o.z + s * t.z, c * o.w + s * t.w};
    return rotated;
}

static wkPose placeFreely(const wkRigidGroup* rigidGroup, const double* q)
{
    if (rigidGroup->type == wk_jointPlanar) {
        wkPose planar = {translateBy(rigidGroup, q, 2), rotateBy(rigidGroup, q[2])};
        return planar;
    }
    wkQuat given = {q[3], q[4], q[5], q[6]};
    wkPose floating = {translateBy(rigidGroup, q, 3),
                       wkMulQuat(rigidGroup->origin.rotation, wkNormalizeQuat(given))};
    return floating;
}

wkPose wkPlaceJoint(const wkRigidGroup* rigidGroup, const double* q)
{
    const double* variables = q + rigidGroup->variable;
    if (rigidGroup->type >= wk_jointPlanar) {
        return placeFreely(rigidGroup, variables);
    }
    double value = rigidGroup->factor * variables[0] + rigidGroup->offset;
    bool isPrismatic = rigidGroup->type == wk_jointPrismatic;
    wkPose placed = {isPrismatic ? translateBy(rigidGroup, &value, 1) : rigidGroup->origin.position,
                     isPrismatic ? rigidGroup->origin.rotation : rotateBy(rigidGroup, value)};
    return placed;
}

void wkPlaceRigidGroups(const wkRobot* robot, wkPose base, const double* q, wkPose* rigidGroups)
{
    wkPlaceInLanesOfMachine()(robot, &base, q, rigidGroups);
}

// Poses are computed from the last link on: the rigid groups are stored at the front of the same array, and
// the rigid group of a link is never behind it.
void wkRobot_LinkPoses(const wkRobot* robot, wkPose base, const double* q, wkPose* poses)
{
    if (robot == NULL || poses == NULL) {
        return;
    }
    wkPlaceRigidGroups(robot, base, q, poses);
    for (int32_t i = robot->info.linkCount - 1; i > 0; i--) {
        const wkRobotLink* link = &robot->links[i];
        poses[i] = link->isGroupFrame ? poses[link->rigidGroup]
                                      : wkMulUnitPose(&poses[link->rigidGroup], &link->pose);
    }
}

// Configurations for one task: enough to be worth a thread.
#define TASK_SIZE 256

typedef struct many {
    const wkRobot* robot;
    wkPose base;
    const double* configurations;
    int32_t count;
    wkPose* poses;
} many;

static void placeSome(void* context, int32_t task)
{
    const many* all = (const many*)context;
    size_t variableCount = (size_t)all->robot->info.variableCount;
    size_t linkCount = (size_t)all->robot->info.linkCount;
    size_t first = (size_t)task * TASK_SIZE, left = (size_t)all->count - first;
    size_t end = first + (left < TASK_SIZE ? left : TASK_SIZE);
    for (size_t i = first; i < end; i++) {
        wkRobot_LinkPoses(all->robot, all->base, all->configurations + i * variableCount,
                          all->poses + i * linkCount);
    }
}

void wkRobot_LinkPosesOfMany(const wkRobot* robot, wkPose base, const double* configurations,
                             int32_t count, const wkParallel* parallel, wkPose* poses)
{
    if (robot == NULL || count <= 0) {
        return;
    }
    many all = {robot, base, configurations, count, poses};
    wkRunTasks(parallel, placeSome, &all, (count - 1) / TASK_SIZE + 1);
}
