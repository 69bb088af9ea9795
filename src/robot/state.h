// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot in one configuration, and what a thread needs to look at it: nothing is allocated later.

#include "robot/kinematics.h"

// Boxes side by side for lanes: the count is rounded up to whole lanes of eight, and places without
// a body hold boxes that meet nothing.
#define WK_BODY_LANES 8

// Where the bodies of a robot are, and after them the shapes that it holds.
typedef struct wkBodyBoxes {
    int32_t capacity; // a multiple of WK_BODY_LANES
    int32_t count;    // bodies and attached shapes with a box
    wkPose* poses;    // in the world
    float* lower[3];  // boxes, rounded outward, relative to the origin of a scene
    float* upper[3];
    uint64_t placedAs; // serial number of the body set that the boxes were made for; 0: none are
} wkBodyBoxes;

// A pair that a motion has not been cleared of: a body of the body set, and another one or, as its
// complement, the place of an object around the robot.
typedef struct wkRisk {
    int32_t body;
    int32_t partner;
} wkRisk;

#define WK_RISK_CAPACITY 2048

// Room for a motion that is looked at: see robot/motion.h.
typedef struct wkMotionScratch {
    double* q0; // its ends
    double* q1;
    double* rotations;    // of each rigid group: radians on the whole way, never too small
    double* translations; // of each rigid group: metres likewise
    int32_t*
        above; // of each rigid group: the nearest one that moves at all, it or above it; 0: none
    wkVec3d* axes; // of each rigid group that turns: in the world
    float* reach;  // of each body
    wkRisk* risks; // WK_RISK_CAPACITY of them
} wkMotionScratch;

// One block of memory.
struct wkRobotState {
    const wkRobot* robot;
    size_t byteCount;
    bool isValid;       // false: the last numbers given were not fit for use
    bool hasGivenLinks; // somebody else has placed the links: rigid groups do not count
    wkPose base;
    double* q;
    wkPose* rigidGroups;
    wkPose* links; // in the world, where somebody else has placed them; see wkStateLink
    wkBodyBoxes placed;
    wkMotionScratch motion;
};

// Where a link is in the world.
WK_FN wkPose wkStateLink(const wkRobotState* state, int32_t link)
{
    const wkRobotLink* placed = &state->robot->links[link];
    return state->hasGivenLinks ? state->links[link]
           : placed->isGroupFrame
               ? state->rigidGroups[placed->rigidGroup]
               : wkMulUnitPose(&state->rigidGroups[placed->rigidGroup], &placed->pose);
}
