// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot in one configuration, and the scratch of a thread that checks it: queries allocate nothing.

#include "robot/kinematics.h"

// Boxes for SIMD kernels: the count is rounded up to whole groups of eight lanes, and lanes without
// a body hold boxes that meet nothing.
#define WK_BODY_LANES 8

// Boxes of the bodies of a robot, followed by those of attached shapes.
typedef struct wkBodyBoxes {
    int32_t capacity; // a multiple of WK_BODY_LANES
    int32_t count;    // bodies and attached shapes with a box
    wkPose* poses;    // in the world
    float* lower[3];  // boxes, rounded outward, relative to the origin of a scene
    float* upper[3];
    uint64_t placedAs; // serial number of the body set that the boxes belong to; 0: none
} wkBodyBoxes;

// A pair for which a motion is not yet proven free: a body of the body set, and another body or, as the
// complement, the slot index of an object around the robot.
typedef struct wkRisk {
    int32_t body;
    int32_t partner;
} wkRisk;

#define WK_RISK_CAPACITY 2048

// Shapes of objects that move during a check: see robot/moved_shapes.h.
typedef struct wkMovedShapes wkMovedShapes;

// Scratch for checking a motion: see robot/motion.h.
typedef struct wkMotionScratch {
    double* q0; // ends of the motion
    double* q1;
    double* rotations;    // of each rigid group: radians over the whole motion, rounded up
    double* translations; // of each rigid group: metres over the whole motion, rounded up
    int32_t*
        above; // of each rigid group: the nearest one that moves, itself or an ancestor; 0: none
    wkVec3d* axes; // of each rigid group that rotates, in the world
    float* reach;  // of each body
    wkRisk* risks; // WK_RISK_CAPACITY of them
} wkMotionScratch;

// One block of memory.
struct wkRobotState {
    const wkRobot* robot;
    size_t byteCount;
    bool isValid;       // false: the last values given were not valid
    bool hasGivenLinks; // link poses were given by the caller; `rigidGroups` is unused
    bool hasMoved;      // objects are where `moved` has them: during the check of a trajectory
    wkPose base;
    double* q;
    wkPose* rigidGroups;
    wkPose* links; // in the world, if given by the caller; see wkStateLink
    wkBodyBoxes placed;
    wkMotionScratch motion;
    wkMovedShapes* moved;
};

// Returns the pose of a link in the world.
WK_FN wkPose wkStateLink(const wkRobotState* state, int32_t link)
{
    const wkRobotLink* placed = &state->robot->links[link];
    return state->hasGivenLinks ? state->links[link]
           : placed->isGroupFrame
               ? state->rigidGroups[placed->rigidGroup]
               : wkMulUnitPose(&state->rigidGroups[placed->rigidGroup], &placed->pose);
}
