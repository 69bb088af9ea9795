// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests of robots share: random trees with joints of every type, and where their links are by
// another way, with plain matrices.

#include "scenes/rng.h"
#include "whisker/robot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Room for the name of a link or joint.
#define WK_TEST_NAME 32

// A description that owns its names.
typedef struct wkTestRobot {
    int32_t linkCount;
    wkRobotDef def;
    const char** links;
    wkJointDef* joints;
    char (*names)[WK_TEST_NAME]; // of links and then of joints
} wkTestRobot;

// A tree with joints of every type between links of random places; a third of the joints that can
// do so mimic others. Links and joints are described in random order.
// @param depth each link hangs on one of this many before it; 1: a chain
wkTestRobot wkMakeTestRobot(uint64_t seed, int32_t linkCount, int32_t depth);

// The built-in robot, described again from its own queries.
wkTestRobot wkDescribeTestRobot(const wkRobot* robot);

void wkFreeTestRobot(wkTestRobot* robot);

wkRobot* wkCreateRobot(const wkRobotDef* def);

// A rigid motion as a matrix.
typedef struct wkTestMatrix {
    double m[4][4];
} wkTestMatrix;

wkTestMatrix wkTestMatrixOf(wkPose pose);

// Where a link of a description is, from the names in it alone.
wkTestMatrix wkTestLinkMatrix(const wkRobotDef* def, const wkRobot* robot, const char* link,
                              wkPose base, const double* q);

// Largest difference of two matrices.
double wkTestMatrixError(const wkTestMatrix* a, const wkTestMatrix* b);
