// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A motion between two configurations, and how far the bodies of a body set go on it.
//
// Where a point of a robot is at a time t, seen from where it is at another time s: let the joints
// change one after the other, from the root outward. While joint i changes, the joints before it stand
// as at time t and move the point as a whole, and those behind it stand as at time s. So the point goes
// no further than the joint turns, times its distance from the axis at time s, plus what the joint
// slides. The sum over all joints is a bound that needs to look at one configuration only, whatever the
// length of the interval, and it is proportional to the time between s and t.

#include "robot/motion_rates.h"
#include "robot/robot_query.h"

typedef struct wkMotion {
    const wkRobotScene* scene;
    wkRobotState* state;
    wkPose base;
    double roundingShare; // of lengths: what rounding may do to where things are
    double largest;       // coordinate of a rigid group where the robot is now
} wkMotion;

// Takes the ends of a motion, which may be anywhere but in the room of the state.
// @return false when a number is not finite or the state is of another robot
bool wkBeginMotion(const wkRobotScene* scene, wkRobotState* state, wkPose base, const double* q0,
                   const double* q1, wkMotion* motion);

// Puts the state where the robot is at a time, with its body set placed.
// @return false when that is not fit for use
bool wkMoveTo(wkMotion* motion, double time);

// How far a body is from where it is now, at most, within `interval` of time in both directions; and two
// bodies as seen from each other.
double wkBodyBound(const wkMotion* motion, int32_t body, double interval);
double wkPairBound(const wkMotion* motion, int32_t bodyA, int32_t bodyB, double interval);

// The same for all bodies, into the room of the state.
void wkSetReach(const wkMotion* motion, double interval);

// A request that can be read: the caller's, or the usual one; NULL when it is not valid.
const wkMotionRequest* wkMotionRequestOf(const wkRobotScene* scene, const wkMotionRequest* request);

// A result of a motion that was not looked at yet.
wkMotionResult wkEmptyMotionResult(wkVerdict verdict);

// Is the robot safe at a time? Limits are not looked at.
wkRobotCheckResult wkCheckAt(wkMotion* motion, const wkMotionRequest* request, double time);

// The two ways to look at a motion.
wkMotionResult wkCertifyMotion(wkMotion* motion, const wkMotionRequest* request);
wkMotionResult wkStepMotion(wkMotion* motion, const wkMotionRequest* request);
