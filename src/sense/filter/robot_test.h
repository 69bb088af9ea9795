// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot for tests of points: which are within a distance of it, and which are in its shadow.

#include "sense/filter/sphere_grid.h"
#include "whisker/cloud_filter.h"

// A body in the frame of the points, relative to the origin of the run.
typedef struct wkPlacedBody {
    const wkShape* shape;
    wkPose pose;
    wkAabb bounds; // with the distance
    bool castsShadow;
} wkPlacedBody;

typedef struct wkRobotTest {
    double distance; // of points that count as on the robot
    int32_t sphereCount;
    int32_t bodyCount;
    wkSphereGrid grid; // spheres with the distance
    wkSphereTest sphereLanes;
    wkPlacedBody* bodies;
    float (*boxes)[6];
    wkBoxListTest boxLanes;
    bool hasShadow;
    wkVec3d sensor;
    wkShadowSphere* casters;
    wkShadowTest shadowLanes;
} wkRobotTest;

typedef struct wkRobotTestOffsets {
    wkSphereGridOffsets grid;
    uint64_t bodies, boxes, casters;
} wkRobotTestOffsets;

// Reserves the arrays of a test behind `byteCount` bytes of a block. They are there once the block is.
wkRobotTestOffsets wkReserveRobotTest(const wkFilterRobot* robot, uint64_t* byteCount);
void wkPlaceRobotTest(char* memory, wkRobotTestOffsets offsets, const wkFilterRobot* robot,
                      wkRobotTest* test);

// Places the bodies of a robot in the frame of the points, at `pose` in the world. Its spheres are those of
// wkPlaceItemSpheres.
// @param distance of points that count as on the robot, with its rounding
void wkPrepareRobotTest(wkRobotTest* test, const wkFilterRobot* robot, wkPose pose, wkVec3d origin,
                        double distance);

// Looks for shadows, too; the sensor is where points are.
void wkPrepareShadows(wkRobotTest* test, wkVec3d sensor);

// In double precision.
bool wkIsOnRobot(const wkRobotTest* test, wkVec3d point);
bool wkIsInShadow(const wkRobotTest* test, wkVec3d point);

// In lanes: `unsure` have to be decided in double precision.
uint64_t wkFindOnRobot(const wkFilterLanes* lanes, const wkRobotTest* test,
                       const wkFilterBlock* block, uint64_t asked, uint64_t* unsure);
