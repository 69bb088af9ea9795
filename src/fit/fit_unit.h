// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bodies that are covered together, such as those of a link, prepared for covers with any number of spheres.

#include "base/progress_report.h"
#include "fit/fit_segment.h"
#include "fit/local_search.h"
#include "fit/site_cover.h"
#include "fit/surface_samples.h"
#include "whisker/fit.h"

// A candidate cover.
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
    int32_t sampleCount; // spread over the surface; more are added where spheres meet
    int32_t* chosen;
    double* distances; // signed, of the centers of spheres
    wkFitCover trial;  // cover of one round
    int32_t chosenCapacity;
    int32_t capacity; // maximum number of spheres
    bool isSegment;   // a single body that is a sphere or a capsule
    wkFitSegment segment;
    double single; // approximate protrusion of a single sphere
    int32_t singleSite;
    wkProgressMeter* meter; // asked whether to continue; NULL: always
} wkFitUnit;

// Expected size of the cover.
typedef struct wkFitSize {
    int32_t capacity; // maximum number of spheres
    int32_t expected; // approximate number of spheres; more spheres get more samples
    double accuracy;  // wanted protrusion; 0: the number of spheres is given
} wkFitSize;

wkResult wkFitUnit_Create(const wkFitBody* bodies, int32_t count, const wkFitSize* size,
                          const wkParallel* parallel, wkFitUnit* unit);
void wkFitUnit_Destroy(wkFitUnit* unit);

// @return wk_errorCancelled when the caller has asked to stop
wkResult wkFitUnit_GoOn(const wkFitUnit* unit);

// Returns true when there is nothing to cover.
bool wkFitUnit_IsEmpty(const wkFitUnit* unit);

// Estimates how many spheres are needed for at most `protrusion`; above `most` when more are needed.
int32_t wkFitUnit_CountAt(wkFitUnit* unit, double protrusion, int32_t most);

// Covers the bodies with at most `count` spheres, with proof.
// @param guess approximate protrusion
// @param enough the search ends at this protrusion or less; 0: as small as can be found
// @param cover has capacity for `count`; its protrusion is proven where every mesh is watertight
wkResult wkFitUnit_Cover(wkFitUnit* unit, int32_t count, double guess, double enough,
                         wkFitCover* cover);

// Adds spheres inside solids until the spheres contain every point of the solids, at most `most` spheres in
// all. The added spheres protrude no further than the present ones, or than `enough`.
// @param isFilled false: the capacity is too small, and the cover is unchanged
wkResult wkFitUnit_Fill(wkFitUnit* unit, double enough, int32_t most, wkFitCover* cover,
                        bool* isFilled);

// Adds samples where spheres about the centers with the given protrusion leave the surface uncovered. `part`
// is the size of the smallest parts checked, as a share of the surface.
wkResult wkFitUnit_AddSamples(wkFitUnit* unit, double protrusion, double part, int32_t* added);

// Makes spheres about the centers that are proven to cover the surface, and computes their protrusion.
// Samples must have been assigned; centers without samples are dropped.
wkResult wkFitUnit_MakeSpheres(wkFitUnit* unit, wkFitCover* cover);

// Estimates the protrusion of a cover with `count` spheres.
double wkFitUnit_GuessProtrusion(wkFitUnit* unit, int32_t count);
