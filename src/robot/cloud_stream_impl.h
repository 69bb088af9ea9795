// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A stream in memory, its frames and who holds them. A frame is a cloud with its pose and time. A set has the frames that
// the object of a stream has at one time; the object owns the set and releases it when neither the scene nor a
// snapshot uses it any more. A frame is in as many sets as it has places in the ring, and ends with the last of
// them. Only the writing thread of the scene creates and releases them.

#include "robot/robot_scene_impl.h"

#include "whisker/cloud_stream.h"

#include <stdatomic.h>

typedef struct wkStreamFrame {
    int32_t holderCount;
    wkCloud* cloud;
    wkPose pose; // of the cloud in the world
    double time;
} wkStreamFrame;

typedef struct wkFrameSet {
    int32_t count;
    wkStreamFrame* frames[WK_MAX_STREAM_FRAMES];
} wkFrameSet;

// Makes a frame of a cloud with one holder, and takes the cloud.
// @return NULL: no memory; the cloud is the caller's still
wkStreamFrame* wkStreamFrame_Create(wkCloud* cloud, wkPose pose, double time);

// Releases a frame; NULL is allowed.
void wkStreamFrame_Drop(wkStreamFrame* frame);

// Makes a set that holds frames once more, in the order of the ring.
// @return NULL: no memory
wkFrameSet* wkFrameSet_Create(wkStreamFrame* const* frames, int32_t count);

// Releases a set, as `release` of an object.
void wkFrameSet_Release(void* set);

// Memory that is used again by every frame.
typedef struct wkStreamBuffer {
    void* memory;
    size_t byteCount;
} wkStreamBuffer;

struct wkCloudStream {
    wkRobotScene* scene;
    char* name; // followed by the category, in one allocation
    char* category;
    size_t nameBytes;
    int32_t link; // -1: the world
    wkPose sensor;
    wkCloudDef cloud;
    double maxAge;
    double staleAfter;
    int32_t frameCount;
    int32_t minPointCount;
    double robotPadding;
    bool publishes;

    wkCloudFilter* filter;  // NULL: no frame had spheres yet
    wkStreamBuffer spheres; // of the robot, in the world
    wkStreamBuffer kept;    // points that are not on the robot

    wkStreamFrame* empty; // of places in the ring without a frame
    wkFrameSet* current;  // of the object; belongs to it
    int32_t next;         // place of the next frame
    bool isUnpublished;   // a change of the object failed to be published
    _Atomic double lastTime;
    wkCloudStreamInfo info;
};

// Makes the content of the stream's object from a set, which it owns when a scene has it.
wkResult wkMakeStreamContent(const wkCloudStream* stream, wkFrameSet* set,
                             wkObjectContent* content);

// Returns the number of the stream's object; -1: it is not as the stream left it.
int32_t wkFindStreamObject(const wkCloudStream* stream);

// Publishes the scene, if the stream does.
wkResult wkPublishStream(wkCloudStream* stream);

// Sets the message of a failed allocation.
wkResult wkFailStreamMemory(void);

// Removes the points on the spheres of a frame, and counts them.
// @param pose of the sensor in the world
// @param view of the frame; becomes one of the stream's memory
wkResult wkRemoveRobotPoints(wkCloudStream* stream, const wkCloudFrame* frame, wkPose pose,
                             wkCloudView* view, wkCloudStreamInfo* info);
