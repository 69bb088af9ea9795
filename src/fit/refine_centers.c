// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lloyd's method: assign samples to spheres, then move each sphere to the best center of its samples.

#include "fit/refine_centers.h"

#include "base/memory.h"

#include <string.h>

#define FIRST_STEP 0.25 // first step of a center, as a share of the protrusion
#define IDLE_ROUNDS 6   // without progress
#define PROGRESS 1e-3   // of the protrusion

bool wkCenterRefiner_Create(const wkFitSurface* surface, const wkFitPoints* samples,
                            int32_t capacity, wkCenterRefiner* refiner)
{
    *refiner = (wkCenterRefiner){.surface = surface, .samples = samples, .capacity = capacity};
    // samples are padded to groups for each sphere
    size_t spheres = (size_t)wkRoundToGroup(capacity + 1);
    size_t points = (size_t)wkRoundToGroup(samples->capacity) + spheres * WK_FIT_GROUP;
    refiner->byteCount =
        spheres * (2 * sizeof(wkVec3d) + 3 * sizeof(double) + 2 * sizeof(int32_t)) +
        points * (4 * sizeof(double) + sizeof(int32_t));
    refiner->memory = wkAlloc(refiner->byteCount);
    if (refiner->memory == NULL) {
        return false;
    }
    refiner->ownX = refiner->memory;
    refiner->ownY = refiner->ownX + points;
    refiner->ownZ = refiner->ownY + points;
    refiner->costs = refiner->ownZ + points;
    refiner->centers = (wkVec3d*)(refiner->costs + points);
    refiner->kept = refiner->centers + spheres;
    refiner->offsets = (double*)(refiner->kept + spheres);
    refiner->keptOffsets = refiner->offsets + spheres;
    refiner->worst = refiner->keptOffsets + spheres;
    refiner->owners = (int32_t*)(refiner->worst + spheres);
    refiner->firsts = refiner->owners + points;
    refiner->counts = refiner->firsts + spheres;
    return true;
}

void wkCenterRefiner_Destroy(wkCenterRefiner* refiner)
{
    wkFree(refiner->memory, refiner->byteCount);
    memset(refiner, 0, sizeof *refiner);
}

void wkCenterRefiner_SetCenter(wkCenterRefiner* refiner, int32_t index, wkVec3d center,
                               double offset)
{
    refiner->centers[index] = center;
    refiner->offsets[index] = offset;
}

// Gives a sample to the first sphere from `first` on for which it costs least, if that is less than it costs now.
static void improveOwner(wkCenterRefiner* refiner, int32_t sample, int32_t first)
{
    wkVec3d position = wkFitPoints_At(refiner->samples, sample);
    double least = refiner->costs[sample];
    for (int32_t i = first; i < refiner->count; ++i) {
        double radius = least - refiner->offsets[i];
        double square = wkLengthSquared(wkSub(position, refiner->centers[i]));
        if (radius > 0.0 && square < radius * radius) {
            least = sqrt(square) + refiner->offsets[i];
            refiner->owners[sample] = i;
        }
    }
    refiner->costs[sample] = least;
}

static wkPointLanes ownSamples(const wkCenterRefiner* refiner, int32_t sphere)
{
    int32_t first = refiner->firsts[sphere];
    wkPointLanes set = {refiner->ownX + first, refiner->ownY + first, refiner->ownZ + first,
                        refiner->counts[sphere]};
    return set;
}

// Groups samples by sphere; the last sample of a sphere pads its group.
static void gatherOwn(wkCenterRefiner* refiner)
{
    const wkFitPoints* samples = refiner->samples;
    int32_t first = 0;
    for (int32_t i = 0; i < refiner->count; ++i) {
        refiner->firsts[i] = first;
        first += wkRoundToGroup(refiner->counts[i]);
        refiner->counts[i] = 0;
    }
    for (int32_t s = 0; s < samples->count; ++s) {
        int32_t owner = refiner->owners[s];
        int32_t at = refiner->firsts[owner] + refiner->counts[owner]++;
        int32_t end = refiner->firsts[owner] + wkRoundToGroup(refiner->counts[owner]);
        for (; at < end; ++at) {
            refiner->ownX[at] = samples->x[s];
            refiner->ownY[at] = samples->y[s];
            refiner->ownZ[at] = samples->z[s];
        }
    }
}

// Assigns samples to the spheres from `first` on where they cost less there. Returns the largest protrusion.
static double assignFrom(wkCenterRefiner* refiner, int32_t first)
{
    for (int32_t i = 0; i < refiner->count; ++i) {
        refiner->worst[i] = -INFINITY;
        refiner->counts[i] = 0;
    }
    double worst = -INFINITY;
    for (int32_t s = 0; s < refiner->samples->count; ++s) {
        improveOwner(refiner, s, first);
        int32_t owner = refiner->owners[s];
        double cost = refiner->costs[s];
        refiner->counts[owner]++;
        refiner->worst[owner] = wkMaxD(refiner->worst[owner], cost);
        worst = wkMaxD(worst, cost);
    }
    gatherOwn(refiner);
    return worst;
}

double wkCenterRefiner_Assign(wkCenterRefiner* refiner)
{
    for (int32_t s = 0; s < refiner->samples->count; ++s) {
        refiner->owners[s] = 0;
        refiner->costs[s] = INFINITY;
    }
    return assignFrom(refiner, 0);
}

static void moveCenter(wkCenterRefiner* refiner, int32_t sphere)
{
    wkPointLanes set = ownSamples(refiner, sphere);
    if (set.count > 0) {
        wkFitCenter center =
            wkFindCenter(refiner->surface, &set, refiner->centers[sphere], -INFINITY, FIRST_STEP);
        wkCenterRefiner_SetCenter(refiner, sphere, center.position, center.offset);
    }
}

void wkCenterRefiner_Keep(wkCenterRefiner* refiner)
{
    size_t count = (size_t)refiner->count;
    memcpy(refiner->kept, refiner->centers, count * sizeof *refiner->kept);
    memcpy(refiner->keptOffsets, refiner->offsets, count * sizeof *refiner->keptOffsets);
}

void wkCenterRefiner_Restore(wkCenterRefiner* refiner)
{
    size_t count = (size_t)refiner->count;
    memcpy(refiner->centers, refiner->kept, count * sizeof *refiner->kept);
    memcpy(refiner->offsets, refiner->keptOffsets, count * sizeof *refiner->keptOffsets);
}

double wkCenterRefiner_Run(wkCenterRefiner* refiner, int rounds)
{
    double best = wkCenterRefiner_Assign(refiner);
    wkCenterRefiner_Keep(refiner);
    int idle = 0;
    for (int round = 0; round < rounds && idle < IDLE_ROUNDS; ++round) {
        for (int32_t i = 0; i < refiner->count; ++i) {
            moveCenter(refiner, i);
        }
        double worst = wkCenterRefiner_Assign(refiner);
        idle = worst < best - PROGRESS * fabs(best) ? 0 : idle + 1;
        if (worst < best) {
            best = worst;
            wkCenterRefiner_Keep(refiner);
        }
    }
    wkCenterRefiner_Restore(refiner);
    return wkCenterRefiner_Assign(refiner);
}

// Adds a sphere where one protrudes most. Returns false if that one has at most one sample.
static bool splitWorst(wkCenterRefiner* refiner)
{
    int32_t worst = 0;
    for (int32_t i = 0; i < refiner->count; ++i) {
        worst = refiner->worst[i] > refiner->worst[worst] ? i : worst;
    }
    wkPointLanes set = ownSamples(refiner, worst);
    if (set.count < 2) {
        return false;
    }
    wkVec3d center = refiner->centers[worst];
    int32_t i = wkFindFurthest(&set, center, wkFitLanesOfMachine()->furthest(&set, center));
    wkVec3d position = wkVec(set.x[i], set.y[i], set.z[i]);
    double offset =
        wkFitSurface_QuickClosest(refiner->surface, position).distance + refiner->surface->slack;
    wkCenterRefiner_SetCenter(refiner, refiner->count, position, offset);
    refiner->count++;
    return true;
}

static void dropIdle(wkCenterRefiner* refiner)
{
    int32_t count = 0;
    for (int32_t i = 0; i < refiner->count; ++i) {
        if (refiner->counts[i] > 0) {
            wkCenterRefiner_SetCenter(refiner, count++, refiner->centers[i], refiner->offsets[i]);
        }
    }
    refiner->count = count;
}

bool wkCenterRefiner_Fill(wkCenterRefiner* refiner, int32_t count)
{
    dropIdle(refiner);
    int32_t before = refiner->count;
    wkCenterRefiner_Assign(refiner);
    while (refiner->count < count && splitWorst(refiner)) {
        assignFrom(refiner, refiner->count - 1); // the others are where they were
    }
    return refiner->count > before;
}

double wkRefiner_Radius(const wkCenterRefiner* refiner, int32_t index)
{
    wkPointLanes set = ownSamples(refiner, index);
    double square = wkFitLanesOfMachine()->furthest(&set, refiner->centers[index]);
    return sqrt(wkPositive(square)) + refiner->surface->slack;
}
