// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What covering a shape and covering a robot have in common.

#include "fit/fit_unit.h"

// As few spheres as are found to stick out by at most `accuracy`, or as many as there is room for.
wkResult wkCoverToAccuracy(wkFitUnit* unit, double accuracy, wkFitCover* cover);

// Covers a shape, proven, in a tenth of the time of wkFitSpheres and with some more spheres. They stick out by about
// `accuracy`, and further where that takes more than `capacity` spheres.
// @return as wkFitSpheres
wkResult wkFitQuickly(const wkShape* shape, double accuracy, wkSphere3d* spheres, int32_t capacity,
                      int32_t* count);

// Of spheres that are proven to cover the surface.
void wkReportFit(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                 wkFitReport* report);

// Of any spheres.
wkResult wkMeasureFit(const wkFitBody* bodies, int32_t bodyCount, const wkSphere3d* spheres,
                      int32_t count, double tolerance, wkFitReport* report);
