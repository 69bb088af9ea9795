// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// As few balls as stick out by no more than they may.

#include "fit/unit.h"

// The first balls that are found with about that accuracy, or with a coarser one that there is room for.
wkResult wkTakeFirstBalls(wkFitUnit* unit, double accuracy, wkFitCover* cover);

// Looks for few balls with a given accuracy. Where none are found, because there is no room for them, the
// cover has no balls and sticks out infinitely far.
wkResult wkSearchBalls(wkFitUnit* unit, double accuracy, wkFitCover* cover);
