// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file body_motion.h
/// How a body moves over a time t from 0 to 1: not at all, along a line, along a screw, along a spline, through a
/// list of poses, or as a function of the caller says. Motions are values as shapes are and need no clean-up;
/// arrays of poses are borrowed.
///
/// Speeds are per unit of t: metres and radians from t = 0 to t = 1.

#include "whisker/math.h"

/// Which member of `wkBodyMotion` is in use.
typedef enum wkBodyMotionKind {
    wk_bodyMotionNone = 0,     ///< not a motion: returned by wkMake functions for bad parameters
    wk_bodyMotionStatic = 1,   ///< `pose`: the body does not move
    wk_bodyMotionLinear = 2,   ///< `ends`: a straight line, and a rotation about a constant axis
    wk_bodyMotionScrew = 3,    ///< `ends`: a constant twist
    wk_bodyMotionSpline = 4,   ///< `spline`: a cubic B-spline
    wk_bodyMotionSampled = 5,  ///< `sampled`: poses with times, linear between them
    wk_bodyMotionFunction = 6, ///< `function`: the caller computes poses
} wkBodyMotionKind;

/// The first and the last pose of a motion.
typedef struct wkEndPoses {
    wkPose start; ///< at t = 0; a rotation of unit length
    wkPose end;   ///< at t = 1; a rotation of unit length
} wkEndPoses;

/// A control point of a cubic B-spline.
typedef struct wkSplineControl {
    wkVec3d position; ///< the curve of the origin of the body's frame is near it, not through it
    wkVec3d rotation; ///< rotation vector: the axis times the angle in radians; at most 1e6 long
} wkSplineControl;

/// A uniform cubic B-spline of positions, and one of rotation vectors, over the same control points. `count`
/// - 3 pieces share the time from 0 to 1 equally.
typedef struct wkSplinePath {
    const wkSplineControl* controls; ///< borrowed
    int32_t count;                   ///< at least 4
} wkSplinePath;

/// A pose and its time.
typedef struct wkMotionSample {
    double time; ///< from 0 to 1
    wkPose pose; ///< a rotation of unit length
} wkMotionSample;

/// Poses with increasing times. Between two of them the body moves as in a linear motion; before the first
/// and after the last it stands still.
typedef struct wkSampledPath {
    const wkMotionSample* samples; ///< borrowed
    int32_t count;                 ///< at least 1
} wkSampledPath;

/// Returns the pose of a body at the time `t`, 0 to 1. Called by the thread of the query, in any order of
/// times, and must return the same pose for the same time.
typedef wkPose wkPoseFcn(double t, void* context);

/// A motion that the caller computes, with bounds on how fast it is. What the bounds promise is part of the
/// proof of a query: where the body is faster than they say, contacts can be missed.
typedef struct wkFunctionPath {
    wkPoseFcn* poseAt;             ///< not NULL
    void* context;                 ///< for `poseAt`; may be NULL
    double maxSpeed;               ///< bound on the speed of the origin of the body's frame, >= 0
    double maxAngularSpeed;        ///< bound on the angular speed, >= 0
    double maxAcceleration;        ///< of that origin, >= 0; infinity (default): not known
    double maxAngularAcceleration; ///< >= 0; infinity (default): not known
} wkFunctionPath;

/// Any motion.
typedef struct wkBodyMotion {
    wkBodyMotionKind kind; ///< which member below is in use
    union {
        wkPose pose;             ///< for wk_bodyMotionStatic; a rotation of unit length
        wkEndPoses ends;         ///< for wk_bodyMotionLinear and wk_bodyMotionScrew
        wkSplinePath spline;     ///< for wk_bodyMotionSpline
        wkSampledPath sampled;   ///< for wk_bodyMotionSampled
        wkFunctionPath function; ///< for wk_bodyMotionFunction
    };
} wkBodyMotion;

// Functions that make motions. Bad parameters (NaN, a rotation whose length is not 1 within 1e-3, a
// coordinate beyond 1e60, times that do not increase) give a motion of kind wk_bodyMotionNone, with the reason
// in wkGetLastError(); queries return the conservative result and wk_statusInvalid for it. Rotations are
// normalised when used.

/// A body that does not move.
WK_API wkBodyMotion wkMakeStaticMotion(wkPose pose);

/// A motion from one pose to another: the origin of the body's frame moves along a straight line, and the body
/// rotates about a constant axis, the shorter way round, both with constant speeds. As wkInterpolatePose.
WK_API wkBodyMotion wkMakeLinearMotion(wkPose start, wkPose end);

/// A motion from one pose to another with a constant twist: a rotation about an axis that is fixed in the
/// world, the shorter way round, and a translation along it. The path does not depend on the choice of the
/// body's frame.
WK_API wkBodyMotion wkMakeScrewMotion(wkPose start, wkPose end);

/// A motion along a uniform cubic B-spline. `controls` is borrowed: keep it alive as long as the motion is in
/// use.
WK_API wkBodyMotion wkMakeSplineMotion(const wkSplineControl* controls, int32_t count);

/// A motion through a list of poses. `samples` is borrowed: keep it alive as long as the motion is in use.
WK_API wkBodyMotion wkMakeSampledMotion(const wkMotionSample* samples, int32_t count);

/// A motion that a function computes. Its accelerations are not known: a caller who knows bounds on them sets
/// `maxAcceleration` and `maxAngularAcceleration` of the result, and queries take fewer steps.
/// @param maxSpeed bound on the speed of the origin of the body's frame
/// @param maxAngularSpeed bound on the angular speed; 0: the body does not rotate
WK_API wkBodyMotion wkMakeFunctionMotion(wkPoseFcn* poseAt, void* context, double maxSpeed,
                                         double maxAngularSpeed);

/// Checks whether a motion is valid for queries, including one whose fields were set by hand.
/// @return wk_ok, wk_errorNotFinite, wk_errorRange or wk_errorArgument with the field in wkGetLastError()
WK_API wkResult wkBodyMotion_Check(const wkBodyMotion* motion);

/// Returns the pose of the body at a time: the pose that queries use, bit for bit.
/// @param t before 0 and after 1 the body stands still
/// @return a pose of NaN, which queries refuse, for a motion that is not valid and for a time that is NaN
WK_API wkPose wkBodyMotion_PoseAt(const wkBodyMotion* motion, double t);

/// Lower-case name: "static", "linear", "screw", "spline", "sampled", "function"; "none" for any other number.
WK_API const char* wkBodyMotionKindName(wkBodyMotionKind kind);
