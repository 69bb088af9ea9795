// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Results for overlapping cores from the last simplex of GJK alone.

#include "solve/gjk/simplex.h"
#include "solve/pair.h"

// Handles four points too flat to span a solid: keeps the face nearest the origin.
void wkKeepNearestFace(wkSimplex* simplex);

// Computes a point of both cores, from a simplex that contains the origin.
void wkAnswerCommonPoint(const wkPair* pair, wkSimplex* simplex, wkSolution* solution);

// Returns true when the origin is far enough inside for a verdict; the depth is a bound then.
bool wkIsDecidedBySimplex(const wkPair* pair, const wkGoal* goal, const wkSimplex* simplex,
                          wkSolution* solution);
