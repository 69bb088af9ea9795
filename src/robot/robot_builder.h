// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Intermediate results between the description of a robot and its block of memory.

#include "robot/robot_impl.h"
#include "robot/robot_names.h"

typedef struct wkRobotBuilder {
    const wkRobotDef* def;
    void* memory; // block of all arrays below
    size_t byteCount;
    wkNames links; // numbered as in the description, here and in the arrays
    wkNames joints;
    wkNames groups;
    int32_t* carrier;    // of a link: the joint that carries it; -1 for the root
    int32_t* firstChild; // of a link: its first child joint; -1: none
    int32_t* nextChild;  // of a joint: the next one with the same parent; -1: none
    int32_t* linkOrder;  // links from the root outward
    int32_t* linkRank;   // of a link: its index in that order, which is its number in the robot
    int32_t* mimicked;   // of a joint: the joint at the end of its chain of mimics; -1: none
    double* factor;      // of a joint: product over its chain of mimics
    double* offset;
} wkRobotBuilder;

// Returns the number in the robot of a joint of the description: joint n carries link n + 1.
static inline int32_t wkJointRank(const wkRobotBuilder* builder, int32_t joint)
{
    int32_t child = wkNames_Find(&builder->links, builder->def->joints[joint].child);
    return builder->linkRank[child] - 1;
}

// Returns the number of variables of a type of joint: 0, 1, 3 or 7.
int32_t wkJointVariableCount(wkJointType type);

// Reads and checks a description. On success every name, number and reference in it is valid, the links form
// one tree, and no joint mimics in a circle.
wkResult wkRobotBuilder_Begin(wkRobotBuilder* builder, const wkRobotDef* def);

void wkRobotBuilder_End(wkRobotBuilder* builder);

// Steps of wkRobotBuilder_Begin.
wkResult wkCheckRobotParts(wkRobotBuilder* builder); // bodies, groups, states, end effectors, pairs
wkResult wkOrderRobotTree(wkRobotBuilder* builder);
wkResult wkResolveMimics(wkRobotBuilder* builder);
