// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The joints between two collision bodies of a robot, and a search over all values of these joints: it
// finds a configuration in which the bodies touch, or proves that there is none.

#include "robot/body_set.h"

// Maximum number of joints between two bodies, and of the variables of these joints.
#define WK_CHAIN_JOINTS 64
#define WK_CHAIN_VARIABLES 24

// Capacity of the stack of boxes of joint values in a search: one for each halving.
#define WK_CHAIN_BOXES 256

// Verdict about two bodies. Zero: unknown.
typedef enum wkChainVerdict {
    wk_chainOpen = 0,
    wk_chainApart = 1,    // proven not to touch in any configuration within limits
    wk_chainTouching = 2, // they touch in a configuration that was found
} wkChainVerdict;

// The joints between two rigid groups. Joints that carry both groups are left out.
typedef struct wkChain {
    const wkRobot* robot;
    int32_t joints[WK_CHAIN_JOINTS]; // rigid groups that they move, in order from A to B
    int32_t slots[WK_CHAIN_JOINTS];  // index of each joint's variable in `variables`
    int32_t jointCount;
    int32_t countOfA; // the first countOfA joints carry A; the others carry B
    int32_t variables[WK_CHAIN_VARIABLES];
    double lower[WK_CHAIN_VARIABLES]; // limits; a full revolution where there are none
    double upper[WK_CHAIN_VARIABLES];
    bool isWhole[WK_CHAIN_VARIABLES]; // values a full revolution apart are the same
    int32_t variableCount;
} wkChain;

// @return false: there are too many joints, or the range of one of them cannot be searched
bool wkChain_Find(const wkRobot* robot, int32_t rigidGroupA, int32_t rigidGroupB, wkChain* chain);

// A box of joint values.
typedef struct wkChainBox {
    double middle[WK_CHAIN_VARIABLES];
    double half[WK_CHAIN_VARIABLES];
    double share; // share of the box of all values
} wkChainBox;

// Two bodies and the chain between them.
typedef struct wkChainPair {
    const wkChain* chain;
    const wkCollisionBody* a;
    const wkCollisionBody* b;
    double margin;     // touching means signed distance <= margin
    double* q;         // scratch: one number for each variable of the robot
    wkChainBox* stack; // scratch: WK_CHAIN_BOXES of them
} wkChainPair;

// Poses of the chain in one configuration, relative to the last rigid group that carries both bodies.
typedef struct wkPlacedChain {
    wkPose poses[WK_CHAIN_JOINTS]; // of the rigid groups that the joints move
    wkPose poseA;                  // of the bodies
    wkPose poseB;
} wkPlacedChain;

// @param values one for each variable of the chain
void wkPlaceChain(const wkChainPair* pair, const double* values, wkPlacedChain* placed);

// Returns the direction of the axis of a joint.
wkVec3d wkChainAxis(const wkChainPair* pair, const wkPlacedChain* placed, int32_t joint);

// Halves the box of all joint values until the bodies are proven apart in every part of it, touch in the
// middle of a part, or the budget is spent.
// @param budget number of body-body tests allowed; receives the number that is left
wkChainVerdict wkSearchChain(const wkChainPair* pair, int32_t* budget);

// Verdict that holds in every configuration of a box. Zero: unknown.
typedef enum wkBoxVerdict {
    wk_boxUnknown = 0,
    wk_boxApart = 1,
    wk_boxTouching = 2,
    wk_boxOpen = 3, // neither is proven
} wkBoxVerdict;

// Returns whether boxes of joint values can be classified for a body: the body is bounded, has no negative
// padding, and its signed distances are exact.
bool wkCanClassifyBoxes(const wkCollisionBody* body);

// @param pair its margin is at least 0; its stack is not used
// @return never wk_boxUnknown
wkBoxVerdict wkClassifyChainBox(const wkChainPair* pair, const wkChainBox* box);

// Returns whether bodies are proven apart in every configuration of a box.
bool wkIsChainBoxApart(const wkChainPair* pair, const wkChainBox* box);

// Descends from random configurations along the gradient of the distance.
// @return whether the bodies touch at the end of one of the descents
bool wkDescendChain(const wkChainPair* pair, uint64_t seed, int32_t startCount);
