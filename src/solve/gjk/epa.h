// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Overlapping cores: called when GJK ends with the origin inside B - A.

#include "solve/gjk/simplex.h"
#include "solve/pair.h"

// Computes the penetration depth by the expanding polytope, or a common point when no depth is requested.
// `simplex` holds one to four points of B - A whose hull contains the origin (up to rounding).
void wkSolveOverlap(const wkPair* pair, const wkGoal* goal, wkSimplex* simplex,
                    wkSolution* solution);

// The same for cores whose inner spheres overlap, without running GJK first. Returns false, with nothing
// filled in, when the first polytope does not surround the origin.
bool wkSolveDeep(const wkPair* pair, const wkGoal* goal, wkSolution* solution);
