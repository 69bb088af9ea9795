// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rotations as matrices, and poses with such a rotation: what solvers compute with.

#include "math/vec.h"

// Columns: where the x, y and z axes go.
typedef struct wkMat3d {
    wkVec3d x, y, z;
} wkMat3d;

// A pose with its rotation as a matrix.
typedef struct wkFrame {
    wkMat3d rotation;
    wkVec3d position;
} wkFrame;

WK_FN double wkQuatLengthSquared(wkQuat q)
{
    return (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w);
}

// 2 / length^2, the factor of all products in a rotation. Without a division for a quaternion that
// is nearly of unit length: what 2 (2 - length^2) neglects is the square of the difference.
WK_FN double wkQuatScale(wkQuat q)
{
    double lengthSquared = wkQuatLengthSquared(q);
    bool isUnit = fabs(lengthSquared - 1.0) < 1e-9;
    return WK_LIKELY(isUnit) ? 4.0 - 2.0 * lengthSquared : 2.0 / lengthSquared;
}

// False for zero, NaN and infinity, and where the squares in a matrix would leave the range of
// double.
WK_FN bool wkIsSoundRotation(wkQuat q)
{
    double lengthSquared = wkQuatLengthSquared(q);
    return lengthSquared > 1e-280 && lengthSquared < 1e280;
}

// Frames further apart than 1e140 are refused: the square of their distance must stay in the range
// of double. One comparison for three upper limits: NaN and infinity survive the sum.
WK_FN bool wkAreSoundPoses(const wkPose* poseA, const wkPose* poseB)
{
    wkVec3d between = wkSub(poseB->position, poseA->position);
    double lengthA = wkQuatLengthSquared(poseA->rotation);
    double lengthB = wkQuatLengthSquared(poseB->rotation);
    return wkMinD(lengthA, lengthB) > 1e-280 && lengthA + lengthB + wkDot(between, between) < 1e280;
}

// Rotation of a quaternion whose squared length is 2 / s.
WK_FN wkMat3d wkMatFromScaledQuat(wkQuat q, double s)
{
    double sx = s * q.x, sy = s * q.y, sz = s * q.z;
    double xx = sx * q.x, yy = sy * q.y, zz = sz * q.z;
    double xy = sx * q.y, xz = sx * q.z, yz = sy * q.z;
    double wx = sx * q.w, wy = sy * q.w, wz = sz * q.w;
    wkMat3d m = {{1.0 - (yy + zz), xy + wz, xz - wy},
                 {xy - wz, 1.0 - (xx + zz), yz + wx},
                 {xz + wy, yz - wx, 1.0 - (xx + yy)}};
    return m;
}

// Rotation of a quaternion of any length but zero; NaN when the length is zero or not finite.
WK_FN wkMat3d wkMatFromQuat(wkQuat q)
{
    return wkMatFromScaledQuat(q, wkQuatScale(q));
}

// Where the z axis goes: the last column of wkMatFromQuat.
WK_FN wkVec3d wkAxisZFromQuat(wkQuat q)
{
    double s = wkQuatScale(q);
    return wkVec(s * (q.x * q.z + q.y * q.w), s * (q.y * q.z - q.x * q.w),
                 1.0 - s * (q.x * q.x + q.y * q.y));
}

// One vector turned by a quaternion of any length but zero: half the work of a matrix.
WK_FN wkVec3d wkRotateByQuat(wkQuat q, wkVec3d v)
{
    double s = wkQuatScale(q);
    wkVec3d axis = wkVec(q.x, q.y, q.z);
    wkVec3d across = wkCross(axis, v);
    return wkMulAdd(v, s, wkMulAdd(wkCross(axis, across), q.w, across));
}

// conjugate(a) * b: the rotation of b as seen from a.
WK_FN wkQuat wkRelativeQuat(wkQuat a, wkQuat b)
{
    wkQuat q = {a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
                a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x,
                a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w,
                a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z};
    return q;
}

WK_FN wkFrame wkFrameFromPose(wkPose pose)
{
    wkFrame frame = {wkMatFromQuat(pose.rotation), pose.position};
    return frame;
}

// m * v
WK_FN wkVec3d wkMulMV(const wkMat3d* m, wkVec3d v)
{
    return wkVec(m->x.x * v.x + m->y.x * v.y + m->z.x * v.z,
                 m->x.y * v.x + m->y.y * v.y + m->z.y * v.z,
                 m->x.z * v.x + m->y.z * v.y + m->z.z * v.z);
}

// transpose(m) * v
WK_FN wkVec3d wkMulTMV(const wkMat3d* m, wkVec3d v)
{
    return wkVec(wkDot(m->x, v), wkDot(m->y, v), wkDot(m->z, v));
}

WK_FN wkVec3d wkFramePoint(const wkFrame* frame, wkVec3d local)
{
    return wkAdd(wkMulMV(&frame->rotation, local), frame->position);
}

// Where B stands in the frame of A, from positions that are subtracted first, so that nothing is
// lost far from the world's origin. Rotations of any length but zero.
WK_FN wkFrame wkRelativeFrame(const wkPose* poseA, const wkPose* poseB, wkMat3d* worldFromA)
{
    wkQuat a = poseA->rotation, b = poseB->rotation;
    double lengthA = wkQuatLengthSquared(a), lengthB = wkQuatLengthSquared(b);
    *worldFromA = wkMatFromScaledQuat(a, 2.0 / lengthA);
    wkFrame bInA = {wkMatFromScaledQuat(wkRelativeQuat(a, b), 2.0 / (lengthA * lengthB)),
                    wkMulTMV(worldFromA, wkSub(poseB->position, poseA->position))};
    return bInA;
}

// World point into the frame.
WK_FN wkVec3d wkFrameLocal(const wkFrame* frame, wkVec3d world)
{
    return wkMulTMV(&frame->rotation, wkSub(world, frame->position));
}
