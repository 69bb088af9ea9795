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

// Rotation of a quaternion of any length but zero; NaN when the length is zero or not finite.
WK_FN wkMat3d wkMatFromQuat(wkQuat q)
{
    double s = 2.0 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    double sx = s * q.x, sy = s * q.y, sz = s * q.z;
    double xx = sx * q.x, yy = sy * q.y, zz = sz * q.z;
    double xy = sx * q.y, xz = sx * q.z, yz = sy * q.z;
    double wx = sx * q.w, wy = sy * q.w, wz = sz * q.w;
    wkMat3d m = {{1.0 - (yy + zz), xy + wz, xz - wy},
                 {xy - wz, 1.0 - (xx + zz), yz + wx},
                 {xz + wy, yz - wx, 1.0 - (xx + yy)}};
    return m;
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

// transpose(a) * b
WK_FN wkMat3d wkMulTMM(const wkMat3d* a, const wkMat3d* b)
{
    wkMat3d m = {wkMulTMV(a, b->x), wkMulTMV(a, b->y), wkMulTMV(a, b->z)};
    return m;
}

WK_FN wkVec3d wkFramePoint(const wkFrame* frame, wkVec3d local)
{
    return wkAdd(wkMulMV(&frame->rotation, local), frame->position);
}

// World point into the frame.
WK_FN wkVec3d wkFrameLocal(const wkFrame* frame, wkVec3d world)
{
    return wkMulTMV(&frame->rotation, wkSub(world, frame->position));
}

// aFromB of two frames in the same world. The difference of positions comes first, so that nothing is
// lost far from the world's origin.
WK_FN wkFrame wkRelativeFrame(const wkFrame* a, const wkFrame* b)
{
    wkFrame aFromB = {wkMulTMM(&a->rotation, &b->rotation),
                      wkMulTMV(&a->rotation, wkSub(b->position, a->position))};
    return aFromB;
}
