// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lloyd's method: samples go to balls, and each ball to the best place for its samples, in turn.

#include "fit/polish.h"

#include "base/memory.h"

#include <string.h>

#define FIRST_STEP 0.25 // of what a ball sticks out, to look for a better center
#define LAST_STEP 0.004 // steps are halved down to this
#define MAX_MOVES 48    // of one center in one round
#define IDLE_ROUNDS 6   // without progress
#define PROGRESS 1e-3   // of what balls stick out

bool wkPolish_Create(const wkSkin* skin, const wkFitPoints* samples, int32_t capacity,
                     wkPolish* polish)
{
    *polish = (wkPolish){.skin = skin, .samples = samples, .capacity = capacity};
    size_t balls = (size_t)capacity + 1, points = (size_t)samples->capacity;
    polish->byteCount = balls * (2 * sizeof(wkVec3d) + 3 * sizeof(double) + sizeof(int32_t)) +
                        points * (4 * sizeof(double) + sizeof(int32_t));
    polish->memory = wkAlloc(polish->byteCount);
    if (polish->memory == NULL) {
        return false;
    }
    polish->centers = polish->memory;
    polish->kept = polish->centers + balls;
    polish->distances = (double*)(polish->kept + balls);
    polish->keptDistances = polish->distances + balls;
    polish->worst = polish->keptDistances + balls;
    polish->ownX = polish->worst + balls;
    polish->ownY = polish->ownX + points;
    polish->ownZ = polish->ownY + points;
    polish->ownLength = polish->ownZ + points;
    polish->owners = (int32_t*)(polish->ownLength + points);
    polish->firsts = polish->owners + points;
    return true;
}

void wkPolish_Destroy(wkPolish* polish)
{
    wkFree(polish->memory, polish->byteCount);
    memset(polish, 0, sizeof *polish);
}

void wkPolish_SetCenter(wkPolish* polish, int32_t index, wkVec3d center, double distance)
{
    polish->centers[index] = center;
    polish->distances[index] = distance;
}

// The ball for which a sample costs least.
static int32_t ownerOf(const wkPolish* polish, int32_t sample, double* cost)
{
    wkVec3d place = wkFitPoints_At(polish->samples, sample);
    int32_t best = 0;
    double least = INFINITY;
    for (int32_t i = 0; i < polish->count; ++i) {
        double room = least - polish->distances[i];
        double square = wkLengthSquared(wkSub(place, polish->centers[i]));
        if (room > 0.0 && square < room * room) {
            least = sqrt(square) + polish->distances[i];
            best = i;
        }
    }
    *cost = least + polish->samples->length[sample];
    return best;
}

// Samples of one ball side by side.
static void gatherOwn(wkPolish* polish)
{
    const wkFitPoints* samples = polish->samples;
    int32_t* firsts = polish->firsts;
    for (int32_t i = 0; i < polish->count; ++i) {
        firsts[i + 1] += firsts[i];
    }
    for (int32_t s = samples->count - 1; s >= 0; --s) {
        int32_t at = --firsts[polish->owners[s] + 1];
        polish->ownX[at] = samples->x[s];
        polish->ownY[at] = samples->y[s];
        polish->ownZ[at] = samples->z[s];
        polish->ownLength[at] = samples->length[s];
    }
    // each has become the start of the ball before
    memmove(firsts, firsts + 1, (size_t)polish->count * sizeof *firsts);
    firsts[polish->count] = samples->count;
}

double wkPolish_Assign(wkPolish* polish)
{
    memset(polish->firsts, 0, ((size_t)polish->count + 1) * sizeof *polish->firsts);
    for (int32_t i = 0; i < polish->count; ++i) {
        polish->worst[i] = -INFINITY;
    }
    double worst = -INFINITY;
    for (int32_t s = 0; s < polish->samples->count; ++s) {
        double cost = 0.0;
        int32_t owner = ownerOf(polish, s, &cost);
        polish->owners[s] = owner;
        polish->firsts[owner + 1]++;
        polish->worst[owner] = wkMaxD(polish->worst[owner], cost);
        worst = wkMaxD(worst, cost);
    }
    gatherOwn(polish);
    return worst;
}

// The furthest of a ball's samples from a place, slack included; where samples have none, squares do.
static double furthestOwn(const wkPolish* polish, int32_t ball, wkVec3d place, int32_t* furthest)
{
    double most = -1.0;
    for (int32_t i = polish->firsts[ball]; i < polish->firsts[ball + 1]; ++i) {
        double x = polish->ownX[i] - place.x, y = polish->ownY[i] - place.y;
        double z = polish->ownZ[i] - place.z, length = polish->ownLength[i];
        double away = length + sqrt(x * x + y * y + z * z);
        if (away > most) {
            most = away;
            *furthest = i;
        }
    }
    return most;
}

typedef struct centerSearch {
    wkVec3d center;
    wkSkinNear near;
    double cost;
    int32_t furthest;
} centerSearch;

// Takes a place when it costs less.
static bool tryPlace(const wkPolish* polish, int32_t ball, wkVec3d place, centerSearch* search)
{
    int32_t furthest = 0;
    double reach = furthestOwn(polish, ball, place, &furthest);
    // the signed distance changes by no more than the way
    double way = wkLength(wkSub(place, search->center));
    if (!polish->skin->isLeaky && reach + search->near.distance - way >= search->cost) {
        return false;
    }
    wkSkinNear near = wkSkin_Near(polish->skin, place);
    double cost = reach + near.distance;
    if (!(cost < search->cost)) {
        return false;
    }
    *search = (centerSearch){place, near, cost, furthest};
    return true;
}

// One step of a given length in one of some directions; the first are the promising ones.
static bool stepAnywhere(const wkPolish* polish, int32_t ball, double step, centerSearch* search)
{
    int32_t f = search->furthest;
    wkVec3d far = wkVec(polish->ownX[f], polish->ownY[f], polish->ownZ[f]);
    wkVec3d none = {0.0, 0.0, 0.0};
    wkVec3d toFar = wkNormalizeOr(wkSub(far, search->center), none);
    wkVec3d inward = wkNeg(search->near.normal);
    wkVec3d both = wkNormalizeOr(wkAdd(toFar, inward), toFar);
    wkVec3d across = wkNormalizeOr(wkMulSub(toFar, wkDot(toFar, inward), inward), toFar);
    wkVec3d along = wkNormalizeOr(wkMulSub(inward, wkDot(toFar, inward), toFar), inward);
    wkVec3d directions[11] = {both,
                              toFar,
                              across,
                              along,
                              inward,
                              {1.0, 0.0, 0.0},
                              {-1.0, 0.0, 0.0},
                              {0.0, 1.0, 0.0},
                              {0.0, -1.0, 0.0},
                              {0.0, 0.0, 1.0},
                              {0.0, 0.0, -1.0}};
    for (int i = 0; i < 11; ++i) {
        if (tryPlace(polish, ball, wkMulAdd(search->center, step, directions[i]), search)) {
            return true;
        }
    }
    return false;
}

static void moveCenter(wkPolish* polish, int32_t ball)
{
    if (polish->firsts[ball] == polish->firsts[ball + 1]) {
        return;
    }
    centerSearch search = {polish->centers[ball], {0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}}, 0.0, 0};
    search.near = wkSkin_Near(polish->skin, search.center);
    search.cost = furthestOwn(polish, ball, search.center, &search.furthest) + search.near.distance;
    double unit = wkMaxD(search.cost, 1e-6 * polish->skin->extent);
    double step = FIRST_STEP * unit;
    for (int move = 0; move < MAX_MOVES && step > LAST_STEP * unit; ++move) {
        if (!stepAnywhere(polish, ball, step, &search)) {
            step *= 0.5;
        }
    }
    wkPolish_SetCenter(polish, ball, search.center, search.near.distance);
}

static void keepCenters(wkPolish* polish)
{
    size_t count = (size_t)polish->count;
    memcpy(polish->kept, polish->centers, count * sizeof *polish->kept);
    memcpy(polish->keptDistances, polish->distances, count * sizeof *polish->keptDistances);
}

static void restoreCenters(wkPolish* polish)
{
    size_t count = (size_t)polish->count;
    memcpy(polish->centers, polish->kept, count * sizeof *polish->kept);
    memcpy(polish->distances, polish->keptDistances, count * sizeof *polish->keptDistances);
}

double wkPolish_Run(wkPolish* polish, int rounds)
{
    double best = wkPolish_Assign(polish);
    keepCenters(polish);
    int idle = 0;
    for (int round = 0; round < rounds && idle < IDLE_ROUNDS; ++round) {
        for (int32_t i = 0; i < polish->count; ++i) {
            moveCenter(polish, i);
        }
        double worst = wkPolish_Assign(polish);
        idle = worst < best - PROGRESS * fabs(best) ? 0 : idle + 1;
        if (worst < best) {
            best = worst;
            keepCenters(polish);
        }
    }
    restoreCenters(polish);
    return wkPolish_Assign(polish);
}

// Adds a ball where one sticks out most. False: that one has no more than one sample.
static bool splitWorst(wkPolish* polish)
{
    int32_t worst = 0, furthest = 0;
    for (int32_t i = 0; i < polish->count; ++i) {
        worst = polish->worst[i] > polish->worst[worst] ? i : worst;
    }
    if (polish->firsts[worst + 1] - polish->firsts[worst] < 2) {
        return false;
    }
    furthestOwn(polish, worst, polish->centers[worst], &furthest);
    wkVec3d place = wkVec(polish->ownX[furthest], polish->ownY[furthest], polish->ownZ[furthest]);
    wkPolish_SetCenter(polish, polish->count, place, wkSkin_Distance(polish->skin, place));
    polish->count++;
    return true;
}

static void dropIdle(wkPolish* polish)
{
    int32_t count = 0;
    for (int32_t i = 0; i < polish->count; ++i) {
        if (polish->firsts[i] < polish->firsts[i + 1]) {
            wkPolish_SetCenter(polish, count++, polish->centers[i], polish->distances[i]);
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
    int32_t furthest = 0;
    return wkPositive(furthestOwn(polish, index, polish->centers[index], &furthest));
}
