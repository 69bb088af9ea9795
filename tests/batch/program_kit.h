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

// Balls that a test may have.
#define MOST_TEST_BALLS 512

// @param robot destroyed with the program
testProgram makeProgramOf(wkRobot* robot, const wkLinkBall* balls, int ballCount, wkPose base);

// @param ballCount on all links together
testProgram makeTestProgram(uint64_t seed, int number, int ballCount);
void freeTestProgram(testProgram* test);

// Rooms for lanes of any instruction set.
float* makeRoom(const wkProgram* program);

// A configuration: within limits, or beyond them, with huge angles.
void makeState(wkRng* rng, const wkProgram* program, double* q);

// Where lanes have put a ball, relative to the origin of the program.
// @param state by number: rooms follow each other
wkVec3d ballOfState(const wkProgram* program, const float* rooms, int laneCount, int32_t ball,
                    int state);

// How much of its slack the worst ball of a configuration takes; above 1 is wrong.
double shareOfSlack(const testProgram* test, const double* q, const float* rooms, int laneCount,
                    int state);

// By how much the nearest checked pair of balls is apart: brute force in double.
double leastGap(const testProgram* test, const double* q);

// How much nearer balls may seem: what was added to the radii of two of them.
double slackOfPair(const testProgram* test);

// Fails where lanes do not see what brute force has seen.
// @param contacts NULL: all balls can touch
// @return configurations that touch
int checkSelf(const testProgram* test, const wkProgramLanes* lanes, const wkContacts* contacts,
              const double* states, int count, float margin, const double* gaps);
