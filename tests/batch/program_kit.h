// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests of programs share: robots of every kind with balls on their links, and rooms for lanes.

#include "batch/lane_program.h"
#include "robot_kit.h"

typedef struct testProgram {
    wkRobot* robot;
    wkRobotScene* scene;
    wkSphereModel* spheres;
    wkProgram* program;
    wkPose base;
} testProgram;

// The built-in robot, then trees with joints of every type.
#define TEST_ROBOT_COUNT 24

// @param ballCount on all links together
testProgram makeTestProgram(uint64_t seed, int number, int ballCount);
void freeTestProgram(testProgram* test);

// Rooms for lanes of any instruction set.
float* makeRoom(const wkProgram* program);

// A configuration: within limits, or beyond them, with huge angles.
void makeState(wkRng* rng, const wkProgram* program, double* q);
