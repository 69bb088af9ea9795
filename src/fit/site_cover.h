// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Few spheres that cover all samples. A sphere about a site may have the radius (protrusion - offset of the
// site, see center.h) and no larger one: how far it sticks out says all. To cover samples with few spheres is
// then to choose few sites.

#include "fit/points.h"

// Chooses sites whose spheres cover all samples and stick out by at most `protrusion`.
typedef struct wkSiteCover {
    const wkFitPoints* samples;
    const wkFitPoints* sites;
    int64_t* gains;    // for each site: weight of what it has of the rest, or had
    uint64_t* rows;    // for each site: a bit for each sample that its sphere has
    uint64_t* open;    // samples without a sphere
    uint64_t* scratch; // as many words
    uint64_t* planes;  // weights of samples, a word of bits for each digit
    int32_t* hits;     // for each sample: how many sites have it
    int32_t wordCount;
    void* memory;
    size_t byteCount;
} wkSiteCover;

bool wkSiteCover_Create(const wkFitPoints* samples, const wkFitPoints* sites, wkSiteCover* work);
void wkSiteCover_Destroy(wkSiteCover* work);

// @param chosen room for `capacity` sites
// @return how many, or capacity + 1 when it takes more
int32_t wkChooseSites(wkSiteCover* work, double protrusion, int32_t* chosen, int32_t capacity);
