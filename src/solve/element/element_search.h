// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The search for the first contact of two moving elements.

#include "solve/element/moving_element.h"

// Finds the first time of contact up to a given one, which is part of it. Points and normal are computed where
// there is one.
// @param start finite coordinates, as are those of `end`
wkElementCastResult wkSearchElements(wkElementKind kind, const wkVec3d start[4],
                                     const wkVec3d end[4], double until, double tolerance,
                                     int32_t maxIterations);
