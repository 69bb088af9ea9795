// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the last simplex of GJK tells by itself about cores that overlap.

#include "solve/gjk/simplex.h"
#include "solve/pair.h"

// Four points too flat to span a solid: keeps the face nearest the origin.
void wkKeepNearestFace(wkSimplex* simplex);

// A point of both cores, from a simplex that contains the origin.
void wkAnswerCommonPoint(const wkPair* pair, wkSimplex* simplex, wkSolution* solution);

// True when the origin is so well inside that the verdict is plain; the depth is a bound then.
bool wkIsDecidedBySimplex(const wkPair* pair, const wkGoal* goal, const wkSimplex* simplex,
                          wkSolution* solution);
