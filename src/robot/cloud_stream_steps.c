// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Filters of the frames of a stream: steps as they were given, completed by what the stream knows of each frame, where
// the robot is with all that it has attached, and where the sensor is.

#include "robot/cloud_stream_impl.h"
#include "robot/state.h"

#include "base/error.h"
#include "math/vec.h"
#include "tree/cloud/cloud_impl.h"

#include <math.h>

// What the stream fills into a step of some type; NULL: the type has no such field.
static wkFilterRobot* robotOf(wkFilterStep* step)
{
    return step->type == wk_filterSelf       ? &step->self.robot
           : step->type == wk_filterDistance ? &step->distance.robot
                                             : NULL;
}

static wkVec3d* sensorOf(wkFilterStep* step)
{
    bool hasShadow = step->type == wk_filterSelf && step->self.shadowRule != wk_selfKeep;
    return step->type == wk_filterRange ? &step->range.sensor
           : hasShadow                  ? &step->self.sensor
                                        : NULL;
}

static wkResult checkStep(wkFilterStep* step, int32_t index)
{
    const wkFilterRobot* robot = robotOf(step);
    if (robot != NULL && (robot->sphereCount != 0 || robot->bodyCount != 0)) {
        return wkFail(wk_errorArgument,
                      "cloud stream: robot of steps[%d] has %d spheres and %d bodies, must be "
                      "empty: the stream fills it in",
                      (int)index, (int)robot->sphereCount, (int)robot->bodyCount);
    }
    const wkVec3d* sensor = sensorOf(step);
    if (sensor != NULL && wkMaxAbs(*sensor) != 0.0) {
        return wkFail(wk_errorArgument,
                      "cloud stream: sensor of steps[%d] is (%g, %g, %g), must be zero: the stream "
                      "fills it in",
                      (int)index, sensor->x, sensor->y, sensor->z);
    }
    if (step->type == wk_filterVoxel && step->voxel.hasCentroids) {
        return wkFail(wk_errorArgument,
                      "cloud stream: hasCentroids of steps[%d] is true: a centroid is no point of "
                      "the frame",
                      (int)index);
    }
    return wk_ok;
}

// Checks that voxel steps come last: a point that one of them has kept stands for others, which a later step would remove
// with it.
static wkResult checkOrder(const wkFilterStep* steps, int32_t index)
{
    bool isAfterVoxels = index > 0 && steps[index - 1].type == wk_filterVoxel;
    return !isAfterVoxels || steps[index].type == wk_filterVoxel
               ? wk_ok
               : wkFail(wk_errorArgument,
                        "cloud stream: steps[%d] is after the voxel step steps[%d], and would "
                        "remove points with all that they stand for: voxel steps must be last",
                        (int)index, (int)index - 1);
}

// Fills in a robot and the position of the sensor.
static void completeSteps(const wkCloudStream* stream, wkFilterRobot robot, wkVec3d sensor,
                          wkFilterStep steps[WK_MAX_FILTER_STEPS])
{
    for (int32_t i = 0; i < stream->stepCount; ++i) {
        steps[i] = stream->steps[i];
        wkFilterRobot* stepRobot = robotOf(&steps[i]);
        wkVec3d* stepSensor = sensorOf(&steps[i]);
        if (stepRobot != NULL) {
            *stepRobot = robot;
        }
        if (stepSensor != NULL) {
            *stepSensor = sensor;
        }
    }
}

// Checks the parameters of all steps, by a run without points.
static wkResult tryRun(const wkCloudStream* stream)
{
    wkSphere3d sphere = {{0.0, 0.0, 0.0}, 0.0};
    wkFilterStep steps[WK_MAX_FILTER_STEPS];
    completeSteps(stream, (wkFilterRobot){.spheres = &sphere, .sphereCount = 1},
                  wkVec(0.0, 0.0, 0.0), steps);
    wkFilterRequest request = wkDefaultFilterRequest();
    request.steps = steps;
    request.stepCount = stream->stepCount;
    wkFilterResult result;
    return wkCloudFilter_Run(stream->filter, &request, &result);
}

wkResult wkTakeStreamSteps(const wkCloudStreamDef* def, wkCloudStream* stream)
{
    const wkRobot* robot = def->scene->robot;
    if (def->stepCount < 0 || def->stepCount > WK_MAX_FILTER_STEPS ||
        (def->stepCount > 0 && def->steps == NULL)) {
        return wkFail(wk_errorRange, "cloud stream: stepCount is %d, must be 0 to %d; steps is %s",
                      (int)def->stepCount, WK_MAX_FILTER_STEPS,
                      def->steps == NULL ? "NULL" : "not NULL");
    }
    if (def->spheres != NULL && wkSphereModel_Info(def->spheres).robot != robot) {
        return wkFail(wk_errorArgument, "cloud stream: spheres are of another robot");
    }
    stream->spheresOfLinks = def->spheres;
    stream->stepCount = def->stepCount;
    stream->info.stepCount = def->stepCount;
    wkResult result = wk_ok;
    for (int32_t i = 0; i < def->stepCount && result == wk_ok; ++i) {
        stream->steps[i] = def->steps[i];
        result = checkStep(&stream->steps[i], i);
        result = result == wk_ok ? checkOrder(stream->steps, i) : result;
    }
    if (result != wk_ok || def->stepCount == 0) {
        return result;
    }
    size_t sphereCount = (size_t)wkSphereModel_Info(def->spheres).sphereCount;
    size_t bodyCount = (size_t)wkRobot_Info(robot).bodyCount + WK_MAX_ATTACHED_SHAPES;
    result = wkReserveStream(&stream->spheres, sphereCount * sizeof(wkSphere3d));
    result = result == wk_ok ? wkReserveStream(&stream->bodies, bodyCount * sizeof(wkFilterBody))
                             : result;
    result = result == wk_ok ? wkCloudFilter_Create(&stream->filter) : result;
    return result == wk_ok ? tryRun(stream) : result;
}

static int32_t placeLinks(const wkRobotState* state, wkFilterBody* bodies)
{
    int32_t count = wkRobot_Info(state->robot).bodyCount;
    for (int32_t i = 0; i < count; ++i) {
        bodies[i] =
            (wkFilterBody){wkRobot_Body(state->robot, i).shape, wkRobotState_BodyPose(state, i)};
    }
    return count;
}

static int32_t placeAttached(const wkRobotScene* scene, const wkRobotState* state,
                             wkFilterBody* bodies)
{
    int32_t count = 0;
    for (int32_t h = 0; h < scene->holdCount; ++h) {
        const wkRobotHold* hold = &scene->holds[h];
        const wkRobotThing* thing = scene->table.objects[hold->object].thing;
        wkPose pose = wkMulPose(wkStateLink(state, hold->link), hold->inLink);
        for (int32_t i = 0; i < thing->shapeCount; ++i) {
            bodies[count++] = (wkFilterBody){&thing->shapes[i], wkPoseOfShape(thing, pose, i)};
        }
    }
    return count;
}

// Places the robot with what it has attached.
static wkFilterRobot placeRobot(wkCloudStream* stream, const wkRobotState* state)
{
    wkSphere3d* spheres = (wkSphere3d*)stream->spheres.memory;
    wkFilterBody* bodies = (wkFilterBody*)stream->bodies.memory;
    wkFilterRobot robot = {.spheres = spheres, .bodies = bodies};
    if (stream->spheresOfLinks != NULL) {
        robot.sphereCount = wkSphereModel_Info(stream->spheresOfLinks).sphereCount;
        wkSphereModel_PlaceState(stream->spheresOfLinks, state, spheres);
    } else {
        robot.bodyCount = placeLinks(state, bodies);
    }
    robot.bodyCount += placeAttached(stream->scene, state, bodies + robot.bodyCount);
    return robot;
}

wkResult wkCheckFrameState(const wkCloudStream* stream, const wkCloudFrame* frame, const char* why)
{
    const wkRobotState* state = frame->state;
    bool isGood = state != NULL && state->robot == stream->scene->robot && state->isValid;
    return isGood
               ? wk_ok
               : wkFail(wk_errorArgument,
                        "cloud stream: state is NULL, not valid or of another robot, and %s", why);
}

// Checks that a frame has what its steps need.
static wkResult checkNeeds(wkCloudStream* stream, const wkCloudFrame* frame, bool* needsRobot)
{
    wkResult result = wk_ok;
    *needsRobot = false;
    for (int32_t i = 0; i < stream->stepCount && result == wk_ok; ++i) {
        if (robotOf(&stream->steps[i]) != NULL && !*needsRobot) {
            *needsRobot = true;
            result = wkCheckFrameState(stream, frame, "steps are about the robot");
        }
        bool hasPosition = frame->poses == NULL && !frame->points.isCombined;
        if (sensorOf(&stream->steps[i]) != NULL && !hasPosition && result == wk_ok) {
            result = wkFail(wk_errorArgument,
                            "cloud stream: steps[%d] needs the position of the sensor, which is "
                            "not one with %s",
                            (int)i, frame->poses != NULL ? "poses" : "combined views");
        }
    }
    return result;
}

// Finds by how much the largest radius of the finite points is above the smallest. Radii are checked as wkCloud_Create does,
// which does not get the points that voxel steps have removed.
static wkResult findSpread(const wkCloudView* points, double* spread)
{
    wkCloudLayout layout;
    *spread = 0.0;
    wkResult result = wkCloudView_LayOut(points, &layout);
    if (result != wk_ok || layout.radiusOffset < 0) {
        return result;
    }
    float least = INFINITY, largest = -INFINITY;
    for (int64_t i = 0; i < layout.count; ++i) {
        const char* point = layout.data + i * layout.stride;
        float radius = wkFloatAt(point + layout.radiusOffset);
        // few radii extend the interval; NaN is in none
        bool isBetween = radius >= least && radius <= largest;
        if (isBetween || !wkIsFinitePoint(&layout, point)) {
            continue;
        }
        if (!(radius >= 0.0f && (double)radius <= WK_CLOUD_REACH)) {
            return wkFail(isfinite(radius) ? wk_errorRange : wk_errorNotFinite,
                          "cloud stream: point %lld: radius is %g, must be 0 to %g", (long long)i,
                          (double)radius, WK_CLOUD_REACH);
        }
        least = radius < least ? radius : least;
        largest = radius > largest ? radius : largest;
    }
    *spread = largest > least ? (double)largest - (double)least : 0.0;
    return wk_ok;
}

// Copies the figures of a run. A point that a voxel step removed is in the sphere of another one that is larger by the
// reach, and by the difference of their radii.
static wkResult takeFigures(const wkCloudStream* stream, const wkFilterResult* result,
                            wkFrameSource* source, wkCloudStreamInfo* info)
{
    double reach = 0.0, spread = 0.0;
    for (int32_t i = 0; i < result->stepCount; ++i) {
        bool isVoxel = stream->steps[i].type == wk_filterVoxel;
        info->steps[i] = result->steps[i];
        info->removedCount += isVoxel ? 0 : result->steps[i].removedCount;
        source->mergedCount += isVoxel ? result->steps[i].removedCount : 0;
        reach += result->steps[i].reach;
    }
    wkResult checked = reach > 0.0 ? findSpread(&source->points, &spread) : wk_ok;
    source->addedRadius += reach + spread;
    info->notFiniteCount += result->notFiniteCount;
    source->indices = result->kept;
    source->count = result->keptCount;
    return checked;
}

wkResult wkApplyStreamSteps(wkCloudStream* stream, const wkCloudFrame* frame, wkFrameSource* source,
                            wkCloudStreamInfo* info)
{
    if (stream->stepCount == 0) {
        return wk_ok;
    }
    bool needsRobot;
    wkResult checked = checkNeeds(stream, frame, &needsRobot);
    if (checked != wk_ok) {
        return checked;
    }
    wkFilterRobot robot = {.sphereCount = 0};
    robot = needsRobot ? placeRobot(stream, frame->state) : robot;
    wkFilterStep steps[WK_MAX_FILTER_STEPS];
    completeSteps(stream, robot, source->pose.position, steps);
    wkFilterRequest request = wkDefaultFilterRequest();
    request.points = source->points;
    request.pose = source->pose;
    request.steps = steps;
    request.stepCount = stream->stepCount;
    request.parallel = stream->cloud.parallel;
    wkFilterResult result;
    checked = wkCloudFilter_Run(stream->filter, &request, &result);
    return checked == wk_ok ? takeFigures(stream, &result, source, info) : checked;
}
