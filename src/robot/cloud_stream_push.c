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
    wkFrameSet* set = wkFrameSet_Create(stream, frames);
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

// Frames that the object is to have, held once.
typedef struct frameList {
    wkStreamFrame* frames[WK_MAX_STREAM_FRAMES];
    int32_t count;
} frameList;

static void dropList(frameList* list)
{
    for (int32_t i = 0; i < list->count; ++i) {
        wkStreamFrame_Drop(list->frames[i]);
    }
}

static int32_t pointsOf(const wkStreamFrame* frame)
{
    return wkCloud_Info(frame->cloud).pointCount;
}

// Shows the frames of a list, and counts the points that are gone; drops the list.
// @param added slot of a new frame; -1: none
static wkResult showList(wkCloudStream* stream, frameList* list, int32_t added, bool isStale)
{
    int64_t fadedCount = 0, replacedCount = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        int32_t before = pointsOf(stream->current->frames[i]);
        fadedCount += i != added ? before - pointsOf(list->frames[i]) : 0;
        replacedCount += i == added ? before : 0;
    }
    wkResult result = show(stream, list->frames, isStale);
    if (result == wk_ok) {
        stream->info.fadedCount += fadedCount;
        stream->info.replacedCount += replacedCount;
    }
    dropList(list);
    return result;
}

// Returns the pose of the sensor in the world.
static wkResult findPose(const wkCloudStream* stream, const wkCloudFrame* frame, wkPose* pose)
{
    if (frame->poseCount != 0) {
        return wkFail(wk_errorArgument, "cloud stream: poses is NULL, and poseCount is %d",
                      (int)frame->poseCount);
    }
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
    wkResult result = wkCheckFrameState(stream, frame, "the sensor is on a link");
    if (result == wk_ok) {
        *pose = wkMulPose(wkStateLink(frame->state, stream->link), stream->sensor);
    }
    return result;
}

// Brings points to the world, each at the pose of the sensor at its time.
static wkResult placeInWorld(wkCloudStream* stream, const wkCloudFrame* frame,
                             wkFrameSource* source, wkCloudStreamInfo* info)
{
    if (frame->pose != NULL) {
        return wkFail(wk_errorArgument, "cloud stream: pose and poses are given, must be one");
    }
    wkResult result = stream->builder == NULL ? wkCloudBuilder_Create(&stream->builder) : wk_ok;
    if (result != wk_ok) {
        return result;
    }
    wkSensorViewDef view = wkDefaultSensorViewDef();
    view.points = frame->points;
    view.poses = frame->poses;
    view.poseCount = frame->poseCount;
    view.maxInterval = frame->maxInterval;
    view.dropsUnknown = frame->dropsUnknown;
    wkCloudBuilder_Clear(stream->builder);
    result = wkCloudBuilder_AddView(stream->builder, &view);
    wkCloudBuilderInfo made = wkCloudBuilder_Info(stream->builder);
    info->notFiniteCount = (int32_t)made.notFiniteCount;
    info->unknownCount = (int32_t)made.unknownCount;
    source->points = wkCloudBuilder_View(stream->builder);
    source->pose = wkIdentityPose();
    return result;
}

// Finds the time of a frame, and the later one of it and of its last point.
static wkResult findTime(const wkCloudStream* stream, const wkCloudFrame* frame, double* time,
                         double* last)
{
    bool needsTimes = isnan(frame->time) || isfinite(stream->maxAge);
    double first;
    bool hasTimes = needsTimes && wkFindTimes(&frame->points, &first, last);
    *time = isnan(frame->time) && hasTimes ? *last : frame->time;
    if (!isfinite(*time)) {
        return wkFail(wk_errorNotFinite, "cloud stream: time is %g, and %s", *time,
                      hasTimes ? "must be finite" : "no finite point has a time");
    }
    if (*time < stream->info.lastTime) {
        return wkFail(wk_errorRange, "cloud stream: time is %.9g, before the last frame, %.9g",
                      *time, stream->info.lastTime);
    }
    if (hasTimes && fabs(*time - *last) > stream->maxAge) {
        return wkFail(wk_errorRange,
                      "cloud stream: time is %.9g, but that of the last point is %.9g, which is "
                      "further away than maxAge, %g: is timeBase missing?",
                      *time, *last, stream->maxAge);
    }
    *last = hasTimes ? fmax(*last, *time) : *time;
    return wk_ok;
}

// Makes a frame: points without those that steps remove, and their cloud.
static wkResult makeFrame(wkCloudStream* stream, const wkCloudFrame* given, wkStreamFrame** frame,
                          wkCloudStreamInfo* info)
{
    if (!WK_HAS_COOKIE(given, wkCloudFrame)) {
        return WK_FAIL_COOKIE(given, wkCloudFrame);
    }
    wkCloudLayout layout;
    wkResult result = wkCloudView_LayOut(&given->points, &layout);
    if (result != wk_ok) {
        return result;
    }
    wkFrameSource source = {.points = given->points};
    info->inputCount = given->points.count;
    info->notFiniteCount = 0;
    info->unknownCount = 0;
    info->removedCount = 0;
    result = findTime(stream, given, &info->lastTime, &source.time);
    if (result == wk_ok) {
        result = given->poses != NULL ? placeInWorld(stream, given, &source, info)
                                      : findPose(stream, given, &source.pose);
    }
    result = result == wk_ok ? wkApplyStreamSteps(stream, given, &source, info) : result;
    result = result == wk_ok ? wkStreamFrame_Create(stream, &source, frame) : result;
    if (result != wk_ok) {
        return result;
    }
    wkCloudInfo made = wkCloud_Info((*frame)->cloud);
    info->notFiniteCount += made.notFiniteCount;
    info->mergedCount = made.mergedCount - stream->cloud.mergedCount;
    int64_t usableCount = info->inputCount - info->notFiniteCount - info->unknownCount;
    if (usableCount < stream->minPointCount) {
        result =
            wkFail(wk_errorRange,
                   "cloud stream: %lld of %lld points are finite and have a known pose, "
                   "minPointCount is %d",
                   (long long)usableCount, (long long)info->inputCount, (int)stream->minPointCount);
    }
    return result;
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
            info->pointCount += pointsOf(frame);
            info->oldestAge = fmax(info->oldestAge, now - frame->firstTime);
        }
    }
}

// Whether a frame is out of date when it comes: too late for the last known time, or from a clock that was ahead. A frame
// after the last known time is in date otherwise, as time has passed since.
static bool comesStale(const wkCloudStream* stream, double time)
{
    return stream->isAhead || stream->now - time > stream->staleAfter;
}

// Puts a frame into the ring, beside what is left of the others at a time.
static wkResult addFrame(wkCloudStream* stream, wkStreamFrame* frame, double now, bool isStale)
{
    int32_t number, slot = (stream->last + 1) % stream->frameCount;
    wkResult result = checkOwn(stream, &number);
    if (result != wk_ok) {
        return result;
    }
    frameList list = {.count = 0};
    for (int32_t i = 0; i < stream->frameCount && result == wk_ok; ++i) {
        if (i == slot) {
            list.frames[i] = wkStreamFrame_Hold(frame);
        } else {
            result = wkFadeFrame(stream, stream->current->frames[i], now, &list.frames[i]);
        }
        list.count += result == wk_ok ? 1 : 0;
    }
    if (result != wk_ok) {
        dropList(&list);
        return result;
    }
    result = showList(stream, &list, slot, isStale);
    stream->last = result == wk_ok ? slot : stream->last;
    return result;
}

static double secondsNow(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

wkResult wkCloudStream_Push(wkCloudStream* stream, const wkCloudFrame* given)
{
    if (stream == NULL) {
        return wkFail(wk_errorArgument, "wkCloudStream_Push: stream is NULL");
    }
    double begin = secondsNow();
    wkCloudStreamInfo info = stream->info;
    wkStreamFrame* frame = NULL;
    wkResult result = makeFrame(stream, given, &frame, &info);
    info.isStale = comesStale(stream, info.lastTime);
    result = result == wk_ok ? addFrame(stream, frame, info.lastTime, info.isStale) : result;
    wkStreamFrame_Drop(frame); // the ring holds it now
    if (result != wk_ok) {
        ++stream->info.refusedCount;
        return result;
    }
    info.fadedCount = stream->info.fadedCount;
    info.replacedCount = stream->info.replacedCount;
    ++info.pushCount;
    info.pushSeconds = secondsNow() - begin;
    stream->info = info;
    atomic_store(&stream->lastTime, info.lastTime);
    countFrames(stream, info.lastTime);
    return wk_ok;
}

// Removes the frames that are too old as a whole, except the last one.
// @param wasChanged set to whether there was one
static wkResult removeOld(wkCloudStream* stream, double now, bool* wasChanged)
{
    frameList list = {.count = stream->frameCount};
    *wasChanged = false;
    for (int32_t i = 0; i < stream->frameCount; ++i) {
        wkStreamFrame* frame = stream->current->frames[i];
        bool isOld =
            frame != stream->empty && i != stream->last && now - frame->time > stream->maxAge;
        list.frames[i] = wkStreamFrame_Hold(isOld ? stream->empty : frame);
        *wasChanged |= isOld;
    }
    if (*wasChanged) {
        return showList(stream, &list, -1, stream->info.isStale);
    }
    dropList(&list);
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
    stream->now = now;
    stream->isAhead = stream->info.lastTime - now > stream->staleAfter;
    if (!stream->info.isStale && !wkIsInDate(stream, stream->info.lastTime, now)) {
        // needs no memory, and so it is said whatever fails below
        (void)wkRobotScene_SetStale(stream->scene, stream->name, true);
        stream->info.isStale = true;
        stream->isUnpublished = true;
    }
    bool isAfter = now >= stream->info.lastTime, wasChanged = false;
    if (isAfter) {
        result = removeOld(stream, now, &wasChanged);
    }
    if (!wasChanged && stream->isUnpublished) {
        result = wkPublishStream(stream);
    }
    if (result == wk_ok && isAfter) {
        countFrames(stream, now);
    }
    return result;
}
