// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Products of poses whose rotations are of unit length, as those of movers are.

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
