// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pairs of links that need no look, found in random configurations. Samples come in chunks that have
// seeds of their own, and what is counted are sums: threads change nothing. Between rounds of chunks
// pairs are left out for which nothing more can come of it.

#include "robot/allowed.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "robot/crew.h"

#include <stdatomic.h>
#include <string.h>

#define SAMPLING_COOKIE 0x616c7370u
#define DEFAULT_SAMPLE_COUNT 10000

// Samples that share a seed.
#define CHUNK_SIZE 32
// Chunks of the first round, in which most pairs that touch often are seen, and of the longest one.
#define FIRST_CHUNK_COUNT 2
#define MAX_CHUNK_COUNT 32

wkAllowedSampling wkDefaultAllowedSampling(void)
{
    wkAllowedSampling sampling;
    memset(&sampling, 0, sizeof sampling);
    sampling.sampleCount = DEFAULT_SAMPLE_COUNT;
    sampling.seed = 1;
    sampling.alwaysShare = 0.95;
    sampling.cookie = SAMPLING_COOKIE;
    return sampling;
}

// What one task of a round needs.
typedef struct sampler {
    wkRobotState* state;
    double* q;
    int32_t* lastTouch; // by pair of links: the sample in which it was last seen touching
    int32_t sample;     // the one at hand, from 1 on
    struct study* study;
} sampler;

typedef struct study {
    const wkRobot* robot;
    const wkAllowedSampling* sampling;
    wkCrew* crew;
    atomic_int* touchCounts; // by pair of links
    sampler samplers[MAX_CHUNK_COUNT];
    int32_t firstChunk; // of the round
    int32_t doneCount;  // samples of earlier rounds
} study;

static size_t pairCount(const wkRobot* robot)
{
    return (size_t)robot->info.linkCount * (size_t)robot->info.linkCount;
}

// Place of a pair in tables, the same for both orders.
static size_t pairIndex(const wkRobot* robot, int32_t linkA, int32_t linkB)
{
    int32_t lower = linkA < linkB ? linkA : linkB, higher = linkA < linkB ? linkB : linkA;
    return (size_t)lower * (size_t)robot->info.linkCount + (size_t)higher;
}

static size_t configurationBytes(const wkRobot* robot)
{
    return ((size_t)robot->info.variableCount + 1) * sizeof(double);
}

static void closeStudy(study* s)
{
    size_t count = pairCount(s->robot);
    for (int i = 0; i < MAX_CHUNK_COUNT; ++i) {
        wkRobotState_Destroy(s->samplers[i].state);
        wkFree(s->samplers[i].q, configurationBytes(s->robot));
        wkFree(s->samplers[i].lastTouch, count * sizeof *s->samplers[i].lastTouch);
    }
    wkFree(s->touchCounts, count * sizeof *s->touchCounts);
    wkCrew_Destroy(s->crew);
}

static wkResult openStudy(const wkRobot* robot, const wkAllowedSampling* sampling, study* s)
{
    memset(s, 0, sizeof *s);
    s->robot = robot;
    s->sampling = sampling;
    wkCrewDef def = {.robot = robot};
    size_t count = pairCount(robot);
    wkResult result = wkCrew_Create(&def, &s->crew);
    s->touchCounts = (atomic_int*)wkAlloc(count * sizeof *s->touchCounts);
    bool hasAll = result == wk_ok && s->touchCounts != NULL;
    for (int i = 0; i < MAX_CHUNK_COUNT && hasAll; ++i) {
        sampler* one = &s->samplers[i];
        one->study = s;
        one->q = (double*)wkAlloc(configurationBytes(robot));
        one->lastTouch = (int32_t*)wkAlloc(count * sizeof *one->lastTouch);
        hasAll = one->q != NULL && one->lastTouch != NULL &&
                 wkRobotState_Create(robot, &one->state) == wk_ok;
        if (hasAll) {
            memset(one->lastTouch, 0, count * sizeof *one->lastTouch);
        }
    }
    if (!hasAll) {
        closeStudy(s);
        return wkFail(wk_errorMemory, "allowed pairs: no memory to sample %d links",
                      (int)robot->info.linkCount);
    }
    for (size_t i = 0; i < count; ++i) {
        atomic_init(&s->touchCounts[i], 0);
    }
    return wk_ok;
}

// Leaves a pair of links out of what is looked at.
static void dropPair(study* s, int32_t linkA, int32_t linkB)
{
    const wkLinkInfo *a = &s->robot->links[linkA].info, *b = &s->robot->links[linkB].info;
    wkCrew* crew = s->crew;
    for (int32_t i = a->firstBody; i < a->firstBody + a->bodyCount; ++i) {
        for (int32_t j = b->firstBody; j < b->firstBody + b->bodyCount; ++j) {
            crew->checked[i * crew->wordCount + j / 64] &= ~(UINT64_C(1) << (j % 64));
            crew->checked[j * crew->wordCount + i / 64] &= ~(UINT64_C(1) << (i % 64));
        }
    }
}

static bool countIfTouching(int32_t a, int32_t b, void* context)
{
    sampler* one = (sampler*)context;
    const study* s = one->study;
    const wkCrewMember *memberA = &s->crew->members[a], *memberB = &s->crew->members[b];
    size_t pair = pairIndex(s->robot, memberA->link, memberB->link);
    // several bodies of two links may touch at a time
    if (one->lastTouch[pair] == one->sample) {
        return true;
    }
    wkPose poseA = wkCrewPose(s->crew, one->state, a), poseB = wkCrewPose(s->crew, one->state, b);
    wkStatus status = wk_statusExact;
    if (wkTouchMembers(memberA, poseA, memberB, poseB, 0.0, &status)) {
        one->lastTouch[pair] = one->sample;
        atomic_fetch_add_explicit(&s->touchCounts[pair], 1, memory_order_relaxed);
    }
    return true;
}

static void lookAt(sampler* one, const double* q)
{
    ++one->sample;
    if (wkRobotState_Set(one->state, wkIdentityPose(), q) == wk_ok) {
        wkPlaceCrew(one->study->crew, one->state);
        wkVisitCrewPairs(one->study->crew, one->state, 0.0, NULL, countIfTouching, one);
    }
}

// Far from the seeds of other chunks, and of other seeds.
static uint64_t seedOfChunk(uint64_t seed, int32_t chunk)
{
    return wkMixBits(seed + WK_GOLDEN_STEP * ((uint64_t)chunk + 1));
}

static void sampleChunk(void* context, int32_t task)
{
    study* s = (study*)context;
    sampler* one = &s->samplers[task];
    int32_t chunk = s->firstChunk + task, left = s->sampling->sampleCount - chunk * CHUNK_SIZE;
    uint64_t seed = seedOfChunk(s->sampling->seed, chunk);
    for (int32_t i = 0; i < CHUNK_SIZE && i < left; ++i) {
        wkRobot_RandomConfiguration(s->robot, &seed, one->q);
        lookAt(one, one->q);
    }
}

typedef void pairFcn(study* s, int32_t linkA, int32_t linkB, wkAllowedReason* reason);

// Calls `fcn` for all pairs of links with bodies that have no reason yet.
static void forOpenPairs(study* s, wkAllowedReason* reasons, pairFcn* fcn)
{
    int32_t linkCount = s->robot->info.linkCount;
    for (int32_t a = 0; a < linkCount; ++a) {
        for (int32_t b = a + 1; b < linkCount; ++b) {
            wkAllowedReason* reason = &reasons[pairIndex(s->robot, a, b)];
            bool haveBodies =
                s->robot->links[a].info.bodyCount > 0 && s->robot->links[b].info.bodyCount > 0;
            if (haveBodies && *reason == wk_reasonNone) {
                fcn(s, a, b, reason);
                if (*reason != wk_reasonNone) {
                    dropPair(s, a, b);
                }
            }
        }
    }
}

static void findNeighbours(study* s, int32_t linkA, int32_t linkB, wkAllowedReason* reason)
{
    *reason = wkAreNeighbours(s->robot, linkA, linkB) ? wk_reasonAdjacent : wk_reasonNone;
}

static int32_t touchCount(const study* s, int32_t linkA, int32_t linkB)
{
    size_t pair = pairIndex(s->robot, linkA, linkB);
    return atomic_load_explicit(&s->touchCounts[pair], memory_order_relaxed);
}

// What touches in the default configuration; it has been looked at alone so far.
static void findDefault(study* s, int32_t linkA, int32_t linkB, wkAllowedReason* reason)
{
    *reason = touchCount(s, linkA, linkB) > 0 ? wk_reasonDefault : wk_reasonNone;
}

// Whether touching so often can still become, or is, nearly always.
static bool isOften(const study* s, int32_t count)
{
    return (double)count >= s->sampling->alwaysShare * s->sampling->sampleCount;
}

// A pair that has touched, and can no longer touch nearly always, is known to need a look.
static void dropDecided(study* s, int32_t linkA, int32_t linkB, wkAllowedReason* reason)
{
    (void)reason;
    int32_t touched = touchCount(s, linkA, linkB);
    if (touched > 0 && !isOften(s, touched + s->sampling->sampleCount - s->doneCount)) {
        dropPair(s, linkA, linkB);
    }
}

static void findFrequent(study* s, int32_t linkA, int32_t linkB, wkAllowedReason* reason)
{
    int32_t touched = touchCount(s, linkA, linkB);
    *reason =
        touched == 0 ? wk_reasonNever : (isOften(s, touched) ? wk_reasonAlways : wk_reasonNone);
}

static bool reportProgress(const wkAllowedSampling* sampling, int32_t doneCount)
{
    return sampling->progress == NULL ||
           sampling->progress(doneCount, sampling->sampleCount, sampling->context);
}

static wkResult sampleAll(study* s, wkAllowedReason* reasons)
{
    const wkAllowedSampling* sampling = s->sampling;
    int32_t chunkCount = (sampling->sampleCount - 1) / CHUNK_SIZE + 1;
    int32_t roundSize = FIRST_CHUNK_COUNT;
    while (s->firstChunk < chunkCount) {
        int32_t left = chunkCount - s->firstChunk, taskCount = left < roundSize ? left : roundSize;
        wkRunTasks(sampling->parallel, sampleChunk, s, taskCount);
        s->firstChunk += taskCount;
        bool isLast = s->firstChunk == chunkCount;
        s->doneCount = isLast ? sampling->sampleCount : s->firstChunk * CHUNK_SIZE;
        if (!reportProgress(sampling, s->doneCount)) {
            return wkFail(wk_errorState, "allowed pairs: stopped after %d of %d samples",
                          (int)s->doneCount, (int)sampling->sampleCount);
        }
        forOpenPairs(s, reasons, dropDecided);
        roundSize = roundSize < MAX_CHUNK_COUNT ? 2 * roundSize : roundSize;
    }
    return wk_ok;
}

static void keepDescribed(study* s, wkAllowedReason* reasons)
{
    for (int32_t i = 0; i < s->robot->info.disabledPairCount; ++i) {
        const wkDisabledPairInfo* pair = &s->robot->disabledPairs[i];
        const wkRobotLink* links = s->robot->links;
        if (links[pair->linkA].info.bodyCount > 0 && links[pair->linkB].info.bodyCount > 0) {
            reasons[pairIndex(s->robot, pair->linkA, pair->linkB)] = wk_reasonUser;
            dropPair(s, pair->linkA, pair->linkB);
        }
    }
}

static void lookAtDefault(study* s, wkAllowedReason* reasons)
{
    sampler* one = &s->samplers[0];
    wkRobot_DefaultConfiguration(s->robot, one->q);
    lookAt(one, one->q);
    forOpenPairs(s, reasons, findDefault);
}

static void mirror(const wkRobot* robot, wkAllowedReason* reasons)
{
    size_t linkCount = (size_t)robot->info.linkCount;
    for (size_t a = 0; a < linkCount; ++a) {
        for (size_t b = 0; b < a; ++b) {
            reasons[a * linkCount + b] = reasons[b * linkCount + a];
        }
    }
}

static wkResult checkSampling(const wkRobot* robot, const wkAllowedSampling* sampling,
                              const wkAllowedReason* reasons)
{
    if (robot == NULL || reasons == NULL) {
        return wkFail(wk_errorArgument, "allowed pairs: %s is NULL",
                      robot == NULL ? "robot" : "reasons");
    }
    if (sampling->cookie != SAMPLING_COOKIE) {
        return wkFail(wk_errorArgument,
                      "allowed pairs: sampling does not come from wkDefaultAllowedSampling()");
    }
    if (sampling->sampleCount < 1) {
        return wkFail(wk_errorRange, "allowed pairs: sampleCount is %d, must be at least 1",
                      (int)sampling->sampleCount);
    }
    if (!(sampling->alwaysShare > 0.0)) {
        return wkFail(wk_errorRange, "allowed pairs: alwaysShare is %g, must be above 0",
                      sampling->alwaysShare);
    }
    return wk_ok;
}

wkResult wkRobot_SampleAllowed(const wkRobot* robot, const wkAllowedSampling* sampling,
                               wkAllowedReason* reasons)
{
    wkAllowedSampling usual = wkDefaultAllowedSampling();
    sampling = sampling != NULL ? sampling : &usual;
    wkResult result = checkSampling(robot, sampling, reasons);
    study s;
    result = result == wk_ok ? openStudy(robot, sampling, &s) : result;
    if (result != wk_ok) {
        return result;
    }
    memset(reasons, 0, pairCount(robot) * sizeof *reasons);
    if (sampling->keepsDescribed) {
        keepDescribed(&s, reasons);
    }
    forOpenPairs(&s, reasons, findNeighbours);
    lookAtDefault(&s, reasons);
    result = sampleAll(&s, reasons);
    if (result == wk_ok) {
        forOpenPairs(&s, reasons, findFrequent);
        mirror(robot, reasons);
    } else {
        memset(reasons, 0, pairCount(robot) * sizeof *reasons);
    }
    closeStudy(&s);
    return result;
}
