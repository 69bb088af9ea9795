// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Products of poses whose rotations are of unit length, as those of movers are.

#include "robot/robot.h"

// a * b: b turns first.
WK_FN wkQuat wkMulQuat(wkQuat a, wkQuat b)
{
    wkQuat q = {(a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
                (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
                (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x),
                (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z)};
    return q;
}

WK_FN wkPose wkMulUnitPose(const wkPose* aFromB, const wkPose* bFromC)
{
    wkVec3d way = wkRotateByQuat(aFromB->rotation, bFromC->position);
    wkPose aFromC = {wkAdd(aFromB->position, way), wkMulQuat(aFromB->rotation, bFromC->rotation)};
    return aFromC;
}
