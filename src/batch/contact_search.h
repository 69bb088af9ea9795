// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Searches for spheres of two parts that can touch within limits.

#include "batch/program.h"

// Maximum number of variables between two parts, of joints to either side, and of pairs of spheres.
#define WK_CONTACT_VARIABLES 3
#define WK_CONTACT_JOINTS 16
#define WK_CONTACT_PAIRS 4096

// Maximum number of halvings of a box of variables.
#define WK_CONTACT_HALVINGS 48

// Share of lengths that exceeds the rounding of comparisons in floats.
#define WK_CONTACT_SHARE 2e-6

// Spheres of one part, and the joints between the part and the common ancestor of both.
typedef struct wkContactBranch {
    const wkPart* part;
    int32_t joints[WK_CONTACT_JOINTS]; // rigid groups, from the part inward
    int jointCount;
    wkVec3d* centers; // of the spheres in the middle of a box
    // Maximum displacement of the spheres for one unit of each variable.
    double (*levers)[WK_CONTACT_VARIABLES];
    double* motions;  // maximum displacement within a box
    wkSphere3d* used; // spheres that can touch
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

// Scratch for a search, in one block.
typedef struct wkContactScratch {
    double levers[2][WK_CONTACT_PAIRS][WK_CONTACT_VARIABLES];
    wkVec3d centers[2][WK_CONTACT_PAIRS];
    double motions[2][WK_CONTACT_PAIRS];
    wkSphere3d used[2][WK_CONTACT_PAIRS];
    uint8_t canTouch[WK_CONTACT_PAIRS];
    uint16_t open[(WK_CONTACT_HALVINGS + 2) * WK_CONTACT_PAIRS];
} wkContactScratch;

// Finds the spheres of two parts that can touch.
// @return false: unknown, every sphere may touch
bool wkContactSearch_Run(wkContactSearch* s, const wkPartPair* pair);
