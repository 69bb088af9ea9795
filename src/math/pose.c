// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Public functions on poses. Solvers use the matrices of frame.h instead.

#include "math/slerp.h"
#include "whisker/math.h"

static const wkQuat noRotation = {0.0, 0.0, 0.0, 1.0};

wkPose wkIdentityPose(void)
{
    return wkMakePose(0.0, 0.0, 0.0);
}

wkPose wkMakePose(double x, double y, double z)
{
    wkPose pose = {wkVec(x, y, z), noRotation};
    return pose;
}

// a * b: b rotates first.
static wkQuat mulQuat(wkQuat a, wkQuat b)
{
    wkQuat q = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return q;
}

wkQuat wkMakeQuat(wkVec3d axis, double angle)
{
    wkVec3d unit = wkNormalizeOr(axis, wkVec(0.0, 0.0, 0.0));
    if (wkDot(unit, unit) == 0.0) {
        return noRotation;
    }
    double s = 0.0, c = 1.0;
    wkSinCos(0.5 * angle, &s, &c);
    wkQuat q = {s * unit.x, s * unit.y, s * unit.z, c};
    return q;
}

wkPose wkMakePoseRpy(wkVec3d position, double roll, double pitch, double yaw)
{
    wkQuat aboutX = wkMakeQuat(wkVec(1.0, 0.0, 0.0), roll);
    wkQuat aboutY = wkMakeQuat(wkVec(0.0, 1.0, 0.0), pitch);
    wkQuat aboutZ = wkMakeQuat(wkVec(0.0, 0.0, 1.0), yaw);
    wkPose pose = {position, mulQuat(aboutZ, mulQuat(aboutY, aboutX))};
    return pose;
}

wkVec3d wkRotateVector(wkPose pose, wkVec3d direction)
{
    wkMat3d rotation = wkMatFromQuat(wkNormalizeQuat(pose.rotation));
    return wkMulMV(&rotation, direction);
}

wkVec3d wkTransformPoint(wkPose pose, wkVec3d point)
{
    return wkAdd(wkRotateVector(pose, point), pose.position);
}

// Normalizes the rotation, so that long chains of products stay in the range of double.
wkPose wkMulPose(wkPose aFromB, wkPose bFromC)
{
    wkQuat rotation = mulQuat(wkNormalizeQuat(aFromB.rotation), wkNormalizeQuat(bFromC.rotation));
    wkPose aFromC = {wkTransformPoint(aFromB, bFromC.position), wkNormalizeQuat(rotation)};
    return aFromC;
}

wkPose wkInvPose(wkPose aFromB)
{
    wkQuat q = wkNormalizeQuat(aFromB.rotation);
    wkQuat conjugate = {-q.x, -q.y, -q.z, q.w};
    wkMat3d rotation = wkMatFromQuat(q);
    wkPose bFromA = {wkNeg(wkMulTMV(&rotation, aFromB.position)), conjugate};
    return bFromA;
}

wkPose wkInterpolatePose(wkPose a, wkPose b, double t)
{
    wkRotationWay way = wkWayBetween(a.rotation, b.rotation);
    wkPose pose = {wkLerp(a.position, b.position, t), wkRotationAt(&way, t)};
    return pose;
}

bool wkIsValidPose(wkPose pose)
{
    return wkIsFiniteVec(pose.position) && wkIsValidRotation(pose.rotation);
}
