// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points of a surface that balls have to reach, and places where the centers of balls may be.

#include "fit/points.h"
#include "fit/skin.h"

// About `count` points all over the surface, the outermost of each neighbourhood.
void wkSampleSkin(const wkSkin* skin, int32_t count, wkFitPoints* samples);

// Places for centers: the middles of the largest balls inside (Ma et al. 2012), a grid, and the surface;
// `length` is the offset, see center.h. False: no memory.
bool wkFindSites(const wkSkin* skin, const wkFitPoints* samples, const wkParallel* parallel,
                 wkFitPoints* sites);

// Finds out how far sites are from the skin, after it was told to look at that in another way.
void wkMeasureSites(const wkSkin* skin, wkFitPoints* sites);
