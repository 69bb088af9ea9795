// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The last digits of a contact between cores of which one is curved.

#include "solve/gjk/simplex.h"
#include "solve/pair.h"

// Support points of B - A near the contact, and their weights.
typedef struct wkContactGuess {
    int count;
    const wkCsoPoint* point;
    const double* weight;
    wkVec3d normal; // unit, from A to B, near the contact's
} wkContactGuess;

// Finds the contact normal near a guess by Newton's method on the support function, along the
// circle or to the point that the features allow. True, and `solution` filled but for its
// iterations, when points and support agree on the distance within `gap`: of cores that are apart,
// or a local minimum of the depth of overlapping ones.
bool wkRefineContact(const wkPair* pair, const wkContactGuess* guess, bool isApart, double gap,
                     wkSolution* solution);
