// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Covers all samples with few spheres by choosing centers from given sites. For a given protrusion, a sphere
// about a site has at most the radius (protrusion - offset of the site, see center.h), so this is a set cover
// problem: choose the fewest sites.

#include "fit/points.h"

// Chooses sites whose spheres cover all samples and protrude by at most `protrusion`.
typedef struct wkSiteCover {
    const wkFitPoints* samples;
    const wkFitPoints* sites;
    int64_t* gains; // per site: weight of the uncovered samples in its sphere, or an earlier value
    uint64_t* rows; // per site: one bit for each sample in its sphere
    uint64_t* open; // uncovered samples
    uint64_t* scratch; // of the same size
    uint64_t* planes;  // weights of samples as bit planes
    int32_t* hits;     // per sample: number of sites whose spheres contain it
    int32_t wordCount;
    void* memory;
    size_t byteCount;
} wkSiteCover;

bool wkSiteCover_Create(const wkFitPoints* samples, const wkFitPoints* sites, wkSiteCover* work);
void wkSiteCover_Destroy(wkSiteCover* work);

// @param chosen indices, `capacity` of them
// @return number of chosen sites, or capacity + 1 when more are needed
int32_t wkChooseSites(wkSiteCover* work, double protrusion, int32_t* chosen, int32_t capacity);
