// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Who decides about two parts whose spheres touch, under wk_exactnessRefined. Pairs with one or two
// variables between them have a table, which does. Most others are seldom that near: spheres may decide
// about them and lose few free configurations. Which ones is measured with random configurations, the same
// ones each time: as long as more than a share of the free ones is lost, the pair that loses most gets the
// next better test: a table, of what its outer bodies sweep where it has three variables, and at last the
// bodies.

#include "batch/batch_kernel.h"

#include "base/error.h"
#include "base/memory.h"

#define ALIGNMENT 64
#define SAMPLE_COUNT 3000
#define SAMPLE_SEED 29u
#define SAMPLE_BYTES ((size_t)16 << 20) // at most; of many pairs there are fewer samples
#define MOST_LOST 0.014                 // share of the free configurations

// A pair that has to be decided about, and which test it has so far.
typedef enum selfTest {
    testSpheres,
    testTable,
    testBodies,
} selfTest;

typedef struct candidate {
    int32_t pair;
    selfTest test;
    double weight; // of the lost configurations that it is at fault for
} candidate;

typedef struct choice {
    wkBatch* batch;
    wkBatchScratch* scratch;
    int32_t count; // of pairs
    int32_t sampleCount;
    int32_t freeCount;
    int32_t lostCount; // samples that are free and whose spheres touch
    candidate* candidates;
    double* rows;   // of these
    uint8_t* marks; // a row for each of them: the pairs that its test calls touching
    wkAabb* boxes;  // of parts
    double* q;
} choice;

static bool isLink(const wkBatch* batch, int32_t part)
{
    return batch->program->parts[part].side < batch->robot->info.linkCount;
}

// Pairs of links whose bodies could be asked. Those with an attached object keep asking them.
static bool isCandidate(const wkBatch* batch, int32_t pair)
{
    const wkPairContacts* contacts = &batch->contacts->pairs[pair];
    wkPartPair parts = batch->program->pairs[pair];
    return batch->hasBodyPair[pair] && (contacts->areAll || contacts->groupCount > 0) &&
           isLink(batch, parts.a) && isLink(batch, parts.b);
}

static bool touchSpheres(const choice* c, int32_t pair)
{
    const wkBatch* batch = c->batch;
    wkPartPair parts = batch->program->pairs[pair];
    const wkPart *a = &batch->program->parts[parts.a], *b = &batch->program->parts[parts.b];
    double margin = batch->def.margin;
    const wkAabb *boxA = &c->boxes[parts.a], *boxB = &c->boxes[parts.b];
    wkVec3d gap = wkMax(wkSub(boxA->lower, boxB->upper), wkSub(boxB->lower, boxA->upper));
    if (wkMaxD(gap.x, wkMaxD(gap.y, gap.z)) > 0.0) {
        return false;
    }
    for (int32_t k = a->firstSphere; k < a->firstSphere + a->sphereCount; ++k) {
        const wkSphere3d* sphere = &c->scratch->spheres[k];
        for (int32_t i = b->firstSphere; i < b->firstSphere + b->sphereCount; ++i) {
            const wkSphere3d* other = &c->scratch->spheres[i];
            wkVec3d way = wkSub(sphere->center, other->center);
            double reach = sphere->radius + other->radius + margin;
            if (wkDot(way, way) <= reach * reach) {
                return true;
            }
        }
    }
    return false;
}

static void placeParts(const choice* c)
{
    const wkProgram* program = c->batch->program;
    wkPlaceScalar(c->batch, c->scratch, c->q);
    for (int32_t i = 0; i < program->partCount; ++i) {
        const wkPart* part = &program->parts[i];
        wkAabb box = {wkVec(INFINITY, INFINITY, INFINITY), wkVec(-INFINITY, -INFINITY, -INFINITY)};
        for (int32_t k = part->firstSphere; k < part->firstSphere + part->sphereCount; ++k) {
            const wkSphere3d* sphere = &c->scratch->spheres[k];
            double r = sphere->radius + c->batch->def.margin;
            wkVec3d reach = wkVec(r, r, r);
            box.lower = wkMin(box.lower, wkSub(sphere->center, reach));
            box.upper = wkMax(box.upper, wkAdd(sphere->center, reach));
        }
        c->boxes[i] = box;
    }
}

static bool isFree(const choice* c)
{
    wkRobotRequest request = c->batch->request;
    request.checksWorld = false;
    c->scratch->bodiesAt = NULL;
    return wkRobotState_Set(c->scratch->state, c->batch->def.base, c->q) == wk_ok &&
           wkRobotScene_Check(c->batch->def.scene, c->scratch->state, &request).verdict ==
               wk_verdictFree;
}

static void drawSamples(choice* c)
{
    uint64_t seed = SAMPLE_SEED;
    int32_t length = c->batch->program->variableCount;
    for (int32_t i = 0; i < c->sampleCount; ++i) {
        c->q = c->rows + (ptrdiff_t)c->lostCount * length;
        wkRobot_RandomConfiguration(c->batch->robot, &seed, c->q);
        if (!isFree(c)) {
            continue;
        }
        ++c->freeCount;
        placeParts(c);
        uint8_t* marks = c->marks + (ptrdiff_t)c->lostCount * c->count;
        bool isLost = false;
        for (int32_t k = 0; k < c->count; ++k) {
            marks[k] = touchSpheres(c, c->candidates[k].pair) ? 1 : 0;
            isLost = isLost || marks[k] != 0;
        }
        c->lostCount += isLost ? 1 : 0;
    }
}

// How many are lost; a pair is at fault for its share of a configuration.
static int32_t weigh(choice* c)
{
    int32_t lostCount = 0;
    for (int32_t k = 0; k < c->count; ++k) {
        c->candidates[k].weight = 0.0;
    }
    for (int32_t i = 0; i < c->lostCount; ++i) {
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

// Gives a pair the next better test.
static void improve(choice* c, int32_t number)
{
    candidate* worst = &c->candidates[number];
    wkBatch* batch = c->batch;
    wkSelfTable* table = batch->selfTables->ofPairs[worst->pair];
    worst->test = worst->test == testSpheres && table != NULL ? testTable : testBodies;
    for (int32_t i = 0; i < c->lostCount; ++i) {
        uint8_t* mark = c->marks + (ptrdiff_t)i * c->count + number;
        const double* q = c->rows + (ptrdiff_t)i * batch->program->variableCount;
        if (*mark != 0) {
            bool isApart = worst->test == testBodies ||
                           wkSelfTable_Ask(batch, c->scratch, worst->pair, q) == wk_boxApart;
            *mark = isApart ? 0 : 1;
        }
    }
}

static void choose(choice* c)
{
    for (int32_t k = 0; k < c->count; ++k) {
        const wkSelfTable* table = c->batch->selfTables->ofPairs[c->candidates[k].pair];
        if (table != NULL && table->sweptCount == 0) {
            improve(c, k);
        }
    }
    while (weigh(c) > MOST_LOST * c->freeCount) {
        int32_t worst = 0;
        for (int32_t k = 1; k < c->count; ++k) {
            worst = c->candidates[k].weight > c->candidates[worst].weight ? k : worst;
        }
        improve(c, worst);
    }
    for (int32_t k = 0; k < c->count; ++k) {
        const candidate* chosen = &c->candidates[k];
        wkSelfTable** table = &c->batch->selfTables->ofPairs[chosen->pair];
        c->batch->hasBodyPair[chosen->pair] = chosen->test != testSpheres;
        if (*table != NULL) {
            (*table)->decides = chosen->test == testTable;
        }
        *table = chosen->test == testSpheres ? NULL : *table;
    }
}

static void* take(char* start, size_t* used, size_t count, size_t size)
{
    void* piece = start != NULL ? start + *used : NULL;
    *used += (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return piece;
}

static size_t layOut(choice* c, char* start)
{
    const wkProgram* program = c->batch->program;
    size_t used = 0, length = (size_t)program->variableCount, samples = (size_t)c->sampleCount + 1;
    c->candidates = (candidate*)take(start, &used, (size_t)c->count, sizeof(candidate));
    c->boxes = (wkAabb*)take(start, &used, (size_t)program->partCount, sizeof(wkAabb));
    c->rows = (double*)take(start, &used, samples * length, sizeof(double));
    c->marks = (uint8_t*)take(start, &used, samples * (size_t)c->count, 1);
    return used;
}

static void findCandidates(choice* c)
{
    int32_t found = 0;
    for (int32_t i = 0; i < c->batch->program->pairCount; ++i) {
        if (isCandidate(c->batch, i)) {
            candidate one = {.pair = i, .test = testSpheres};
            c->candidates[found++] = one;
            if (c->batch->selfTables->ofPairs[i] != NULL) {
                c->batch->selfTables->ofPairs[i]->decides = true;
            }
        }
    }
}

wkResult wkChooseSelfTests(wkBatch* batch)
{
    choice c = {.batch = batch, .sampleCount = SAMPLE_COUNT};
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
    choose(&c);
    wkFree(memory, byteCount);
    return wk_ok;
}
