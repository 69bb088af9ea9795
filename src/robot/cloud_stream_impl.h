// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A stream in memory, its frames and who holds them. A frame is a cloud with its pose and times, and never changes; one
// whose points fade one by one has a copy of them. A set has the frames that the object of a stream has at one time; the
// object owns the set and releases it when neither the scene nor a snapshot uses it any more. A frame is in as many sets
// as it has slots in the ring, and ends with the last of them. Only the writing thread of the scene creates and releases
// them.

#include "robot/robot_scene_impl.h"
#include "tree/cloud/cloud_view.h"

#include "whisker/cloud_stream.h"

#include <stdatomic.h>

typedef struct wkStreamFrame {
    int32_t holderCount;
    wkCloud* cloud;
    wkPose pose;        // of the frame of the points in the world
    double time;        // of the last point
    double firstTime;   // of the first point whose time is known
    wkCloudView points; // what the cloud was made of; none: the frame fades as a whole
    void* memory;       // of these points
    size_t byteCount;
} wkStreamFrame;

typedef struct wkFrameSet {
    const wkCloudStream* owner; // compared only: snapshots may have the set when the stream is gone
    int32_t count;
    wkStreamFrame* frames[WK_MAX_STREAM_FRAMES];
} wkFrameSet;

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
    bool publishes;

    wkFilterStep steps[WK_MAX_FILTER_STEPS];
    int32_t stepCount;
    const wkSphereModel* spheresOfLinks; // NULL: bodies stand for the links
    wkCloudFilter* filter;               // NULL: there are no steps
    wkCloudBuilder* builder;             // NULL: no frame had several poses yet
    wkStreamBuffer spheres;              // of the robot, in the world
    wkStreamBuffer bodies;               // of the robot and of attached objects, in the world
    wkStreamBuffer kept;                 // points that steps have kept
    wkStreamBuffer indices;              // of points that have not faded

    wkStreamFrame* empty; // of slots of the ring without a frame
    wkFrameSet* current;  // of the object; belongs to it
    int32_t last;         // slot of the last frame
    bool isUnpublished;   // a change of the object is not published yet
    double now;           // of the last wkCloudStream_Expire; minus infinity: none
    bool isAhead;         // the last frame was too far ahead of it: clocks disagree
    _Atomic double lastTime;
    wkCloudStreamInfo info;
};

// Points on their way to the cloud of a frame.
typedef struct wkFrameSource {
    wkCloudView points;
    const int32_t* indices; // of those to take; NULL: all
    int32_t count;          // of the indices
    wkPose pose;            // of the frame of the points in the world
    double time;            // of the last point
    double addedRadius;     // of all points, to that of the stream
    int32_t mergedCount;    // points that voxel steps removed, for which these stand
} wkFrameSource;

// Makes a frame with one holder.
wkResult wkStreamFrame_Create(wkCloudStream* stream, const wkFrameSource* source,
                              wkStreamFrame** frame);

// Holds a frame once more, and returns it.
wkStreamFrame* wkStreamFrame_Hold(wkStreamFrame* frame);

// Releases a frame; NULL is allowed.
void wkStreamFrame_Drop(wkStreamFrame* frame);

// Makes what is left of a frame at a time, with one holder more: the frame itself, one of fewer points, or the
// empty one.
wkResult wkFadeFrame(wkCloudStream* stream, wkStreamFrame* frame, double now, wkStreamFrame** left);

// Returns whether all coordinates of a point are finite.
bool wkIsFinitePoint(const wkCloudLayout* layout, const char* point);

// Finds the times of the first and the last finite point whose time is known.
// @return false: there is none
bool wkFindTimes(const wkCloudView* points, double* first, double* last);

// Makes a set that holds frames once more, in the order of the ring, one for each of its slots.
// @return NULL: no memory
wkFrameSet* wkFrameSet_Create(const wkCloudStream* owner, wkStreamFrame* const* frames);

// Releases a set, as `release` of an object.
void wkFrameSet_Release(void* set);

// Makes the content of the stream's object from a set, which it owns when a scene has it.
wkResult wkMakeStreamContent(const wkCloudStream* stream, wkFrameSet* set,
                             wkObjectContent* content);

// Returns the number of the stream's object; -1: it is not as the stream left it.
int32_t wkFindStreamObject(const wkCloudStream* stream);

// Returns whether a last frame of that time is in date: not too old, and not from a clock that is ahead of `now`, as
// its age would never be known.
WK_FN bool wkIsInDate(const wkCloudStream* stream, double lastTime, double now)
{
    return fabs(now - lastTime) <= stream->staleAfter;
}

// Publishes the scene, if the stream does.
wkResult wkPublishStream(wkCloudStream* stream);

// Makes a buffer as large as needed; its content is lost.
wkResult wkReserveStream(wkStreamBuffer* buffer, size_t byteCount);

// Sets the message of a failed allocation.
wkResult wkFailStreamMemory(void);

// Checks and copies the steps of a definition, and makes the memory that they need.
wkResult wkTakeStreamSteps(const wkCloudStreamDef* def, wkCloudStream* stream);

// Applies the steps of a stream to the points of a source, whose indices then are those of the points that are kept.
wkResult wkApplyStreamSteps(wkCloudStream* stream, const wkCloudFrame* frame, wkFrameSource* source,
                            wkCloudStreamInfo* info);

// Fails if a frame has no state of the robot of the scene.
// @param why what needs it
wkResult wkCheckFrameState(const wkCloudStream* stream, const wkCloudFrame* frame, const char* why);
