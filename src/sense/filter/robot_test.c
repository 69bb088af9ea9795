// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres of a robot decide in lanes. Bodies have boxes, which leave few points to exact queries, and spheres around
// them, beyond which they cast no shadow.

#include "sense/filter/robot_test.h"

#include "base/block.h"
#include "math/round.h"
#include "sense/filter/point_item.h"
#include "whisker/query.h"

// Points nearer to the sensor than this share of all coordinates have directions of few digits.
#define NEAR_SHARE 0.0625

// Share of products of squared distances by which their rounding can be wrong.
#define SHADOW_ROUNDING 0x1p-16

wkRobotTestOffsets wkReserveRobotTest(const wkFilterRobot* robot, uint64_t* byteCount)
{
    uint64_t bodyCount = (uint64_t)robot->bodyCount;
    uint64_t casterCount = bodyCount + (uint64_t)robot->sphereCount;
    wkRobotTestOffsets offsets = {.bodies = wkReserve(byteCount, bodyCount * sizeof(wkPlacedBody))};
    offsets.boxes = wkReserve(byteCount, bodyCount * sizeof(float[6]));
    offsets.casters = wkReserve(byteCount, casterCount * sizeof(wkShadowSphere));
    if (robot->sphereCount > 0) {
        offsets.grid = wkReserveSphereGrid(robot->sphereCount, byteCount);
    }
    return offsets;
}

void wkPlaceRobotTest(char* memory, wkRobotTestOffsets offsets, const wkFilterRobot* robot,
                      wkRobotTest* test)
{
    test->sphereCount = robot->sphereCount;
    test->bodyCount = robot->bodyCount;
    test->bodies = (wkPlacedBody*)(memory + offsets.bodies);
    test->boxes = (float(*)[6])(memory + offsets.boxes);
    test->casters = (wkShadowSphere*)(memory + offsets.casters);
    if (robot->sphereCount > 0) {
        wkPlaceSphereGrid(memory, offsets.grid, robot->sphereCount, &test->grid);
    }
}

static wkPose poseIn(wkPose frame, wkVec3d origin, wkPose pose)
{
    wkPose local = wkMulPose(wkInvPose(frame), pose);
    local.position = wkSub(local.position, origin);
    return local;
}

// Writes a box for lanes: outward by the rounding of positions.
static void writeBox(const wkAabb* bounds, float box[6])
{
    for (int axis = 0; axis < 3; ++axis) {
        double lower = wkAlongAxis(&bounds->lower, axis), upper = wkAlongAxis(&bounds->upper, axis);
        double slack = wkMaxD(fabs(lower), fabs(upper)) * WK_FILTER_ROUNDING;
        box[axis] = isfinite(lower) ? wkRoundDown(lower - slack) : (float)lower;
        box[3 + axis] = isfinite(upper) ? wkRoundUp(upper + slack) : (float)upper;
    }
}

static void placeBodies(wkRobotTest* test, const wkFilterRobot* robot, wkPose pose, wkVec3d origin)
{
    wkAabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    wkVec3d grown = wkVec(test->distance, test->distance, test->distance);
    for (int32_t i = 0; i < robot->bodyCount; ++i) {
        wkPlacedBody* body = &test->bodies[i];
        body->shape = robot->bodies[i].shape;
        body->pose = poseIn(pose, origin, robot->bodies[i].pose);
        body->bounds = wkShape_Bounds(body->shape, body->pose);
        body->bounds.lower = wkSub(body->bounds.lower, grown);
        body->bounds.upper = wkAdd(body->bounds.upper, grown);
        all.lower = wkMin(all.lower, body->bounds.lower);
        all.upper = wkMax(all.upper, body->bounds.upper);
        writeBox(&body->bounds, test->boxes[i]);
    }
    test->boxLanes.boxes = (const float(*)[6])test->boxes;
    test->boxLanes.count = robot->bodyCount;
    writeBox(&all, test->boxLanes.all);
}

void wkPrepareRobotTest(wkRobotTest* test, const wkFilterRobot* robot, wkPose pose, wkVec3d origin,
                        double distance)
{
    test->distance = distance;
    placeBodies(test, robot, pose, origin);
}

// Writes a sphere that casts a shadow, relative to the sensor.
// @param extent largest coordinate, whose rounding all of them may have
static void writeCaster(wkVec3d center, double radius, bool isBound, double extent,
                        wkShadowSphere* caster)
{
    double square = wkDot(center, center), distance = sqrt(square);
    double apart = square - radius * radius;
    double growth = wkMaxD(1.0, extent * NEAR_SHARE / wkMaxD(distance, 1e-30));
    bool isAround = !(apart > 0.0) || !(square < 1e30);
    *caster = (wkShadowSphere){
        .center = {(float)center.x, (float)center.y, (float)center.z},
        .apart = isAround ? -1.0f : (float)apart,
        .squared = (float)square,
        .tolerance = (float)(square * SHADOW_ROUNDING * growth),
        .isBound = isBound,
    };
}

// A sphere around the body, without the distance.
static void writeBodyCaster(const wkRobotTest* test, const wkPlacedBody* body, double extent,
                            wkShadowSphere* caster)
{
    wkVec3d center = wkMiddle(body->bounds.lower, body->bounds.upper);
    double radius = wkLength(wkSub(body->bounds.upper, center));
    bool isBounded = wkIsFiniteVec(center) && isfinite(radius);
    wkVec3d from = isBounded ? wkSub(center, test->sensor) : wkVec(0.0, 0.0, 0.0);
    writeCaster(from, isBounded ? radius : 1.0, true, extent, caster);
}

void wkPrepareShadows(wkRobotTest* test, wkVec3d sensor)
{
    test->hasShadow = true;
    test->sensor = sensor;
    double extent = wkMaxAbs(test->sensor);
    for (int32_t i = 0; i < test->sphereCount; ++i) {
        extent = wkMaxD(extent, wkMaxAbs(test->grid.spheres[i].center));
    }
    int32_t count = 0;
    for (int32_t i = 0; i < test->sphereCount; ++i) {
        wkVec3d from = wkSub(test->grid.spheres[i].center, test->sensor);
        double radius = test->grid.spheres[i].radius - test->distance;
        if (wkDot(from, from) > radius * radius) {
            writeCaster(from, radius, false, extent, &test->casters[count++]);
        }
    }
    for (int32_t i = 0; i < test->bodyCount; ++i) {
        wkPlacedBody* body = &test->bodies[i];
        body->castsShadow = !wkShape_ContainsPoint(body->shape, body->pose, test->sensor);
        if (body->castsShadow) {
            writeBodyCaster(test, body, extent, &test->casters[count++]);
        }
    }
    wkShadowTest* lanes = &test->shadowLanes;
    lanes->sensor[0] = (float)test->sensor.x;
    lanes->sensor[1] = (float)test->sensor.y;
    lanes->sensor[2] = (float)test->sensor.z;
    lanes->spheres = test->casters;
    lanes->count = count;
    lanes->leastSquare = (float)(extent * extent * NEAR_SHARE * NEAR_SHARE);
}

static bool isInBounds(const wkAabb* box, wkVec3d p)
{
    return p.x >= box->lower.x && p.y >= box->lower.y && p.z >= box->lower.z &&
           p.x <= box->upper.x && p.y <= box->upper.y && p.z <= box->upper.z;
}

bool wkIsOnRobot(const wkRobotTest* test, wkVec3d point)
{
    bool isOn = test->sphereCount > 0 && wkIsInSpheres(test->grid.spheres, test->grid.count, point);
    for (int32_t i = 0; i < test->bodyCount && !isOn; ++i) {
        const wkPlacedBody* body = &test->bodies[i];
        isOn = isInBounds(&body->bounds, point) &&
               wkShape_PointDistance(body->shape, body->pose, point) <= test->distance;
    }
    return isOn;
}

bool wkIsInShadow(const wkRobotTest* test, wkVec3d point)
{
    wkVec3d to = wkSub(point, test->sensor);
    bool isIn = wkIsBehindSpheres(test->grid.spheres, test->sphereCount, test->distance,
                                  test->sensor, point);
    double distance = wkLength(to);
    for (int32_t i = 0; i < test->bodyCount && !isIn && distance > 0.0; ++i) {
        const wkPlacedBody* body = &test->bodies[i];
        wkRay ray = {test->sensor, to, distance};
        isIn = body->castsShadow && wkShape_RayHits(body->shape, body->pose, ray);
    }
    return isIn;
}

uint64_t wkFindOnRobot(const wkFilterLanes* lanes, const wkRobotTest* test,
                       const wkFilterBlock* block, uint64_t asked, uint64_t* unsure)
{
    uint64_t inside = 0;
    *unsure = 0;
    if (test->sphereCount > 0) {
        inside = lanes->testSpheres(&test->sphereLanes, block, asked, unsure);
    }
    if (test->bodyCount > 0) {
        *unsure |= lanes->findBoxed(&test->boxLanes, block, asked & ~inside);
    }
    return inside;
}
