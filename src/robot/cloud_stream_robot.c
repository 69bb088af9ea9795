// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Removes the points of a frame that are on the robot, by its state at the time of the frame, and copies the others
// next to each other: a sensor on a robot sees the robot, which would touch its own image ever after.

#include "robot/cloud_stream_impl.h"
#include "robot/state.h"

#include "base/error.h"
#include "base/memory.h"
#include "tree/cloud/cloud_view.h"

#include <string.h>

// Makes a buffer as large as needed; its content is lost.
static wkResult reserve(wkStreamBuffer* buffer, size_t byteCount)
{
    if (byteCount <= buffer->byteCount) {
        return wk_ok;
    }
    void* larger = wkAlloc(byteCount);
    if (larger == NULL) {
        return wkFailStreamMemory();
    }
    wkFree(buffer->memory, buffer->byteCount);
    *buffer = (wkStreamBuffer){larger, byteCount};
    return wk_ok;
}

static wkResult checkRobot(const wkCloudStream* stream, const wkCloudFrame* frame)
{
    const wkRobot* robot = stream->scene->robot;
    const wkRobotState* state = frame->state;
    if (state == NULL || state->robot != robot || !state->isValid) {
        return wkFail(wk_errorArgument,
                      "cloud stream: state is NULL, not valid or of another robot, and spheres are "
                      "given");
    }
    return wkSphereModel_Info(frame->spheres).robot == robot
               ? wk_ok
               : wkFail(wk_errorArgument, "cloud stream: spheres are of another robot");
}

// Returns the bytes from the start of a point to the end of its last field.
static size_t bytesOfPoint(const wkCloudView* view, const wkCloudLayout* layout)
{
    int32_t size = view->isDouble ? (int32_t)sizeof(double) : (int32_t)sizeof(float);
    const int32_t ends[] = {
        layout->offsets[0] + size,
        layout->offsets[1] + size,
        layout->offsets[2] + size,
        view->radiusOffset + (int32_t)sizeof(float),
        view->deviationOffset + (int32_t)sizeof(float),
        view->normalOffset + 3 * (int32_t)sizeof(float),
    };
    int32_t last = 0;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; ++i) {
        last = ends[i] > last ? ends[i] : last;
    }
    return (size_t)last;
}

static wkResult copyKept(wkCloudStream* stream, const wkFilterResult* result, wkCloudView* view)
{
    wkCloudLayout layout;
    wkResult error = wkLayOutCloud(view, &layout);
    size_t pointBytes = bytesOfPoint(view, &layout);
    size_t byteCount = (size_t)result->keptCount * pointBytes;
    error = error == wk_ok ? reserve(&stream->kept, byteCount) : error;
    if (error != wk_ok) {
        return error;
    }
    char* to = (char*)stream->kept.memory;
    for (int32_t i = 0; i < result->keptCount; ++i, to += pointBytes) {
        memcpy(to, layout.data + result->kept[i] * layout.stride, pointBytes);
    }
    view->data = stream->kept.memory;
    view->byteCount = byteCount;
    view->count = result->keptCount;
    view->stride = (int64_t)pointBytes;
    return wk_ok;
}

static wkResult placeSpheres(wkCloudStream* stream, const wkCloudFrame* frame, wkFilterRobot* robot)
{
    int32_t count = wkSphereModel_Info(frame->spheres).sphereCount;
    wkResult result = reserve(&stream->spheres, ((size_t)count + 1) * sizeof(wkSphere3d));
    if (result == wk_ok) {
        wkSphere3d* spheres = (wkSphere3d*)stream->spheres.memory;
        wkSphereModel_PlaceState(frame->spheres, frame->state, spheres);
        *robot = (wkFilterRobot){.spheres = spheres, .sphereCount = count};
    }
    return result;
}

wkResult wkRemoveRobotPoints(wkCloudStream* stream, const wkCloudFrame* frame, wkPose pose,
                             wkCloudView* view, wkCloudStreamInfo* info)
{
    info->robotCount = 0;
    info->notFiniteCount = 0;
    if (frame->spheres == NULL) {
        return wk_ok;
    }
    wkFilterRobot robot = {.sphereCount = 0};
    wkResult error = checkRobot(stream, frame);
    error =
        error == wk_ok && stream->filter == NULL ? wkCloudFilter_Create(&stream->filter) : error;
    error = error == wk_ok ? placeSpheres(stream, frame, &robot) : error;
    if (error != wk_ok) {
        return error;
    }
    wkFilterStep step = wkMakeSelfFilter(robot, stream->robotPadding);
    wkFilterRequest request = wkDefaultFilterRequest();
    request.points = *view;
    request.pose = pose;
    request.steps = &step;
    request.stepCount = 1;
    request.parallel = stream->cloud.parallel;
    wkFilterResult result;
    error = wkCloudFilter_Run(stream->filter, &request, &result);
    if (error == wk_ok) {
        info->robotCount = result.steps[0].removedCount;
        info->notFiniteCount = result.notFiniteCount;
        error = copyKept(stream, &result, view);
    }
    return error;
}
