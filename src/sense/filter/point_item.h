// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a step decides about one point by itself, in double precision: the verdict of the CPU where lanes leave a point
// open, and that of a device for every point.

#include "math/frame.h"
#include "whisker/cloud_filter.h"

// A step, in the frame of the points, relative to the origin of a run.
typedef struct wkPointItem {
    wkFilterType type;
    bool keepsInside;
    bool keepsOutside;
    bool hasShadow;
    bool keepsShadow;   // keeps what is in the shadow of the robot, where it has one
    uint8_t markInside; // of points inside, where they are kept
    uint8_t markShadow; // of points in the shadow, where they are kept
    wkVec3d sensor;     // of a range, or of shadows
    double minDistance; // of a range
    double maxDistance;
    wkFrame boxFrame;
    wkAabb box;
    const wkSphere3d* spheres; // of the robot, with the distance
    int32_t sphereCount;
    double distance; // of points that count as on the robot
} wkPointItem;

WK_FN bool wkIsInRange(const wkPointItem* item, wkVec3d point)
{
    double distance = wkLength(wkSub(point, item->sensor));
    return distance >= item->minDistance && distance <= item->maxDistance;
}

WK_FN bool wkIsInItemBox(const wkPointItem* item, wkVec3d point)
{
    wkVec3d local = wkFrameLocal(&item->boxFrame, point);
    return local.x >= item->box.lower.x && local.y >= item->box.lower.y &&
           local.z >= item->box.lower.z && local.x <= item->box.upper.x &&
           local.y <= item->box.upper.y && local.z <= item->box.upper.z;
}

WK_FN bool wkIsInSpheres(const wkSphere3d* spheres, int32_t count, wkVec3d point)
{
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d from = wkSub(point, spheres[i].center);
        if (wkDot(from, from) <= spheres[i].radius * spheres[i].radius) {
            return true;
        }
    }
    return false;
}

// Whether a sphere without the distance is between the sensor and a point.
// @param to the point, relative to the sensor
WK_FN bool wkIsBehindSphere(const wkSphere3d* sphere, double distance, wkVec3d sensor, wkVec3d to)
{
    wkVec3d from = wkSub(sphere->center, sensor);
    double radius = sphere->radius - distance, along = wkDot(from, to), square = wkDot(to, to);
    double apart = wkDot(from, from) - radius * radius;
    return apart > 0.0 && along > 0.0 && along < square && apart * square <= along * along;
}

WK_FN bool wkIsBehindSpheres(const wkSphere3d* spheres, int32_t count, double distance,
                             wkVec3d sensor, wkVec3d point)
{
    wkVec3d to = wkSub(point, sensor);
    for (int32_t i = 0; i < count; ++i) {
        if (wkIsBehindSphere(&spheres[i], distance, sensor, to)) {
            return true;
        }
    }
    return false;
}

// Whether a point is inside of a range or a box, or on a robot of spheres.
WK_FN bool wkIsInItem(const wkPointItem* item, wkVec3d point)
{
    if (item->type == wk_filterRange) {
        return wkIsInRange(item, point);
    }
    if (item->type == wk_filterBox) {
        return wkIsInItemBox(item, point);
    }
    return wkIsInSpheres(item->spheres, item->sphereCount, point);
}

// Whether a point that is not on a robot of spheres is in its shadow.
WK_FN bool wkIsInItemShadow(const wkPointItem* item, wkVec3d point)
{
    return item->hasShadow &&
           wkIsBehindSpheres(item->spheres, item->sphereCount, item->distance, item->sensor, point);
}

// Whether each coordinate is finite. Their sum need not be.
WK_FN bool wkIsFinitePoint(wkVec3d point)
{
    return point.x * 0.0 + point.y * 0.0 + point.z * 0.0 == 0.0;
}

// Finite coordinates that are too large for a float, far outside of every limit, become this one.
#define WK_FURTHEST_FLOAT 1e30

WK_FN float wkNarrowCoordinate(double coordinate)
{
    bool isHuge = fabs(coordinate) > WK_FURTHEST_FLOAT && fabs(coordinate) < (double)INFINITY;
    return (float)(isHuge ? copysign(WK_FURTHEST_FLOAT, coordinate) : coordinate);
}

// Places a step that decides each point by itself; spheres of a robot are set by wkPlaceItemSpheres.
void wkPlacePointItem(const wkFilterStep* step, wkPose pose, wkVec3d origin, wkPointItem* item);

// Places the spheres of the robot of such a step.
void wkPlaceItemSpheres(const wkFilterStep* step, wkPose pose, wkVec3d origin, wkSphere3d* spheres);
