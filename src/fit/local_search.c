// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A step takes the heaviest uncovered sample. Either a sphere near it moves, or the sphere with the smallest
// loss jumps to the best site: the change that leaves the smallest uncovered weight is made.

#include "fit/local_search.h"

#include "base/memory.h"

#include <string.h>

#define NEIGHBOUR_SPHERES 3 // candidates that may move to contain a sample
#define FIRST_STEP 0.35     // of the protrusion of a sphere
#define NO_SCORE INT64_MIN

bool wkLocalSearch_Create(wkCenterRefiner* refiner, const wkFitPoints* sites, int32_t capacity,
                          wkLocalSearch* localSearch)
{
    *localSearch =
        (wkLocalSearch){.refiner = refiner, .sites = sites, .capacity = capacity, .resting = -1};
    size_t points = (size_t)wkRoundToGroup(refiner->samples->capacity) + WK_FIT_GROUP;
    size_t spheres = (size_t)capacity + 1;
    size_t words = (size_t)wkWordsOf(refiner->samples->capacity) * (spheres + 1);
    localSearch->byteCount = points * (3 * sizeof(double) + 5 * sizeof(int32_t)) +
                             spheres * sizeof(int64_t) + words * sizeof(uint64_t);
    localSearch->memory = wkAlloc(localSearch->byteCount);
    if (localSearch->memory == NULL) {
        return false;
    }
    localSearch->setX = localSearch->memory;
    localSearch->setY = localSearch->setX + points;
    localSearch->setZ = localSearch->setY + points;
    localSearch->losses = (int64_t*)(localSearch->setZ + points);
    localSearch->rows = (uint64_t*)(localSearch->losses + spheres);
    localSearch->covers = (int32_t*)(localSearch->rows + words);
    localSearch->sums = localSearch->covers + points;
    localSearch->weights = localSearch->sums + points;
    localSearch->open = localSearch->weights + points;
    localSearch->setSamples = localSearch->open + points;
    return true;
}

void wkLocalSearch_Destroy(wkLocalSearch* localSearch)
{
    wkFree(localSearch->memory, localSearch->byteCount);
    memset(localSearch, 0, sizeof *localSearch);
}

// Returns whether a sphere of that radius contains a sample.
static inline bool hasSample(const wkFitPoints* samples, int32_t i, wkVec3d center, double radius)
{
    double x = samples->x[i] - center.x, y = samples->y[i] - center.y;
    double z = samples->z[i] - center.z;
    return (radius >= 0.0) & (x * x + y * y + z * z <= radius * radius);
}

static uint64_t* rowOf(const wkLocalSearch* localSearch, int32_t sphere)
{
    return localSearch->rows + (size_t)localSearch->wordCount * (size_t)sphere;
}

static void countSample(wkLocalSearch* localSearch, int32_t sample, int32_t sphere, int32_t sign)
{
    localSearch->covers[sample] += sign;
    localSearch->sums[sample] += sign * sphere;
}

// Updates the counts of samples that a sphere has gained and lost since its last update.
static void countSphere(wkLocalSearch* localSearch, int32_t sphere)
{
    const wkCenterRefiner* refiner = localSearch->refiner;
    wkPointLanes samples = wkFitPoints_Lanes(refiner->samples);
    double radius = localSearch->target - refiner->offsets[sphere];
    double square = radius >= 0.0 ? radius * radius : -1.0;
    uint64_t* before = rowOf(localSearch, sphere);
    uint64_t* now = rowOf(localSearch, refiner->count);
    wkFitLanesOfMachine()->within(&samples, refiner->centers[sphere], square, now);
    for (int32_t w = 0; w < localSearch->wordCount; ++w) {
        for (uint64_t bits = before[w] ^ now[w]; bits != 0; bits &= bits - 1) {
            int32_t sample = w * 64 + __builtin_ctzll(bits);
            countSample(localSearch, sample, sphere, now[w] & bits & (~bits + 1) ? 1 : -1);
        }
        before[w] = now[w];
    }
}

static void listOpen(wkLocalSearch* localSearch)
{
    localSearch->openCount = 0;
    memset(localSearch->losses, 0,
           (size_t)localSearch->refiner->count * sizeof *localSearch->losses);
    for (int32_t i = 0; i < localSearch->refiner->samples->count; ++i) {
        if (localSearch->covers[i] == 0) {
            localSearch->open[localSearch->openCount++] = i;
        } else if (localSearch->covers[i] == 1) {
            localSearch->losses[localSearch->sums[i]] += localSearch->weights[i];
        }
    }
}

static void addToSet(wkLocalSearch* localSearch, int32_t sample)
{
    const wkFitPoints* samples = localSearch->refiner->samples;
    int32_t at = localSearch->setCount++;
    localSearch->setX[at] = samples->x[sample];
    localSearch->setY[at] = samples->y[sample];
    localSearch->setZ[at] = samples->z[sample];
    localSearch->setSamples[at] = sample;
}

// Gathers the samples that only this sphere contains and the uncovered one, which pads the last group.
static wkPointLanes gatherSet(wkLocalSearch* localSearch, int32_t sphere, int32_t missing)
{
    const uint64_t* row = rowOf(localSearch, sphere);
    localSearch->setCount = 0;
    for (int32_t w = 0; w < localSearch->wordCount; ++w) {
        for (uint64_t bits = row[w]; bits != 0; bits &= bits - 1) {
            int32_t sample = w * 64 + __builtin_ctzll(bits);
            if (localSearch->covers[sample] == 1) {
                addToSet(localSearch, sample);
            }
        }
    }
    int32_t count = localSearch->setCount + 1;
    while (localSearch->setCount < wkRoundToGroup(count)) {
        addToSet(localSearch, missing);
    }
    localSearch->setCount = count;
    wkPointLanes set = {localSearch->setX, localSearch->setY, localSearch->setZ, count};
    return set;
}

// Returns the weight of uncovered samples that a sphere would contain.
static int64_t gainOf(const wkLocalSearch* localSearch, wkVec3d center, double radius)
{
    int64_t gain = 0;
    for (int32_t i = 0; i < localSearch->openCount; ++i) {
        int32_t sample = localSearch->open[i];
        gain += hasSample(localSearch->refiner->samples, sample, center, radius)
                    ? localSearch->weights[sample]
                    : 0;
    }
    return gain;
}

// A change of one sphere, and by how much it lowers the uncovered weight.
typedef struct change {
    int32_t sphere;
    wkVec3d center;
    double offset;
    int64_t score;
} change;

static void keepBetter(change* best, const change* one)
{
    if (one->score > best->score) {
        *best = *one;
    }
}

static change tryMove(wkLocalSearch* localSearch, int32_t sphere, int32_t missing)
{
    const wkCenterRefiner* refiner = localSearch->refiner;
    wkPointLanes set = gatherSet(localSearch, sphere, missing);
    wkFitCenter found = wkFindCenter(refiner->surface, &set, refiner->centers[sphere],
                                     localSearch->target, FIRST_STEP);
    double radius = localSearch->target - found.offset;
    change one = {sphere, found.position, found.offset,
                  gainOf(localSearch, found.position, radius)};
    for (int32_t i = 0; i < localSearch->setCount - 1; ++i) {
        int32_t sample = localSearch->setSamples[i];
        bool has = hasSample(refiner->samples, sample, found.position, radius);
        one.score -= has ? 0 : localSearch->weights[sample];
    }
    return one;
}

// Returns the sphere with the smallest loss; -1: there is only the one that rests.
static int32_t leastMissed(const wkLocalSearch* localSearch, int32_t resting)
{
    int32_t least = -1;
    for (int32_t i = 0; i < localSearch->refiner->count; ++i) {
        bool isLess = least < 0 || localSearch->losses[i] < localSearch->losses[least];
        least = i != resting && isLess ? i : least;
    }
    return least;
}

// Finds the site whose sphere contains the sample and most uncovered weight, for a sphere of given loss.
static void trySites(const wkLocalSearch* localSearch, int32_t missing, int64_t loss, change* best)
{
    const wkFitPoints* samples = localSearch->refiner->samples;
    for (int32_t i = 0; i < localSearch->sites->count; ++i) {
        wkVec3d center = wkFitPoints_At(localSearch->sites, i);
        double offset = localSearch->sites->length[i], radius = localSearch->target - offset;
        if (hasSample(samples, missing, center, radius)) {
            change one = {best->sphere, center, offset, gainOf(localSearch, center, radius) - loss};
            keepBetter(best, &one);
        }
    }
}

static change tryJump(const wkLocalSearch* localSearch, int32_t missing, int32_t resting)
{
    change best = {leastMissed(localSearch, resting), {0.0, 0.0, 0.0}, 0.0, NO_SCORE};
    if (best.sphere >= 0) {
        trySites(localSearch, missing, localSearch->losses[best.sphere], &best);
    }
    return best;
}

// Lists the spheres for which a sample costs least, cheapest first; returns their number.
static int listNeighbours(const wkCenterRefiner* refiner, int32_t sample, int32_t resting,
                          int32_t neighbours[NEIGHBOUR_SPHERES])
{
    wkVec3d position = wkFitPoints_At(refiner->samples, sample);
    double costs[NEIGHBOUR_SPHERES];
    int count = 0;
    for (int32_t i = 0; i < refiner->count; ++i) {
        double cost = wkLength(wkSub(position, refiner->centers[i])) + refiner->offsets[i];
        if (i == resting || (count == NEIGHBOUR_SPHERES && cost >= costs[count - 1])) {
            continue;
        }
        int at = count < NEIGHBOUR_SPHERES ? count++ : count - 1;
        for (; at > 0 && costs[at - 1] > cost; --at) {
            costs[at] = costs[at - 1];
            neighbours[at] = neighbours[at - 1];
        }
        costs[at] = cost;
        neighbours[at] = i;
    }
    return count;
}

static int32_t heaviestOpen(const wkLocalSearch* localSearch)
{
    int32_t heaviest = localSearch->open[0];
    for (int32_t i = 1; i < localSearch->openCount; ++i) {
        int32_t sample = localSearch->open[i];
        heaviest =
            localSearch->weights[sample] > localSearch->weights[heaviest] ? sample : heaviest;
    }
    return heaviest;
}

// Changes one sphere and returns its index. The one that changed last rests.
static int32_t step(wkLocalSearch* localSearch, int32_t resting)
{
    wkCenterRefiner* refiner = localSearch->refiner;
    int32_t missing = heaviestOpen(localSearch);
    int32_t neighbours[NEIGHBOUR_SPHERES];
    int neighbourCount = listNeighbours(refiner, missing, resting, neighbours);
    change best = {-1, {0.0, 0.0, 0.0}, 0.0, NO_SCORE};
    for (int i = 0; i < neighbourCount; ++i) {
        change one = tryMove(localSearch, neighbours[i], missing);
        keepBetter(&best, &one);
    }
    change jump = tryJump(localSearch, missing, resting);
    keepBetter(&best, &jump);
    if (best.sphere >= 0) {
        wkCenterRefiner_SetCenter(refiner, best.sphere, best.center, best.offset);
        countSphere(localSearch, best.sphere);
    }
    return best.sphere;
}

void wkLocalSearch_Forget(wkLocalSearch* localSearch)
{
    localSearch->knownCount = 0;
    localSearch->resting = -1;
}

void wkLocalSearch_Recount(wkLocalSearch* localSearch, double target)
{
    int32_t count = localSearch->refiner->samples->count;
    localSearch->target = target;
    localSearch->wordCount = wkWordsOf(count);
    localSearch->resting = -1;
    memset(localSearch->covers, 0, (size_t)count * sizeof *localSearch->covers);
    memset(localSearch->sums, 0, (size_t)count * sizeof *localSearch->sums);
    for (; localSearch->knownCount < count; ++localSearch->knownCount) {
        localSearch->weights[localSearch->knownCount] = 1;
    }
    memset(localSearch->rows, 0,
           (size_t)localSearch->wordCount * (size_t)localSearch->refiner->count * sizeof(uint64_t));
    for (int32_t i = 0; i < localSearch->refiner->count; ++i) {
        countSphere(localSearch, i);
    }
    listOpen(localSearch);
}

bool wkLocalSearch_Search(wkLocalSearch* localSearch, int steps)
{
    for (int i = 0; i < steps && localSearch->openCount > 0; ++i) {
        localSearch->resting = step(localSearch, localSearch->resting);
        for (int32_t k = 0; k < localSearch->openCount; ++k) {
            localSearch->weights[localSearch->open[k]]++;
        }
        listOpen(localSearch);
    }
    return localSearch->openCount == 0;
}

bool wkLocalSearch_Run(wkLocalSearch* localSearch, double target, int steps)
{
    wkLocalSearch_Forget(localSearch);
    wkLocalSearch_Recount(localSearch, target);
    return wkLocalSearch_Search(localSearch, steps + 1);
}

// Tries a sphere about the sample itself, in case no site's sphere contains it.
static change tryAbout(const wkLocalSearch* localSearch, int32_t sample)
{
    const wkFitSurface* surface = localSearch->refiner->surface;
    wkVec3d position = wkFitPoints_At(localSearch->refiner->samples, sample);
    double offset = wkFitSurface_QuickClosest(surface, position).distance + surface->slack;
    double radius = localSearch->target - offset;
    change one = {localSearch->refiner->count, position, offset,
                  gainOf(localSearch, position, radius)};
    return one;
}

bool wkLocalSearch_AddSphere(wkLocalSearch* localSearch)
{
    wkCenterRefiner* refiner = localSearch->refiner;
    if (refiner->count >= localSearch->capacity || refiner->count >= refiner->capacity) {
        return false;
    }
    int32_t missing = heaviestOpen(localSearch);
    change best = tryAbout(localSearch, missing);
    trySites(localSearch, missing, 0, &best);
    if (best.score <= 0) {
        return false;
    }
    wkCenterRefiner_SetCenter(refiner, refiner->count, best.center, best.offset);
    memset(rowOf(localSearch, refiner->count), 0,
           (size_t)localSearch->wordCount * sizeof(uint64_t));
    refiner->count++;
    countSphere(localSearch, refiner->count - 1);
    listOpen(localSearch);
    return true;
}

void wkLocalSearch_DropSphere(wkLocalSearch* localSearch)
{
    wkCenterRefiner* refiner = localSearch->refiner;
    int32_t last = refiner->count - 1;
    int32_t least = leastMissed(localSearch, -1);
    wkCenterRefiner_SetCenter(refiner, least, refiner->centers[last], refiner->offsets[last]);
    refiner->count--;
    wkLocalSearch_Recount(localSearch, localSearch->target);
}
