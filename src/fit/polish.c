// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lloyd's method: samples go to balls, and each ball to the best place for its samples, in turn.

#include "fit/polish.h"

#include "base/memory.h"

#include <string.h>

#define FIRST_STEP 0.25 // of what a ball sticks out, to look for a better center
#define IDLE_ROUNDS 6   // without progress
#define PROGRESS 1e-3   // of what balls stick out

bool wkPolish_Create(const wkSkin* skin, const wkFitPoints* samples, int32_t capacity,
                     wkPolish* polish)
{
    *polish = (wkPolish){.skin = skin, .samples = samples, .capacity = capacity};
    // groups of points are padded for each ball
    size_t balls = (size_t)wkRoundToGroup(capacity + 1);
    size_t points = (size_t)wkRoundToGroup(samples->capacity) + balls * WK_FIT_GROUP;
    polish->byteCount = balls * (2 * sizeof(wkVec3d) + 3 * sizeof(double) + 2 * sizeof(int32_t)) +
                        points * (3 * sizeof(double) + sizeof(int32_t));
    polish->memory = wkAlloc(polish->byteCount);
    if (polish->memory == NULL) {
        return false;
    }
    polish->ownX = polish->memory;
    polish->ownY = polish->ownX + points;
    polish->ownZ = polish->ownY + points;
    polish->centers = (wkVec3d*)(polish->ownZ + points);
    polish->kept = polish->centers + balls;
    polish->offsets = (double*)(polish->kept + balls);
    polish->keptOffsets = polish->offsets + balls;
    polish->worst = polish->keptOffsets + balls;
    polish->owners = (int32_t*)(polish->worst + balls);
    polish->firsts = polish->owners + points;
    polish->counts = polish->firsts + balls;
    return true;
}

void wkPolish_Destroy(wkPolish* polish)
{
    wkFree(polish->memory, polish->byteCount);
    memset(polish, 0, sizeof *polish);
}

void wkPolish_SetCenter(wkPolish* polish, int32_t index, wkVec3d center, double offset)
{
    polish->centers[index] = center;
    polish->offsets[index] = offset;
}

// The ball for which a sample costs least.
static int32_t ownerOf(const wkPolish* polish, int32_t sample, double* cost)
{
    wkVec3d place = wkFitPoints_At(polish->samples, sample);
    int32_t best = 0;
    double least = INFINITY;
    for (int32_t i = 0; i < polish->count; ++i) {
        double room = least - polish->offsets[i];
        double square = wkLengthSquared(wkSub(place, polish->centers[i]));
        if (room > 0.0 && square < room * room) {
            least = sqrt(square) + polish->offsets[i];
            best = i;
        }
    }
    *cost = least;
    return best;
}

static wkPointLanes ownSamples(const wkPolish* polish, int32_t ball)
{
    int32_t first = polish->firsts[ball];
    wkPointLanes set = {polish->ownX + first, polish->ownY + first, polish->ownZ + first,
                        polish->counts[ball]};
    return set;
}

// Samples of one ball side by side, the last one repeated up to the end of its group.
static void gatherOwn(wkPolish* polish)
{
    const wkFitPoints* samples = polish->samples;
    int32_t first = 0;
    for (int32_t i = 0; i < polish->count; ++i) {
        polish->firsts[i] = first;
        first += wkRoundToGroup(polish->counts[i]);
        polish->counts[i] = 0;
    }
    for (int32_t s = 0; s < samples->count; ++s) {
        int32_t owner = polish->owners[s];
        int32_t at = polish->firsts[owner] + polish->counts[owner]++;
        int32_t end = polish->firsts[owner] + wkRoundToGroup(polish->counts[owner]);
        for (; at < end; ++at) {
            polish->ownX[at] = samples->x[s];
            polish->ownY[at] = samples->y[s];
            polish->ownZ[at] = samples->z[s];
        }
    }
}

double wkPolish_Assign(wkPolish* polish)
{
    for (int32_t i = 0; i < polish->count; ++i) {
        polish->worst[i] = -INFINITY;
        polish->counts[i] = 0;
    }
    double worst = -INFINITY;
    for (int32_t s = 0; s < polish->samples->count; ++s) {
        double cost = 0.0;
        int32_t owner = ownerOf(polish, s, &cost);
        polish->owners[s] = owner;
        polish->counts[owner]++;
        polish->worst[owner] = wkMaxD(polish->worst[owner], cost);
        worst = wkMaxD(worst, cost);
    }
    gatherOwn(polish);
    return worst;
}

static void moveCenter(wkPolish* polish, int32_t ball)
{
    wkPointLanes set = ownSamples(polish, ball);
    if (set.count > 0) {
        wkFitCenter center =
            wkFindCenter(polish->skin, &set, polish->centers[ball], -INFINITY, FIRST_STEP);
        wkPolish_SetCenter(polish, ball, center.place, center.offset);
    }
}

void wkPolish_Keep(wkPolish* polish)
{
    size_t count = (size_t)polish->count;
    memcpy(polish->kept, polish->centers, count * sizeof *polish->kept);
    memcpy(polish->keptOffsets, polish->offsets, count * sizeof *polish->keptOffsets);
}

void wkPolish_Restore(wkPolish* polish)
{
    size_t count = (size_t)polish->count;
    memcpy(polish->centers, polish->kept, count * sizeof *polish->kept);
    memcpy(polish->offsets, polish->keptOffsets, count * sizeof *polish->keptOffsets);
}

double wkPolish_Run(wkPolish* polish, int rounds)
{
    double best = wkPolish_Assign(polish);
    wkPolish_Keep(polish);
    int idle = 0;
    for (int round = 0; round < rounds && idle < IDLE_ROUNDS; ++round) {
        for (int32_t i = 0; i < polish->count; ++i) {
            moveCenter(polish, i);
        }
        double worst = wkPolish_Assign(polish);
        idle = worst < best - PROGRESS * fabs(best) ? 0 : idle + 1;
        if (worst < best) {
            best = worst;
            wkPolish_Keep(polish);
        }
    }
    wkPolish_Restore(polish);
    return wkPolish_Assign(polish);
}

// Adds a ball where one sticks out most. False: that one has no more than one sample.
static bool splitWorst(wkPolish* polish)
{
    int32_t worst = 0;
    for (int32_t i = 0; i < polish->count; ++i) {
        worst = polish->worst[i] > polish->worst[worst] ? i : worst;
    }
    wkPointLanes set = ownSamples(polish, worst);
    if (set.count < 2) {
        return false;
    }
    wkVec3d center = polish->centers[worst];
    int32_t i = wkFindFurthest(&set, center, wkFitLanesOfMachine()->furthest(&set, center));
    wkVec3d place = wkVec(set.x[i], set.y[i], set.z[i]);
    double offset = wkSkin_Quick(polish->skin, place).distance + polish->skin->slack;
    wkPolish_SetCenter(polish, polish->count, place, offset);
    polish->count++;
    return true;
}

static void dropIdle(wkPolish* polish)
{
    int32_t count = 0;
    for (int32_t i = 0; i < polish->count; ++i) {
        if (polish->counts[i] > 0) {
            wkPolish_SetCenter(polish, count++, polish->centers[i], polish->offsets[i]);
        }
    }
    polish->count = count;
}

bool wkPolish_Fill(wkPolish* polish, int32_t count)
{
    dropIdle(polish);
    int32_t before = polish->count;
    wkPolish_Assign(polish);
    while (polish->count < count && splitWorst(polish)) {
        wkPolish_Assign(polish);
    }
    return polish->count > before;
}

double wkPolish_Radius(const wkPolish* polish, int32_t index)
{
    wkPointLanes set = ownSamples(polish, index);
    double square = wkFitLanesOfMachine()->furthest(&set, polish->centers[index]);
    return sqrt(wkPositive(square)) + polish->skin->slack;
}
