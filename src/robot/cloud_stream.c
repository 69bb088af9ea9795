// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Streams of point clouds: a ring of frames as one object of a robot scene, with one shape for each slot of the
// ring. How a stream is made, and its figures.

#include "robot/cloud_stream_impl.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

wkCloudStreamDef wkDefaultCloudStreamDef(void)
{
    wkCloudStreamDef def = {
        .cookie = WK_COOKIE(wkCloudStreamDef),
        .category = "static",
        .frameCount = 1,
        .maxAge = INFINITY,
        .staleAfter = 1.0,
        .minPointCount = 1,
        .sensor = wkIdentityPose(),
        .cloud = wkDefaultCloudDef(),
        .publishes = true,
    };
    return def;
}

wkCloudFrame wkDefaultCloudFrame(void)
{
    wkCloudFrame frame = {
        .cookie = WK_COOKIE(wkCloudFrame),
        .points = wkMakeCloudView(NULL, 0),
        .time = NAN,
        .maxInterval = wkDefaultSensorViewDef().maxInterval,
    };
    return frame;
}

static wkResult checkNames(const wkCloudStreamDef* def)
{
    if (def->scene == NULL || def->name == NULL || def->category == NULL) {
        return wkFail(wk_errorArgument, "cloud stream: scene, name or category is NULL");
    }
    if (wkRobotScene_Find(def->scene, def->name) >= 0) {
        return wkFail(wk_errorArgument, "cloud stream: the name %s is taken", def->name);
    }
    if (def->link != NULL && wkRobot_FindLink(def->scene->robot, def->link) < 0) {
        return wkFail(wk_errorArgument, "cloud stream: there is no link %s", def->link);
    }
    return wk_ok;
}

static wkResult checkDef(const wkCloudStreamDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCloudStreamDef)) {
        return WK_FAIL_COOKIE(def, wkCloudStreamDef);
    }
    wkResult result = checkNames(def);
    if (result != wk_ok) {
        return result;
    }
    if (def->frameCount < 1 || def->frameCount > WK_MAX_STREAM_FRAMES) {
        return wkFail(wk_errorRange, "cloud stream: frameCount is %d, must be 1 to %d",
                      (int)def->frameCount, WK_MAX_STREAM_FRAMES);
    }
    if (!(def->maxAge >= 0.0)) {
        return wkFail(wk_errorRange, "cloud stream: maxAge is %g, must be 0 or more", def->maxAge);
    }
    if (!(def->staleAfter > 0.0)) {
        return wkFail(wk_errorRange, "cloud stream: staleAfter is %g, must be above 0",
                      def->staleAfter);
    }
    if (def->minPointCount < 0) {
        return wkFail(wk_errorRange, "cloud stream: minPointCount is %d, must be 0 or more",
                      (int)def->minPointCount);
    }
    if (def->cloud.points.count != 0) {
        return wkFail(wk_errorRange, "cloud stream: cloud.points.count is %lld, must be 0",
                      (long long)def->cloud.points.count);
    }
    return wkIsValidPose(def->sensor)
               ? wk_ok
               : wkFail(wk_errorNotFinite,
                        "cloud stream: sensor is not finite, or its rotation is zero");
}

wkResult wkMakeStreamContent(const wkCloudStream* stream, wkFrameSet* set, wkObjectContent* content)
{
    wkShape shapes[WK_MAX_STREAM_FRAMES];
    wkPose poses[WK_MAX_STREAM_FRAMES];
    for (int32_t i = 0; i < set->count; ++i) {
        wkVec3d origin = wkCloud_Info(set->frames[i]->cloud).origin;
        shapes[i] = wkMakeCloud(set->frames[i]->cloud);
        poses[i] = wkMulPose(set->frames[i]->pose, wkMakePose(origin.x, origin.y, origin.z));
    }
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = stream->name;
    def.category = stream->category;
    def.shapes = shapes;
    def.poses = poses;
    def.shapeCount = set->count;
    def.release = wkFrameSet_Release;
    def.releaseContext = set;
    return wkObjectContent_Create(stream->scene, &def, content);
}

// The set of the object is alive, while `current` of a stream whose object was removed may be freed, and another stream's
// set be there. A set never has the address of a stream that is gone as owner and the name of another one: while the
// object of the old one is in the scene, its name is taken.
int32_t wkFindStreamObject(const wkCloudStream* stream)
{
    const wkRobotScene* scene = stream->scene;
    int32_t number = wkRobotScene_Find(scene, stream->name);
    const wkRobotObject* object = number >= 0 ? &scene->table.objects[number] : NULL;
    bool isOwn = object != NULL && object->thing->release == wkFrameSet_Release &&
                 ((const wkFrameSet*)object->thing->releaseContext)->owner == stream;
    return isOwn ? number : -1;
}

wkResult wkPublishStream(wkCloudStream* stream)
{
    wkResult result = stream->publishes ? wkRobotScene_Publish(stream->scene) : wk_ok;
    stream->isUnpublished = result != wk_ok;
    return result;
}

static wkResult createEmpty(wkCloudStream* stream)
{
    wkFrameSource none = {
        .points = wkMakeCloudView(NULL, 0),
        .pose = wkIdentityPose(),
        .time = -INFINITY,
    };
    return wkStreamFrame_Create(stream, &none, &stream->empty);
}

static wkResult copyNames(const wkCloudStreamDef* def, wkCloudStream* stream)
{
    size_t nameBytes = strlen(def->name) + 1, categoryBytes = strlen(def->category) + 1;
    stream->name = (char*)wkAlloc(nameBytes + categoryBytes);
    if (stream->name == NULL) {
        return wkFailStreamMemory();
    }
    stream->nameBytes = nameBytes + categoryBytes;
    stream->category = stream->name + nameBytes;
    memcpy(stream->name, def->name, nameBytes);
    memcpy(stream->category, def->category, categoryBytes);
    return wk_ok;
}

// Adds the object with an empty ring, and publishes.
static wkResult addObject(wkCloudStream* stream)
{
    wkStreamFrame* frames[WK_MAX_STREAM_FRAMES];
    for (int32_t i = 0; i < stream->frameCount; ++i) {
        frames[i] = stream->empty;
    }
    wkFrameSet* set = wkFrameSet_Create(stream, frames);
    if (set == NULL) {
        return wkFailStreamMemory();
    }
    wkObjectContent content;
    wkResult result = wkMakeStreamContent(stream, set, &content);
    if (result != wk_ok) {
        wkFrameSet_Release(set);
        return result;
    }
    content.thing->isStale = isfinite(stream->staleAfter);
    wkAddContent(stream->scene, &content);
    stream->current = set;
    stream->info.isStale = content.thing->isStale;
    return wkPublishStream(stream);
}

wkResult wkCloudStream_Create(const wkCloudStreamDef* def, wkCloudStream** out)
{
    if (out == NULL) {
        return wkFail(wk_errorArgument, "cloud stream: the output pointer is NULL");
    }
    *out = NULL;
    wkResult result = checkDef(def);
    result = result == wk_ok ? wkCheckWriter(def->scene, "wkCloudStream_Create") : result;
    if (result != wk_ok) {
        return result;
    }
    wkCloudStream* stream = (wkCloudStream*)wkAlloc(sizeof *stream);
    if (stream == NULL) {
        return wkFailStreamMemory();
    }
    memset(stream, 0, sizeof *stream);
    stream->scene = def->scene;
    stream->link = def->link != NULL ? wkRobot_FindLink(def->scene->robot, def->link) : -1;
    stream->sensor = def->sensor;
    stream->cloud = def->cloud;
    stream->maxAge = def->maxAge;
    stream->staleAfter = def->staleAfter;
    stream->frameCount = def->frameCount;
    stream->minPointCount = def->minPointCount;
    stream->publishes = def->publishes;
    stream->last = def->frameCount - 1;
    atomic_init(&stream->lastTime, -INFINITY);
    stream->info.lastTime = -INFINITY;
    stream->now = -INFINITY;
    result = copyNames(def, stream);
    result = result == wk_ok ? wkTakeStreamSteps(def, stream) : result;
    result = result == wk_ok ? createEmpty(stream) : result;
    result = result == wk_ok ? addObject(stream) : result;
    if (result != wk_ok) {
        wkCloudStream_Destroy(stream);
        return result;
    }
    *out = stream;
    return wk_ok;
}

void wkCloudStream_Destroy(wkCloudStream* stream)
{
    if (stream == NULL) {
        return;
    }
    if (stream->current != NULL && wkFindStreamObject(stream) >= 0) {
        (void)wkRobotScene_Remove(stream->scene, stream->name);
    }
    wkCloudFilter_Destroy(stream->filter);
    wkCloudBuilder_Destroy(stream->builder);
    wkFree(stream->spheres.memory, stream->spheres.byteCount);
    wkFree(stream->bodies.memory, stream->bodies.byteCount);
    wkFree(stream->kept.memory, stream->kept.byteCount);
    wkFree(stream->indices.memory, stream->indices.byteCount);
    wkStreamFrame_Drop(stream->empty);
    wkFree(stream->name, stream->nameBytes);
    wkFree(stream, sizeof *stream);
}

bool wkCloudStream_IsFresh(const wkCloudStream* stream, double now)
{
    return stream != NULL && wkIsInDate(stream, atomic_load(&stream->lastTime), now);
}

wkCloudStreamInfo wkCloudStream_Info(const wkCloudStream* stream)
{
    wkCloudStreamInfo none = {0};
    return stream != NULL ? stream->info : none;
}
