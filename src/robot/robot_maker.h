// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot whose block is there and is being filled from a builder.

#include "robot/robot_builder.h"

typedef struct wkRobotMaker {
    const wkRobotBuilder* builder;
    wkRobot* robot;
    // what is left of the memory for lists and strings
    double* values;
    int32_t* numbers;
    char* text;
} wkRobotMaker;

// A copy of a string in the block; "" for NULL.
const char* wkKeepText(wkRobotMaker* maker, const char* string);

// Longest name that a variable adds to that of its joint, with the end of the string.
#define WK_VARIABLE_NAME_CAPACITY 8

// Links, joints, variables and rigid groups.
void wkFillRobotTree(wkRobotMaker* maker);

// Bodies, groups, named states, end effectors and pairs.
void wkFillRobotParts(wkRobotMaker* maker);
