// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From bodies to balls: choose sites, move the centers, prove that all is covered.

#include "fit/unit.h"

#include "base/error.h"
#include "base/memory.h"
#include "fit/prove.h"

#include <string.h>

#define SAMPLES 900 // points of the surface, and more with many balls
#define SAMPLES_PER_BALL 24
#define MOST_EXPECTED 100
#define GUESS_STEPS 12 // halvings of the interval that a protrusion is in
#define GUESS_GROWTH 1.25
#define NEAR_STEPS 4
#define FILL_ROUNDS 3
#define POLISH_ROUNDS 60

// How far the best site sticks out with all samples.
static void findSingle(wkFitUnit* unit)
{
    const wkFitPoints* samples = &unit->samples;
    unit->single = INFINITY;
    for (int32_t i = 0; i < unit->sites.count; ++i) {
        wkVec3d center = wkFitPoints_At(&unit->sites, i);
        double most = 0.0;
        for (int32_t s = 0; s < samples->count; ++s) {
            wkVec3d toSample = wkSub(wkFitPoints_At(samples, s), center);
            most = wkMaxD(most, wkLength(toSample) + samples->length[s]);
        }
        double protrusion = most + unit->sites.length[i];
        if (protrusion < unit->single) {
            unit->single = protrusion;
            unit->singleSite = i;
        }
    }
}

static wkResult allocateUnit(int32_t sampleCount, wkFitUnit* unit)
{
    // greedy choices are a few more than are needed in the end
    unit->chosenCapacity = unit->capacity + unit->capacity / 4 + 4;
    unit->chosen = wkAlloc((size_t)unit->chosenCapacity * sizeof *unit->chosen);
    bool isDone = unit->chosen != NULL && wkFitPoints_Create(sampleCount, &unit->samples) &&
                  wkFitPoints_Create(3 * sampleCount, &unit->sites) &&
                  wkPolish_Create(&unit->skin, &unit->samples, unit->capacity, &unit->polish);
    return isDone ? wk_ok : wkFail(wk_errorMemory, "fit: out of memory");
}

wkResult wkFitUnit_Create(const wkFitBody* bodies, int32_t count, int32_t capacity,
                          int32_t expected, const wkParallel* parallel, wkFitUnit* unit)
{
    memset(unit, 0, sizeof *unit);
    unit->capacity = capacity;
    wkResult result = wkSkin_Create(bodies, count, &unit->skin);
    if (result != wk_ok || unit->skin.pieceCount == 0) {
        return result;
    }
    unit->isSegment = count == 1 && wkFitSegment_Find(&bodies[0], &unit->segment);
    if (unit->isSegment) {
        return wk_ok;
    }
    int32_t few = expected < MOST_EXPECTED ? expected : MOST_EXPECTED;
    result = allocateUnit(SAMPLES + SAMPLES_PER_BALL * few, unit);
    if (result == wk_ok) {
        wkSampleSkin(&unit->skin, unit->samples.capacity, &unit->samples);
        bool isDone = wkFindSites(&unit->skin, &unit->samples, parallel, &unit->sites) &&
                      wkCoverWork_Create(&unit->samples, &unit->sites, &unit->cover);
        result = isDone ? wk_ok : wkFail(wk_errorMemory, "fit: out of memory");
    }
    if (result != wk_ok) {
        wkFitUnit_Destroy(unit);
        return result;
    }
    findSingle(unit);
    return wk_ok;
}

void wkFitUnit_Destroy(wkFitUnit* unit)
{
    wkPolish_Destroy(&unit->polish);
    wkCoverWork_Destroy(&unit->cover);
    wkFitPoints_Destroy(&unit->sites);
    wkFitPoints_Destroy(&unit->samples);
    wkFree(unit->chosen, (size_t)unit->chosenCapacity * sizeof *unit->chosen);
    wkSkin_Destroy(&unit->skin);
    memset(unit, 0, sizeof *unit);
}

bool wkFitUnit_IsEmpty(const wkFitUnit* unit)
{
    return unit->skin.pieceCount == 0;
}

int32_t wkFitUnit_CountAt(wkFitUnit* unit, double protrusion, int32_t most)
{
    if (wkFitUnit_IsEmpty(unit)) {
        return 0;
    }
    if (unit->isSegment) {
        return wkFitSegment_CountAt(&unit->segment, protrusion, most);
    }
    if (unit->single <= protrusion) {
        return 1;
    }
    int32_t room = most + most / 4 + 4;
    room = room < unit->chosenCapacity ? room : unit->chosenCapacity;
    int32_t count = wkChooseSites(&unit->cover, protrusion, unit->chosen, room);
    return count < most ? count : count <= most ? most : most + 1;
}

double wkFitUnit_GuessProtrusion(wkFitUnit* unit, int32_t count)
{
    if (wkFitUnit_IsEmpty(unit)) {
        return 0.0;
    }
    if (unit->isSegment) {
        return wkFitSegment_Protrusion(&unit->segment, count);
    }
    double lower = 0.0, upper = unit->single;
    for (int step = 0; step < GUESS_STEPS && count > 1; ++step) {
        double middle = 0.5 * (lower + upper);
        if (wkFitUnit_CountAt(unit, middle, count) <= count) {
            upper = middle;
        } else {
            lower = middle;
        }
    }
    return upper;
}

// Chooses at most `count` sites that stick out as little as a few tries find, from a guess on.
static int32_t chooseNear(wkFitUnit* unit, int32_t count, double guess)
{
    int32_t room = count + count / 4 + 4;
    double lower = 0.0, upper = guess;
    int32_t found = count + 1;
    while (found > count && upper < unit->single) {
        found = wkChooseSites(&unit->cover, upper, unit->chosen, room);
        lower = found > count ? upper : lower;
        upper = found > count ? GUESS_GROWTH * upper : upper;
    }
    if (count == 1 || upper >= unit->single) {
        unit->chosen[0] = unit->singleSite;
        return 1;
    }
    lower = wkMaxD(lower, upper / GUESS_GROWTH);
    for (int step = 0; step < NEAR_STEPS; ++step) {
        double middle = 0.5 * (lower + upper);
        found = wkChooseSites(&unit->cover, middle, unit->chosen, room);
        upper = found <= count ? middle : upper;
        lower = found <= count ? lower : middle;
    }
    return found <= count ? found : wkChooseSites(&unit->cover, upper, unit->chosen, room);
}

static void startPolish(wkFitUnit* unit, int32_t count, double guess)
{
    wkPolish* polish = &unit->polish;
    polish->count = chooseNear(unit, count, guess);
    for (int32_t i = 0; i < polish->count; ++i) {
        int32_t site = unit->chosen[i];
        wkPolish_SetCenter(polish, i, wkFitPoints_At(&unit->sites, site), unit->sites.length[site]);
    }
    wkPolish_Assign(polish);
    wkPolish_Fill(polish, count);
}

// Balls without samples of their own are left out.
static int32_t takeBalls(wkPolish* polish, wkBall* balls)
{
    int32_t count = 0;
    for (int32_t i = 0; i < polish->count; ++i) {
        if (polish->firsts[i] < polish->firsts[i + 1]) {
            balls[count] = (wkBall){polish->centers[i], wkPolish_Radius(polish, i)};
            polish->kept[count] = polish->centers[i];
            polish->keptDistances[count++] = polish->distances[i];
        }
    }
    return count;
}

wkResult wkFitUnit_Cover(wkFitUnit* unit, int32_t count, double* protrusion, wkBall* balls,
                         int32_t* ballCount)
{
    *ballCount = 0;
    if (wkFitUnit_IsEmpty(unit)) {
        *protrusion = 0.0;
        return wk_ok;
    }
    if (unit->isSegment) {
        *ballCount = wkFitSegment_Cover(&unit->segment, count, protrusion, balls);
        return wk_ok;
    }
    wkPolish* polish = &unit->polish;
    startPolish(unit, count, *protrusion);
    wkPolish_Run(polish, POLISH_ROUNDS);
    // balls that were left without samples are of more use elsewhere
    for (int i = 0; i < FILL_ROUNDS && wkPolish_Fill(polish, count); ++i) {
        wkPolish_Run(polish, POLISH_ROUNDS);
    }
    *ballCount = takeBalls(polish, balls);
    wkResult result = wkGrowToCover(&unit->skin, balls, polish->keptDistances, *ballCount,
                                    WK_SMALLEST_PART * unit->skin.extent);
    *protrusion = 0.0;
    for (int32_t i = 0; i < *ballCount; ++i) {
        *protrusion = wkMaxD(*protrusion, balls[i].radius + polish->keptDistances[i]);
    }
    return result;
}
