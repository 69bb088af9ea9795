// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Shares a total number of spheres so that all parts have about equal protrusion. The number of spheres that a part
// needs for a given protrusion is estimated; spare spheres go to the parts with the largest protrusion, and single
// spheres are moved from parts of small protrusion.

#include "robot/sphere_fit.h"

#include "base/parallel.h"

#include "whisker/detail/library.h"

#include <string.h>

#define SHARE_STEPS 16 // halvings of the interval of the common protrusion
#define SPARE_ROUNDS 8
#define TRADE_ROUNDS 3
#define TRADES 8         // in a round
#define TRADE_LIMIT 0.95 // maximum protrusion of a donor, relative to that of the receiver

static void countPart(void* context, int32_t task)
{
    wkFitWork* work = context;
    wkFitPart* p = &work->parts[task];
    p->count = wkFitUnit_CountAt(&p->unit, work->protrusion, p->capacity);
}

static int64_t countAll(wkFitWork* work, double protrusion)
{
    work->protrusion = protrusion;
    wkRunTasks(work->fit->parallel, countPart, work, work->partCount);
    int64_t sum = 0;
    for (int32_t i = 0; i < work->partCount; ++i) {
        sum += work->parts[i].count;
    }
    return sum;
}

// Gives spare spheres to the parts with the largest estimated protrusion. False: none are left.
static bool giveSpare(wkFitWork* work)
{
    int64_t spare = work->fit->count;
    for (int32_t i = 0; i < work->partCount; ++i) {
        work->parts[i].count = work->parts[i].sphereCount;
        spare -= work->parts[i].sphereCount;
    }
    bool isAnyGiven = false;
    for (; spare > 0; --spare) {
        wkFitPart* worst = NULL;
        for (int32_t i = 0; i < work->partCount; ++i) {
            wkFitPart* p = &work->parts[i];
            bool canGrow = p->count < p->capacity && p->count > 0 && p->protrusion > 0.0;
            if (canGrow && (worst == NULL || p->protrusion > worst->protrusion)) {
                worst = p;
            }
        }
        if (worst == NULL) {
            break;
        }
        worst->protrusion *= (double)worst->count / (worst->count + 1.0);
        worst->count++;
        worst->needsCover = true;
        isAnyGiven = true;
    }
    return isAnyGiven;
}

// Returns the part with the largest protrusion that could have another sphere; NULL: none.
static wkFitPart* findNeedy(wkFitWork* work)
{
    wkFitPart* worst = NULL;
    for (int32_t i = 0; i < work->partCount; ++i) {
        wkFitPart* p = &work->parts[i];
        bool canGrow = !p->isTrading && p->count < p->capacity && p->protrusion > 0.0;
        if (canGrow && (worst == NULL || p->protrusion > worst->protrusion)) {
            worst = p;
        }
    }
    return worst;
}

// Returns the part with the least estimated protrusion after losing one sphere; NULL: none.
static wkFitPart* findDonor(wkFitWork* work, double limit)
{
    wkFitPart* best = NULL;
    double least = limit;
    for (int32_t i = 0; i < work->partCount; ++i) {
        wkFitPart* p = &work->parts[i];
        double guess = p->count > 1 ? p->protrusion * p->count / (p->count - 1.0) : INFINITY;
        if (!p->isTrading && guess < least) {
            least = guess;
            best = p;
        }
    }
    return best;
}

static void prepareTrade(wkFitPart* p, int32_t change)
{
    p->isTrading = true;
    p->needsCover = true;
    p->oldCount = p->sphereCount;
    p->oldProtrusion = p->protrusion;
    memcpy(p->oldSpheres, p->spheres, (size_t)p->sphereCount * sizeof *p->spheres);
    p->count = p->sphereCount + change;
}

static void undoTrade(wkFitPart* p)
{
    p->count = p->sphereCount = p->oldCount;
    p->protrusion = p->oldProtrusion;
    memcpy(p->spheres, p->oldSpheres, (size_t)p->sphereCount * sizeof *p->spheres);
}

// Moves single spheres from parts of small protrusion to those of the largest. False: nothing improved.
static bool tradeSpheres(wkFitWork* work, wkResult* result)
{
    wkFitPart *needy[TRADES], *donors[TRADES];
    int count = 0;
    for (int32_t i = 0; i < work->partCount; ++i) {
        work->parts[i].isTrading = false;
    }
    for (; count < TRADES; ++count) {
        needy[count] = findNeedy(work);
        donors[count] =
            needy[count] != NULL ? findDonor(work, TRADE_LIMIT * needy[count]->protrusion) : NULL;
        if (donors[count] == NULL || donors[count] == needy[count]) {
            break;
        }
        prepareTrade(needy[count], 1);
        prepareTrade(donors[count], -1);
    }
    *result = wkCoverParts(work);
    bool isAnyBetter = false;
    for (int i = 0; i < count && *result == wk_ok; ++i) {
        double after = wkMaxD(needy[i]->protrusion, donors[i]->protrusion);
        bool isBetter = after < needy[i]->oldProtrusion;
        if (!isBetter) {
            undoTrade(needy[i]);
            undoTrade(donors[i]);
        }
        isAnyBetter |= isBetter;
    }
    return isAnyBetter;
}

wkResult wkShareSpheres(wkFitWork* work)
{
    double lower = 0.0, upper = 0.0;
    for (int32_t i = 0; i < work->partCount; ++i) {
        upper = wkMaxD(upper, wkFitUnit_GuessProtrusion(&work->parts[i].unit, 1));
    }
    for (int step = 0; step < SHARE_STEPS; ++step) {
        double middle = 0.5 * (lower + upper);
        bool isEnough = countAll(work, middle) <= work->fit->count;
        upper = isEnough ? middle : upper;
        lower = isEnough ? lower : middle;
    }
    countAll(work, upper);
    for (int32_t i = 0; i < work->partCount; ++i) {
        work->parts[i].needsCover = true;
    }
    wkResult result = wkCoverParts(work);
    for (int round = 0; round < SPARE_ROUNDS && result == wk_ok && giveSpare(work); ++round) {
        result = wkCoverParts(work);
    }
    for (int round = 0; round < TRADE_ROUNDS && result == wk_ok; ++round) {
        if (!tradeSpheres(work, &result)) {
            break;
        }
    }
    return result;
}
