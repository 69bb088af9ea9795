// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Functions shared by the fits of a shape and of a robot.

#include "fit/fit_unit.h"

// Searches for the fewest spheres that protrude by at most `accuracy`, up to the capacity.
wkResult wkCoverToAccuracy(wkFitUnit* unit, double accuracy, wkFitCover* cover);

// Covers a shape with proof, in a tenth of the time of wkShape_FitSpheres and with more spheres. They protrude by
// about `accuracy`, or by more if that takes more than `capacity` spheres.
// @return as wkShape_FitSpheres
wkResult wkFitQuickly(const wkShape* shape, double accuracy, wkSphere3d* spheres, int32_t capacity,
                      int32_t* count);

// Fills the report for spheres that are proven to cover the surface.
void wkReportFit(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                 wkFitInfo* report);

// Fills the report for arbitrary spheres.
wkResult wkMeasureFit(const wkFitBody* bodies, int32_t bodyCount, const wkSphere3d* spheres,
                      int32_t count, double tolerance, wkFitInfo* report);
