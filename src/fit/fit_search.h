// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// As few spheres as stick out by no more than they may.

#include "fit/fit_unit.h"

// The first spheres that are found with about that accuracy, or with a coarser one that there is room for.
wkResult wkTakeFirstSpheres(wkFitUnit* unit, double accuracy, wkFitCover* cover);

// Looks for few spheres with a given accuracy. Where none are found, because there is no room for them, the
// cover has no spheres and sticks out infinitely far.
wkResult wkSearchSpheres(wkFitUnit* unit, double accuracy, wkFitCover* cover);
