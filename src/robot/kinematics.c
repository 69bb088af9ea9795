// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Where movers and links are. The rotation of a joint is computed before that of its parent is
// needed, so that along a chain only one product of quaternions waits for the one before.

#include "robot/kinematics.h"
#include "base/parallel.h"
#include "math/angle.h"

// Moves a point by lengths along the first directions of a mover.
static wkVec3d slideBy(const wkMover* mover, const double* lengths, int count)
{
    wkVec3d place = mover->origin.position;
    for (int k = 0; k < count; k++) {
        place = wkMulAdd(place, lengths[k], mover->slide[k]);
    }
    return place;
}

// origin * (rotation by an angle about the axis)
WK_FORCE_FN wkQuat turnBy(const wkMover* mover, double angle)
{
    double s = 0.0, c = 1.0;
    wkSinCos(0.5 * angle, &s, &c);
    wkQuat o = mover->origin.rotation, t = mover->turn;
    wkQuat turned = {c * o.x + s * t.x, c * o.y + s * t.y, c * o.z + s * t.z, c * o.w + s * t.w};
    return turned;
}

// Planar and floating joints, which are rare.
WK_APART_FN wkPose placeFreely(const wkMover* mover, const double* q)
{
    if (mover->type == wk_jointPlanar) {
        wkPose planar = {slideBy(mover, q, 2), turnBy(mover, q[2])};
        return planar;
    }
    wkQuat given = {q[3], q[4], q[5], q[6]};
    wkPose floating = {slideBy(mover, q, 3),
                       wkMulQuat(mover->origin.rotation, wkNormalizeQuat(given))};
    return floating;
}

// Where a mover is in the frame of its parent.
WK_FORCE_FN wkPose placeJoint(const wkMover* mover, const double* q)
{
    const double* variables = q + mover->variable;
    if (mover->type >= wk_jointPlanar) {
        return placeFreely(mover, variables);
    }
    double value = mover->factor * variables[0] + mover->offset;
    if (mover->type == wk_jointPrismatic) {
        wkPose slid = {wkMulAdd(mover->origin.position, value, mover->slide[0]),
                       mover->origin.rotation};
        return slid;
    }
    wkPose turned = {mover->origin.position, turnBy(mover, value)};
    return turned;
}

void wkPlaceMovers(const wkRobot* robot, wkPose base, const double* q, wkPose* movers)
{
    movers[0].position = base.position;
    movers[0].rotation = wkNormalizeQuat(base.rotation);
    for (int32_t i = 1; i < robot->moverCount; i++) {
        const wkMover* mover = &robot->movers[i];
        wkPose inParent = placeJoint(mover, q);
        movers[i] = wkMulUnitPose(&movers[mover->parent], &inParent);
    }
}

// Links are placed from the last one on: the movers stand at the front of the same array, and the
// mover of a link is never behind it.
void wkRobot_LinkPoses(const wkRobot* robot, wkPose base, const double* q, wkPose* poses)
{
    if (robot == NULL || poses == NULL) {
        return;
    }
    wkPlaceMovers(robot, base, q, poses);
    for (int32_t i = robot->info.linkCount - 1; i > 0; i--) {
        const wkRobotLink* link = &robot->links[i];
        poses[i] =
            link->isMover ? poses[link->mover] : wkMulUnitPose(&poses[link->mover], &link->pose);
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
    int32_t first = task * TASK_SIZE;
    int32_t count = all->count - first < TASK_SIZE ? all->count - first : TASK_SIZE;
    for (size_t i = (size_t)first; i < (size_t)(first + count); i++) {
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
