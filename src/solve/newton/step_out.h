// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "solve/pair.h"

// Follows the depth of overlapping cores, with its normal, to the shortest way out near it, and finds the
// matching points.
// @return false when no such points were found; the solution must be discarded then
bool wkStepOut(const wkPair* pair, wkSolution* solution);
