// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Products of poses whose rotations are of unit length, as those of movers are; and movers as
// kinematics reads them.

#include "base/cpu.h"
#include "robot/robot.h"

// a * b: b turns first.
WK_FORCE_FN wkQuat wkMulQuat(wkQuat a, wkQuat b)
{
    wkQuat q = {(a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
                (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
                (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x),
                (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z)};
    return q;
}

// A vector turned by a quaternion of unit length.
WK_FN wkVec3d wkRotateByUnit(wkQuat q, wkVec3d v)
{
    wkVec3d axis = wkVec(q.x, q.y, q.z), across = wkCross(axis, v);
    across = wkAdd(across, across);
    return wkAdd(wkMulAdd(v, q.w, across), wkCross(axis, across));
}

WK_FORCE_FN wkPose wkMulUnitPose(const wkPose* aFromB, const wkPose* bFromC)
{
    wkVec3d way = wkRotateByUnit(aFromB->rotation, bFromC->position);
    wkPose aFromC = {wkAdd(aFromB->position, way), wkMulQuat(aFromB->rotation, bFromC->rotation)};
    return aFromC;
}

// Eight movers with consecutive numbers. Each turns and slides at once, in the frame of its parent:
// the factors of what it does not do are zero. What is free to do more is placed one by one.
struct wkMoverGroup {
    // half the angle is factor * q + offset
    _Alignas(64) double angleFactor[WK_GROUP_MOVERS];
    double angleOffset[WK_GROUP_MOVERS];
    double lengthFactor[WK_GROUP_MOVERS]; // and the length likewise
    double lengthOffset[WK_GROUP_MOVERS];
    double rotation[4][WK_GROUP_MOVERS]; // of the origin
    double turn[4][WK_GROUP_MOVERS];     // as in wkMover
    double position[3][WK_GROUP_MOVERS]; // of the origin
    double slide[3][WK_GROUP_MOVERS];
    int32_t variable[WK_GROUP_MOVERS];
    int32_t parent[WK_GROUP_MOVERS];
    bool isFree[WK_GROUP_MOVERS]; // planar or floating
    int32_t count;                // movers in this group, the first ones
};

static inline int32_t wkMoverGroupCount(const wkRobot* robot)
{
    return (robot->moverCount - 1 + WK_GROUP_MOVERS - 1) / WK_GROUP_MOVERS;
}

// Fills in the groups from the movers.
void wkFillMoverGroups(wkRobot* robot);

// Where a mover is in the frame of its parent: any type of joint, any angle.
wkPose wkPlaceJoint(const wkMover* mover, const double* q);

// wkPlaceMovers for one instruction set.
typedef void wkPlaceInLanesFcn(const wkRobot* robot, const wkPose* base, const double* q,
                               wkPose* movers);
wkPlaceInLanesFcn* wkPlaceInLanesOf(wkIsa isa);
wkPlaceInLanesFcn* wkPlaceInLanesOfMachine(void);
