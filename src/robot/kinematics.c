// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Where movers and links are.

#include "robot/kinematics.h"
#include "base/lanes.h"
#include "base/parallel.h"
#include "math/angle.h"

WK_DEFINE_LANES(wkPlaceInLanesFcn, wkPlaceInLanes)

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
static wkQuat turnBy(const wkMover* mover, double angle)
{
    double s = 0.0, c = 1.0;
    wkSinCos(0.5 * angle, &s, &c);
    wkQuat o = mover->origin.rotation, t = mover->turn;
    wkQuat turned = {c * o.x + s * t.x, c * o.y + s * t.y, c * o.z + s * t.z, c * o.w + s * t.w};
    return turned;
}

static wkPose placeFreely(const wkMover* mover, const double* q)
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

wkPose wkPlaceJoint(const wkMover* mover, const double* q)
{
    const double* variables = q + mover->variable;
    if (mover->type >= wk_jointPlanar) {
        return placeFreely(mover, variables);
    }
    double value = mover->factor * variables[0] + mover->offset;
    bool isSlide = mover->type == wk_jointPrismatic;
    wkPose placed = {isSlide ? slideBy(mover, &value, 1) : mover->origin.position,
                     isSlide ? mover->origin.rotation : turnBy(mover, value)};
    return placed;
}

void wkPlaceMovers(const wkRobot* robot, wkPose base, const double* q, wkPose* movers)
{
    wkPlaceInLanesOfMachine()(robot, &base, q, movers);
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
