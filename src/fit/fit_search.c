// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One search from many spheres to few. What is enough is known from the start, so that spheres only have to
// have all samples: when they do, some are left out, and the rest moves until it does again. Samples
// are added wherever spheres that have all of them leave something of the surface open. They hold for all
// numbers of spheres, and what was learnt about them stays.

#include "fit/fit_search.h"

#include "base/error.h"
#include "base/memory.h"
#include "fit/prove.h"

#include <string.h>

#define MARGIN 0.985     // of the accuracy: to have all of the surface takes a little more
#define NEXT_MARGIN 0.99 // when that was too little
#define MOST_TARGETS 6   // margins that are tried for one number of spheres
#define PART 0.1         // of the accuracy: parts of the surface that are looked at for samples
#define HASTY_STEPS 8    // of the search before a sphere is added, while nothing was found yet
#define STEPS 20         // later
#define STEPS_PER_SPHERE 1
#define FIRST_DROPS 16 // spheres are left out by this share of them at once
#define COARSER 1.4    // of the accuracy, while the first spheres are too many

typedef struct search {
    wkFitUnit* unit;
    double accuracy;
    double target; // what spheres stick out by with samples alone
    int32_t most;  // spheres
    bool isHasty;  // spheres are added sooner: there are hardly enough
    wkFitCover best;
} search;

static int stepsOf(const search* s)
{
    return STEPS + STEPS_PER_SPHERE * s->unit->refiner.count;
}

// All samples are had: by moving spheres, or by more of them. False: that takes too many.
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

// All of the surface is had, up to small parts. False: not found.
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

// Spheres that have all of the surface, proven, and stick out no further than they may. False: not found.
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

// Fewer and fewer spheres that have all samples, from some that do on.
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

// Fewer and fewer spheres that have all of the surface. It is looked at only when no samples are left that
// would say that there are too few.
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

// Spheres at the sites that are chosen greedily. False: there is no room for them.
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

// Sites are chosen greedily, and the spheres at them grow until they have all of the surface. One sphere has all
// of it, so that there is an end.
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
