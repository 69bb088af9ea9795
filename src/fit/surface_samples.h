// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points of a surface that spheres have to reach, and places where the centers of spheres may be.

#include "fit/fit_surface.h"
#include "fit/points.h"

// About `count` points all over the surface, the outermost of each neighbourhood.
void wkSampleSurface(const wkFitSurface* surface, int32_t count, wkFitPoints* samples);

// Places for centers: the middles of the largest spheres inside (Ma et al. 2012), a grid, and the surface;
// `length` is the offset, see center.h. False: no memory.
bool wkFindSites(const wkFitSurface* surface, const wkFitPoints* samples,
                 const wkParallel* parallel, wkFitPoints* sites);

// Finds out how far sites are from the surface, after it was told to look at that in another way.
void wkMeasureSites(const wkFitSurface* surface, wkFitPoints* sites);
