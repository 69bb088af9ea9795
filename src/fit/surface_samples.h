// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Samples of a surface that spheres must contain, and sites: candidate centers of spheres.

#include "fit/fit_surface.h"
#include "fit/points.h"

// Samples about `count` points of the surface, the outermost of each neighbourhood.
void wkSampleSurface(const wkFitSurface* surface, int32_t count, wkFitPoints* samples);

// Finds sites: centers of maximal inscribed spheres (Ma et al. 2012), a grid, and points of the surface.
// `length` is the offset, see center.h. Returns false when out of memory.
bool wkFindSites(const wkFitSurface* surface, const wkFitPoints* samples,
                 const wkParallel* parallel, wkFitPoints* sites);
