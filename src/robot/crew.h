// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The crew: everything that moves with a robot, its bodies first and then the shapes it holds, with
// padding, and which pairs of them are looked at. Made anew when the scene changes it; queries read.

#include "robot/state.h"
#include "whisker/robot_scene.h"

typedef struct wkCrewMember {
    wkShape shape;  // with the padding of the scene
    wkVec3d middle; // box around it, as in wkRobotBody
    wkVec3d half;
    int32_t mover;
    int32_t link;   // what carries it
    int32_t side;   // the link, or linkCount + number of the attached object: who is who in pairs
    int32_t index;  // number of the body, or of the shape within its object
    wkPose inLink;  // of attached shapes
} wkCrewMember;

typedef struct wkCrew {
    const wkRobot* robot;
    uint64_t serial; // differs from that of any other crew, see wkPlaced
    int32_t count;
    int32_t capacity;
    int32_t wordCount;     // words of a row below
    wkCrewMember* members; // bodies in the order of the robot, then attached shapes
    uint64_t* checked;     // row i, bit j: the pair is looked at; symmetric
    uint64_t* asked;       // row i, bit j: and then somebody decides about its contacts
    wkVec3d origin;        // boxes are relative to it
} wkCrew;

// Poses and boxes of all members, unless the state has them already.
void wkPlaceCrew(const wkCrew* crew, wkRobotState* state);

// A pair of members whose boxes come within reach of each other.
// @return false to stop
typedef bool wkCrewPairFcn(int32_t a, int32_t b, void* context);

// Visits the checked pairs (a < b) whose boxes, grown by `reach` of each member, meet. The pairs that
// are most likely to touch come first where that costs nothing.
// @param reach one number for each member, >= 0; NULL: none
// @return false when it was stopped
bool wkVisitCrewPairs(const wkCrew* crew, const wkRobotState* state, const float* reach,
                      wkCrewPairFcn* fcn, void* context);

// The same in order of the gaps between boxes, for the closest pair: `limit` may fall on the way.
bool wkVisitNearCrewPairs(const wkCrew* crew, const wkRobotState* state, const double* limit,
                          wkCrewPairFcn* fcn, void* context);
