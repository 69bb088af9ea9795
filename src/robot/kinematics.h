// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Products of poses with unit quaternions, as rigid groups have them, and the rigid groups in the layout of
// the kinematics kernels.

#include "base/cpu.h"
#include "robot/robot_impl.h"

// Rotates a vector by a unit quaternion.
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

// Eight rigid groups with consecutive numbers. Each rotates and translates in the frame of its parent, with
// factor 0 for what its joint does not do. Planar and floating joints are placed one by one.
struct wkRigidGroupBlock {
    // half the angle is factor * q + offset
    _Alignas(64) double angleFactor[WK_RIGID_GROUP_LANES];
    double angleOffset[WK_RIGID_GROUP_LANES];
    double lengthFactor[WK_RIGID_GROUP_LANES]; // the length is factor * q + offset
    double lengthOffset[WK_RIGID_GROUP_LANES];
    double rotation[4][WK_RIGID_GROUP_LANES];     // of the origin
    double axisRotation[4][WK_RIGID_GROUP_LANES]; // as in wkRigidGroup
    double position[3][WK_RIGID_GROUP_LANES];     // of the origin
    double translation[3][WK_RIGID_GROUP_LANES];
    int32_t variable[WK_RIGID_GROUP_LANES];
    int32_t parent[WK_RIGID_GROUP_LANES];
    bool isFree[WK_RIGID_GROUP_LANES]; // planar or floating
    int32_t count;                     // rigid groups in this block: its first lanes
};

static inline int32_t wkRigidGroupBlockCount(const wkRobot* robot)
{
    return (robot->rigidGroupCount - 1 + WK_RIGID_GROUP_LANES - 1) / WK_RIGID_GROUP_LANES;
}

// Fills the blocks from the rigid groups.
void wkFillRigidGroupBlocks(wkRobot* robot);

// Returns the pose of a rigid group in the frame of its parent, for any type of joint and any angle.
wkPose wkPlaceJoint(const wkRigidGroup* rigidGroup, const double* q);

// wkPlaceRigidGroups for one instruction set.
typedef void wkPlaceInLanesFcn(const wkRobot* robot, const wkPose* base, const double* q,
                               wkPose* rigidGroups);
wkPlaceInLanesFcn* wkPlaceInLanesOf(wkIsa isa);
wkPlaceInLanesFcn* wkPlaceInLanesOfMachine(void);
