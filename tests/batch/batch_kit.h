// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests of batches share: spheres around the bodies of a robot, and arrays of configurations.

#include "../kit.h"
#include "plain_batch.h"
#include "robot/plain.h"

#include <stdio.h>
#include <stdlib.h>

// Metres by which verdicts of a batch may be off on the safe side, for robots of a few metres: what
// floats may do.
#define WK_BATCH_BAND 1e-4

// Spheres for each body, which cover the box around it with a share of 1.
wkSphereModel* wkSpheresOnBodies(const wkRobot* robot, double share);

// Configurations within the limits, one after the other; given back with free().
double* wkRandomRows(const wkRobot* robot, uint64_t seed, int32_t count);

// The other ends of motions from given configurations: each variable changes by at most `size`, and
// stays within its limits.
double* wkNeighbourRows(const wkRobot* robot, const double* rows, uint64_t seed, int32_t count,
                        double size);

// A place for the robot in which some of the configurations are free and others are not, as far as there
// is one.
wkPose wkChooseBase(const wkBatchDef* def, const double* rows, int32_t count, int tries);

wkBatch* wkCreateBatch(const wkBatchDef* def);

// A batch and what it is asked.
typedef struct wkBatchCase {
    wkSurroundings all;
    wkSphereModel* model;
    wkBatchDef def;
    double* rows; // configurations
    double* ends; // of motions from the first of them
} wkBatchCase;

// @param kind number of the surroundings
void wkMakeBatchCase(wkBatchCase* c, int kind, bool isHolding, int32_t stateCount,
                     int32_t motionCount);

void wkFreeBatchCase(wkBatchCase* c);
