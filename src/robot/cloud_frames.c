// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Frames of live clouds and sets of them: how a frame is made, and what is left of it as its points get older.

#include "robot/cloud_stream_impl.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

wkResult wkFailStreamMemory(void)
{
    return wkFail(wk_errorMemory, "cloud stream: no memory");
}

wkResult wkReserveStream(wkStreamBuffer* buffer, size_t byteCount)
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

static const char* pointAt(const wkCloudLayout* layout, const int32_t* indices, int64_t i)
{
    return layout->data + (indices != NULL ? indices[i] : i) * layout->stride;
}

// Returns how many points from the i-th on lie next to each other, in memory and among those to take.
static int64_t lengthOfRun(const wkFrameSource* source, const wkCloudLayout* layout, int64_t i,
                           int64_t count)
{
    int64_t end = i + 1;
    if (layout->stride != layout->pointBytes) {
        return 1;
    }
    if (source->indices == NULL) {
        return count - i;
    }
    while (end < count && source->indices[end] == source->indices[end - 1] + 1) {
        ++end;
    }
    return end - i;
}

// Copies the points of a source next to each other.
static wkCloudView copyPoints(const wkFrameSource* source, const wkCloudLayout* layout, char* to)
{
    size_t pointBytes = (size_t)layout->pointBytes;
    int64_t count = source->indices != NULL ? source->count : layout->count;
    for (int64_t i = 0, length; i < count; i += length) {
        length = lengthOfRun(source, layout, i, count);
        memcpy(to + (size_t)i * pointBytes, pointAt(layout, source->indices, i),
               (size_t)length * pointBytes);
    }
    wkCloudView view = source->points;
    view.data = to;
    view.byteCount = (size_t)count * pointBytes;
    view.count = count;
    view.stride = layout->pointBytes;
    return view;
}

// Whether points of a frame get too old one by one. The last frame stays as it is, and a point with a radius that was
// enlarged stands for others, which may be younger.
static bool fadesByPoint(const wkCloudStream* stream, const wkFrameSource* source,
                         const wkCloudLayout* layout)
{
    return layout->timeOffset >= 0 && isfinite(stream->maxAge) && stream->frameCount > 1 &&
           source->addedRadius == 0.0;
}

// Puts the points of a source where a cloud can be made of them: they stay where they are, or they are copied to memory
// of the stream or, for as long as they can fade, of the frame.
static wkResult placePoints(wkCloudStream* stream, const wkFrameSource* source,
                            wkStreamFrame* frame, wkCloudView* points)
{
    wkCloudLayout layout;
    wkResult result = wkCloudView_LayOut(&source->points, &layout);
    bool isFading = result == wk_ok && fadesByPoint(stream, source, &layout);
    *points = source->points;
    if (result != wk_ok || (source->indices == NULL && !isFading)) {
        return result;
    }
    int64_t count = source->indices != NULL ? source->count : layout.count;
    size_t byteCount = (size_t)count * (size_t)layout.pointBytes;
    if (!isFading) {
        result = wkReserveStream(&stream->kept, byteCount);
        if (result == wk_ok) {
            *points = copyPoints(source, &layout, (char*)stream->kept.memory);
        }
        return result;
    }
    char* memory = byteCount > 0 ? (char*)wkAlloc(byteCount) : NULL;
    if (memory == NULL && byteCount > 0) {
        return wkFailStreamMemory();
    }
    frame->memory = memory;
    frame->points = copyPoints(source, &layout, memory);
    frame->byteCount = byteCount;
    *points = frame->points;
    double last;
    (void)wkFindTimes(points, &frame->firstTime, &last);
    return wk_ok;
}

wkResult wkStreamFrame_Create(wkCloudStream* stream, const wkFrameSource* source,
                              wkStreamFrame** out)
{
    *out = NULL;
    wkStreamFrame* frame = (wkStreamFrame*)wkAlloc(sizeof *frame);
    if (frame == NULL) {
        return wkFailStreamMemory();
    }
    *frame = (wkStreamFrame){
        .holderCount = 1,
        .pose = source->pose,
        .time = source->time,
        .firstTime = source->time,
    };
    wkCloudDef def = stream->cloud;
    def.radius += source->addedRadius;
    def.mergedCount += source->mergedCount;
    def.allowsEmpty = true; // minPointCount decides; steps and time may have removed all points
    wkResult result = placePoints(stream, source, frame, &def.points);
    result = result == wk_ok ? wkCloud_Create(&def, &frame->cloud) : result;
    if (result != wk_ok) {
        wkStreamFrame_Drop(frame);
        return result;
    }
    *out = frame;
    return wk_ok;
}

wkStreamFrame* wkStreamFrame_Hold(wkStreamFrame* frame)
{
    ++frame->holderCount;
    return frame;
}

void wkStreamFrame_Drop(wkStreamFrame* frame)
{
    if (frame != NULL && --frame->holderCount == 0) {
        wkCloud_Destroy(frame->cloud);
        wkFree(frame->memory, frame->byteCount);
        wkFree(frame, sizeof *frame);
    }
}

bool wkIsFinitePoint(const wkCloudLayout* layout, const char* point)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const char* at = point + layout->offsets[axis];
        double given = layout->isDouble ? wkDoubleAt(at) : (double)wkFloatAt(at);
        sum += given - given;
    }
    return sum == 0.0;
}

bool wkFindTimes(const wkCloudView* points, double* first, double* last)
{
    wkCloudLayout layout;
    if (wkCloudView_LayOut(points, &layout) != wk_ok || layout.timeOffset < 0) {
        return false;
    }
    double lowest = INFINITY, highest = -INFINITY;
    for (int64_t i = 0; i < layout.count; ++i) {
        const char* point = pointAt(&layout, NULL, i);
        double time = wkTimeAt(&layout, point);
        // few points extend the interval, and positions of others need not be read
        bool isBeyond = (time < lowest || time > highest) && isfinite(time);
        if (isBeyond && wkIsFinitePoint(&layout, point)) {
            lowest = time < lowest ? time : lowest;
            highest = time > highest ? time : highest;
        }
    }
    if (lowest > highest) {
        return false;
    }
    *first = lowest;
    *last = highest;
    return true;
}

// Lists the points of a frame that are not too old, and those whose time is not known.
static int32_t listYoung(const wkStreamFrame* frame, double now, double maxAge, int32_t* indices)
{
    wkCloudLayout layout;
    (void)wkCloudView_LayOut(&frame->points, &layout); // it was checked when the frame came
    int32_t count = 0;
    for (int64_t i = 0; i < layout.count; ++i) {
        double time = wkTimeAt(&layout, pointAt(&layout, NULL, i));
        bool isOld = isfinite(time) && now - time > maxAge;
        indices[count] = (int32_t)i;
        count += isOld ? 0 : 1;
    }
    return count;
}

wkResult wkFadeFrame(wkCloudStream* stream, wkStreamFrame* frame, double now, wkStreamFrame** left)
{
    *left = NULL;
    if (now - frame->time > stream->maxAge) {
        *left = wkStreamFrame_Hold(stream->empty);
        return wk_ok;
    }
    if (frame->points.count == 0 || !(now - frame->firstTime > stream->maxAge)) {
        *left = wkStreamFrame_Hold(frame);
        return wk_ok;
    }
    wkResult result =
        wkReserveStream(&stream->indices, (size_t)frame->points.count * sizeof(int32_t));
    if (result != wk_ok) {
        return result;
    }
    int32_t* indices = (int32_t*)stream->indices.memory;
    wkFrameSource source = {
        .points = frame->points,
        .indices = indices,
        .count = listYoung(frame, now, stream->maxAge, indices),
        .pose = frame->pose,
        .time = frame->time,
    };
    return wkStreamFrame_Create(stream, &source, left);
}

wkFrameSet* wkFrameSet_Create(const wkCloudStream* owner, wkStreamFrame* const* frames)
{
    wkFrameSet* set = (wkFrameSet*)wkAlloc(sizeof *set);
    if (set == NULL) {
        return NULL;
    }
    set->owner = owner;
    set->count = owner->frameCount;
    for (int32_t i = 0; i < set->count; ++i) {
        set->frames[i] = wkStreamFrame_Hold(frames[i]);
    }
    return set;
}

void wkFrameSet_Release(void* context)
{
    wkFrameSet* set = (wkFrameSet*)context;
    for (int32_t i = 0; i < set->count; ++i) {
        wkStreamFrame_Drop(set->frames[i]);
    }
    wkFree(set, sizeof *set);
}
