// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A motion along a path of configurations, and bounds on how far the bodies of a body set move on it. A path is
// straight, from one configuration to another, or a trajectory; see wkMotionPath.
//
// The bound on the displacement of a point between times s and t: let the joints change one after the other,
// from the root outward. While joint i changes, the joints before it stand as at time t and move the point
// as a whole, and those behind it stand as at time s. So joint i moves the point by at most its rotation
// angle times the distance of the point from its axis at time s, plus its translation. The sum over all
// joints is a bound that needs one configuration only, whatever the length of the interval, and it is
// proportional to the time between s and t.

#include "robot/motion_rates.h"
#include "robot/robot_query.h"
#include "whisker/trajectory.h"

// Tolerance for configurations that a planner puts at a limit, as in wkRobotScene_Check.
#define WK_LIMIT_SLACK 1e-9

typedef struct wkMotion wkMotion;

// A kind of path. Times are from 0 to 1.
typedef struct wkMotionPath {
    // Sets the configuration at a time.
    void (*configure)(const wkMotion* motion, double time, double* q);

    // Sets the rotations and translations of rigid groups in the scratch, per unit of time, so that they hold for
    // all instants no further than `half` from `middle`. Configuration `q` of the state is that of the middle.
    // NULL: they are the same at all times.
    void (*setRates)(const wkMotion* motion, double middle, double half);

    // Returns the largest change of a variable, or way of an obstacle, if it kept its largest rate all the time.
    double (*length)(const wkMotion* motion);
} wkMotionPath;

struct wkMotion {
    const wkMotionPath* path;
    const wkTrajectory* trajectory; // NULL: the path is straight
    const wkRobotScene* scene;
    wkRobotState* state;
    wkPose base;
    double roundingShare; // bound on the rounding of positions, relative to lengths
    double largest;       // largest coordinate of a rigid group in the current configuration
};

// Prepares a motion along a path.
// @return false when the state is of another robot
bool wkOpenMotion(const wkRobotScene* scene, wkRobotState* state, wkPose base,
                  const wkMotionPath* path, wkMotion* motion);

// Finishes the preparation, once the scratch has rates of the whole path.
// @param largest largest magnitude of a variable on it
void wkSetMoving(wkMotion* motion, double largest);

// Sets the ends of a straight motion, which may be anywhere but in the scratch of the state.
// @return false when a number is not finite or the state is of another robot
bool wkBeginMotion(const wkRobotScene* scene, wkRobotState* state, wkPose base, const double* q0,
                   const double* q1, wkMotion* motion);

// Prepares a motion along a trajectory, whose times are scaled to those of motions.
// @return false when the trajectory, the scene or the state is of another robot
bool wkBeginTrajectory(const wkRobotScene* scene, wkRobotState* state, wkPose base,
                       const wkTrajectory* trajectory, wkMotion* motion);

// Returns the seconds of a time from 0 to 1.
double wkTimeOfTrajectory(const wkTrajectory* trajectory, double time);

// Checks a motion by the method that the request selects. Joint limits are not checked.
wkMotionResult wkCheckMotionOf(wkMotion* motion, const wkMotionRequest* request);

// Sets the state to the configuration at a time, and places its body set.
// @return false when that configuration is not valid
bool wkMoveTo(wkMotion* motion, double time);

// The same, and sets rates for all instants no further than `half` from the middle.
bool wkMoveWithin(wkMotion* motion, double middle, double half);

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
