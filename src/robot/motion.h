// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A motion between two configurations, and bounds on how far the bodies of a body set move on it.
//
// The bound on the displacement of a point between times s and t: let the joints change one after the other,
// from the root outward. While joint i changes, the joints before it stand as at time t and move the point
// as a whole, and those behind it stand as at time s. So joint i moves the point by at most its rotation
// angle times the distance of the point from its axis at time s, plus its translation. The sum over all
// joints is a bound that needs one configuration only, whatever the length of the interval, and it is
// proportional to the time between s and t.

#include "robot/motion_rates.h"
#include "robot/robot_query.h"

typedef struct wkMotion {
    const wkRobotScene* scene;
    wkRobotState* state;
    wkPose base;
    double roundingShare; // bound on the rounding of positions, relative to lengths
    double largest;       // largest coordinate of a rigid group in the current configuration
} wkMotion;

// Sets the ends of a motion, which may be anywhere but in the scratch of the state.
// @return false when a number is not finite or the state is of another robot
bool wkBeginMotion(const wkRobotScene* scene, wkRobotState* state, wkPose base, const double* q0,
                   const double* q1, wkMotion* motion);

// Sets the state to the configuration at a time, and places its body set.
// @return false when that configuration is not valid
bool wkMoveTo(wkMotion* motion, double time);

// Return an upper bound on how far a body is from its current pose within `interval` of time in both
// directions; and the same for two bodies relative to each other.
double wkBodyBound(const wkMotion* motion, int32_t body, double interval);
double wkPairBound(const wkMotion* motion, int32_t bodyA, int32_t bodyB, double interval);

// Computes the bounds of all bodies into the scratch of the state.
void wkSetReach(const wkMotion* motion, double interval);

// Returns the caller's request, or the default for NULL; NULL when the request is not valid.
const wkMotionRequest* wkMotionRequestOf(const wkRobotScene* scene, const wkMotionRequest* request);

// Returns the result of a motion that was not checked yet.
wkMotionResult wkEmptyMotionResult(wkVerdict verdict);

// Returns whether the robot is free of collisions at a time. Joint limits are not checked.
wkRobotCheckResult wkCheckAt(wkMotion* motion, const wkMotionRequest* request, double time);

// The two ways to check a motion.
wkMotionResult wkCertifyMotion(wkMotion* motion, const wkMotionRequest* request);
wkMotionResult wkStepMotion(wkMotion* motion, const wkMotionRequest* request);
