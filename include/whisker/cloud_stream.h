// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cloud_stream.h
/// Live point clouds: the frames of a sensor as an object of a robot scene. Each frame replaces the oldest one of
/// a ring and is published; other threads keep the snapshots that they have. See docs/live_clouds.md.
///
/// A stream belongs to the thread that writes its scene, except for wkCloudStream_IsFresh.

#include "whisker/cloud.h"
#include "whisker/cloud_filter.h"
#include "whisker/robot_scene.h"
#include "whisker/sphere_model.h"

/// The frames of a sensor in a robot scene.
typedef struct wkCloudStream wkCloudStream;

/// Maximum number of frames in a stream.
#define WK_MAX_STREAM_FRAMES 64

/// Definition of a stream. Start from `wkDefaultCloudStreamDef()`. Times are in seconds of any clock of the
/// program.
typedef struct wkCloudStreamDef {
    uint32_t cookie;      ///< set by wkDefaultCloudStreamDef()
    wkRobotScene* scene;  ///< borrowed; must outlive the stream
    const char* name;     ///< of the object in the scene; copied; not in use yet
    const char* category; ///< of the object; copied; default "static"
    int32_t frameCount;   ///< frames that are kept, 1 to WK_MAX_STREAM_FRAMES; default 1
    double maxAge;        ///< frames older than this are removed when a newer one is there; default
                          ///< infinity
    double staleAfter;    ///< without a frame for longer than this, the object is out of date, and
                          ///< queries are not valid; as before the first frame. Above 0; default 1;
                          ///< infinity: never
    int32_t minPointCount; ///< a frame with fewer finite points is refused, such as that of a
                           ///< covered lens; default 1
    const char* link;      ///< that carries the sensor; copied; NULL (default): none, the world
    wkPose sensor; ///< pose of the sensor in the frame of `link`, or in the world; default identity
    wkCloudDef cloud;    ///< radius, spacing, origin and others of the cloud of each frame; default
                         ///< wkDefaultCloudDef(). Its points must be none
    double robotPadding; ///< points no further than this from the `spheres` of a frame are removed
                         ///< as the robot's own; 0 or more; default 0.02
    bool publishes; ///< default true: each change of the object is published for other threads;
                    ///< false: call wkRobotScene_Publish where other threads read
} wkCloudStreamDef;

/// The defaults above, without scene and name.
WK_API wkCloudStreamDef wkDefaultCloudStreamDef(void);

/// Creates a stream, and its object in the scene, with `frameCount` shapes, all of them empty. Until the first
/// frame the object is out of date, unless `staleAfter` is infinity.
/// @param stream set to NULL on failure
/// @return wk_errorArgument, wk_errorRange or wk_errorNotFinite naming the field; wk_errorMemory: the scene is
///         unchanged
WK_API wkResult wkCloudStream_Create(const wkCloudStreamDef* def, wkCloudStream** stream);

/// Removes the object from the scene and destroys the stream; NULL is allowed. Snapshots keep their clouds. Call
/// it before the scene is destroyed.
WK_API void wkCloudStream_Destroy(wkCloudStream* stream);

/// A frame. Start from `wkDefaultCloudFrame()`.
typedef struct wkCloudFrame {
    uint32_t cookie;    ///< set by wkDefaultCloudFrame()
    wkCloudView points; ///< in the frame of the sensor; nothing of it is kept
    double time;        ///< of the last point; not before that of the frame before
    const wkRobotState*
        state; ///< of the robot at that time; NULL (default) without a link and `spheres`
    const wkSphereModel*
        spheres;        ///< that cover the robot, and what it has attached (wkSphereModel_Hold):
                        ///< points on them, as `state` has them, are removed; NULL (default): none
    const wkPose* pose; ///< of the sensor in the world at that time; NULL (default): by the
                        ///< stream's `link` and `sensor`
} wkCloudFrame;

/// The defaults above, without points and at time 0.
WK_API wkCloudFrame wkDefaultCloudFrame(void);

/// Adds a frame: makes its cloud, puts it into the scene in place of the oldest one, removes those that are older
/// than `maxAge`, and publishes the scene. The clouds of removed frames are destroyed with the next change after
/// the last snapshot that has them was released.
/// @return wk_errorArgument, wk_errorNotFinite, wk_errorRange naming the field, or as wkCloud_Create;
///         wk_errorState: the object is attached; wk_errorMemory. On failure scene, stream and last snapshot
///         are unchanged, and the frame counts as not come
WK_API wkResult wkCloudStream_Push(wkCloudStream* stream, const wkCloudFrame* frame);

/// Lets time pass: removes frames that are older than `maxAge`, except the last one, and marks the object as out
/// of date when the last frame is older than `staleAfter`. Publishes the scene if that changed it. Call it
/// whenever a frame could have come.
/// @param now a time before the last frame has no effect
/// @return wk_errorArgument, wk_errorNotFinite; wk_errorState: the object is attached or was removed;
///         wk_errorMemory: the last snapshot is unchanged; what is out of date is marked in the scene all the same,
///         and published by the next call that succeeds
WK_API wkResult wkCloudStream_Expire(wkCloudStream* stream, double now);

/// Returns whether the last frame is not older than `staleAfter`; from any thread. A thread that plans on a
/// snapshot learns by it that the writing thread has stopped, too.
/// @return false before the first frame, unless `staleAfter` is infinity; false for NULL and NaN
WK_API bool wkCloudStream_IsFresh(const wkCloudStream* stream, double now);

/// Figures of a stream.
typedef struct wkCloudStreamInfo {
    int64_t pushCount;      ///< frames that were added
    int64_t refusedCount;   ///< frames that were refused
    int32_t frameCount;     ///< frames in the scene
    int64_t pointCount;     ///< points in the clouds of these
    int64_t inputCount;     ///< last frame: its points
    int32_t notFiniteCount; ///< last frame: points left out because they are not finite
    int32_t robotCount;     ///< last frame: points removed as the robot's own
    int32_t mergedCount;    ///< last frame: points whose sphere another point covers
    double lastTime;        ///< of the last frame; minus infinity: none
    double oldestAge;       ///< age of the oldest frame in the scene at the last call; 0: none
    double buildSeconds;    ///< last frame: time that wkCloudStream_Push took
    bool isStale;           ///< the object is out of date
} wkCloudStreamInfo;

/// Returns the figures; zeros for NULL.
WK_API wkCloudStreamInfo wkCloudStream_Info(const wkCloudStream* stream);
