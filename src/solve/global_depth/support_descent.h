// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Finds a local minimum of the support function of B - A over the unit directions.

#include "solve/global_depth/support_sum.h"

// A start: a direction, and the edges that are known to have their kink there.
typedef struct wkDescentStart {
    wkVec3d direction;
    int edges[2]; // -1: none
} wkDescentStart;

// A direction at which h is stationary: way + sum of all terms' support points is height * direction. A term
// at its kink contributes a multiplier in [-1, 1] times its slope, which is a point between the two sides.
typedef struct wkStationary {
    wkVec3d direction;
    double height;
    wkVec3d supportA; // A's terms alone: minus the contact's point of A
    wkVec3d supportB; // B's terms: the contact's point of B about the origin of B's frame
    double multiplier[WK_SUPPORT_SUM_KINKS]; // edges first, then rounds (of cones)
    bool isAtKink[WK_SUPPORT_SUM_KINKS];
    int disc;        // the disc that lies flat on the contact; -1: none
    double discRest; // its radius less the length of its share in the sum
} wkStationary;

// Newton's method with an active set: a step that passes a kink ends on it, and a kink whose multiplier
// leaves [-1, 1] is released.
// @return false when it does not converge
bool wkDescend(const wkSupportSum* supportSum, const wkDescentStart* start, wkStationary* out);

// Computes the depth at a stationary direction with its points, evaluated on the cores themselves: the
// squares in matrices lose digits of thin cores. `iterations` is not set.
// @return false when those digits matter
bool wkAnswerStationary(const wkPair* pair, const wkStationary* at, wkSolution* out);
