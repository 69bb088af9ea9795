// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One search from many spheres to few. The wanted accuracy is known from the start, so spheres only have to
// contain all samples: once they do, some are removed and the rest moves until all samples are contained
// again. Samples are added where spheres that contain all samples leave the surface uncovered. Samples and
// their weights are valid for every number of spheres and are kept.

#include "fit/fit_search.h"

#include "base/error.h"
#include "base/memory.h"
#include "fit/prove.h"

#include <string.h>

#define MARGIN 0.985     // of the accuracy: the surface takes a little more than the samples
#define NEXT_MARGIN 0.99 // factor when that was too little
#define MOST_TARGETS 6   // margins tried for one number of spheres
#define PART 0.1 // size of the parts of the surface checked for samples, as a share of the accuracy
#define HASTY_STEPS 8 // search steps before a sphere is added, until a first cover is found
#define STEPS 20      // later
#define STEPS_PER_SPHERE 1
#define FIRST_DROPS 16 // 1/16 of the spheres is removed at once
#define COARSER 1.4    // factor on the accuracy while the first cover has too many spheres

typedef struct search {
    wkFitUnit* unit;
    double accuracy;
    double target; // protrusion allowed for covering the samples
    int32_t most;  // maximum number of spheres
    bool isHasty;  // add spheres sooner: the capacity hardly suffices
    wkFitCover best;
} search;

static int stepsOf(const search* s)
{
    return STEPS + STEPS_PER_SPHERE * s->unit->refiner.count;
}

// Covers all samples by moving spheres or adding them. Returns false if that takes too many.
static bool haveSamples(search* s)
{
    wkLocalSearch* localSearch = &s->unit->localSearch;
    while (!wkLocalSearch_Search(localSearch, s->isHasty ? HASTY_STEPS : stepsOf(s))) {
        bool isCancelled = !wkProgressMeter_Add(s->unit->meter, 0);
        if (isCancelled || s->unit->refiner.count >= s->most ||
            !wkLocalSearch_AddSphere(localSearch)) {
            return false;
        }
    }
    return true;
}

// Covers the surface, up to small parts. `isFound` is false if that failed.
static wkResult haveSurface(search* s, bool* isFound)
{
    wkFitUnit* unit = s->unit;
    for (;;) {
        *isFound = haveSamples(s);
        if (!*isFound) {
            return wkFitUnit_GoOn(unit);
        }
        int32_t added = 0;
        wkResult result = wkFitUnit_GoOn(unit);
        result = result == wk_ok ? wkFitUnit_AddSamples(unit, s->target, PART, &added) : result;
        if (result != wk_ok || added == 0) {
            return result;
        }
        wkLocalSearch_Recount(&unit->localSearch, s->target);
    }
}

// Makes spheres that are proven to cover the surface within the accuracy. `isFound` is false if that failed.
static wkResult haveSpheres(search* s, bool* isFound)
{
    wkFitUnit* unit = s->unit;
    wkResult result = wk_ok;
    for (int i = 0; i < MOST_TARGETS; ++i) {
        result = haveSurface(s, isFound);
        if (result != wk_ok || !*isFound) {
            return result;
        }
        wkCenterRefiner_Assign(&unit->refiner);
        result = wkFitUnit_MakeSpheres(unit, &unit->trial);
        *isFound = unit->trial.protrusion <= s->accuracy;
        if (result != wk_ok || *isFound) {
            return result;
        }
        s->target *= NEXT_MARGIN;
        wkLocalSearch_Recount(&unit->localSearch, s->target);
    }
    return result;
}

static void keepBest(search* s)
{
    const wkFitCover* trial = &s->unit->trial;
    s->best.count = trial->count;
    s->best.protrusion = trial->protrusion;
    memcpy(s->best.spheres, trial->spheres, (size_t)trial->count * sizeof *trial->spheres);
}

static void dropSpheres(search* s, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        wkLocalSearch_DropSphere(&s->unit->localSearch);
    }
}

// Removes spheres while the rest can be moved to cover all samples.
static void dropMany(search* s)
{
    wkCenterRefiner* refiner = &s->unit->refiner;
    int32_t kept = refiner->count, drops = 1 + kept / FIRST_DROPS;
    wkCenterRefiner_Keep(refiner);
    while (drops > 0 && kept > 1 && wkProgressMeter_Add(s->unit->meter, 0)) {
        dropSpheres(s, drops < kept ? drops : kept - 1);
        if (wkLocalSearch_Search(&s->unit->localSearch, stepsOf(s))) {
            kept = refiner->count;
            wkCenterRefiner_Keep(refiner);
            continue;
        }
        refiner->count = kept;
        wkCenterRefiner_Restore(refiner);
        wkLocalSearch_Recount(&s->unit->localSearch, s->target);
        drops /= 2;
    }
}

// Removes spheres while the rest can be moved to cover the surface. The surface is checked only after all
// samples are covered, since uncovered samples already show that there are too few spheres.
static wkResult searchFewer(search* s)
{
    s->isHasty = false;
    for (;;) {
        bool isFound = false;
        dropMany(s);
        if (s->unit->refiner.count >= s->best.count) {
            return wk_ok;
        }
        s->most = s->best.count - 1;
        wkResult result = haveSpheres(s, &isFound);
        if (result != wk_ok || !isFound) {
            return result;
        }
        keepBest(s);
    }
}

// Starts from spheres at greedily chosen sites. Returns false if they exceed the capacity.
static bool start(search* s)
{
    wkFitUnit* unit = s->unit;
    wkCenterRefiner* refiner = &unit->refiner;
    int32_t roundedCapacity = unit->localSearch.capacity < refiner->capacity
                                  ? unit->localSearch.capacity
                                  : refiner->capacity;
    unit->samples.count = unit->sampleCount;
    refiner->count = wkChooseSites(&unit->cover, s->target, unit->chosen, roundedCapacity);
    if (refiner->count > roundedCapacity) {
        return false;
    }
    for (int32_t i = 0; i < refiner->count; ++i) {
        int32_t site = unit->chosen[i];
        wkCenterRefiner_SetCenter(refiner, i, wkFitPoints_At(&unit->sites, site),
                                  unit->sites.length[site]);
    }
    wkLocalSearch_Forget(&unit->localSearch);
    wkLocalSearch_Recount(&unit->localSearch, s->target);
    return true;
}

wkResult wkSearchSpheres(wkFitUnit* unit, double accuracy, wkFitCover* cover)
{
    if (wkFitUnit_IsEmpty(unit) || unit->isSegment) {
        cover->count = 0;
        return wk_ok;
    }
    search s = {unit, accuracy, MARGIN * accuracy, unit->localSearch.capacity, true, *cover};
    s.best.count = 0;
    s.best.protrusion = INFINITY;
    bool isFound = start(&s);
    wkResult result = isFound ? haveSpheres(&s, &isFound) : wk_ok;
    if (result == wk_ok && isFound) {
        keepBest(&s);
        result = searchFewer(&s);
    }
    cover->count = s.best.count;
    cover->protrusion = s.best.protrusion;
    return result;
}

// Sites are chosen greedily, and their spheres grow until they cover the surface. A single sphere can cover
// it, so the loop ends.
wkResult wkTakeFirstSpheres(wkFitUnit* unit, double accuracy, wkFitCover* cover)
{
    search s = {unit, accuracy, accuracy, unit->localSearch.capacity, true, *cover};
    wkCenterRefiner* refiner = &unit->refiner;
    bool isFilled = false;
    wkResult result = wk_ok;
    double target = accuracy;
    for (int step = 0; !isFilled && result == wk_ok; ++step) {
        target *= step == 0 ? 1.0 : COARSER;
        s.target = target;
        if (!(start(&s) && refiner->count <= cover->capacity)) {
            continue;
        }
        wkCenterRefiner_Assign(refiner);
        result = wkFitUnit_MakeSpheres(unit, &unit->trial);
        if (result == wk_ok) {
            cover->count = unit->trial.count;
            cover->protrusion = unit->trial.protrusion;
            memcpy(cover->spheres, unit->trial.spheres, (size_t)cover->count * sizeof(wkSphere3d));
            result = wkFitUnit_Fill(unit, target, cover->capacity, cover, &isFilled);
        }
    }
    return result;
}
