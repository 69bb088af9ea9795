// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The best center of a sphere that has some samples: the one for which it sticks out least. With a sample, a
// sphere sticks out by the sample's distance from the center, plus the slack of the surface, plus the
// center's signed distance from the body; a sphere with several, by the largest of these costs. What does
// not depend on the sample is the offset of the center.

#include "fit/fit_surface.h"
#include "fit/points.h"

typedef struct wkFitCenter {
    wkVec3d position;
    wkSurfaceNear near; // the body as seen from there
    double square;      // distance of the furthest sample
    double offset;
    double cost;
} wkFitCenter;

// The furthest point at a squared distance that was found before.
int32_t wkFindFurthest(const wkPointLanes* set, wkVec3d position, double square);

// Looks for a better place from the one given on. There is at least one sample.
// @param enough a cost that ends the search
// @param reach steps start at this share of the cost
wkFitCenter wkFindCenter(const wkFitSurface* surface, const wkPointLanes* set, wkVec3d start,
                         double enough, double reach);
