// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The search for spheres of two parts that can touch within limits.

#include "batch/program.h"

// Most variables between two parts, joints to either side, and pairs of spheres that are looked at.
#define WK_CONTACT_VARIABLES 3
#define WK_CONTACT_JOINTS 16
#define WK_CONTACT_PAIRS 4096

// How often a box of variables is halved at most.
#define WK_CONTACT_HALVINGS 48

// A share of lengths that is more than what comparing floats is off by.
#define WK_CONTACT_SHARE 2e-6

// Spheres of one part, and the joints between them and where both parts meet.
typedef struct wkContactBranch {
    const wkPart* part;
    int32_t joints[WK_CONTACT_JOINTS]; // rigid groups, from the part inward
    int jointCount;
    wkVec3d* centers; // where spheres are in the middle of a box
    // How far they move for one unit of each variable, at most.
    double (*levers)[WK_CONTACT_VARIABLES];
    double* motions;  // how far they move within a box
    wkSphere3d* used; // those that can touch
} wkContactBranch;

typedef struct wkContactSearch {
    const wkProgram* program;
    double margin;
    double* q;
    int32_t variables[WK_CONTACT_VARIABLES];
    int variableCount;
    wkContactBranch a, b;
    uint8_t* canTouch; // by sphere of a, then of b
    uint16_t* open;    // lists of pairs, one for each halving
    int boxCount;
    int64_t work;
} wkContactSearch;

// Room for a search, in one block.
typedef struct wkContactScratch {
    double levers[2][WK_CONTACT_PAIRS][WK_CONTACT_VARIABLES];
    wkVec3d centers[2][WK_CONTACT_PAIRS];
    double motions[2][WK_CONTACT_PAIRS];
    wkSphere3d used[2][WK_CONTACT_PAIRS];
    uint8_t canTouch[WK_CONTACT_PAIRS];
    uint16_t open[(WK_CONTACT_HALVINGS + 2) * WK_CONTACT_PAIRS];
} wkContactScratch;

// Finds the spheres of two parts that can touch.
// @return false: nothing is known
bool wkContactSearch_Run(wkContactSearch* s, const wkPartPair* pair);
