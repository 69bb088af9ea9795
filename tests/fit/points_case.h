// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sphere trees at random poses and raw points around them, for all that computes distances between these.

#include "sphere_tree_kit.h"

#define TREES 11 // more than are scanned at once
#define POINTS 20000

typedef struct pointsCase {
    wkModel models[2];
    wkMesh* meshes[2];
    wkShape shapes[4];
    wkSphereTreeBody bodies[4];
    wkSphereTree* made[4];
    wkPlacedSphereTree trees[TREES];
    float* points;
    wkPose pose;
} pointsCase;

// Made once for all tests of a program, which place the trees and draw the points: for the set-up and the end of a group.
int openCase(void** state);
int closeCase(void** state);
pointsCase* sharedCase(void);

// Places all trees within `reach`, and draws points beyond `gap` of their common middle.
void drawCase(pointsCase* c, wkRng* rng, double reach, double gap);

// The first points of a case.
wkCloudView viewOf(const pointsCase* c, int64_t count);
