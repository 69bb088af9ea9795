// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Frames that come and go. Every change prepares a new set of frames, exchanges the content of the object, and
// publishes; if the last step fails, the content is exchanged again.

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "robot/cloud_stream_impl.h"
#include "robot/state.h"

#include "base/cookie.h"
#include "base/error.h"

#include <time.h>

static wkResult checkOwn(const wkCloudStream* stream, int32_t* number)
{
    *number = wkFindStreamObject(stream);
    if (*number < 0) {
        return wkFail(wk_errorState, "cloud stream: object %s was removed or replaced",
                      stream->name);
    }
    if (stream->scene->table.objects[*number].link >= 0) {
        return wkFail(wk_errorState, "cloud stream: object %s is attached", stream->name);
    }
    return wk_ok;
}

// Replaces the frames of the object, all of them or none, and publishes.
static wkResult show(wkCloudStream* stream, wkStreamFrame* const* frames, bool isStale)
{
    int32_t number;
    wkResult result = checkOwn(stream, &number);
    if (result != wk_ok) {
        return result;
    }
    wkFrameSet* set = wkFrameSet_Create(frames, stream->frameCount);
    if (set == NULL) {
        return wkFailStreamMemory();
    }
    wkObjectContent content;
    result = wkMakeStreamContent(stream, set, &content);
    if (result == wk_ok) {
        content.thing->isStale = isStale;
        wkExchangeContent(stream->scene, number, &content);
        result = wkPublishStream(stream);
        if (result == wk_ok) {
            wkRobotThing_Drop(content.thing);
            stream->current = set;
            return wk_ok;
        }
        wkExchangeContent(stream->scene, number, &content);
        wkObjectContent_Cancel(&content);
    }
    wkFrameSet_Release(set);
    return result;
}

// Returns the pose of the sensor in the world.
static wkResult findPose(const wkCloudStream* stream, const wkCloudFrame* frame, wkPose* pose)
{
    if (frame->pose != NULL) {
        *pose = *frame->pose;
        return wkIsValidPose(*pose)
                   ? wk_ok
                   : wkFail(wk_errorNotFinite,
                            "cloud stream: pose is not finite, or its rotation is zero");
    }
    *pose = stream->sensor;
    if (stream->link < 0) {
        return wk_ok;
    }
    const wkRobotState* state = frame->state;
    if (state == NULL || state->robot != stream->scene->robot || !state->isValid) {
        return wkFail(wk_errorArgument,
                      "cloud stream: state is NULL, not valid or of another robot, and the sensor "
                      "is on link %s",
                      stream->scene->robot->links[stream->link].info.name);
    }
    *pose = wkMulPose(wkStateLink(state, stream->link), stream->sensor);
    return wk_ok;
}

static wkResult checkFrame(const wkCloudStream* stream, const wkCloudFrame* frame)
{
    if (!WK_HAS_COOKIE(frame, wkCloudFrame)) {
        return WK_FAIL_COOKIE(frame, wkCloudFrame);
    }
    if (!isfinite(frame->time)) {
        return wkFail(wk_errorNotFinite, "cloud stream: time is %g", frame->time);
    }
    if (frame->time < stream->info.lastTime) {
        return wkFail(wk_errorRange, "cloud stream: time is %.9g, before the last frame, %.9g",
                      frame->time, stream->info.lastTime);
    }
    return wk_ok;
}

// Makes the cloud of a frame, without the robot.
static wkResult makeCloud(wkCloudStream* stream, const wkCloudFrame* frame, wkPose pose,
                          wkCloud** cloud, wkCloudStreamInfo* info)
{
    wkCloudDef def = stream->cloud;
    def.points = frame->points;
    wkResult result = wkRemoveRobotPoints(stream, frame, pose, &def.points, info);
    result = result == wk_ok ? wkCloud_Create(&def, cloud) : result;
    if (result != wk_ok) {
        return result;
    }
    wkCloudInfo made = wkCloud_Info(*cloud);
    info->inputCount = frame->points.count;
    info->notFiniteCount += made.notFiniteCount;
    info->mergedCount = made.mergedCount;
    int64_t finiteCount = info->inputCount - info->notFiniteCount;
    if (finiteCount < stream->minPointCount) {
        return wkFail(
            wk_errorRange, "cloud stream: %lld of %lld points are finite, minPointCount is %d",
            (long long)finiteCount, (long long)info->inputCount, (int)stream->minPointCount);
    }
    return wk_ok;
}

// Lists the frames of the ring without those that are too old, and returns whether one was left out.
static bool listFrames(const wkCloudStream* stream, double now, wkStreamFrame** frames)
{
    bool hasOld = false;
    for (int32_t i = 0; i < stream->frameCount; ++i) {
        wkStreamFrame* frame = stream->current->frames[i];
        bool isOld = now - frame->time > stream->maxAge && frame->time < stream->info.lastTime;
        frames[i] = isOld ? stream->empty : frame;
        hasOld |= frames[i] != frame;
    }
    return hasOld;
}

static void countFrames(wkCloudStream* stream, double now)
{
    wkCloudStreamInfo* info = &stream->info;
    info->frameCount = 0;
    info->pointCount = 0;
    info->oldestAge = 0.0;
    for (int32_t i = 0; i < stream->frameCount; ++i) {
        const wkStreamFrame* frame = stream->current->frames[i];
        if (frame != stream->empty) {
            ++info->frameCount;
            info->pointCount += wkCloud_Info(frame->cloud).pointCount;
            info->oldestAge = fmax(info->oldestAge, now - frame->time);
        }
    }
}

// Puts a frame into the ring, which takes its cloud in any case.
static wkResult addFrame(wkCloudStream* stream, wkCloud* cloud, wkPose pose, double time)
{
    wkVec3d origin = stream->cloud.origin;
    wkPose placed = wkMulPose(pose, wkMakePose(origin.x, origin.y, origin.z));
    wkStreamFrame* frame = wkStreamFrame_Create(cloud, placed, time);
    if (frame == NULL) {
        wkCloud_Destroy(cloud);
        return wkFailStreamMemory();
    }
    int32_t number;
    wkResult result = checkOwn(stream, &number);
    if (result == wk_ok) {
        wkStreamFrame* frames[WK_MAX_STREAM_FRAMES];
        (void)listFrames(stream, time, frames);
        frames[stream->next] = frame;
        result = show(stream, frames, false);
    }
    wkStreamFrame_Drop(frame); // the set holds it now
    return result;
}

static double secondsNow(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static wkResult push(wkCloudStream* stream, const wkCloudFrame* frame, wkCloudStreamInfo* info)
{
    wkResult result = checkFrame(stream, frame);
    wkPose pose;
    result = result == wk_ok ? findPose(stream, frame, &pose) : result;
    wkCloud* cloud = NULL;
    result = result == wk_ok ? makeCloud(stream, frame, pose, &cloud, info) : result;
    if (result != wk_ok) {
        wkCloud_Destroy(cloud);
        return result;
    }
    return addFrame(stream, cloud, pose, frame->time);
}

wkResult wkCloudStream_Push(wkCloudStream* stream, const wkCloudFrame* frame)
{
    if (stream == NULL) {
        return wkFail(wk_errorArgument, "wkCloudStream_Push: stream is NULL");
    }
    double begin = secondsNow();
    wkCloudStreamInfo info = stream->info;
    wkResult result = push(stream, frame, &info);
    if (result != wk_ok) {
        ++stream->info.refusedCount;
        return result;
    }
    ++info.pushCount;
    info.lastTime = frame->time;
    info.isStale = false;
    info.buildSeconds = secondsNow() - begin;
    stream->info = info;
    stream->next = (stream->next + 1) % stream->frameCount;
    atomic_store(&stream->lastTime, frame->time);
    countFrames(stream, frame->time);
    return wk_ok;
}

wkResult wkCloudStream_Expire(wkCloudStream* stream, double now)
{
    if (stream == NULL) {
        return wkFail(wk_errorArgument, "wkCloudStream_Expire: stream is NULL");
    }
    if (!isfinite(now)) {
        return wkFail(wk_errorNotFinite, "wkCloudStream_Expire: now is %g", now);
    }
    int32_t number;
    wkResult result = checkOwn(stream, &number);
    if (result != wk_ok) {
        return result;
    }
    bool becomesStale = !stream->info.isStale && now - stream->info.lastTime > stream->staleAfter;
    if (becomesStale) {
        // needs no memory, and so it is said whatever fails below
        (void)wkRobotScene_SetStale(stream->scene, stream->name, true);
        stream->info.isStale = true;
    }
    wkStreamFrame* frames[WK_MAX_STREAM_FRAMES];
    if (listFrames(stream, now, frames)) {
        result = show(stream, frames, stream->info.isStale);
    } else if (becomesStale || stream->isUnpublished) {
        result = wkPublishStream(stream);
    }
    if (result == wk_ok && now >= stream->info.lastTime) {
        countFrames(stream, now);
    }
    return result;
}
