// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Stored axes of oriented volumes, and the extents of a point set along them.

#include "bv/stored.h"
#include "math/frame.h"

// Axes as a quaternion of any length. Any floats stand for an exact rotation: rounding rotates the axes a
// little, but never skews or shortens them.
typedef struct wkPackedQuat {
    float x, y, z, w;
} wkPackedQuat;

// Packs right-handed orthonormal axes.
wkPackedQuat wkMakePackedQuat(const wkMat3d* axes);

WK_FN wkMat3d wkPackedQuatAxes(wkPackedQuat packedQuat)
{
    wkQuat q = {(double)packedQuat.x, (double)packedQuat.y, (double)packedQuat.z,
                (double)packedQuat.w};
    return wkMatFromScaledQuat(q, 2.0 / wkQuatLengthSquared(q));
}

// Points with a sphere around each: the first `split` have one radius, the others another.
typedef struct wkSpheres {
    const wkVec3d* points;
    int32_t count; // >= 1
    int32_t split;
    double radius[2];
} wkSpheres;

WK_FN double wkSphereRadius(const wkSpheres* spheres, int32_t i)
{
    return spheres->radius[i >= spheres->split];
}

WK_FN wkSpheres wkPointSpheres(const wkVec3d* points, int32_t count)
{
    wkSpheres spheres = {points, count, count, {0.0, 0.0}};
    return spheres;
}

// Extents of spheres along some axes, relative to one of their centres.
typedef struct wkExtents {
    wkVec3d origin;
    wkVec3d lower, upper; // along the axes
} wkExtents;

wkExtents wkMeasureExtents(const wkSpheres* spheres, const wkMat3d* axes);

// Returns the axes reordered, the one with the longest extent first.
wkMat3d wkSortAxes(const wkMat3d* axes, const wkExtents* extents);

// Returns the directions in which points spread, the widest first. Identity when all points coincide.
wkMat3d wkSpreadAxes(const wkVec3d* points, int32_t count);

// Returns the frame of volume B relative to that of volume A; the body of B has pose `bInA`.
WK_FN wkFrame wkFrameBetween(const wkFrame* bInA, const wkMat3d* axesA, wkVec3d centerA,
                             const wkMat3d* axesB, wkVec3d centerB)
{
    wkVec3d x = wkMulMV(&bInA->rotation, axesB->x);
    wkVec3d y = wkMulMV(&bInA->rotation, axesB->y);
    wkVec3d z = wkMulMV(&bInA->rotation, axesB->z);
    wkVec3d between = wkSub(wkFramePoint(bInA, centerB), centerA);
    wkFrame frame = {{wkMulTMV(axesA, x), wkMulTMV(axesA, y), wkMulTMV(axesA, z)},
                     wkMulTMV(axesA, between)};
    return frame;
}
