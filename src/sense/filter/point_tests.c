// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tests of single points: what lanes need to know of a step, and the verdict in double precision.

#include "math/round.h"
#include "sense/filter/filter_impl.h"

static void writeVec(wkVec3d v, float to[3])
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static uint64_t testRange(const wkFilterLanes* lanes, const wkPointTest* test,
                          const wkFilterBlock* block, uint64_t asked, uint64_t* unsure)
{
    return lanes->testRange(&test->rangeLanes, block, asked, unsure);
}

static bool isInRange(const wkPointTest* test, wkVec3d point)
{
    return wkIsInRange(&test->item, point);
}

// Squares of a distance less and plus the rounding at this distance.
static void squareBounds(double distance, double centerReach, float* below, float* above)
{
    double slack = (2.0 * centerReach + distance) * WK_FILTER_ROUNDING;
    double lower = wkPositive(distance - slack), upper = distance + slack;
    *below = wkRoundDown(lower * lower);
    *above = wkRoundUp(upper * upper);
}

static void prepareRange(const wkFilterRun* run, const wkFilterStep* step, wkPointTest* test)
{
    (void)run, (void)step;
    const wkPointItem* item = &test->item;
    wkRangeTest* lanes = &test->rangeLanes;
    double reach = wkMaxAbs(item->sensor);
    writeVec(item->sensor, lanes->center);
    squareBounds(item->minDistance, reach, &lanes->minOutside, &lanes->minInside);
    squareBounds(item->maxDistance, reach, &lanes->maxInside, &lanes->maxOutside);
    if (item->minDistance == 0.0) {
        lanes->minInside = 0.0f;
    }
}

static uint64_t testBox(const wkFilterLanes* lanes, const wkPointTest* test,
                        const wkFilterBlock* block, uint64_t asked, uint64_t* unsure)
{
    return lanes->testBox(&test->boxLanes, block, asked, unsure);
}

static bool isInBox(const wkPointTest* test, wkVec3d point)
{
    return wkIsInItemBox(&test->item, point);
}

// Floats in ascending order: 0 is rank 0, infinity is rank INFINITY_RANK.
#define INFINITY_RANK 0x7f800000

static float floatOfRank(int64_t rank)
{
    uint32_t bits = (uint32_t)(rank < 0 ? -rank : rank);
    float value;
    memcpy(&value, &bits, sizeof value);
    return rank < 0 ? -value : value;
}

// The least float that isInBox has inside of a lower side. Its difference is rounded otherwise than the sum of the
// position and the side is, and near zero many floats are between them: the verdict itself is searched for its limit.
static float leastInside(double position, double lower)
{
    int64_t outside = -INFINITY_RANK, inside = INFINITY_RANK;
    while (inside - outside > 1) {
        int64_t middle = (inside + outside) / 2;
        bool isInside = (double)floatOfRank(middle) - position >= lower;
        inside = isInside ? middle : inside;
        outside = isInside ? outside : middle;
    }
    return floatOfRank(inside);
}

// Whether a rotation is none. One by up to 1e-8 has ones in its diagonal, too, and moves what is far away.
static bool isIdentity(const wkMat3d* m)
{
    bool isStraight = m->x.y == 0.0 && m->x.z == 0.0 && m->y.x == 0.0 && m->y.z == 0.0 &&
                      m->z.x == 0.0 && m->z.y == 0.0;
    return isStraight && m->x.x == 1.0 && m->y.y == 1.0 && m->z.z == 1.0;
}

// A box whose axes are those of the points, at floats that are given: comparisons are exact.
static void alignBox(const wkFilterRun* run, const wkPointTest* test, wkBoxTest* lanes)
{
    lanes->isAligned =
        !run->layout.isDouble && !run->hasOrigin && isIdentity(&test->item.boxFrame.rotation);
    for (int axis = 0; axis < 3 && lanes->isAligned; ++axis) {
        double at = wkAlongAxis(&test->item.boxFrame.position, axis);
        lanes->exact[axis] = leastInside(at, wkAlongAxis(&test->item.box.lower, axis));
        lanes->exact[3 + axis] = -leastInside(-at, -wkAlongAxis(&test->item.box.upper, axis));
    }
}

static void prepareBox(const wkFilterRun* run, const wkFilterStep* step, wkPointTest* test)
{
    (void)step;
    const wkPointItem* item = &test->item;
    wkBoxTest* lanes = &test->boxLanes;
    writeVec(item->boxFrame.position, lanes->center);
    writeVec(item->boxFrame.rotation.x, lanes->rows[0]);
    writeVec(item->boxFrame.rotation.y, lanes->rows[1]);
    writeVec(item->boxFrame.rotation.z, lanes->rows[2]);
    writeVec(item->box.lower, lanes->lower);
    writeVec(item->box.upper, lanes->upper);
    lanes->reach = wkRoundUp(wkMaxAbs(item->boxFrame.position));
    alignBox(run, test, lanes);
    test->isCrop = lanes->isAligned;
}

static uint64_t testRobot(const wkFilterLanes* lanes, const wkPointTest* test,
                          const wkFilterBlock* block, uint64_t asked, uint64_t* unsure)
{
    return wkFindOnRobot(lanes, &test->robot, block, asked, unsure);
}

static bool isOnRobot(const wkPointTest* test, wkVec3d point)
{
    return wkIsOnRobot(&test->robot, point);
}

static void prepareRobot(const wkFilterRun* run, const wkFilterStep* step, wkPointTest* test)
{
    const wkFilterRobot* robot = wkFilterStepRobot(step);
    wkPrepareRobotTest(&test->robot, robot, run->request->pose, run->origin, test->item.distance);
    if (robot->sphereCount > 0) {
        wkPlaceItemSpheres(step, run->request->pose, run->origin, test->robot.grid.spheres);
        wkBuildSphereGrid(&test->robot.grid, &test->robot.sphereLanes);
    }
    if (test->item.hasShadow) {
        wkPrepareShadows(&test->robot, test->item.sensor);
    }
}

static wkVec3d rangeCenter(const wkFilterStep* step)
{
    return step->range.sensor;
}

static wkVec3d boxCenter(const wkFilterStep* step)
{
    return step->box.pose.position;
}

static const wkFilterRobot* distanceRobot(const wkFilterStep* step)
{
    return &step->distance.robot;
}

static const wkFilterRobot* selfRobot(const wkFilterStep* step)
{
    return &step->self.robot;
}

// clang-format off
static const struct {
    wkPointTestRow test;
    void (*prepare)(const wkFilterRun* run, const wkFilterStep* step, wkPointTest* test);
    wkVec3d (*center)(const wkFilterStep* step);
    const wkFilterRobot* (*robot)(const wkFilterStep* step);
} rows[] = {
    [wk_filterRange]    = {{testRange, isInRange}, prepareRange, rangeCenter, NULL},
    [wk_filterBox]      = {{testBox, isInBox}, prepareBox, boxCenter, NULL},
    [wk_filterDistance] = {{testRobot, isOnRobot}, prepareRobot, NULL, distanceRobot},
    [wk_filterSelf]     = {{testRobot, isOnRobot}, prepareRobot, NULL, selfRobot},
};
// clang-format on

#define ROW_COUNT (sizeof rows / sizeof rows[0])

bool wkIsPointTest(wkFilterType type)
{
    return (size_t)type < ROW_COUNT && rows[type].prepare != NULL;
}

const wkFilterRobot* wkFilterStepRobot(const wkFilterStep* step)
{
    bool hasRobot = wkIsPointTest(step->type) && rows[step->type].robot != NULL;
    return hasRobot ? rows[step->type].robot(step) : NULL;
}

wkVec3d wkFilterStepCenter(const wkFilterStep* step)
{
    if (rows[step->type].center != NULL) {
        return rows[step->type].center(step);
    }
    const wkFilterRobot* robot = rows[step->type].robot(step);
    if (robot->sphereCount > 0) {
        return robot->spheres[0].center;
    }
    return robot->bodyCount > 0 ? robot->bodies[0].pose.position : wkVec(0.0, 0.0, 0.0);
}

void wkPreparePointTest(const wkFilterRun* run, const wkFilterStep* step, wkPointTest* test)
{
    test->row = &rows[step->type].test;
    wkPlacePointItem(step, run->request->pose, run->origin, &test->item);
    rows[step->type].prepare(run, step, test);
}
