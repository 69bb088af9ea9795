// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Samples come in chunks that have seeds of their own, and results are sums: the number of threads changes
// nothing.

#include "robot/allowed_study.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

#include "whisker/detail/library.h"

#include <string.h>

// Samples that share a seed.
#define CHUNK_SIZE 32
// Tasks of the first round, which finds most pairs that touch often.
#define FIRST_TASK_COUNT 2

static size_t configurationBytes(const wkRobot* robot)
{
    return ((size_t)robot->info.variableCount + 1) * sizeof(double);
}

void wkPairStudy_Close(wkPairStudy* s)
{
    size_t count = wkLinkPairCount(s->robot);
    for (int i = 0; i < WK_STUDY_TASKS; ++i) {
        wkRobotState_Destroy(s->samplers[i].state);
        wkFree(s->samplers[i].q, configurationBytes(s->robot));
        wkFree(s->samplers[i].lastTouch, count * sizeof *s->samplers[i].lastTouch);
    }
    wkFree(s->touchCounts, count * sizeof *s->touchCounts);
    wkFree(s->sampleCounts, count * sizeof *s->sampleCounts);
    wkBodySet_Destroy(s->bodySet);
}

wkResult wkPairStudy_Open(const wkRobot* robot, const wkAllowedRequest* sampling, wkPairStudy* s)
{
    memset(s, 0, sizeof *s);
    s->robot = robot;
    s->sampling = sampling;
    wkBodySetDef def = {.robot = robot};
    size_t count = wkLinkPairCount(robot);
    wkResult result = wkBodySet_Create(&def, &s->bodySet);
    s->touchCounts = (atomic_int*)wkAlloc(count * sizeof *s->touchCounts);
    s->sampleCounts = (int32_t*)wkAlloc(count * sizeof *s->sampleCounts);
    bool hasAll = result == wk_ok && s->touchCounts != NULL && s->sampleCounts != NULL;
    for (int i = 0; i < WK_STUDY_TASKS && hasAll; ++i) {
        wkStudySampler* one = &s->samplers[i];
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
        wkPairStudy_Close(s);
        return wkFail(wk_errorMemory, "allowed pairs: no memory to sample %d links",
                      (int)robot->info.linkCount);
    }
    for (size_t i = 0; i < count; ++i) {
        atomic_init(&s->touchCounts[i], 0);
        s->sampleCounts[i] = -1;
    }
    wkProgressMeter_Start(&s->meter, sampling->progress, sampling->progressContext,
                          sampling->sampleCount);
    return wk_ok;
}

void wkPairStudy_Drop(wkPairStudy* s, int32_t linkA, int32_t linkB)
{
    int32_t* sampleCount = &s->sampleCounts[wkLinkPairIndex(s->robot, linkA, linkB)];
    *sampleCount = *sampleCount < 0 ? s->doneCount : *sampleCount;
    const wkLinkInfo *a = &s->robot->links[linkA].info, *b = &s->robot->links[linkB].info;
    wkBodySet* bodySet = s->bodySet;
    for (int32_t i = a->firstBody; i < a->firstBody + a->bodyCount; ++i) {
        for (int32_t j = b->firstBody; j < b->firstBody + b->bodyCount; ++j) {
            bodySet->checked[i * bodySet->wordCount + j / 64] &= ~(UINT64_C(1) << (j % 64));
            bodySet->checked[j * bodySet->wordCount + i / 64] &= ~(UINT64_C(1) << (i % 64));
        }
    }
}

static bool countIfTouching(int32_t a, int32_t b, void* context)
{
    wkStudySampler* one = (wkStudySampler*)context;
    const wkPairStudy* s = one->study;
    const wkCollisionBody *bodyA = &s->bodySet->bodies[a], *bodyB = &s->bodySet->bodies[b];
    size_t pair = wkLinkPairIndex(s->robot, bodyA->link, bodyB->link);
    // several bodies of two links may touch at a time
    if (one->lastTouch[pair] == one->sample) {
        return true;
    }
    wkPose poseA = wkBodyPose(s->bodySet, one->state, a),
           poseB = wkBodyPose(s->bodySet, one->state, b);
    wkStatus status = wk_statusExact;
    if (wkCollideBodies(bodyA, poseA, bodyB, poseB, s->sampling->margin, &status)) {
        one->lastTouch[pair] = one->sample;
        atomic_fetch_add_explicit(&s->touchCounts[pair], 1, memory_order_relaxed);
    }
    return true;
}

static void checkAt(wkStudySampler* one, const double* q)
{
    ++one->sample;
    if (wkRobotState_Set(one->state, wkIdentityPose(), q) == wk_ok) {
        wkPlaceBodySet(one->study->bodySet, one->state);
        wkVisitBodyPairs(one->study->bodySet, one->state, one->study->sampling->margin, NULL,
                         countIfTouching, one);
    }
}

void wkPairStudy_TryDefault(wkPairStudy* s)
{
    wkStudySampler* one = &s->samplers[0];
    wkRobot_DefaultConfiguration(s->robot, one->q);
    checkAt(one, one->q);
}

// Returns a seed far from those of other chunks, and of other base seeds.
static uint64_t seedOfChunk(uint64_t seed, int32_t chunk)
{
    return wkMixBits(seed + WK_GOLDEN_STEP * ((uint64_t)chunk + 1));
}

static int32_t chunkCount(int32_t sampleCount)
{
    return (sampleCount - 1) / CHUNK_SIZE + 1;
}

static void sampleChunk(wkStudySampler* one, int32_t chunk)
{
    const wkPairStudy* s = one->study;
    int32_t left = s->sampling->sampleCount - chunk * CHUNK_SIZE;
    uint64_t seed = seedOfChunk(s->sampling->seed, chunk);
    for (int32_t i = 0; i < CHUNK_SIZE && i < left; ++i) {
        wkRobot_RandomConfiguration(s->robot, &seed, one->q);
        checkAt(one, one->q);
    }
}

static void sampleChunks(void* context, int32_t task)
{
    wkPairStudy* s = (wkPairStudy*)context;
    int32_t first = s->firstChunk + task * s->chunksOfTask,
            end = chunkCount(s->sampling->sampleCount);
    for (int32_t i = first; i < first + s->chunksOfTask && i < end; ++i) {
        sampleChunk(&s->samplers[task], i);
        if (!wkProgressMeter_Add(&s->meter, CHUNK_SIZE)) {
            return;
        }
    }
}

bool wkPairStudy_Sample(wkPairStudy* s, int32_t sampleCount, int32_t chunksOfTask,
                        wkStudyRoundFcn* fcn, void* context)
{
    int32_t end = chunkCount(sampleCount), taskCount = FIRST_TASK_COUNT;
    s->chunksOfTask = chunksOfTask;
    while (s->firstChunk < end) {
        int32_t left = (end - s->firstChunk - 1) / chunksOfTask + 1;
        taskCount = left < taskCount ? left : taskCount;
        wkRunTasks(s->sampling->parallel, sampleChunks, s, taskCount);
        int32_t next = s->firstChunk + taskCount * chunksOfTask;
        s->firstChunk = next < end ? next : end;
        int64_t done = (int64_t)s->firstChunk * CHUNK_SIZE;
        s->doneCount = done < s->sampling->sampleCount ? (int32_t)done : s->sampling->sampleCount;
        if (wkProgressMeter_IsCancelled(&s->meter)) {
            return false;
        }
        fcn(s, context);
        taskCount = 2 * taskCount < WK_STUDY_TASKS ? 2 * taskCount : WK_STUDY_TASKS;
    }
    return true;
}
