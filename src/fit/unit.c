// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From bodies to balls: choose sites, move the centers, prove that all is covered.

#include "fit/unit.h"

#include "base/error.h"
#include "base/memory.h"
#include "fit/prove.h"
#include "fit/voids.h"

#include <string.h>

#define SAMPLES 900 // points of the surface, and more with many balls
#define SAMPLES_PER_BALL 24
#define MOST_EXPECTED 100
#define MOST_SAMPLES 4000
#define SPACING 0.8    // of samples, as a share of an accuracy
#define HOPELESS 1.3   // of what is enough: after a first round
#define GUESS_STEPS 12 // halvings of the interval that a protrusion is in
#define GUESS_GROWTH 1.25
#define NEAR_STEPS 4
#define POLISH_ROUNDS 20
#define MOST_ROUNDS 6  // of all that follows
#define IDLE_ROUNDS 2  // without progress
#define PROGRESS 0.99  // of the protrusion
#define FIRST_PART 0.2 // of the protrusion: parts of the surface that are looked at for samples
#define NEXT_PART 0.6
#define LAST_PART 0.03
#define MISSING 0.005     // of the protrusion
#define SQUEEZE_MOST 1024 // balls: with more, there is no time for it
#define SQUEEZES 20
#define SQUEEZE_ENOUGH 1e-4 // of the extent: what sticks out less is as good as nothing
#define SQUEEZE_MARGIN 0.98 // of what is enough: to have all of the surface takes a little more
#define SQUEEZE_STEPS 12
#define SQUEEZE_STEPS_PER_BALL 2
#define FIRST_SQUEEZE 0.96 // of the protrusion
#define LAST_SQUEEZE 0.985
#define MOST_MISSING 4096
#define MISSING_PER_BALL 8 // room for samples of one round
#define LEAST_FILL 1e-4    // of the extent: balls inside may stick out by so much
#define FEWER_SHARE 8 // balls that are left out at once where there is no room for those inside

// How far the best site sticks out with all samples.
static void findSingle(wkFitUnit* unit)
{
    const wkFitPoints* samples = &unit->samples;
    unit->single = INFINITY;
    for (int32_t i = 0; i < unit->sites.count; ++i) {
        wkVec3d center = wkFitPoints_At(&unit->sites, i);
        double most = 0.0;
        for (int32_t s = 0; s < samples->count; ++s) {
            most = wkMaxD(most, wkLengthSquared(wkSub(wkFitPoints_At(samples, s), center)));
        }
        double protrusion = sqrt(most) + unit->sites.length[i];
        if (protrusion < unit->single) {
            unit->single = protrusion;
            unit->singleSite = i;
        }
    }
}

static wkResult allocateUnit(int32_t sampleCount, wkFitUnit* unit)
{
    int32_t missing = sampleCount / 4 + MISSING_PER_BALL * unit->capacity;
    missing = missing < MOST_MISSING ? missing : MOST_MISSING;
    int32_t room = sampleCount + 4 * missing;
    // greedy choices are a few more than are needed in the end
    unit->chosenCapacity = unit->capacity + unit->capacity / 4 + 4;
    unit->chosen = wkAlloc((size_t)unit->chosenCapacity * sizeof *unit->chosen);
    unit->distances = wkAlloc((size_t)unit->capacity * sizeof *unit->distances);
    unit->trial.balls = wkAlloc((size_t)unit->capacity * sizeof(wkBall));
    bool isDone = unit->chosen != NULL && unit->distances != NULL && unit->trial.balls != NULL &&
                  wkFitPoints_Create(room, &unit->samples) &&
                  wkFitPoints_Create(missing, &unit->missing) &&
                  wkFitPoints_Create(3 * sampleCount, &unit->sites) &&
                  wkPolish_Create(&unit->skin, &unit->samples, unit->capacity, &unit->polish);
    return isDone ? wk_ok : wkFail(wk_errorMemory, "fit: out of memory");
}

// Points of the surface to look at: with less between them than balls stick out by.
static int32_t samplesFor(const wkSkin* skin, const wkFitSize* size)
{
    int32_t few = size->expected < MOST_EXPECTED ? size->expected : MOST_EXPECTED;
    double count = SAMPLES + SAMPLES_PER_BALL * few;
    if (size->accuracy > 0.0) {
        double spacing = SPACING * size->accuracy;
        count = wkMaxD(count, wkMinD(skin->area / (spacing * spacing), MOST_SAMPLES));
    }
    return (int32_t)count;
}

wkResult wkFitUnit_Create(const wkFitBody* bodies, int32_t count, const wkFitSize* size,
                          const wkParallel* parallel, wkFitUnit* unit)
{
    int32_t capacity = size->capacity;
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
    int32_t samples = samplesFor(&unit->skin, size);
    result = allocateUnit(samples, unit);
    if (result == wk_ok) {
        wkSampleSkin(&unit->skin, samples, &unit->samples);
        unit->sampleCount = unit->samples.count;
        bool isDone =
            wkFindSites(&unit->skin, &unit->samples, parallel, &unit->sites) &&
            wkCoverWork_Create(&unit->samples, &unit->sites, &unit->cover) &&
            wkSqueeze_Create(&unit->polish, &unit->sites,
                             capacity < SQUEEZE_MOST ? capacity : SQUEEZE_MOST, &unit->squeeze);
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
    wkSqueeze_Destroy(&unit->squeeze);
    wkPolish_Destroy(&unit->polish);
    wkCoverWork_Destroy(&unit->cover);
    wkFitPoints_Destroy(&unit->sites);
    wkFitPoints_Destroy(&unit->missing);
    wkFitPoints_Destroy(&unit->samples);
    wkFree(unit->distances, (size_t)unit->capacity * sizeof *unit->distances);
    wkFree(unit->trial.balls, (size_t)unit->capacity * sizeof(wkBall));
    wkFree(unit->chosen, (size_t)unit->chosenCapacity * sizeof *unit->chosen);
    wkSkin_Destroy(&unit->skin);
    memset(unit, 0, sizeof *unit);
}

wkResult wkFitUnit_GoOn(const wkFitUnit* unit)
{
    return wkProgressMeter_Add(unit->meter, 0) ? wk_ok
                                               : wkFail(wk_errorCancelled, "fit: cancelled");
}

bool wkFitUnit_IsEmpty(const wkFitUnit* unit)
{
    return unit->skin.pieceCount == 0;
}

int32_t wkFitUnit_CountAt(wkFitUnit* unit, double protrusion, int32_t most)
{
    unit->samples.count = unit->sampleCount;
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

wkResult wkFitUnit_AddSamples(wkFitUnit* unit, double protrusion, double part, int32_t* added)
{
    const wkPolish* polish = &unit->polish;
    wkBall* balls = unit->trial.balls;
    for (int32_t i = 0; i < polish->count; ++i) {
        double radius = protrusion - polish->offsets[i];
        balls[i] = (wkBall){polish->centers[i], wkPositive(radius + unit->skin.slack)};
    }
    double smallest = wkMaxD(part * protrusion, WK_SMALLEST_PART * unit->skin.extent);
    wkResult result = wkFindMissing(&unit->skin, balls, polish->count, smallest,
                                    MISSING * protrusion, &unit->missing);
    *added = 0;
    for (int32_t i = 0; result == wk_ok && i < unit->missing.count; ++i) {
        wkFitPoint point = {wkFitPoints_At(&unit->missing, i), {0.0, 0.0, 0.0}, 0.0, 0.0};
        *added += wkFitPoints_Add(&unit->samples, &point);
    }
    return result;
}

// Less and less protrusion, until it cannot be found or is enough.
static double squeezeDown(wkFitUnit* unit, double protrusion, double enough)
{
    if (unit->polish.count > SQUEEZE_MOST) {
        return protrusion;
    }
    int steps = SQUEEZE_STEPS + SQUEEZE_STEPS_PER_BALL * unit->polish.count;
    double factor = FIRST_SQUEEZE;
    enough = wkMaxD(SQUEEZE_MARGIN * enough, SQUEEZE_ENOUGH * unit->skin.extent);
    for (int i = 0; i < SQUEEZES && factor < LAST_SQUEEZE && protrusion > enough; ++i) {
        wkPolish_Keep(&unit->polish);
        if (wkSqueeze_Run(&unit->squeeze, factor * protrusion, steps)) {
            protrusion = wkPolish_Assign(&unit->polish);
            continue;
        }
        wkPolish_Restore(&unit->polish);
        factor = 0.5 * (1.0 + factor);
    }
    return wkPolish_Assign(&unit->polish);
}

wkResult wkFitUnit_MakeBalls(wkFitUnit* unit, wkFitCover* cover)
{
    const wkPolish* polish = &unit->polish;
    cover->count = 0;
    for (int32_t i = 0; i < polish->count; ++i) {
        if (polish->counts[i] > 0) {
            cover->balls[cover->count] = (wkBall){polish->centers[i], wkPolish_Radius(polish, i)};
            unit->distances[cover->count++] = wkSkin_Distance(&unit->skin, polish->centers[i]);
        }
    }
    wkResult result = wkGrowToCover(&unit->skin, cover->balls, unit->distances, cover->count,
                                    WK_SMALLEST_PART * unit->skin.extent);
    cover->protrusion = 0.0;
    for (int32_t i = 0; i < cover->count; ++i) {
        double protrusion = cover->balls[i].radius + unit->distances[i];
        cover->protrusion = wkMaxD(cover->protrusion, protrusion);
    }
    return result;
}

// One round: samples where something is open, and better places for the balls.
static wkResult improve(wkFitUnit* unit, int32_t count, double part, double enough,
                        double* protrusion)
{
    int32_t added = 0;
    wkResult result = wkFitUnit_AddSamples(unit, *protrusion, part, &added);
    if (result != wk_ok) {
        return result;
    }
    *protrusion = wkPolish_Run(&unit->polish, POLISH_ROUNDS);
    *protrusion = squeezeDown(unit, *protrusion, enough);
    // balls that were left without samples are of more use elsewhere
    if (wkPolish_Fill(&unit->polish, count)) {
        *protrusion = wkPolish_Run(&unit->polish, POLISH_ROUNDS);
    }
    return wkFitUnit_MakeBalls(unit, &unit->trial);
}

// Covers the surface.
static wkResult coverSurface(wkFitUnit* unit, int32_t count, double guess, double enough,
                             wkFitCover* cover)
{
    unit->samples.count = unit->sampleCount;
    startPolish(unit, count, guess);
    double protrusion = wkPolish_Run(&unit->polish, POLISH_ROUNDS), part = FIRST_PART;
    cover->protrusion = INFINITY;
    int idle = 0;
    for (int round = 0; round < MOST_ROUNDS && idle < IDLE_ROUNDS; ++round) {
        wkResult result = improve(unit, count, part, enough, &protrusion);
        result = result == wk_ok ? wkFitUnit_GoOn(unit) : result;
        if (result != wk_ok) {
            return result;
        }
        const wkFitCover* trial = &unit->trial;
        idle = trial->protrusion < PROGRESS * cover->protrusion ? 0 : idle + 1;
        if (trial->protrusion < cover->protrusion) {
            cover->protrusion = trial->protrusion;
            cover->count = trial->count;
            memcpy(cover->balls, trial->balls, (size_t)trial->count * sizeof *trial->balls);
        }
        bool isHopeless = enough > 0.0 && cover->protrusion > HOPELESS * enough;
        if (cover->protrusion <= enough || isHopeless) {
            break;
        }
        part = wkMaxD(NEXT_PART * part, LAST_PART);
    }
    return wk_ok;
}

wkResult wkFitUnit_Fill(wkFitUnit* unit, double enough, int32_t most, wkFitCover* cover,
                        bool* isFilled)
{
    int32_t count = cover->count;
    double protrusion = wkMaxD(cover->protrusion, enough);
    protrusion = wkMaxD(protrusion, LEAST_FILL * unit->skin.extent);
    wkResult result = wkFillVoids(&unit->skin, protrusion, cover->balls, most, &count);
    *isFilled = count <= most;
    if (result == wk_ok && *isFilled && count > cover->count) {
        cover->count = count;
        cover->protrusion = protrusion;
    }
    return result;
}

// Where there is no room for balls inside, the surface has to do with fewer. Three balls leave no voids.
wkResult wkFitUnit_Cover(wkFitUnit* unit, int32_t count, double guess, double enough,
                         wkFitCover* cover)
{
    cover->count = 0;
    cover->protrusion = 0.0;
    if (wkFitUnit_IsEmpty(unit)) {
        return wk_ok;
    }
    if (unit->isSegment) {
        cover->count = wkFitSegment_Cover(&unit->segment, count, &cover->protrusion, cover->balls);
        return wk_ok;
    }
    bool isFilled = false;
    wkResult result = wk_ok;
    for (int32_t most = count; !isFilled && result == wk_ok; most -= 1 + most / FEWER_SHARE) {
        result = coverSurface(unit, most, guess, enough, cover);
        if (result == wk_ok) {
            result = wkFitUnit_Fill(unit, enough, count, cover, &isFilled);
        }
    }
    return result;
}
