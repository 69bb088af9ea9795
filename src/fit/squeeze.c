// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A step takes the heaviest sample that is missing. Either one of the balls near it moves, or the ball
// that would be missed least jumps to the best site: whichever leaves the least weight missing.

#include "fit/squeeze.h"

#include "base/memory.h"

#include <string.h>

#define NEAR_BALLS 3    // that may move to have a sample
#define FIRST_STEP 0.35 // of what a ball sticks out
#define NO_SCORE INT64_MIN

bool wkSqueeze_Create(wkPolish* polish, const wkFitPoints* sites, int32_t capacity,
                      wkSqueeze* squeeze)
{
    *squeeze = (wkSqueeze){.polish = polish, .sites = sites, .capacity = capacity, .resting = -1};
    size_t points = (size_t)wkRoundToGroup(polish->samples->capacity) + WK_FIT_GROUP;
    size_t balls = (size_t)capacity + 1;
    size_t words = (size_t)wkWordsOf(polish->samples->capacity) * (balls + 1);
    squeeze->byteCount = points * (3 * sizeof(double) + 5 * sizeof(int32_t)) +
                         balls * sizeof(int64_t) + words * sizeof(uint64_t);
    squeeze->memory = wkAlloc(squeeze->byteCount);
    if (squeeze->memory == NULL) {
        return false;
    }
    squeeze->setX = squeeze->memory;
    squeeze->setY = squeeze->setX + points;
    squeeze->setZ = squeeze->setY + points;
    squeeze->losses = (int64_t*)(squeeze->setZ + points);
    squeeze->rows = (uint64_t*)(squeeze->losses + balls);
    squeeze->covers = (int32_t*)(squeeze->rows + words);
    squeeze->sums = squeeze->covers + points;
    squeeze->weights = squeeze->sums + points;
    squeeze->open = squeeze->weights + points;
    squeeze->setSamples = squeeze->open + points;
    return true;
}

void wkSqueeze_Destroy(wkSqueeze* squeeze)
{
    wkFree(squeeze->memory, squeeze->byteCount);
    memset(squeeze, 0, sizeof *squeeze);
}

// Whether a ball of that radius has a sample.
static inline bool hasSample(const wkFitPoints* samples, int32_t i, wkVec3d center, double radius)
{
    double x = samples->x[i] - center.x, y = samples->y[i] - center.y;
    double z = samples->z[i] - center.z;
    return (radius >= 0.0) & (x * x + y * y + z * z <= radius * radius);
}

static uint64_t* rowOf(const wkSqueeze* squeeze, int32_t ball)
{
    return squeeze->rows + (size_t)squeeze->wordCount * (size_t)ball;
}

static void countSample(wkSqueeze* squeeze, int32_t sample, int32_t ball, int32_t sign)
{
    squeeze->covers[sample] += sign;
    squeeze->sums[sample] += sign * ball;
}

// Counts the samples that a ball has gained and lost since it was here last.
static void countBall(wkSqueeze* squeeze, int32_t ball)
{
    const wkPolish* polish = squeeze->polish;
    wkPointLanes samples = wkFitPoints_Lanes(polish->samples);
    double radius = squeeze->target - polish->offsets[ball];
    double square = radius >= 0.0 ? radius * radius : -1.0;
    uint64_t* before = rowOf(squeeze, ball);
    uint64_t* now = rowOf(squeeze, polish->count);
    wkFitLanesOfMachine()->within(&samples, polish->centers[ball], square, now);
    for (int32_t w = 0; w < squeeze->wordCount; ++w) {
        for (uint64_t bits = before[w] ^ now[w]; bits != 0; bits &= bits - 1) {
            int32_t sample = w * 64 + __builtin_ctzll(bits);
            countSample(squeeze, sample, ball, now[w] & bits & (~bits + 1) ? 1 : -1);
        }
        before[w] = now[w];
    }
}

static void listOpen(wkSqueeze* squeeze)
{
    squeeze->openCount = 0;
    memset(squeeze->losses, 0, (size_t)squeeze->polish->count * sizeof *squeeze->losses);
    for (int32_t i = 0; i < squeeze->polish->samples->count; ++i) {
        if (squeeze->covers[i] == 0) {
            squeeze->open[squeeze->openCount++] = i;
        } else if (squeeze->covers[i] == 1) {
            squeeze->losses[squeeze->sums[i]] += squeeze->weights[i];
        }
    }
}

static void addToSet(wkSqueeze* squeeze, int32_t sample)
{
    const wkFitPoints* samples = squeeze->polish->samples;
    int32_t at = squeeze->setCount++;
    squeeze->setX[at] = samples->x[sample];
    squeeze->setY[at] = samples->y[sample];
    squeeze->setZ[at] = samples->z[sample];
    squeeze->setSamples[at] = sample;
}

// Samples that only this ball has, and one that is missing, which is repeated up to the end of the group.
static wkPointLanes gatherSet(wkSqueeze* squeeze, int32_t ball, int32_t missing)
{
    const uint64_t* row = rowOf(squeeze, ball);
    squeeze->setCount = 0;
    for (int32_t w = 0; w < squeeze->wordCount; ++w) {
        for (uint64_t bits = row[w]; bits != 0; bits &= bits - 1) {
            int32_t sample = w * 64 + __builtin_ctzll(bits);
            if (squeeze->covers[sample] == 1) {
                addToSet(squeeze, sample);
            }
        }
    }
    int32_t count = squeeze->setCount + 1;
    while (squeeze->setCount < wkRoundToGroup(count)) {
        addToSet(squeeze, missing);
    }
    squeeze->setCount = count;
    wkPointLanes set = {squeeze->setX, squeeze->setY, squeeze->setZ, count};
    return set;
}

// Weight of missing samples that a ball would have.
static int64_t gainOf(const wkSqueeze* squeeze, wkVec3d center, double radius)
{
    int64_t gain = 0;
    for (int32_t i = 0; i < squeeze->openCount; ++i) {
        int32_t sample = squeeze->open[i];
        gain += hasSample(squeeze->polish->samples, sample, center, radius)
                    ? squeeze->weights[sample]
                    : 0;
    }
    return gain;
}

// A change of one ball, and by how much less weight is missing afterwards.
typedef struct change {
    int32_t ball;
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

static change tryMove(wkSqueeze* squeeze, int32_t ball, int32_t missing)
{
    const wkPolish* polish = squeeze->polish;
    wkPointLanes set = gatherSet(squeeze, ball, missing);
    wkFitCenter found =
        wkFindCenter(polish->skin, &set, polish->centers[ball], squeeze->target, FIRST_STEP);
    double radius = squeeze->target - found.offset;
    change one = {ball, found.place, found.offset, gainOf(squeeze, found.place, radius)};
    for (int32_t i = 0; i < squeeze->setCount - 1; ++i) {
        int32_t sample = squeeze->setSamples[i];
        bool has = hasSample(polish->samples, sample, found.place, radius);
        one.score -= has ? 0 : squeeze->weights[sample];
    }
    return one;
}

// The ball whose samples the others miss least; -1: there is only the one that rests.
static int32_t leastMissed(const wkSqueeze* squeeze, int32_t resting)
{
    int32_t least = -1;
    for (int32_t i = 0; i < squeeze->polish->count; ++i) {
        bool isLess = least < 0 || squeeze->losses[i] < squeeze->losses[least];
        least = i != resting && isLess ? i : least;
    }
    return least;
}

// The site that has most of what is missing, the sample included, for a ball that loses so much.
static void trySites(const wkSqueeze* squeeze, int32_t missing, int64_t loss, change* best)
{
    const wkFitPoints* samples = squeeze->polish->samples;
    for (int32_t i = 0; i < squeeze->sites->count; ++i) {
        wkVec3d center = wkFitPoints_At(squeeze->sites, i);
        double offset = squeeze->sites->length[i], radius = squeeze->target - offset;
        if (hasSample(samples, missing, center, radius)) {
            change one = {best->ball, center, offset, gainOf(squeeze, center, radius) - loss};
            keepBetter(best, &one);
        }
    }
}

static change tryJump(const wkSqueeze* squeeze, int32_t missing, int32_t resting)
{
    change best = {leastMissed(squeeze, resting), {0.0, 0.0, 0.0}, 0.0, NO_SCORE};
    if (best.ball >= 0) {
        trySites(squeeze, missing, squeeze->losses[best.ball], &best);
    }
    return best;
}

// The balls for which a sample costs least, nearest first; how many there are.
static int listNear(const wkPolish* polish, int32_t sample, int32_t resting,
                    int32_t near[NEAR_BALLS])
{
    wkVec3d place = wkFitPoints_At(polish->samples, sample);
    double costs[NEAR_BALLS];
    int count = 0;
    for (int32_t i = 0; i < polish->count; ++i) {
        double cost = wkLength(wkSub(place, polish->centers[i])) + polish->offsets[i];
        if (i == resting || (count == NEAR_BALLS && cost >= costs[count - 1])) {
            continue;
        }
        int at = count < NEAR_BALLS ? count++ : count - 1;
        for (; at > 0 && costs[at - 1] > cost; --at) {
            costs[at] = costs[at - 1];
            near[at] = near[at - 1];
        }
        costs[at] = cost;
        near[at] = i;
    }
    return count;
}

static int32_t heaviestOpen(const wkSqueeze* squeeze)
{
    int32_t heaviest = squeeze->open[0];
    for (int32_t i = 1; i < squeeze->openCount; ++i) {
        int32_t sample = squeeze->open[i];
        heaviest = squeeze->weights[sample] > squeeze->weights[heaviest] ? sample : heaviest;
    }
    return heaviest;
}

// One ball changes; returns which. The one that changed last rests.
static int32_t step(wkSqueeze* squeeze, int32_t resting)
{
    wkPolish* polish = squeeze->polish;
    int32_t missing = heaviestOpen(squeeze);
    int32_t near[NEAR_BALLS];
    int nearCount = listNear(polish, missing, resting, near);
    change best = {-1, {0.0, 0.0, 0.0}, 0.0, NO_SCORE};
    for (int i = 0; i < nearCount; ++i) {
        change one = tryMove(squeeze, near[i], missing);
        keepBetter(&best, &one);
    }
    change jump = tryJump(squeeze, missing, resting);
    keepBetter(&best, &jump);
    if (best.ball >= 0) {
        wkPolish_SetCenter(polish, best.ball, best.center, best.offset);
        countBall(squeeze, best.ball);
    }
    return best.ball;
}

void wkSqueeze_Forget(wkSqueeze* squeeze)
{
    squeeze->knownCount = 0;
    squeeze->resting = -1;
}

void wkSqueeze_Recount(wkSqueeze* squeeze, double target)
{
    int32_t count = squeeze->polish->samples->count;
    squeeze->target = target;
    squeeze->wordCount = wkWordsOf(count);
    squeeze->resting = -1;
    memset(squeeze->covers, 0, (size_t)count * sizeof *squeeze->covers);
    memset(squeeze->sums, 0, (size_t)count * sizeof *squeeze->sums);
    for (; squeeze->knownCount < count; ++squeeze->knownCount) {
        squeeze->weights[squeeze->knownCount] = 1;
    }
    memset(squeeze->rows, 0,
           (size_t)squeeze->wordCount * (size_t)squeeze->polish->count * sizeof(uint64_t));
    for (int32_t i = 0; i < squeeze->polish->count; ++i) {
        countBall(squeeze, i);
    }
    listOpen(squeeze);
}

bool wkSqueeze_Search(wkSqueeze* squeeze, int steps)
{
    for (int i = 0; i < steps && squeeze->openCount > 0; ++i) {
        squeeze->resting = step(squeeze, squeeze->resting);
        for (int32_t k = 0; k < squeeze->openCount; ++k) {
            squeeze->weights[squeeze->open[k]]++;
        }
        listOpen(squeeze);
    }
    return squeeze->openCount == 0;
}

bool wkSqueeze_Run(wkSqueeze* squeeze, double target, int steps)
{
    wkSqueeze_Forget(squeeze);
    wkSqueeze_Recount(squeeze, target);
    return wkSqueeze_Search(squeeze, steps + 1);
}

// A ball about the sample itself, in case that no site has it.
static change tryAbout(const wkSqueeze* squeeze, int32_t sample)
{
    const wkSkin* skin = squeeze->polish->skin;
    wkVec3d place = wkFitPoints_At(squeeze->polish->samples, sample);
    double offset = wkSkin_Quick(skin, place).distance + skin->slack;
    double radius = squeeze->target - offset;
    change one = {squeeze->polish->count, place, offset, gainOf(squeeze, place, radius)};
    return one;
}

bool wkSqueeze_AddBall(wkSqueeze* squeeze)
{
    wkPolish* polish = squeeze->polish;
    if (polish->count >= squeeze->capacity || polish->count >= polish->capacity) {
        return false;
    }
    int32_t missing = heaviestOpen(squeeze);
    change best = tryAbout(squeeze, missing);
    trySites(squeeze, missing, 0, &best);
    if (best.score <= 0) {
        return false;
    }
    wkPolish_SetCenter(polish, polish->count, best.center, best.offset);
    memset(rowOf(squeeze, polish->count), 0, (size_t)squeeze->wordCount * sizeof(uint64_t));
    polish->count++;
    countBall(squeeze, polish->count - 1);
    listOpen(squeeze);
    return true;
}

void wkSqueeze_DropBall(wkSqueeze* squeeze)
{
    wkPolish* polish = squeeze->polish;
    int32_t last = polish->count - 1;
    int32_t least = leastMissed(squeeze, -1);
    wkPolish_SetCenter(polish, least, polish->centers[last], polish->offsets[last]);
    polish->count--;
    wkSqueeze_Recount(squeeze, squeeze->target);
}
