// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot whose block is allocated and is being filled from a builder.

#include "robot/robot_builder.h"

typedef struct wkRobotMaker {
    const wkRobotBuilder* builder;
    wkRobot* robot;
    // unused parts of the memory for lists and strings
    double* values;
    int32_t* numbers;
    char* text;
} wkRobotMaker;

// Copies a string into the block; "" for NULL.
const char* wkKeepText(wkRobotMaker* maker, const char* string);

// Capacity of the suffix that a variable adds to the name of its joint, with the terminating zero.
#define WK_VARIABLE_NAME_CAPACITY 8

// Fills links, joints, variables and rigid groups.
void wkFillRobotTree(wkRobotMaker* maker);

// Fills bodies, groups, named states, end effectors and pairs.
void wkFillRobotParts(wkRobotMaker* maker);
