// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file math.h
/// Vectors, rotations, poses and boxes. Metres and radians, right-handed, z up; `aFromB` maps
/// coordinates of B into A.

#include "whisker/base.h"

/// A point or direction.
typedef struct wkVec3d {
    double x; ///< first coordinate
    double y; ///< second coordinate
    double z; ///< third coordinate
} wkVec3d;

/// A rotation as a quaternion, in the storage order of ROS and Eigen. Any length but zero: normalised
/// when used.
typedef struct wkQuat {
    double x; ///< axis x times sin(angle / 2)
    double y; ///< axis y times sin(angle / 2)
    double z; ///< axis z times sin(angle / 2)
    double w; ///< cos(angle / 2)
} wkQuat;

/// A rigid transform: the pose of a body's frame in the world. `world = rotation * local + position`.
typedef struct wkPose {
    wkVec3d position; ///< origin of the body in the world
    wkQuat rotation;  ///< rotates the body's axes into the world's
} wkPose;

/// An axis-aligned box; empty when a lower coordinate exceeds the upper one.
typedef struct wkAabb {
    wkVec3d lower; ///< vertex with the smallest coordinates
    wkVec3d upper; ///< vertex with the largest coordinates
} wkAabb;

/// A sphere: all points no further than `radius` from its center.
typedef struct wkSphere3d {
    wkVec3d center; ///< position of the centre
    double radius;  ///< >= 0
} wkSphere3d;

/// The identity transform.
WK_API wkPose wkIdentityPose(void);

/// A pose without rotation.
WK_API wkPose wkMakePose(double x, double y, double z);

/// A pose from a position and roll, pitch, yaw about the fixed x, y, z axes, as in URDF.
WK_API wkPose wkMakePoseRpy(wkVec3d position, double roll, double pitch, double yaw);

/// A rotation by `angle` radians about `axis`, of any length. A zero axis gives the identity.
WK_API wkQuat wkMakeQuat(wkVec3d axis, double angle);

/// Composes two poses: `aFromC = wkMulPose(aFromB, bFromC)`.
WK_API wkPose wkMulPose(wkPose aFromB, wkPose bFromC);

/// Inverts a pose: `bFromA = wkInvPose(aFromB)`.
WK_API wkPose wkInvPose(wkPose aFromB);

/// Maps a point of the body into the world.
WK_API wkVec3d wkTransformPoint(wkPose pose, wkVec3d point);

/// Maps a direction of the body into the world: rotation only.
WK_API wkVec3d wkRotateVector(wkPose pose, wkVec3d direction);

/// Interpolates between two poses: the position linearly, the rotation about one axis with a constant velocity, the
/// shorter way round (slerp).
/// @param t 0: `a`; 1: `b`
WK_API wkPose wkInterpolatePose(wkPose a, wkPose b, double t);

/// True when all seven numbers are finite and the rotation is not zero, as queries require.
WK_API bool wkIsValidPose(wkPose pose);
