// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Finds the center of a sphere that contains given samples and protrudes least. For one sample, the cost is
// the distance from the center to the sample, plus the slack of the surface, plus the signed distance of the
// center from the body. The protrusion of a sphere is the largest cost of its samples. The terms that do not
// depend on the sample are the offset of the center.

#include "fit/fit_surface.h"
#include "fit/points.h"

typedef struct wkFitCenter {
    wkVec3d position;
    wkClosestOnSurface closest; // closest point of the bodies to the center
    double square;              // squared distance of the furthest sample
    double offset;
    double cost;
} wkFitCenter;

// Returns the index of the furthest point, given its squared distance as computed before.
int32_t wkFindFurthest(const wkPointLanes* set, wkVec3d position, double square);

// Searches for a better center, starting at `start`. The set has at least one sample.
// @param enough the search ends at this cost or less
// @param reach the first step, as a share of the cost
wkFitCenter wkFindCenter(const wkFitSurface* surface, const wkPointLanes* set, wkVec3d start,
                         double enough, double reach);
