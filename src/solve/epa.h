// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Overlapping cores: where GJK ends with the origin inside B - A.

#include "solve/pair.h"
#include "solve/simplex.h"

// Penetration depth by the expanding polytope, or a common point when no depth is wanted. `simplex`
// holds one to four points of B - A whose hull contains the origin (up to rounding).
void wkSolveOverlap(const wkPair* pair, const wkGoal* goal, wkSimplex* simplex,
                    wkSolution* solution);
