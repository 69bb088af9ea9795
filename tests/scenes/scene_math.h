// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The few vector functions that scenes and their checks need. They are written apart from the
// library on purpose: a check must not inherit the mistakes of what it checks.

#include "whisker/math.h"

#include <math.h>

static inline wkVec3d wkSceneVec(double x, double y, double z)
{
    wkVec3d v = {x, y, z};
    return v;
}

static inline wkVec3d wkSceneAdd(wkVec3d a, wkVec3d b)
{
    return wkSceneVec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline wkVec3d wkSceneSub(wkVec3d a, wkVec3d b)
{
    return wkSceneVec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline wkVec3d wkSceneScale(wkVec3d a, double factor)
{
    return wkSceneVec(a.x * factor, a.y * factor, a.z * factor);
}

static inline double wkSceneDot(wkVec3d a, wkVec3d b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline wkVec3d wkSceneCross(wkVec3d a, wkVec3d b)
{
    return wkSceneVec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double wkSceneLength(wkVec3d a)
{
    return sqrt(wkSceneDot(a, a));
}

// A pose as a matrix: columns are the body's axes in the world.
typedef struct wkSceneFrame {
    wkVec3d axes[3];
    wkVec3d position;
} wkSceneFrame;

static inline wkSceneFrame wkMakeSceneFrame(wkPose pose)
{
    wkQuat q = pose.rotation;
    double scale = 2.0 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    double xx = scale * q.x * q.x, yy = scale * q.y * q.y, zz = scale * q.z * q.z;
    double xy = scale * q.x * q.y, xz = scale * q.x * q.z, yz = scale * q.y * q.z;
    double wx = scale * q.w * q.x, wy = scale * q.w * q.y, wz = scale * q.w * q.z;

    wkSceneFrame frame;
    frame.axes[0] = wkSceneVec(1.0 - yy - zz, xy + wz, xz - wy);
    frame.axes[1] = wkSceneVec(xy - wz, 1.0 - xx - zz, yz + wx);
    frame.axes[2] = wkSceneVec(xz + wy, yz - wx, 1.0 - xx - yy);
    frame.position = pose.position;
    return frame;
}

static inline wkVec3d wkSceneToLocalVector(const wkSceneFrame* frame, wkVec3d v)
{
    return wkSceneVec(wkSceneDot(frame->axes[0], v), wkSceneDot(frame->axes[1], v),
                      wkSceneDot(frame->axes[2], v));
}

static inline wkVec3d wkSceneToLocalPoint(const wkSceneFrame* frame, wkVec3d point)
{
    return wkSceneToLocalVector(frame, wkSceneSub(point, frame->position));
}

static inline wkVec3d wkSceneToWorldPoint(const wkSceneFrame* frame, wkVec3d point)
{
    wkVec3d world = wkSceneAdd(frame->position, wkSceneScale(frame->axes[0], point.x));
    world = wkSceneAdd(world, wkSceneScale(frame->axes[1], point.y));
    return wkSceneAdd(world, wkSceneScale(frame->axes[2], point.z));
}
