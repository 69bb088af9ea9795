// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Refines a contact between cores of which one is curved to full precision.

#include "solve/gjk/simplex.h"
#include "solve/pair.h"

// Support points of B - A near the contact, and their weights.
typedef struct wkContactGuess {
    int count;
    const wkCsoPoint* point;
    const double* weight;
    wkVec3d normal; // unit, from A to B, near the contact's
} wkContactGuess;

// Finds the contact normal near a guess by Newton's method on the support function, along the circle or to
// the point that the features allow. Returns true, with `solution` filled except its iterations, when points
// and support agree on the distance within `gap`: of separated cores, or a local minimum of the depth of
// overlapping ones.
bool wkRefineContact(const wkPair* pair, const wkContactGuess* guess, bool isApart, double gap,
                     wkSolution* solution);
