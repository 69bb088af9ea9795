// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Directions to start from.

#include "solve/global_depth/support_descent.h"

// The lowest direction found so far.
typedef struct wkSeed {
    wkDescentStart start;
    double height;
} wkSeed;

// Tests the directions across two edges and along the axes of discs: most contacts of flat parts.
void wkOfferAxes(const wkSupportSum* supportSum, wkSeed* best);

// Returns the normal, where `way` meets it, of the ellipsoid whose matrix is the sum of those of all terms.
wkVec3d wkGuessWayOut(const wkSupportSum* supportSum);
