// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The joints between two collision bodies of a robot, and the search through all of their values for a
// configuration in which the bodies touch, or for the proof that there is none.

#include "robot/body_set.h"

// Most joints between two bodies, and most variables that they follow.
#define WK_CHAIN_JOINTS 64
#define WK_CHAIN_VARIABLES 24

// Boxes of joint values that wait in a search: one for each halving.
#define WK_CHAIN_BOXES 256

// What is known about two bodies. Zero is not known.
typedef enum wkChainVerdict {
    wk_chainOpen = 0,
    wk_chainApart = 1,    // they do not touch in any configuration within limits: proven
    wk_chainTouching = 2, // they touch in a configuration that was found
} wkChainVerdict;

// The joints between two rigid groups: those that carry both change nothing between them.
typedef struct wkChain {
    const wkRobot* robot;
    int32_t joints[WK_CHAIN_JOINTS]; // rigid groups that they move, in order from A to B
    int32_t slots[WK_CHAIN_JOINTS];  // and which of the variables below they follow
    int32_t jointCount;
    int32_t countOfA; // so many of them, the first ones, carry A; the others carry B
    int32_t variables[WK_CHAIN_VARIABLES];
    double lower[WK_CHAIN_VARIABLES]; // limits; a whole turn where there are none
    double upper[WK_CHAIN_VARIABLES];
    bool isWhole[WK_CHAIN_VARIABLES]; // a whole turn: values a turn apart are the same
    int32_t variableCount;
} wkChain;

// @return false: there are too many joints, or one of them has no bounds that could be searched
bool wkChain_Find(const wkRobot* robot, int32_t rigidGroupA, int32_t rigidGroupB, wkChain* chain);

// A box of joint values.
typedef struct wkChainBox {
    double middle[WK_CHAIN_VARIABLES];
    double half[WK_CHAIN_VARIABLES];
    double share; // of the box of all values
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

// The chain in one configuration, seen from the last rigid group that carries both bodies.
typedef struct wkPlacedChain {
    wkPose poses[WK_CHAIN_JOINTS]; // of the rigid groups that the joints move
    wkPose poseA;                  // of the bodies
    wkPose poseB;
} wkPlacedChain;

// @param values one for each variable of the chain
void wkPlaceChain(const wkChainPair* pair, const double* values, wkPlacedChain* placed);

// Direction of the axis of a joint.
wkVec3d wkChainAxis(const wkChainPair* pair, const wkPlacedChain* placed, int32_t joint);

// Halves the box of all joint values until the bodies are proven apart in every part of it, touch in the
// middle of one, or the budget is spent.
// @param budget how many tests of two bodies are made; what is left of it comes back
wkChainVerdict wkSearchChain(const wkChainPair* pair, int32_t* budget);

// What holds in every configuration of a box. Zero is not known.
typedef enum wkBoxVerdict {
    wk_boxUnknown = 0,
    wk_boxApart = 1,
    wk_boxTouching = 2,
    wk_boxOpen = 3, // neither is proven
} wkBoxVerdict;

// Whether boxes of joint values can be classified for a body: it has an end and no negative padding, and
// its signed distances are exact.
bool wkCanClassifyBoxes(const wkCollisionBody* body);

// @return anything but wk_boxUnknown; the stack of the pair is not used, its margin is not negative
wkBoxVerdict wkClassifyChainBox(const wkChainPair* pair, const wkChainBox* box);

// Goes downhill from random configurations, along the gradient of the distance.
// @return whether the bodies touch where one of the ways has led
bool wkDescendChain(const wkChainPair* pair, uint64_t seed, int32_t startCount);
