// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where the spheres of a robot go, found by random configurations. It tells which cells of a field are worth
// filling: spheres elsewhere are rare and are checked exactly.

#include "whisker/batch.h"

#define WK_REACH_CELLS 64 // along each axis, a bit each

typedef struct wkReach {
    wkAabb box; // of all centers, relative to the origin of the program
    double lower[3];
    double perMetre[3];
    uint64_t rows[WK_REACH_CELLS * WK_REACH_CELLS]; // bits along x
} wkReach;

// Finds the reach of a batch whose contexts are made.
// @param reach set to NULL where there is none: joints without limits go anywhere
wkResult wkReach_Create(const wkBatch* batch, wkReach** reach);
void wkReach_Destroy(wkReach* reach);

// Returns whether a center was found in a box, or next to it.
bool wkReach_Meets(const wkReach* reach, const double lower[3], const double upper[3]);
