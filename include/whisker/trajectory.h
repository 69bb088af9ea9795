// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file trajectory.h
/// Timed trajectories of a robot, as controllers take them, and their check for collision at every instant,
/// also with obstacles that move meanwhile. See docs/trajectories.md.
///
/// Times are in seconds. A trajectory is immutable: any number of threads may share it.

#include "whisker/body_motion.h"
#include "whisker/robot_scene.h"

/// How the numbers of a trajectory define its curve.
typedef enum wkTrajectoryKind {
    wk_trajectoryWaypoints = 0, ///< passes through its waypoints: linear between positions, a cubic
        ///< polynomial with velocities, a quintic one with accelerations too, as
        ///< ROS's joint_trajectory_controller interpolates
    wk_trajectorySpline =
        1, ///< a uniform cubic B-spline with the waypoints as control points, from the
           ///< time of the second one to that of the last but one
} wkTrajectoryKind;

/// Definition of a trajectory. Start from `wkDefaultTrajectoryDef()`.
typedef struct wkTrajectoryDef {
    uint32_t cookie;          ///< set by wkDefaultTrajectoryDef()
    wkTrajectoryKind kind;    ///< default wk_trajectoryWaypoints
    const wkRobot* robot;     ///< borrowed
    const double* times;      ///< of the waypoints, strictly increasing; of a spline also equally
                              ///< spaced, within 1e-6 of the spacing
    const double* positions;  ///< waypoint by waypoint, a number for each variable below
    const double* velocities; ///< the same numbers per second; NULL (default): linear
    const double* accelerations; ///< the same per second squared; NULL (default): not given. They
                                 ///< need velocities
    const int32_t* variables;    ///< indices of the variables that the waypoints have, each once;
                                 ///< NULL (default): all variables of the robot, in their order
    const double*
        rest;      ///< a configuration, for variables that the waypoints do not have: they do not
                   ///< move; NULL (default): the default configuration
    int32_t count; ///< number of waypoints, at least 2; of a spline at least 4
    int32_t variableCount; ///< length of `variables`; not read when that is NULL
    bool
        takesShorterWay; ///< a continuous joint whose angle changes by more than pi between two waypoints:
    ///< false (default): refused, since controllers rotate it as the numbers say
    ///< and planners mean the shorter way; true: the shorter way, as
    ///< wkRobot_Interpolate
} wkTrajectoryDef;

/// The defaults above, without numbers.
WK_API wkTrajectoryDef wkDefaultTrajectoryDef(void);

/// A curve of configurations over time. It has a copy of all numbers.
typedef struct wkTrajectory wkTrajectory;

/// Creates a trajectory. Mimic joints follow their variable; rotations of floating joints take the shorter
/// way at a constant speed between positions, and must not change in trajectories with velocities and in
/// splines.
/// @param trajectory set to NULL on failure
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite, wk_errorUnsupported naming the waypoint and
///         the variable; wk_errorMemory
WK_API wkResult wkTrajectory_Create(const wkTrajectoryDef* def, wkTrajectory** trajectory);

/// Releases a trajectory; NULL is fine.
WK_API void wkTrajectory_Destroy(wkTrajectory* trajectory);

/// Figures of a trajectory.
typedef struct wkTrajectoryInfo {
    const wkRobot* robot;  ///< as given
    double start;          ///< time of its first configuration
    double end;            ///< time of its last configuration
    int32_t segmentCount;  ///< number of polynomial segments
    int32_t degree;        ///< of the polynomials: 1, 3 or 5
    int32_t variableCount; ///< length of a configuration
    size_t byteCount;      ///< memory of the trajectory
} wkTrajectoryInfo;

/// Returns the figures; zeros for NULL.
WK_API wkTrajectoryInfo wkTrajectory_Info(const wkTrajectory* trajectory);

/// Computes the configuration at a time: the one that checks use, bit for bit.
/// @param time before the start and after the end the robot stands still; NaN gives NaN
/// @param q array of one number per variable of the robot; may hold angles beyond pi
WK_API void wkTrajectory_At(const wkTrajectory* trajectory, double time, double* q);

/// Bounds the variables during an interval of time. What lies within the bounds is proven; the curve may use
/// less. Bounds of short intervals are tight.
///
/// The four numbers of a rotation have the bounds -1 and 1, and each the angular speed.
/// @param from, to ends of the interval, in any order; parts before the start and after the end are those
///        of a robot that stands still
/// @param lower, upper, speeds one number per variable: least value, greatest value, largest absolute rate
///        per second; NULL: not wanted. NaN in `from` or `to` gives infinite bounds
WK_API void wkTrajectory_Bounds(const wkTrajectory* trajectory, double from, double to,
                                double* lower, double* upper, double* speeds);

/// Returns the index of the variable that is the first one to leave its limits, between waypoints too; -1:
/// all variables are proven to be within limits all the time.
/// @param slack tolerance beyond a limit, in the unit of the variable; >= 0
/// @param time set to when it leaves them, or to the end; NULL: not wanted
WK_API int32_t wkTrajectory_FindBeyondLimits(const wkTrajectory* trajectory, double slack,
                                             double* time);

/// An object of a robot scene that moves during the check of a trajectory, wherever the scene has it.
typedef struct wkMovingObstacle {
    int32_t object; ///< index among the objects of the scene, see wkRobotScene_Find; not attached
    wkBodyMotion
        motion;   ///< of the frame of the object, in the world; what it borrows must outlive the
                  ///< check
    double start; ///< the time of the trajectory, in seconds, at which the motion is at t = 0;
                  ///< before it the object stands still
    double end;   ///< the time at which the motion is at t = 1, later than `start`; after it the
                  ///< object stands still
} wkMovingObstacle;

/// Maximum number of shapes of all moving obstacles of a check.
#define WK_MAX_MOVING_SHAPES 64

/// Options of the check of a trajectory. Start from `wkDefaultTrajectoryRequest()`.
typedef struct wkTrajectoryRequest {
    uint32_t cookie;        ///< set by wkDefaultTrajectoryRequest()
    wkMotionRequest motion; ///< as those of motions; default wkDefaultMotionRequest() with
                            ///< `wantsFirst`
    const wkMovingObstacle* obstacles; ///< borrowed; NULL (default): every object stands still
    int32_t obstacleCount;             ///< number of moving obstacles, each object once
} wkTrajectoryRequest;

/// The defaults above.
WK_API wkTrajectoryRequest wkDefaultTrajectoryRequest(void);

/// Checks a trajectory for collision, and its limits between waypoints too.
///
/// Certified, free means free at every instant. Otherwise the trajectory is proven free until `freeUntil`,
/// and at `time` the pair in `contact` touches, is too near to be decided, or a variable leaves its limits. With
/// `wantsFirst` the contact is the first one. When `maxCheckCount` is met, the verdict is uncertain.
/// Allocates nothing.
/// @param base pose of the root link in the world
/// @param state of the robot of the scene; holds the last checked configuration afterwards
/// @param request NULL means `wkDefaultTrajectoryRequest()`
/// @return as wkRobotScene_CheckMotion with times in seconds. wk_verdictInvalid, with the reason in
///         wkGetLastError(), for a trajectory of another robot, an object that does not exist, is attached or
///         is listed twice, a motion that is not valid, and times that do not increase
WK_API wkMotionResult wkRobotScene_CheckTrajectory(const wkRobotScene* scene, wkRobotState* state,
                                                   wkPose base, const wkTrajectory* trajectory,
                                                   const wkTrajectoryRequest* request);
