// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rotations as matrices, and poses with such a rotation, as solvers use them.

#include "math/vec.h"

// Columns: the images of the x, y and z axes.
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

// 2 / length^2, the factor of all products in a rotation. Avoids the division for a quaternion of nearly unit
// length: 2 (2 - length^2) neglects only the square of the difference.
WK_FN double wkQuatScale(wkQuat q)
{
    double lengthSquared = wkQuatLengthSquared(q);
    bool isUnit = fabs(lengthSquared - 1.0) < 1e-9;
    return WK_LIKELY(isUnit) ? 4.0 - 2.0 * lengthSquared : 2.0 / lengthSquared;
}

// Limits of squared lengths that queries accept: of a quaternion, and of the vector between two frames. The
// lower limit is the smallest whose scale is finite, and closed forms check it by the exponent alone
// (solve/closed_form/closed_form.h). The upper limit keeps sums and products of lengths finite.
#define WK_MIN_QUAT_SQUARED 0x1p-1022
#define WK_MAX_SQUARED 1e280

// Returns false for zero, NaN and infinity too.
WK_FN bool wkIsValidRotation(wkQuat q)
{
    double square = wkQuatLengthSquared(q);
    return (square >= WK_MIN_QUAT_SQUARED) & (square < WK_MAX_SQUARED);
}

WK_FN bool wkAreValidPoses(const wkPose* poseA, const wkPose* poseB)
{
    wkVec3d between = wkSub(poseB->position, poseA->position);
    bool isNear = wkDot(between, between) < WK_MAX_SQUARED;
    bool isValidA = wkIsValidRotation(poseA->rotation);
    bool isValidB = wkIsValidRotation(poseB->rotation);
    return isValidA & isValidB & isNear;
}

// Normalizes to unit length. An invalid rotation stays invalid.
WK_FN wkQuat wkNormalizeQuat(wkQuat q)
{
    double s = 1.0 / sqrt(wkQuatLengthSquared(q));
    wkQuat unit = {s * q.x, s * q.y, s * q.z, s * q.w};
    return unit;
}

// Returns the rotation itself, or its unit quaternion where a product of two could leave the range of double.
WK_FN wkQuat wkTameQuat(wkQuat q)
{
    double square = wkQuatLengthSquared(q);
    bool isTame = square > 1e-60 && square < 1e60;
    return WK_LIKELY(isTame) ? q : wkNormalizeQuat(q);
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

// Quaternions whose squared length is this close to one are treated as unit length where only an axis is
// needed: the slack of every distance covers several times that error.
#define WK_UNIT 1e-15

// Returns the image of the z axis: the last column of wkMatFromQuat, with less work.
WK_FN wkVec3d wkAxisZFromQuat(wkQuat q)
{
    double low = q.x * q.x + q.y * q.y, high = q.z * q.z + q.w * q.w, square = high + low;
    wkVec3d axis =
        wkVec(2.0 * q.x * q.z + 2.0 * q.y * q.w, 2.0 * q.y * q.z - 2.0 * q.x * q.w, high - low);
    return WK_LIKELY(fabs(square - 1.0) < WK_UNIT) ? axis : wkScale(1.0 / square, axis);
}

// Rotates one vector by a quaternion of any length but zero: half the work of a matrix.
WK_FN wkVec3d wkRotateByQuat(wkQuat q, wkVec3d v)
{
    double s = wkQuatScale(q);
    wkVec3d axis = wkVec(q.x, q.y, q.z);
    wkVec3d across = wkCross(axis, v);
    return wkMulAdd(v, s, wkMulAdd(wkCross(axis, across), q.w, across));
}

// Returns a * b: b rotates first.
WK_FORCE_FN wkQuat wkMulQuat(wkQuat a, wkQuat b)
{
    wkQuat q = {(a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
                (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
                (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x),
                (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z)};
    return q;
}

// conjugate(a) * b: the rotation of b relative to a.
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

// Returns the pose of B in the frame of A. Positions are subtracted first, so that no digits are lost far
// from the world's origin. Rotations may have any length but zero.
WK_FN wkFrame wkRelativeFrame(const wkPose* poseA, const wkPose* poseB, wkMat3d* worldFromA)
{
    wkQuat a = poseA->rotation, b = poseB->rotation;
    double lengthA = wkQuatLengthSquared(a), lengthB = wkQuatLengthSquared(b);
    *worldFromA = wkMatFromScaledQuat(a, 2.0 / lengthA);
    wkFrame bInA = {wkMatFromScaledQuat(wkRelativeQuat(a, b), 2.0 / (lengthA * lengthB)),
                    wkMulTMV(worldFromA, wkSub(poseB->position, poseA->position))};
    return bInA;
}

// Transforms a world point into the frame.
WK_FN wkVec3d wkFrameLocal(const wkFrame* frame, wkVec3d world)
{
    return wkMulTMV(&frame->rotation, wkSub(world, frame->position));
}
