// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From bodies to spheres: choose sites, move the centers, prove the cover.

#include "fit/fit_unit.h"

#include "base/error.h"
#include "base/memory.h"
#include "fit/prove.h"
#include "fit/voids.h"

#include <string.h>

#define SAMPLES 900 // samples of the surface; more for many spheres
#define SAMPLES_PER_SPHERE 24
#define MOST_EXPECTED 100
#define MOST_SAMPLES 4000
#define SPACING 0.8    // distance between samples, as a share of the accuracy
#define HOPELESS 1.3   // factor on what is enough: gives up after the first round
#define GUESS_STEPS 12 // bisections of the interval of a protrusion
#define GUESS_GROWTH 1.25
#define NEAR_STEPS 4
#define REFINER_ROUNDS 20
#define MOST_ROUNDS 6  // of the whole loop
#define IDLE_ROUNDS 2  // without progress
#define PROGRESS 0.99  // of the protrusion
#define FIRST_PART 0.2 // of the protrusion: size of the parts of the surface checked for samples
#define NEXT_PART 0.6
#define LAST_PART 0.03
#define MISSING 0.005          // of the protrusion
#define LOCAL_SEARCH_MOST 1024 // spheres: with more, the local search takes too long
#define LOCAL_SEARCHES 20
#define LOCAL_SEARCH_ENOUGH 1e-4 // of the extent: a smaller protrusion counts as none
#define LOCAL_SEARCH_MARGIN                                                                        \
    0.98 // of what is enough: covering the surface takes a little more than the samples
#define LOCAL_SEARCH_STEPS 12
#define LOCAL_SEARCH_STEPS_PER_SPHERE 2
#define FIRST_LOCAL_SEARCH 0.96 // of the protrusion
#define LAST_LOCAL_SEARCH 0.985
#define MOST_MISSING 4096
#define MISSING_PER_SPHERE 8 // capacity for the samples of one round
#define LEAST_FILL 1e-4      // of the extent: protrusion allowed for spheres inside
#define FEWER_SHARE 8        // 1/8 of the spheres is removed if those inside exceed the capacity

// Computes the smallest protrusion of a single sphere about a site that contains all samples.
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
    int32_t missing = sampleCount / 4 + MISSING_PER_SPHERE * unit->capacity;
    missing = missing < MOST_MISSING ? missing : MOST_MISSING;
    int32_t roundedCapacity = sampleCount + 4 * missing;
    // greedy choices are a few more than needed in the end
    unit->chosenCapacity = unit->capacity + unit->capacity / 4 + 4;
    unit->chosen = wkAlloc((size_t)unit->chosenCapacity * sizeof *unit->chosen);
    unit->distances = wkAlloc((size_t)unit->capacity * sizeof *unit->distances);
    unit->trial.spheres = wkAlloc((size_t)unit->capacity * sizeof(wkSphere3d));
    bool isDone =
        unit->chosen != NULL && unit->distances != NULL && unit->trial.spheres != NULL &&
        wkFitPoints_Create(roundedCapacity, &unit->samples) &&
        wkFitPoints_Create(missing, &unit->missing) &&
        wkFitPoints_Create(3 * sampleCount, &unit->sites) &&
        wkCenterRefiner_Create(&unit->surface, &unit->samples, unit->capacity, &unit->refiner);
    return isDone ? wk_ok : wkFail(wk_errorMemory, "fit: out of memory");
}

// Returns the number of samples: their spacing is smaller than the protrusion.
static int32_t samplesFor(const wkFitSurface* surface, const wkFitSize* size)
{
    int32_t few = size->expected < MOST_EXPECTED ? size->expected : MOST_EXPECTED;
    double count = SAMPLES + SAMPLES_PER_SPHERE * few;
    if (size->accuracy > 0.0) {
        double spacing = SPACING * size->accuracy;
        count = wkMaxD(count, wkMinD(surface->area / (spacing * spacing), MOST_SAMPLES));
    }
    return (int32_t)count;
}

wkResult wkFitUnit_Create(const wkFitBody* bodies, int32_t count, const wkFitSize* size,
                          const wkParallel* parallel, wkFitUnit* unit)
{
    int32_t capacity = size->capacity;
    memset(unit, 0, sizeof *unit);
    unit->capacity = capacity;
    wkResult result = wkFitSurface_Create(bodies, count, &unit->surface);
    if (result != wk_ok || unit->surface.pieceCount == 0) {
        return result;
    }
    unit->isSegment = count == 1 && wkFitSegment_Find(&bodies[0], &unit->segment);
    if (unit->isSegment) {
        return wk_ok;
    }
    int32_t samples = samplesFor(&unit->surface, size);
    result = allocateUnit(samples, unit);
    if (result == wk_ok) {
        wkSampleSurface(&unit->surface, samples, &unit->samples);
        unit->sampleCount = unit->samples.count;
        bool isDone =
            wkFindSites(&unit->surface, &unit->samples, parallel, &unit->sites) &&
            wkSiteCover_Create(&unit->samples, &unit->sites, &unit->cover) &&
            wkLocalSearch_Create(&unit->refiner, &unit->sites,
                                 capacity < LOCAL_SEARCH_MOST ? capacity : LOCAL_SEARCH_MOST,
                                 &unit->localSearch);
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
    wkLocalSearch_Destroy(&unit->localSearch);
    wkCenterRefiner_Destroy(&unit->refiner);
    wkSiteCover_Destroy(&unit->cover);
    wkFitPoints_Destroy(&unit->sites);
    wkFitPoints_Destroy(&unit->missing);
    wkFitPoints_Destroy(&unit->samples);
    wkFree(unit->distances, (size_t)unit->capacity * sizeof *unit->distances);
    wkFree(unit->trial.spheres, (size_t)unit->capacity * sizeof(wkSphere3d));
    wkFree(unit->chosen, (size_t)unit->chosenCapacity * sizeof *unit->chosen);
    wkFitSurface_Destroy(&unit->surface);
    memset(unit, 0, sizeof *unit);
}

wkResult wkFitUnit_GoOn(const wkFitUnit* unit)
{
    return wkProgressMeter_Add(unit->meter, 0) ? wk_ok
                                               : wkFail(wk_errorCancelled, "fit: cancelled");
}

bool wkFitUnit_IsEmpty(const wkFitUnit* unit)
{
    return unit->surface.pieceCount == 0;
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
    int32_t roundedCapacity = most + most / 4 + 4;
    roundedCapacity =
        roundedCapacity < unit->chosenCapacity ? roundedCapacity : unit->chosenCapacity;
    int32_t count = wkChooseSites(&unit->cover, protrusion, unit->chosen, roundedCapacity);
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

// Chooses at most `count` sites with the smallest protrusion that a few tries find, starting from a guess.
static int32_t chooseNear(wkFitUnit* unit, int32_t count, double guess)
{
    int32_t roundedCapacity = count + count / 4 + 4;
    double lower = 0.0, upper = guess;
    int32_t found = count + 1;
    while (found > count && upper < unit->single) {
        found = wkChooseSites(&unit->cover, upper, unit->chosen, roundedCapacity);
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
        found = wkChooseSites(&unit->cover, middle, unit->chosen, roundedCapacity);
        upper = found <= count ? middle : upper;
        lower = found <= count ? lower : middle;
    }
    return found <= count ? found
                          : wkChooseSites(&unit->cover, upper, unit->chosen, roundedCapacity);
}

static void startRefiner(wkFitUnit* unit, int32_t count, double guess)
{
    wkCenterRefiner* refiner = &unit->refiner;
    refiner->count = chooseNear(unit, count, guess);
    for (int32_t i = 0; i < refiner->count; ++i) {
        int32_t site = unit->chosen[i];
        wkCenterRefiner_SetCenter(refiner, i, wkFitPoints_At(&unit->sites, site),
                                  unit->sites.length[site]);
    }
    wkCenterRefiner_Assign(refiner);
    wkCenterRefiner_Fill(refiner, count);
}

wkResult wkFitUnit_AddSamples(wkFitUnit* unit, double protrusion, double part, int32_t* added)
{
    const wkCenterRefiner* refiner = &unit->refiner;
    wkSphere3d* spheres = unit->trial.spheres;
    for (int32_t i = 0; i < refiner->count; ++i) {
        double radius = protrusion - refiner->offsets[i];
        spheres[i] = (wkSphere3d){refiner->centers[i], wkPositive(radius + unit->surface.slack)};
    }
    double smallest = wkMaxD(part * protrusion, WK_SMALLEST_PART * unit->surface.extent);
    wkResult result = wkFindMissing(&unit->surface, spheres, refiner->count, smallest,
                                    MISSING * protrusion, &unit->missing);
    *added = 0;
    for (int32_t i = 0; result == wk_ok && i < unit->missing.count; ++i) {
        wkFitPoint point = {wkFitPoints_At(&unit->missing, i), {0.0, 0.0, 0.0}, 0.0, 0.0};
        *added += wkFitPoints_Add(&unit->samples, &point);
    }
    return result;
}

// Lowers the protrusion until the local search fails or the protrusion is enough.
static double reduceProtrusion(wkFitUnit* unit, double protrusion, double enough)
{
    if (unit->refiner.count > LOCAL_SEARCH_MOST) {
        return protrusion;
    }
    int steps = LOCAL_SEARCH_STEPS + LOCAL_SEARCH_STEPS_PER_SPHERE * unit->refiner.count;
    double factor = FIRST_LOCAL_SEARCH;
    enough = wkMaxD(LOCAL_SEARCH_MARGIN * enough, LOCAL_SEARCH_ENOUGH * unit->surface.extent);
    for (int i = 0; i < LOCAL_SEARCHES && factor < LAST_LOCAL_SEARCH && protrusion > enough; ++i) {
        wkCenterRefiner_Keep(&unit->refiner);
        if (wkLocalSearch_Run(&unit->localSearch, factor * protrusion, steps)) {
            protrusion = wkCenterRefiner_Assign(&unit->refiner);
            continue;
        }
        wkCenterRefiner_Restore(&unit->refiner);
        factor = 0.5 * (1.0 + factor);
    }
    return wkCenterRefiner_Assign(&unit->refiner);
}

wkResult wkFitUnit_MakeSpheres(wkFitUnit* unit, wkFitCover* cover)
{
    const wkCenterRefiner* refiner = &unit->refiner;
    cover->count = 0;
    for (int32_t i = 0; i < refiner->count; ++i) {
        if (refiner->counts[i] > 0) {
            cover->spheres[cover->count] =
                (wkSphere3d){refiner->centers[i], wkRefiner_Radius(refiner, i)};
            unit->distances[cover->count++] =
                wkFitSurface_Distance(&unit->surface, refiner->centers[i]);
        }
    }
    wkResult result = wkGrowToCover(&unit->surface, cover->spheres, unit->distances, cover->count,
                                    WK_SMALLEST_PART * unit->surface.extent);
    cover->protrusion = 0.0;
    for (int32_t i = 0; i < cover->count; ++i) {
        double protrusion = cover->spheres[i].radius + unit->distances[i];
        cover->protrusion = wkMaxD(cover->protrusion, protrusion);
    }
    return result;
}

// Runs one round: adds samples where the surface is uncovered, and moves the spheres.
static wkResult improve(wkFitUnit* unit, int32_t count, double part, double enough,
                        double* protrusion)
{
    int32_t added = 0;
    wkResult result = wkFitUnit_AddSamples(unit, *protrusion, part, &added);
    if (result != wk_ok) {
        return result;
    }
    *protrusion = wkCenterRefiner_Run(&unit->refiner, REFINER_ROUNDS);
    *protrusion = reduceProtrusion(unit, *protrusion, enough);
    // spheres without samples are of more use elsewhere
    if (wkCenterRefiner_Fill(&unit->refiner, count)) {
        *protrusion = wkCenterRefiner_Run(&unit->refiner, REFINER_ROUNDS);
    }
    return wkFitUnit_MakeSpheres(unit, &unit->trial);
}

// Covers the surface.
static wkResult coverSurface(wkFitUnit* unit, int32_t count, double guess, double enough,
                             wkFitCover* cover)
{
    unit->samples.count = unit->sampleCount;
    startRefiner(unit, count, guess);
    double protrusion = wkCenterRefiner_Run(&unit->refiner, REFINER_ROUNDS), part = FIRST_PART;
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
            memcpy(cover->spheres, trial->spheres, (size_t)trial->count * sizeof *trial->spheres);
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
    protrusion = wkMaxD(protrusion, LEAST_FILL * unit->surface.extent);
    wkResult result = wkFillVoids(&unit->surface, protrusion, cover->spheres, most, &count);
    *isFilled = count <= most;
    if (result == wk_ok && *isFilled && count > cover->count) {
        cover->count = count;
        cover->protrusion = protrusion;
    }
    return result;
}

// If the capacity is too small for spheres inside, the surface gets fewer. Three spheres leave no voids.
wkResult wkFitUnit_Cover(wkFitUnit* unit, int32_t count, double guess, double enough,
                         wkFitCover* cover)
{
    cover->count = 0;
    cover->protrusion = 0.0;
    if (wkFitUnit_IsEmpty(unit)) {
        return wk_ok;
    }
    if (unit->isSegment) {
        cover->count =
            wkFitSegment_Cover(&unit->segment, count, &cover->protrusion, cover->spheres);
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
