// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Chooses what decides about two parts whose spheres touch, under wk_exactnessRefined. Spheres are fastest and
// call some free configurations touching. How many is measured with random configurations, the same ones
// each time. Rigid groups with one or two variables between them get a map of joint values where spheres
// lose anything to speak of. As long as more than a share of the free configurations is lost, the pair that
// loses most gets the next better test: convex pieces, and at last the bodies.

#include "batch/batch_kernel.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

#define ALIGNMENT 64
#define SAMPLE_COUNT 3000
#define SAMPLE_SEED 29u
#define SAMPLE_BYTES ((size_t)16 << 20) // at most; with many pairs there are fewer samples
#define MOST_LOST 0.013                 // share of the free configurations
// Shares that the spheres of two rigid groups have to lose for a map, and for one of what bodies sweep.
#define MAP_LOST 0.001
#define SWEPT_MAP_LOST 0.04

// Cost of bodies, where that of convex pieces is 1.
#define BODY_COST 8.0

typedef enum selfTest {
    testSpheres,
    testMap,
    testPieces,
    testBodies,
} selfTest;

// A pair of parts, and the test that it has so far.
typedef struct candidate {
    int32_t pair;
    selfTest test;
    double weight; // lost configurations that it is responsible for
} candidate;

typedef struct choice {
    wkBatch* batch;
    wkBatchScratch* scratch;
    int32_t count; // of pairs
    int32_t sampleCount;
    int32_t freeCount;
    candidate* candidates;
    double* rows;           // free configurations
    uint8_t* marks;         // a row for each of them: the pairs whose test calls it touching
    wkMapBodies* bodyPairs; // of a map
    const wkCollisionBody** bodies[2];
} choice;

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

static bool isFree(const choice* c, const double* q)
{
    wkRobotRequest request = c->batch->request;
    request.checksWorld = false;
    c->scratch->bodiesAt = NULL;
    return wkRobotState_Set(c->scratch->state, c->batch->def.base, q) == wk_ok &&
           wkRobotScene_Check(c->batch->def.scene, c->scratch->state, &request).verdict ==
               wk_verdictFree;
}

static void drawSamples(choice* c)
{
    uint64_t seed = SAMPLE_SEED;
    for (int32_t i = 0; i < c->sampleCount; ++i) {
        double* q = c->rows + (ptrdiff_t)c->freeCount * c->batch->program->variableCount;
        wkRobot_RandomConfiguration(c->batch->robot, &seed, q);
        c->freeCount += isFree(c, q) ? 1 : 0;
    }
}

// Marks the samples that the kernels call touching when they check one pair alone, by its spheres or its
// pieces.
static void markByKernel(choice* c, int32_t number)
{
    wkBatch* batch = c->batch;
    wkContacts* contacts = batch->contacts;
    wkSelfTables* tables = batch->selfTables;
    int32_t pair = c->candidates[number].pair;
    int32_t first = contacts->live[0], liveCount = contacts->liveCount;
    int32_t map = tables->mapOfPair[pair], mapCount = tables->mapCount;
    contacts->live[0] = pair;
    contacts->liveCount = 1;
    tables->mapOfPair[pair] = -1;
    tables->mapCount = 0;
    uint8_t verdicts[WK_BATCH_BLOCK];
    for (int32_t i = 0; i < c->freeCount; i += WK_BATCH_BLOCK) {
        int32_t left = c->freeCount - i;
        wkBlockCheck check = {.rows = c->rows + (ptrdiff_t)i * batch->program->variableCount,
                              .count = left < WK_BATCH_BLOCK ? left : WK_BATCH_BLOCK,
                              .bits = wk_checkSelf,
                              .verdicts = verdicts};
        wkCheckBlock(batch, c->scratch, &check);
        for (int32_t k = 0; k < check.count; ++k) {
            c->marks[(ptrdiff_t)(i + k) * c->count + number] = verdicts[k] != wk_verdictFree;
        }
    }
    contacts->live[0] = first;
    contacts->liveCount = liveCount;
    tables->mapOfPair[pair] = map;
    tables->mapCount = mapCount;
}

// Corrects the marks of a pair by its map.
static void markByMap(choice* c, int32_t number)
{
    const wkSelfTables* tables = c->batch->selfTables;
    int32_t map = tables->mapOfPair[c->candidates[number].pair];
    for (int32_t i = 0; i < c->freeCount && map >= 0; ++i) {
        const double* q = c->rows + (ptrdiff_t)i * c->batch->program->variableCount;
        wkMapVerdict verdict = wkSelfMap_Find(tables->maps[map], q);
        uint8_t* mark = &c->marks[(ptrdiff_t)i * c->count + number];
        *mark = verdict == wk_mapApart                                    ? 0
                : verdict == wk_mapTouching && tables->maps[map]->settles ? 1
                                                                          : *mark;
    }
}

// Gives a pair a test, and marks the samples that this calls touching.
static void setTest(choice* c, int32_t number, selfTest test)
{
    candidate* chosen = &c->candidates[number];
    chosen->test = test;
    c->batch->hasBodyPair[chosen->pair] = test != testSpheres;
    c->batch->selfTables->usesPieces[chosen->pair] = test == testPieces;
    if (test == testSpheres || test == testPieces) {
        markByKernel(c, number);
    } else {
        for (int32_t i = 0; i < c->freeCount; ++i) {
            c->marks[(ptrdiff_t)i * c->count + number] = test == testMap;
        }
    }
    markByMap(c, number);
}

// Returns whether two candidates are of the same two rigid groups.
static bool areSameGroups(const choice* c, int32_t a, int32_t b)
{
    const wkProgram* program = c->batch->program;
    wkPartPair first = program->pairs[c->candidates[a].pair];
    wkPartPair second = program->pairs[c->candidates[b].pair];
    return program->parts[first.a].rigidGroup == program->parts[second.a].rigidGroup &&
           program->parts[first.b].rigidGroup == program->parts[second.b].rigidGroup;
}

// Returns whether a candidate joins the map of another one.
static bool isOfMap(const choice* c, int32_t first, int32_t number)
{
    wkPartPair parts = c->batch->program->pairs[c->candidates[number].pair];
    return areSameGroups(c, first, number) && wkCanClassifyPart(c->batch, parts.a) &&
           wkCanClassifyPart(c->batch, parts.b);
}

// Counts the samples that the spheres of two rigid groups lose.
static int32_t countLost(const choice* c, int32_t first)
{
    int32_t lostCount = 0;
    for (int32_t i = 0; i < c->freeCount; ++i) {
        const uint8_t* marks = c->marks + (ptrdiff_t)i * c->count;
        bool isLost = false;
        for (int32_t k = first; k < c->count && !isLost; ++k) {
            isLost = marks[k] != 0 && isOfMap(c, first, k);
        }
        lostCount += isLost ? 1 : 0;
    }
    return lostCount;
}

// Adds a body to a list, unless it is there.
static void addBody(const wkCollisionBody* body, const wkCollisionBody** list, int32_t* count)
{
    for (int32_t i = 0; i < *count; ++i) {
        if (list[i] == body) {
            return;
        }
    }
    list[(*count)++] = body;
}

// Adds the checked pairs of bodies of two parts to those of a map.
static void addBodyPairs(choice* c, wkPartPair parts, wkSelfMapDef* def)
{
    const wkBodySet* bodySet = c->batch->def.scene->bodySet->bodySet;
    wkPartBodies a = c->batch->partBodies[parts.a], b = c->batch->partBodies[parts.b];
    for (int32_t i = a.first; i < a.end; ++i) {
        for (int32_t k = b.first; k < b.end; ++k) {
            wkMapBodies pair = {&bodySet->bodies[i], &bodySet->bodies[k]};
            if (wkIsCheckedPair(bodySet, i, k) && !pair.a->isEmpty && !pair.b->isEmpty) {
                c->bodyPairs[def->bodyPairCount++] = pair;
                addBody(pair.a, def->ofA, &def->countA);
                addBody(pair.b, def->ofB, &def->countB);
            }
        }
    }
}

// Makes the map of the rigid groups of a candidate, where it pays.
static wkResult makeMap(choice* c, int32_t first)
{
    wkBatch* batch = c->batch;
    wkSelfTables* tables = batch->selfTables;
    wkPartPair parts = batch->program->pairs[c->candidates[first].pair];
    wkSelfMapDef def = {.bodies = c->bodyPairs, .ofA = c->bodies[0], .ofB = c->bodies[1]};
    if (!(batch->def.margin >= 0.0) || tables->mapCount == WK_MOST_MAPS ||
        !isOfMap(c, first, first) ||
        !wkChain_Find(batch->robot, batch->program->parts[parts.a].rigidGroup,
                      batch->program->parts[parts.b].rigidGroup, &def.chain) ||
        !wkCanMapChain(&def.chain)) {
        return wk_ok;
    }
    bool isSwept = def.chain.variableCount > WK_MAP_VARIABLES;
    if (countLost(c, first) <= (isSwept ? SWEPT_MAP_LOST : MAP_LOST) * c->freeCount) {
        return wk_ok;
    }
    for (int32_t k = first; k < c->count; ++k) {
        if (isOfMap(c, first, k)) {
            addBodyPairs(c, batch->program->pairs[c->candidates[k].pair], &def);
        }
    }
    wkResult result = wkSelfMap_Create(batch, &def, &tables->maps[tables->mapCount]);
    if (result != wk_ok) {
        return result;
    }
    int32_t map = tables->mapCount++;
    tables->byteCount += tables->maps[map]->byteCount;
    for (int32_t k = first; k < c->count; ++k) {
        if (isOfMap(c, first, k)) {
            tables->mapOfPair[c->candidates[k].pair] = map;
            setTest(c, k, isSwept ? testSpheres : testMap);
        }
    }
    return wk_ok;
}

// Counts lost samples. A pair is responsible for its share of a sample.
static int32_t weigh(choice* c)
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

static wkResult makePieces(const wkBatch* batch, int32_t part)
{
    wkSelfTables* tables = batch->selfTables;
    if (tables->pieces[part] != NULL) {
        return wk_ok;
    }
    wkResult result = wkPartPieces_Create(batch, part, &tables->pieces[part]);
    if (tables->pieces[part] != NULL) {
        tables->byteCount += tables->pieces[part]->byteCount;
    }
    return result;
}

// Gives a candidate convex pieces where its parts have them and it had none, and else the bodies.
static wkResult improveOne(choice* c, int32_t number)
{
    const wkBatch* batch = c->batch;
    wkPartPair parts = batch->program->pairs[c->candidates[number].pair];
    if (c->candidates[number].test == testPieces) {
        setTest(c, number, testBodies);
        return wk_ok;
    }
    wkResult result = makePieces(batch, parts.a);
    result = result == wk_ok ? makePieces(batch, parts.b) : result;
    bool hasPieces =
        batch->selfTables->pieces[parts.a] != NULL && batch->selfTables->pieces[parts.b] != NULL;
    if (result == wk_ok) {
        setTest(c, number, hasPieces ? testPieces : testBodies);
    }
    return result;
}

// Gives a candidate the next better test; with those of its map, which then no longer decides alone.
static wkResult improve(choice* c, int32_t number)
{
    const wkSelfTables* tables = c->batch->selfTables;
    selfTest test = c->candidates[number].test;
    if (test != testMap && test != testBodies) {
        return improveOne(c, number);
    }
    // what bodies lose is lost to the touching cells of their map
    int32_t map = tables->mapOfPair[c->candidates[number].pair];
    tables->maps[map]->decides = false;
    tables->maps[map]->settles = test == testMap;
    wkResult result = wk_ok;
    for (int32_t k = 0; k < c->count && result == wk_ok; ++k) {
        if (tables->mapOfPair[c->candidates[k].pair] != map) {
            continue;
        }
        if (test == testMap) {
            result = improveOne(c, k);
        } else {
            setTest(c, k, c->candidates[k].test);
        }
    }
    return result;
}

// Returns the lost configurations that a better test of a pair may save, relative to its cost.
static double gainOf(const candidate* one)
{
    bool getsBodies = one->test == testPieces || one->test == testBodies;
    return getsBodies ? one->weight / BODY_COST : one->weight;
}

static wkResult choose(choice* c)
{
    wkResult result = wk_ok;
    for (int32_t k = 0; k < c->count; ++k) {
        setTest(c, k, testSpheres);
    }
    for (int32_t k = 0; k < c->count && result == wk_ok; ++k) {
        bool isNew = c->batch->selfTables->mapOfPair[c->candidates[k].pair] < 0;
        result = isNew ? makeMap(c, k) : wk_ok;
    }
    while (result == wk_ok && weigh(c) > MOST_LOST * c->freeCount) {
        int32_t best = 0;
        for (int32_t k = 1; k < c->count; ++k) {
            best = gainOf(&c->candidates[k]) > gainOf(&c->candidates[best]) ? k : best;
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

static size_t layOut(choice* c, char* start)
{
    const wkProgram* program = c->batch->program;
    size_t bodyCount = (size_t)c->batch->def.scene->bodySet->bodySet->count;
    size_t used = 0, length = (size_t)program->variableCount, samples = (size_t)c->sampleCount + 1;
    c->candidates = (candidate*)take(start, &used, (size_t)c->count, sizeof(candidate));
    c->rows = (double*)take(start, &used, samples * length, sizeof(double));
    c->marks = (uint8_t*)take(start, &used, samples * (size_t)c->count, 1);
    c->bodyPairs = (wkMapBodies*)take(start, &used, bodyCount * bodyCount, sizeof(wkMapBodies));
    for (int i = 0; i < 2; ++i) {
        c->bodies[i] = (const wkCollisionBody**)take(start, &used, bodyCount, sizeof(void*));
    }
    return used;
}

static void findCandidates(choice* c)
{
    int32_t found = 0;
    for (int32_t i = 0; i < c->batch->program->pairCount; ++i) {
        if (isCandidate(c->batch, i)) {
            candidate one = {.pair = i, .test = testSpheres};
            c->candidates[found++] = one;
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
    wkResult result = choose(&c);
    wkFree(memory, byteCount);
    return result;
}
