// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Searches for the fewest spheres within a given protrusion.

#include "fit/fit_unit.h"

// Returns the first cover found with about `accuracy`, or with a coarser one that fits the capacity.
wkResult wkTakeFirstSpheres(wkFitUnit* unit, double accuracy, wkFitCover* cover);

// Searches for few spheres with a given accuracy. If none fit the capacity, the cover has no spheres and an
// infinite protrusion.
wkResult wkSearchSpheres(wkFitUnit* unit, double accuracy, wkFitCover* cover);
