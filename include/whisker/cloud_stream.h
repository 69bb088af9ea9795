// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cloud_stream.h
/// Live point clouds: the frames of a sensor as an object of a robot scene. Each frame is filtered, replaces the
/// oldest one of a ring and is published; other threads keep the snapshots that they have. See docs/live_clouds.md.
///
/// A stream belongs to the thread that writes its scene, except for wkCloudStream_IsFresh.

#include "whisker/cloud.h"
#include "whisker/cloud_filter.h"
#include "whisker/cloud_views.h"
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
    double maxAge;        ///< points older than this are removed when a newer frame is there; 0 or
                          ///< more; default infinity
    double staleAfter;    ///< without a frame for longer than this, the object is out of date, and
                          ///< queries are not valid; as before the first frame. Above 0; default 1;
                          ///< infinity: never
    int32_t minPointCount; ///< a frame with fewer finite points with a known pose is refused, such
                           ///< as that of a covered lens; default 1
    const char* link;      ///< that carries the sensor; copied; NULL (default): none, the world
    wkPose sensor; ///< pose of the sensor in the frame of `link`, or in the world; default identity
    const wkFilterStep* steps; ///< filters that each frame passes, in this order; copied; NULL
                               ///< (default): none. The stream knows the robot and the sensor of
                               ///< each frame: give an empty `robot`, and zero as position of the
                               ///< sensor. Boxes are in the world. The `reach` of a voxel step is
                               ///< added to the radius of all points. Voxel steps must be last: a
                               ///< step after one would remove a point with all that it stands for
    int32_t stepCount;         ///< 0 (default) to WK_MAX_FILTER_STEPS
    const wkSphereModel* spheres; ///< stand for the links in steps about the robot, faster;
                                  ///< borrowed; NULL (default): the exact bodies of the links.
                                  ///< Attached objects are exact in both cases
    wkCloudDef cloud; ///< radius, spacing, origin and others of the cloud of each frame; default
                      ///< wkDefaultCloudDef(). Its points must be none. Its `parallel` is borrowed
                      ///< and must outlive the stream; filters use it, too
    bool publishes;   ///< default true: each change of the object is published for other threads;
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
    wkCloudView points; ///< in the frame of the sensor; nothing of it is kept. Where they have
                        ///< times, each point fades by its own. Combined views, as of
                        ///< wkCloudBuilder_View, are refused with steps that need the position of
                        ///< the sensor: ranges and shadows
    double time;        ///< of the last point; not before that of the frame before; NaN (default):
                        ///< the latest time of the points. One point with a time far ahead then
                        ///< makes the frame that late: other frames fade, the next ones are
                        ///< refused as earlier, and wkCloudStream_Expire finds the object out of
                        ///< date. With a time and a finite `maxAge`, such a frame is refused
    const wkRobotState* state; ///< of the robot at that time, for `link` and steps about the robot;
                               ///< NULL (default): not given
    const wkPose* pose;        ///< of the sensor in the world at that time; NULL (default): by the
                               ///< stream's `link` and `sensor`
    const wkTimedPose* poses;  ///< of the sensor in the world over time, for a sensor that moves
                               ///< while it measures: each point has the pose of its time, as in
                               ///< wkSensorViewDef; NULL (default): none
    int32_t poseCount;         ///< at least 2 with `poses`, else 0; default 0
    double maxInterval; ///< no pose is known between two poses that are further apart than this;
                        ///< default 0.5 s
    bool dropsUnknown;  ///< default false: a frame with a point at whose time no pose is known is
                        ///< refused; true: such points are left out and counted
} wkCloudFrame;

/// The defaults above, without points.
WK_API wkCloudFrame wkDefaultCloudFrame(void);

/// Adds a frame: applies the steps, makes its cloud, puts it into the scene in place of the oldest one, removes
/// the points of other frames that are older than `maxAge`, and publishes the scene. A frame of which some points are
/// too old is made again from the others. A point whose time is not known is as old as the last point of its frame, as
/// are all points of a frame that passed a voxel step. The clouds of removed frames are destroyed with the next change
/// after the last snapshot that has them was released.
///
/// The frame makes the object valid, unless it is more than `staleAfter` before the time of the last
/// wkCloudStream_Expire, or frames were further than that ahead of it. The object is then out of date with it, too.
/// @return wk_errorArgument, wk_errorNotFinite, wk_errorRange naming the field, or as wkCloudFilter_Run,
///         wkCloudBuilder_AddView and wkCloud_Create; wk_errorState: the object is attached; wk_errorMemory. On
///         failure scene, stream and last snapshot are unchanged, and the frame counts as not come
WK_API wkResult wkCloudStream_Push(wkCloudStream* stream, const wkCloudFrame* frame);

/// Lets time pass: removes frames whose last point is older than `maxAge`, except the last frame, and marks the object
/// as out of date when the last frame is older than `staleAfter`. Publishes the scene if that changed it. Makes no
/// cloud. Call it whenever a frame could have come.
/// @param now a time before the last frame removes nothing; more than `staleAfter` before it, clocks disagree, and the
///        object is out of date, too
/// @return wk_errorArgument, wk_errorNotFinite; wk_errorState: the object is attached or was removed;
///         wk_errorMemory: the last snapshot is unchanged; what is out of date is marked in the scene all the same,
///         and published by the next call that succeeds
WK_API wkResult wkCloudStream_Expire(wkCloudStream* stream, double now);

/// Returns whether the last frame is not older than `staleAfter`, nor further than that in the future, where clocks
/// disagree; from any thread. A thread that plans on a snapshot learns by it that the writing thread has stopped, too.
/// It says nothing about the age of a snapshot, which does not have the frames that came after it was acquired: acquire
/// it again before acting on it, or compare the time at which it was acquired with `now`.
/// @return false before the first frame, unless `staleAfter` is infinity; false for NULL and NaN
WK_API bool wkCloudStream_IsFresh(const wkCloudStream* stream, double now);

/// Figures of a stream. Of the points of the last frame, each is in one of its counts or in its cloud.
typedef struct wkCloudStreamInfo {
    int64_t pushCount;      ///< frames that were added
    int64_t refusedCount;   ///< frames that were refused
    int32_t frameCount;     ///< frames in the scene
    int64_t pointCount;     ///< points in the clouds of these
    int64_t fadedCount;     ///< points that left the scene because they were too old, in all
    int64_t replacedCount;  ///< points that left it because a new frame took their place, in all
    double lastTime;        ///< of the last frame; minus infinity: none
    double oldestAge;       ///< age of the oldest point in the scene at the last call; 0: none
    bool isStale;           ///< the object is out of date
    double pushSeconds;     ///< last frame: time that wkCloudStream_Push took
    int64_t inputCount;     ///< last frame: its points
    int32_t notFiniteCount; ///< last frame: points left out because they are not finite
    int32_t unknownCount;   ///< last frame: points left out because no pose is known at their time
    int32_t removedCount;   ///< last frame: points that steps other than voxel steps removed
    int32_t mergedCount;    ///< last frame: points whose sphere another point covers: those that
                            ///< voxel steps removed, `spacing` and `mergesDuplicates`
    int32_t stepCount;      ///< as in the definition
    wkFilterStepInfo steps[WK_MAX_FILTER_STEPS]; ///< last frame: figures of each step
} wkCloudStreamInfo;

/// Returns the figures; zeros for NULL.
WK_API wkCloudStreamInfo wkCloudStream_Info(const wkCloudStream* stream);
