// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One search from many balls to few. What is enough is known from the start, so that balls only have to
// have all samples: when they do, some are left out, and the rest moves until it does again. Samples
// are added wherever balls that have all of them leave something of the surface open. They hold for all
// numbers of balls, and what was learnt about them stays.

#include "fit/search.h"

#include "base/error.h"
#include "base/memory.h"
#include "fit/prove.h"

#include <string.h>

#define MARGIN 0.985     // of the accuracy: to have all of the surface takes a little more
#define NEXT_MARGIN 0.99 // when that was too little
#define MOST_TARGETS 6   // margins that are tried for one number of balls
#define PART 0.1         // of the accuracy: parts of the surface that are looked at for samples
#define HASTY_STEPS 8    // of the search before a ball is added, while nothing was found yet
#define STEPS 20         // later
#define STEPS_PER_BALL 1
#define FIRST_DROPS 16 // balls are left out by this share of them at once
#define COARSER 1.4    // of the accuracy, while the first spheres are too many

typedef struct search {
    wkFitUnit* unit;
    double accuracy;
    double target; // what balls stick out by with samples alone
    int32_t most;  // balls
    bool isHasty;  // balls are added sooner: there are hardly enough
    wkFitCover best;
} search;

static int stepsOf(const search* s)
{
    return STEPS + STEPS_PER_BALL * s->unit->polish.count;
}

// All samples are had: by moving balls, or by more of them. False: that takes too many.
static bool haveSamples(search* s)
{
    wkSqueeze* squeeze = &s->unit->squeeze;
    while (!wkSqueeze_Search(squeeze, s->isHasty ? HASTY_STEPS : stepsOf(s))) {
        bool isCancelled = !wkProgressMeter_Add(s->unit->meter, 0);
        if (isCancelled || s->unit->polish.count >= s->most || !wkSqueeze_AddBall(squeeze)) {
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
        wkSqueeze_Recount(&unit->squeeze, s->target);
    }
}

// Balls that have all of the surface, proven, and stick out no further than they may. False: not found.
static wkResult haveBalls(search* s, bool* isFound)
{
    wkFitUnit* unit = s->unit;
    wkResult result = wk_ok;
    for (int i = 0; i < MOST_TARGETS; ++i) {
        result = haveSurface(s, isFound);
        if (result != wk_ok || !*isFound) {
            return result;
        }
        wkPolish_Assign(&unit->polish);
        result = wkFitUnit_MakeBalls(unit, &unit->trial);
        *isFound = unit->trial.protrusion <= s->accuracy;
        if (result != wk_ok || *isFound) {
            return result;
        }
        s->target *= NEXT_MARGIN;
        wkSqueeze_Recount(&unit->squeeze, s->target);
    }
    return result;
}

static void keepBest(search* s)
{
    const wkFitCover* trial = &s->unit->trial;
    s->best.count = trial->count;
    s->best.protrusion = trial->protrusion;
    memcpy(s->best.balls, trial->balls, (size_t)trial->count * sizeof *trial->balls);
}

static void dropBalls(search* s, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        wkSqueeze_DropBall(&s->unit->squeeze);
    }
}

// Fewer and fewer balls that have all samples, from some that do on.
static void dropMany(search* s)
{
    wkPolish* polish = &s->unit->polish;
    int32_t kept = polish->count, drops = 1 + kept / FIRST_DROPS;
    wkPolish_Keep(polish);
    while (drops > 0 && kept > 1 && wkProgressMeter_Add(s->unit->meter, 0)) {
        dropBalls(s, drops < kept ? drops : kept - 1);
        if (wkSqueeze_Search(&s->unit->squeeze, stepsOf(s))) {
            kept = polish->count;
            wkPolish_Keep(polish);
            continue;
        }
        polish->count = kept;
        wkPolish_Restore(polish);
        wkSqueeze_Recount(&s->unit->squeeze, s->target);
        drops /= 2;
    }
}

// Fewer and fewer balls that have all of the surface. It is looked at only when no samples are left that
// would say that there are too few.
static wkResult searchFewer(search* s)
{
    s->isHasty = false;
    for (;;) {
        bool isFound = false;
        dropMany(s);
        if (s->unit->polish.count >= s->best.count) {
            return wk_ok;
        }
        s->most = s->best.count - 1;
        wkResult result = haveBalls(s, &isFound);
        if (result != wk_ok || !isFound) {
            return result;
        }
        keepBest(s);
    }
}

// Balls at the sites that are chosen greedily. False: there is no room for them.
static bool start(search* s)
{
    wkFitUnit* unit = s->unit;
    wkPolish* polish = &unit->polish;
    int32_t room =
        unit->squeeze.capacity < polish->capacity ? unit->squeeze.capacity : polish->capacity;
    unit->samples.count = unit->sampleCount;
    polish->count = wkChooseSites(&unit->cover, s->target, unit->chosen, room);
    if (polish->count > room) {
        return false;
    }
    for (int32_t i = 0; i < polish->count; ++i) {
        int32_t site = unit->chosen[i];
        wkPolish_SetCenter(polish, i, wkFitPoints_At(&unit->sites, site), unit->sites.length[site]);
    }
    wkSqueeze_Forget(&unit->squeeze);
    wkSqueeze_Recount(&unit->squeeze, s->target);
    return true;
}

wkResult wkSearchBalls(wkFitUnit* unit, double accuracy, wkFitCover* cover)
{
    if (wkFitUnit_IsEmpty(unit) || unit->isSegment) {
        cover->count = 0;
        return wk_ok;
    }
    search s = {unit, accuracy, MARGIN * accuracy, unit->squeeze.capacity, true, *cover};
    s.best.count = 0;
    s.best.protrusion = INFINITY;
    bool isFound = start(&s);
    wkResult result = isFound ? haveBalls(&s, &isFound) : wk_ok;
    if (result == wk_ok && isFound) {
        keepBest(&s);
        result = searchFewer(&s);
    }
    cover->count = s.best.count;
    cover->protrusion = s.best.protrusion;
    return result;
}

// Sites are chosen greedily, and the balls at them grow until they have all of the surface. One ball has all
// of it, so that there is an end.
wkResult wkTakeFirstBalls(wkFitUnit* unit, double accuracy, wkFitCover* cover)
{
    search s = {unit, accuracy, accuracy, unit->squeeze.capacity, true, *cover};
    wkPolish* polish = &unit->polish;
    bool isFilled = false;
    wkResult result = wk_ok;
    double target = accuracy;
    for (int step = 0; !isFilled && result == wk_ok; ++step) {
        target *= step == 0 ? 1.0 : COARSER;
        s.target = target;
        if (!(start(&s) && polish->count <= cover->capacity)) {
            continue;
        }
        wkPolish_Assign(polish);
        result = wkFitUnit_MakeBalls(unit, &unit->trial);
        if (result == wk_ok) {
            cover->count = unit->trial.count;
            cover->protrusion = unit->trial.protrusion;
            memcpy(cover->balls, unit->trial.balls, (size_t)cover->count * sizeof(wkBall));
            result = wkFitUnit_Fill(unit, target, cover->capacity, cover, &isFilled);
        }
    }
    return result;
}
