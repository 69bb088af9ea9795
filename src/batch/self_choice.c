// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Chooses what decides about two parts whose spheres touch, under wk_exactnessRefined. Spheres are fastest and
// call some free configurations touching. How many is measured with random configurations, the same ones
// each time. Rigid groups with one or two variables between them get a map of joint values where spheres
// lose anything to speak of. As long as more than a share of the free configurations is lost, the pair that
// loses most gets the next better test: convex pieces, tighter ones, and at last the bodies.

#include "batch/self_choice.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

#define ALIGNMENT 64
#define SAMPLE_COUNT 8000
#define SAMPLE_SEED 29u
#define SAMPLE_BYTES ((size_t)16 << 20) // at most; with many pairs there are fewer samples
#define MOST_LOST 0.015                 // share of the free configurations
// Cost of tight pieces and of bodies, where that of convex pieces is 1.
#define TIGHT_COST 10.0
#define BODY_COST 50.0

static bool isLink(const wkBatch* batch, int32_t part)
{
    return batch->program->parts[part].side < batch->robot->info.linkCount;
}

// Returns whether bodies of two links could decide. Pairs with an attached object always use bodies.
static bool isCandidate(const wkBatch* batch, int32_t pair)
{
    const wkPairContacts* contacts = &batch->contacts->pairs[pair];
    wkPartPair parts = batch->program->pairs[pair];
    return batch->hasBodyPair[pair] && (contacts->areAll || contacts->groupCount > 0) &&
           isLink(batch, parts.a) && isLink(batch, parts.b);
}

static bool isFree(const wkSelfChoice* c, const double* q)
{
    wkRobotRequest request = c->batch->request;
    request.checksWorld = false;
    c->scratch->bodiesAt = NULL;
    return wkRobotState_Set(c->scratch->state, c->batch->def.base, q) == wk_ok &&
           wkRobotScene_Check(c->batch->def.scene, c->scratch->state, &request).verdict ==
               wk_verdictFree;
}

static void drawSamples(wkSelfChoice* c)
{
    uint64_t seed = SAMPLE_SEED;
    for (int32_t i = 0; i < c->sampleCount; ++i) {
        double* q = c->rows + (ptrdiff_t)c->freeCount * c->batch->program->variableCount;
        wkRobot_RandomConfiguration(c->batch->robot, &seed, q);
        c->freeCount += isFree(c, q) ? 1 : 0;
    }
}

// Counts lost samples. A pair is responsible for its share of a sample.
static int32_t weigh(wkSelfChoice* c)
{
    int32_t lostCount = 0;
    for (int32_t k = 0; k < c->count; ++k) {
        c->candidates[k].weight = 0.0;
    }
    for (int32_t i = 0; i < c->freeCount; ++i) {
        const uint8_t* marks = c->marks + (ptrdiff_t)i * c->count;
        int32_t sum = 0;
        for (int32_t k = 0; k < c->count; ++k) {
            sum += marks[k];
        }
        for (int32_t k = 0; k < c->count && sum > 0; ++k) {
            c->candidates[k].weight += (double)marks[k] / sum;
        }
        lostCount += sum > 0 ? 1 : 0;
    }
    return lostCount;
}

// Gives a candidate the next better test; with those of its map, which then no longer decides alone.
static wkResult improve(wkSelfChoice* c, int32_t number)
{
    const wkSelfTables* tables = c->batch->selfTables;
    wkSelfTest test = c->candidates[number].test;
    if (test != wk_testMap && test != wk_testBodies) {
        return wkImproveByPieces(c, number);
    }
    // what bodies lose is lost to the touching cells of their map
    int32_t map = tables->mapOfPair[c->candidates[number].pair];
    tables->maps[map]->decides = false;
    tables->maps[map]->settles = test == wk_testMap;
    wkResult result = wk_ok;
    for (int32_t k = 0; k < c->count && result == wk_ok; ++k) {
        if (tables->mapOfPair[c->candidates[k].pair] != map) {
            continue;
        }
        if (test == wk_testMap) {
            result = wkImproveByPieces(c, k);
        } else {
            wkSetSelfTest(c, k, c->candidates[k].test);
        }
    }
    return result;
}

// Returns the lost configurations that a better test of a pair may save, relative to its cost.
static double gainOf(const wkSelfChoice* c, int32_t number)
{
    const wkSelfCandidate* one = &c->candidates[number];
    bool hasBest =
        one->test == wk_testBodies || (one->test == wk_testPieces && !wkCanHaveDetail(c, number));
    double cost = !hasBest ? 1.0 : wkCanBeTight(c, number) ? TIGHT_COST : BODY_COST;
    return one->weight / cost;
}

static wkResult choose(wkSelfChoice* c)
{
    wkResult result = wk_ok;
    for (int32_t k = 0; k < c->count; ++k) {
        wkSetSelfTest(c, k, wk_testSpheres);
    }
    for (int32_t k = 0; k < c->count && result == wk_ok; ++k) {
        bool isNew = c->batch->selfTables->mapOfPair[c->candidates[k].pair] < 0;
        result = isNew ? wkMakeChosenMap(c, k) : wk_ok;
    }
    while (result == wk_ok && weigh(c) > MOST_LOST * c->freeCount) {
        int32_t best = 0;
        for (int32_t k = 1; k < c->count; ++k) {
            best = gainOf(c, k) > gainOf(c, best) ? k : best;
        }
        result = improve(c, best);
    }
    return result;
}

static void* take(char* start, size_t* used, size_t count, size_t size)
{
    void* array = start != NULL ? start + *used : NULL;
    *used += (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return array;
}

static size_t layOut(wkSelfChoice* c, char* start)
{
    const wkProgram* program = c->batch->program;
    size_t bodyCount = (size_t)c->batch->def.scene->bodySet->bodySet->count;
    size_t used = 0, length = (size_t)program->variableCount, samples = (size_t)c->sampleCount + 1;
    c->candidates = (wkSelfCandidate*)take(start, &used, (size_t)c->count, sizeof(wkSelfCandidate));
    c->rows = (double*)take(start, &used, samples * length, sizeof(double));
    c->marks = (uint8_t*)take(start, &used, samples * (size_t)c->count, 1);
    c->bodyPairs = (wkMapBodies*)take(start, &used, bodyCount * bodyCount, sizeof(wkMapBodies));
    for (int i = 0; i < 2; ++i) {
        c->bodies[i] = (const wkCollisionBody**)take(start, &used, bodyCount, sizeof(void*));
    }
    return used;
}

static void findCandidates(wkSelfChoice* c)
{
    int32_t found = 0;
    for (int32_t i = 0; i < c->batch->program->pairCount; ++i) {
        if (isCandidate(c->batch, i)) {
            wkSelfCandidate one = {.pair = i, .test = wk_testSpheres};
            c->candidates[found++] = one;
        }
    }
}

wkResult wkChooseSelfTests(wkBatch* batch)
{
    wkSelfChoice c = {.batch = batch, .sampleCount = SAMPLE_COUNT};
    if (batch->def.exactness != wk_exactnessRefined || !batch->def.checksSelf) {
        return wk_ok;
    }
    for (int32_t i = 0; i < batch->program->pairCount; ++i) {
        c.count += isCandidate(batch, i) ? 1 : 0;
    }
    if (c.count == 0) {
        return wk_ok;
    }
    if ((size_t)c.count * SAMPLE_COUNT > SAMPLE_BYTES) {
        c.sampleCount = (int32_t)(SAMPLE_BYTES / (size_t)c.count);
    }
    size_t byteCount = layOut(&c, NULL);
    char* memory = (char*)wkAlloc(byteCount);
    if (memory == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", byteCount);
    }
    layOut(&c, memory);
    findCandidates(&c);
    c.scratch = wkOwnScratch(batch);
    drawSamples(&c);
    wkResult result = choose(&c);
    wkFree(memory, byteCount);
    result = result == wk_ok ? wkChooseInnerPairs(batch) : result;
    return result == wk_ok ? wkOrderPairs(batch) : result;
}
