// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Axes of oriented volumes as they are stored, and what a set of points extends along them.

#include "bv/stored.h"
#include "math/frame.h"

// Axes as a quaternion of any length. Whatever its floats are, they stand for a rotation without
// error: rounding turns the axes a little, but never skews or shortens them.
typedef struct wkTurn {
    float x, y, z, w;
} wkTurn;

// Of right-handed orthonormal axes.
wkTurn wkMakeTurn(const wkMat3d* axes);

WK_FN wkMat3d wkTurnAxes(wkTurn turn)
{
    wkQuat q = {(double)turn.x, (double)turn.y, (double)turn.z, (double)turn.w};
    return wkMatFromScaledQuat(q, 2.0 / wkQuatLengthSquared(q));
}

// Points with a ball around each: the first `split` have one radius, the others another.
typedef struct wkBalls {
    const wkVec3d* points;
    int32_t count; // >= 1
    int32_t split;
    double radius[2];
} wkBalls;

WK_FN double wkBallRadius(const wkBalls* balls, int32_t i)
{
    return balls->radius[i >= balls->split];
}

WK_FN wkBalls wkPointBalls(const wkVec3d* points, int32_t count)
{
    wkBalls balls = {points, count, count, {0.0, 0.0}};
    return balls;
}

// What balls take up along some axes, seen from one of their centres.
typedef struct wkExtents {
    wkVec3d origin;
    wkVec3d lower, upper; // along the axes
} wkExtents;

wkExtents wkMeasureExtents(const wkBalls* balls, const wkMat3d* axes);

// The same axes in another order, the one with the longest extent first.
wkMat3d wkSortAxes(const wkMat3d* axes, const wkExtents* extents);

// Directions in which points spread, the widest first. Identity when they do not spread at all.
wkMat3d wkSpreadAxes(const wkVec3d* points, int32_t count);

// Frame of B as seen from the frame of A, when each stands in a body and body B at `bInA`.
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
