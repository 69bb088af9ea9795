// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bodies that are covered together, such as those of a link: ready to be covered with any number of spheres.

#include "base/progress_report.h"
#include "fit/fit_segment.h"
#include "fit/local_search.h"
#include "fit/site_cover.h"
#include "fit/surface_samples.h"
#include "whisker/fit.h"

// Spheres that are looked for.
typedef struct wkFitCover {
    wkSphere3d* spheres;
    int32_t capacity;
    int32_t count;
    double protrusion;
} wkFitCover;

typedef struct wkFitUnit {
    wkFitSurface surface;
    wkFitPoints samples, sites;
    wkFitPoints missing; // samples to be added
    wkSiteCover cover;
    wkCenterRefiner refiner;
    wkLocalSearch localSearch;
    int32_t sampleCount; // all over the surface; there are more where spheres meet
    int32_t* chosen;
    double* distances; // of centers of spheres, signed
    wkFitCover trial;  // spheres of one round
    int32_t chosenCapacity;
    int32_t capacity; // spheres at most
    bool isSegment;   // one body, a sphere or a capsule
    wkFitSegment segment;
    double single; // how far one sphere alone sticks out, about
    int32_t singleSite;
    wkProgressMeter* meter; // asked whether to go on; NULL: always
} wkFitUnit;

// How many spheres will be asked for.
typedef struct wkFitSize {
    int32_t capacity; // at most
    int32_t expected; // about; with more of them, more points are looked at
    double accuracy;  // what they are to stick out by; 0: their number is given
} wkFitSize;

wkResult wkFitUnit_Create(const wkFitBody* bodies, int32_t count, const wkFitSize* size,
                          const wkParallel* parallel, wkFitUnit* unit);
void wkFitUnit_Destroy(wkFitUnit* unit);

// @return wk_errorCancelled when the caller wants it to stop
wkResult wkFitUnit_GoOn(const wkFitUnit* unit);

// True when there is nothing to cover.
bool wkFitUnit_IsEmpty(const wkFitUnit* unit);

// About how many spheres it takes to stick out by at most `protrusion`; above `most` when it takes more.
int32_t wkFitUnit_CountAt(wkFitUnit* unit, double protrusion, int32_t most);

// Covers the bodies with at most `count` spheres, proven.
// @param guess about how far they stick out
// @param enough spheres that stick out no further need not be better; 0: as good as can be found
// @param cover has room for them; how far they stick out is proven where no mesh leaks
wkResult wkFitUnit_Cover(wkFitUnit* unit, int32_t count, double guess, double enough,
                         wkFitCover* cover);

// Adds spheres inside of solids until no point of them is outside of all spheres, `most` in all. These stick out no
// further than the others, or than `enough`.
// @param isFilled false: there is no room for them, and the cover is as it was
wkResult wkFitUnit_Fill(wkFitUnit* unit, double enough, int32_t most, wkFitCover* cover,
                        bool* isFilled);

// Samples where spheres about the centers that stick out by `protrusion` leave something open, in parts of
// the surface of the given share of it.
wkResult wkFitUnit_AddSamples(wkFitUnit* unit, double protrusion, double part, int32_t* added);

// Spheres about the centers that have all of the surface, proven, and how far they stick out. Samples must
// have been assigned; centers without any are left out.
wkResult wkFitUnit_MakeSpheres(wkFitUnit* unit, wkFitCover* cover);

// A guess of how far `count` spheres stick out.
double wkFitUnit_GuessProtrusion(wkFitUnit* unit, int32_t count);
