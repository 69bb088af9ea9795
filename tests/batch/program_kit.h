// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests of programs share: robots of every kind with spheres on their links, and rooms for lanes.

#include "batch/program_kernel.h"
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

// Spheres that a test may have.
#define MOST_TEST_SPHERES 512

// @param robot destroyed with the program
testProgram makeProgramOf(wkRobot* robot, const wkLinkSphere* spheres, int sphereCount,
                          wkPose base);

// @param sphereCount on all links together
testProgram makeTestProgram(uint64_t seed, int number, int sphereCount);
void freeTestProgram(testProgram* test);

// Rooms for lanes of any instruction set.
float* makeScratch(const wkProgram* program);

// A configuration: within limits, or beyond them, with huge angles.
void makeState(wkRng* rng, const wkProgram* program, double* q);

// Where lanes have put a sphere, relative to the origin of the program.
// @param state by number: rooms follow each other
wkVec3d sphereOfState(const wkProgram* program, const float* scratches, int laneCount,
                      int32_t sphere, int state);

// How much of its slack the worst sphere of a configuration takes; above 1 is wrong.
double shareOfSlack(const testProgram* test, const double* q, const float* scratches, int laneCount,
                    int state);

// By how much the nearest checked pair of spheres is apart: brute force in double.
double leastGap(const testProgram* test, const double* q);

// How much nearer spheres may seem: what was added to the radii of two of them.
double slackOfPair(const testProgram* test);

// Fails where lanes do not see what brute force has seen.
// @param contacts NULL: all spheres can touch
// @return configurations that touch
int checkSelf(const testProgram* test, const wkProgramLanes* lanes, const wkContacts* contacts,
              const double* states, int count, float margin, const double* gaps);
