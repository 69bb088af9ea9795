// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cloud_views.h
/// One cloud from many views: those of a camera on a robot, each at the pose that the camera had then, and those of
/// a spinning lidar, each point at the pose that the lidar had when it measured the point. See docs/views.md.

#include "whisker/cloud.h"

/// A pose at a time.
typedef struct wkTimedPose {
    double time; ///< in seconds of the clock of the points
    wkPose pose; ///< of the sensor in the base frame
} wkTimedPose;

/// Points of a sensor and where it was. Start from `wkDefaultSensorViewDef()`.
typedef struct wkSensorViewDef {
    uint32_t cookie;    ///< set by wkDefaultSensorViewDef()
    wkCloudView points; ///< in the frame of the sensor; with `poses`, each has a time. Nothing of
                        ///< it is kept
    wkPose pose;        ///< of the sensor in the base frame, without `poses`; default identity
    const wkTimedPose* poses; ///< of the sensor over time, in ascending order; NULL (default): it
                              ///< stood still
    int32_t poseCount;        ///< at least 2 with `poses`, else 0; default 0
    double maxInterval; ///< no pose is known between two poses that are further apart than this;
                        ///< default 0.5 s
    bool dropsUnknown;  ///< default false: a view with a point at whose time no pose is known is
                        ///< refused; true: such points are left out and counted
} wkSensorViewDef;

/// The defaults above, without points.
WK_API wkSensorViewDef wkDefaultSensorViewDef(void);

/// A point of a view in the base frame.
typedef struct wkViewPoint {
    wkVec3d position; ///< in the base frame
    double time;      ///< as given, in seconds; NaN: none given
    float radius;     ///< as given, 0 without one; with the rounding of the position added
    float deviation;  ///< standard deviation as given; 0: none given
    float normal[3];  ///< as given, in the base frame; 0: none given
    int32_t view;     ///< index of the view, in the order of addition
    int32_t index;    ///< of the point in its view
} wkViewPoint;

/// Collects views until a cloud is made of them. One thread at a time uses it.
typedef struct wkCloudBuilder wkCloudBuilder;

/// Creates a builder without views.
/// @param builder set to NULL on failure
/// @return wk_errorArgument, wk_errorMemory
WK_API wkResult wkCloudBuilder_Create(wkCloudBuilder** builder);

/// Releases a builder; NULL is fine.
WK_API void wkCloudBuilder_Destroy(wkCloudBuilder* builder);

/// Adds a view. Between two timed poses the position of the sensor is interpolated linearly and its rotation
/// about one axis with a constant velocity, the shorter way round, as wkInterpolatePose does.
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field or the point; wk_errorMemory: the
///         builder is unchanged
WK_API wkResult wkCloudBuilder_AddView(wkCloudBuilder* builder, const wkSensorViewDef* def);

/// Removes all views and keeps the memory.
WK_API void wkCloudBuilder_Clear(wkCloudBuilder* builder);

/// Figures of a builder.
typedef struct wkCloudBuilderInfo {
    int32_t viewCount;      ///< views that were added
    int64_t pointCount;     ///< their points in the base frame
    int64_t notFiniteCount; ///< points left out because a coordinate is NaN or infinite
    int64_t unknownCount;   ///< points left out because the pose at their time is not known
    wkAabb bounds;          ///< of the positions; all zero without points
} wkCloudBuilderInfo;

/// Returns the figures; zeros for NULL.
WK_API wkCloudBuilderInfo wkCloudBuilder_Info(const wkCloudBuilder* builder);

/// Returns the points of all views, `pointCount` of the info; valid until the builder is changed. Indices of the
/// points of a cloud that the builder has made are indices of this array.
WK_API const wkViewPoint* wkCloudBuilder_Points(const wkCloudBuilder* builder);

/// Returns the points of all views as a view on the memory of the builder, in the base frame: for filters, or for a
/// frame of a stream. Valid until the builder is changed; no points for NULL.
WK_API wkCloudView wkCloudBuilder_View(const wkCloudBuilder* builder);

/// Makes a cloud of all views, in the base frame. The builder keeps them.
/// @param def radius, spacing, origin and the others; NULL means `wkDefaultCloudDef()`. Its points must be none
/// @param cloud set to NULL on failure
/// @return as wkCloud_Create; wk_errorArgument
WK_API wkResult wkCloudBuilder_Build(const wkCloudBuilder* builder, const wkCloudDef* def,
                                     wkCloud** cloud);
