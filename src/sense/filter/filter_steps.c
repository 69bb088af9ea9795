// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Steps of filters: how they are made, and which parameters are refused.

#include "base/cookie.h"
#include "base/error.h"
#include "base/range.h"
#include "sense/filter/filter_impl.h"

// Lengths are up to the reach of clouds: squares of floats are finite.
#define FURTHEST 1e15

// Squares of lengths are normal floats.
#define LEAST_LENGTH 1e-15

wkFilterRequest wkDefaultFilterRequest(void)
{
    wkFilterRequest request = {
        .cookie = WK_COOKIE(wkFilterRequest),
        .points = wkMakeCloudView(NULL, 0),
        .pose = wkIdentityPose(),
    };
    return request;
}

wkFilterStep wkMakeRangeFilter(wkVec3d sensor, double minDistance, double maxDistance)
{
    wkFilterStep step = {.type = wk_filterRange};
    step.range = (wkRangeFilter){sensor, minDistance, maxDistance};
    return step;
}

wkFilterStep wkMakeBoxFilter(wkAabb box, wkPose pose)
{
    wkFilterStep step = {.type = wk_filterBox};
    step.box = (wkBoxFilter){box, pose, true};
    return step;
}

wkFilterStep wkMakeDistanceFilter(wkFilterRobot robot, double maxDistance)
{
    wkFilterStep step = {.type = wk_filterDistance};
    step.distance = (wkDistanceFilter){robot, maxDistance};
    return step;
}

wkFilterStep wkMakeSelfFilter(wkFilterRobot robot, double padding)
{
    wkFilterStep step = {.type = wk_filterSelf};
    step.self = (wkSelfFilter){
        .robot = robot, .padding = padding, .ownRule = wk_selfRemove, .shadowRule = wk_selfKeep};
    return step;
}

wkFilterStep wkMakeVoxelFilter(double size)
{
    wkFilterStep step = {.type = wk_filterVoxel};
    step.voxel = (wkVoxelFilter){size, false};
    return step;
}

wkFilterStep wkMakeStatisticalFilter(int32_t neighborCount, double sigmas)
{
    wkFilterStep step = {.type = wk_filterStatistical};
    step.statistical = (wkStatisticalFilter){neighborCount, sigmas};
    return step;
}

wkFilterStep wkMakeRadiusFilter(double radius, int32_t neighborCount)
{
    wkFilterStep step = {.type = wk_filterRadius};
    step.radius = (wkRadiusFilter){radius, neighborCount};
    return step;
}

static wkResult checkPosition(const char* what, const char* name, wkVec3d position)
{
    if (!wkIsFiniteVec(position)) {
        return wkFail(wk_errorNotFinite, "%s: %s is (%g, %g, %g), must be finite", what, name,
                      position.x, position.y, position.z);
    }
    if (wkMaxAbs(position) > FURTHEST) {
        return wkFail(wk_errorRange, "%s: %s is (%g, %g, %g), must be within %g", what, name,
                      position.x, position.y, position.z, FURTHEST);
    }
    return wk_ok;
}

static wkResult checkPose(const char* what, const char* name, wkPose pose)
{
    if (!wkIsValidPose(pose)) {
        return wkFail(wk_errorNotFinite, "%s: %s is not valid", what, name);
    }
    return checkPosition(what, name, pose.position);
}

static wkResult checkRange(const char* what, const wkFilterStep* step)
{
    const wkRangeFilter* range = &step->range;
    const wkNamedNumber numbers[] = {
        {"minDistance", range->minDistance, 0.0, FURTHEST},
        {"maxDistance", range->maxDistance, range->minDistance, INFINITY},
    };
    wkResult result = checkPosition(what, "sensor", range->sensor);
    return result == wk_ok ? wkCheckNumbers(what, numbers, 2) : result;
}

static wkResult checkBox(const char* what, const wkFilterStep* step)
{
    const wkBoxFilter* box = &step->box;
    for (int axis = 0; axis < 3; ++axis) {
        double lower = wkAlongAxis(&box->box.lower, axis),
               upper = wkAlongAxis(&box->box.upper, axis);
        if (!(lower <= upper)) {
            return wkFail(wk_errorRange, "%s: box.lower.%c is %g, must be at most box.upper.%c, %g",
                          what, "xyz"[axis], lower, "xyz"[axis], upper);
        }
    }
    return checkPose(what, "pose", box->pose);
}

static wkResult checkRobot(const char* what, const wkFilterRobot* robot)
{
    if (robot->sphereCount < 0 || (robot->sphereCount > 0 && robot->spheres == NULL)) {
        return wkFail(wk_errorArgument, "%s: sphereCount is %d, and spheres is %s", what,
                      (int)robot->sphereCount, robot->spheres == NULL ? "NULL" : "not NULL");
    }
    if (robot->bodyCount < 0 || (robot->bodyCount > 0 && robot->bodies == NULL)) {
        return wkFail(wk_errorArgument, "%s: bodyCount is %d, and bodies is %s", what,
                      (int)robot->bodyCount, robot->bodies == NULL ? "NULL" : "not NULL");
    }
    for (int32_t i = 0; i < robot->bodyCount; ++i) {
        char name[40];
        snprintf(name, sizeof name, "body %d", (int)i);
        wkResult result = checkPose(what, name, robot->bodies[i].pose);
        if (result == wk_ok && wkShape_Check(robot->bodies[i].shape) != wk_ok) {
            result = wkFail(wk_errorArgument, "%s: shape of %s is not valid", what, name);
        }
        if (result != wk_ok) {
            return result;
        }
    }
    for (int32_t i = 0; i < robot->sphereCount; ++i) {
        const wkSphere3d* sphere = &robot->spheres[i];
        char name[40];
        snprintf(name, sizeof name, "center of sphere %d", (int)i);
        wkResult result = checkPosition(what, name, sphere->center);
        if (result == wk_ok && !(sphere->radius >= 0.0 && sphere->radius <= FURTHEST)) {
            result = wkFail(wk_errorRange, "%s: radius of sphere %d is %g, must be 0 to %g", what,
                            (int)i, sphere->radius, FURTHEST);
        }
        if (result != wk_ok) {
            return result;
        }
    }
    return wk_ok;
}

// Whether there is nothing of a robot: no sphere, and no body that has an extent.
static bool isEmptyRobot(const wkFilterRobot* robot)
{
    bool isEmpty = robot->sphereCount == 0;
    for (int32_t i = 0; i < robot->bodyCount && isEmpty; ++i) {
        wkAabb box = wkShape_Bounds(robot->bodies[i].shape, wkIdentityPose());
        isEmpty = !(box.lower.x <= box.upper.x);
    }
    return isEmpty;
}

static wkResult checkDistance(const char* what, const wkFilterStep* step)
{
    const wkNamedNumber number = {"maxDistance", step->distance.maxDistance, 0.0, FURTHEST};
    wkResult result = wkCheckNumbers(what, &number, 1);
    const wkFilterRobot* robot = &step->distance.robot;
    result = result == wk_ok ? checkRobot(what, robot) : result;
    if (result == wk_ok && isEmptyRobot(robot)) {
        return wkFail(wk_errorArgument, "%s: the robot is empty: all points would be removed",
                      what);
    }
    return result;
}

static wkResult checkSelf(const char* what, const wkFilterStep* step)
{
    const wkNamedNumber number = {"padding", step->self.padding, 0.0, FURTHEST};
    wkResult result = wkCheckNumbers(what, &number, 1);
    if (result == wk_ok && (unsigned)step->self.ownRule > wk_selfKeep) {
        return wkFail(wk_errorArgument, "%s: ownRule is %d, no wkSelfRule", what,
                      (int)step->self.ownRule);
    }
    if (result == wk_ok && (unsigned)step->self.shadowRule > wk_selfKeep) {
        return wkFail(wk_errorArgument, "%s: shadowRule is %d, no wkSelfRule", what,
                      (int)step->self.shadowRule);
    }
    if (result == wk_ok && step->self.shadowRule != wk_selfKeep) {
        result = checkPosition(what, "sensor", step->self.sensor);
    }
    return result == wk_ok ? checkRobot(what, &step->self.robot) : result;
}

static wkResult checkVoxel(const char* what, const wkFilterStep* step)
{
    const wkNamedNumber number = {"size", step->voxel.size, LEAST_LENGTH, FURTHEST};
    return wkCheckNumbers(what, &number, 1);
}

static wkResult checkStatistical(const char* what, const wkFilterStep* step)
{
    const wkNamedNumber numbers[] = {
        {"neighborCount", step->statistical.neighborCount, 1, WK_MAX_NEIGHBORS},
        {"sigmas", step->statistical.sigmas, 0.0, FURTHEST},
    };
    return wkCheckNumbers(what, numbers, 2);
}

static wkResult checkRadius(const char* what, const wkFilterStep* step)
{
    const wkNamedNumber numbers[] = {
        {"radius", step->radius.radius, LEAST_LENGTH, FURTHEST},
        {"neighborCount", step->radius.neighborCount, 1, INT32_MAX - 1},
    };
    return wkCheckNumbers(what, numbers, 2);
}

static const struct {
    const char* name;
    wkResult (*check)(const char* what, const wkFilterStep* step);
} rows[] = {
    [wk_filterNone] = {"none", NULL},
    [wk_filterRange] = {"range", checkRange},
    [wk_filterBox] = {"box", checkBox},
    [wk_filterDistance] = {"distance", checkDistance},
    [wk_filterSelf] = {"self", checkSelf},
    [wk_filterVoxel] = {"voxel", checkVoxel},
    [wk_filterStatistical] = {"statistical", checkStatistical},
    [wk_filterRadius] = {"radius", checkRadius},
};

#define TYPE_COUNT (sizeof rows / sizeof rows[0])

const char* wkFilterTypeName(wkFilterType type)
{
    return rows[(size_t)type < TYPE_COUNT ? type : wk_filterNone].name;
}

wkResult wkCheckFilterSteps(const wkFilterRequest* request)
{
    if (request->stepCount < 0 || request->stepCount > WK_MAX_FILTER_STEPS) {
        return wkFail(wk_errorRange, "filter: stepCount is %d, must be 0 to %d",
                      (int)request->stepCount, WK_MAX_FILTER_STEPS);
    }
    if (request->stepCount > 0 && request->steps == NULL) {
        return wkFail(wk_errorArgument, "filter: steps is NULL, and stepCount is %d",
                      (int)request->stepCount);
    }
    for (int32_t i = 0; i < request->stepCount; ++i) {
        const wkFilterStep* step = &request->steps[i];
        if ((size_t)step->type >= TYPE_COUNT || rows[step->type].check == NULL) {
            return wkFail(wk_errorArgument, "filter: type of step %d is %d, no filter", (int)i,
                          (int)step->type);
        }
        char what[40];
        snprintf(what, sizeof what, "filter: step %d, %s", (int)i, rows[step->type].name);
        wkResult result = rows[step->type].check(what, step);
        bool isLast = i == request->stepCount - 1;
        if (result == wk_ok && step->type == wk_filterVoxel && step->voxel.hasCentroids &&
            !isLast) {
            result = wkFail(wk_errorArgument, "%s: hasCentroids is for the last step alone", what);
        }
        if (result != wk_ok) {
            return result;
        }
    }
    return checkPose("filter", "pose", request->pose);
}
