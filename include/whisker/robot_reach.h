// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file robot_reach.h
/// What a robot can reach within a short time, as spheres: points outside of all of them cannot be touched, and need not be
/// looked at. See docs/obstacle_detection.md.

#include "whisker/robot_scene.h"

/// What is reached, and when. Start from `wkDefaultReachRequest()`.
typedef struct wkReachRequest {
    uint32_t cookie;          ///< set by wkDefaultReachRequest()
    double duration;          ///< seconds from the state on; 0 or more; default 0.1
    double margin;            ///< metres that are added to all spheres; 0 or more; default 0.02. At
                              ///< least the largest radius of points
    const double* velocities; ///< one for each variable: its largest rate in radians or metres per
                              ///< second, 0 or more. The rate of qx of a quaternion is that of the
                              ///< rotation; those of qy, qz and qw are not read. NULL (default):
                              ///< those of the robot (wkVariableInfo.velocity)
    double baseVelocity;      ///< of the root link, in metres per second; 0 or more; default 0
    double baseRotation;      ///< of the root link, in radians per second; 0 or more; default 0
} wkReachRequest;

/// The defaults above.
WK_API wkReachRequest wkDefaultReachRequest(void);

/// Computes spheres in the world that contain the robot and its attached objects, padding included, at every
/// configuration that it can reach from a state within the duration, and at all times until then. They are larger by the
/// largest safety distance of a category (wkRobotScene_SetCategory), as a point outside must not be too near either.
/// They know nothing of the points: a warning margin belongs into `margin`, and so does the largest radius that a point
/// will have in its cloud, with what voxel filters and `spacing` add to it. Allocates nothing.
/// Pass them to wkMakeDistanceFilter with the distance 0 to remove all other points of a sensor.
/// @param spheres array of `capacity`; NULL: counts only
/// @param count number of spheres, also when `capacity` is too small
/// @return wk_errorArgument, wk_errorRange or wk_errorNotFinite naming the field, or the variable whose velocity is
///         not known; wk_errorRange: `capacity` is too small; wk_errorState: the state or the scene is not valid;
///         wk_errorUnsupported: an unbounded body. Nothing is written on failure but the count
WK_API wkResult wkRobotScene_ReachSpheres(const wkRobotScene* scene, const wkRobotState* state,
                                          const wkReachRequest* request, wkSphere3d* spheres,
                                          int32_t capacity, int32_t* count);
