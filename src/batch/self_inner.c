// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Chooses pairs of spheres inside the bodies of two parts: where one overlaps, the bodies do. A few of them
// find most contacts. Spheres are placed in random configurations, the same ones each time; the first pair is
// the one that finds most contacts, the next one the one that finds most of the others, and so on.

#include "batch/batch_kernel.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

#define SAMPLE_WORDS 32
#define SAMPLE_COUNT (64 * SAMPLE_WORDS)
#define SAMPLE_SEED 43u
// Pairs of spheres of two parts at most; parts with more have none chosen.
#define MOST_COMBINATIONS 4096
// A pair of spheres finds at least this share of the contacts that all of them find.
#define LEAST_SHARE 0.02

typedef struct innerChoice {
    wkBatch* batch;
    wkBatchScratch* scratch;
    int32_t sphereCount;
    float (*centers)[3]; // of the spheres in each sample
    uint64_t* found;     // a bit for each sample, for each pair of spheres of two parts
} innerChoice;

static void placeSamples(const innerChoice* c)
{
    uint64_t seed = SAMPLE_SEED;
    for (int32_t i = 0; i < SAMPLE_COUNT; ++i) {
        wkRobot_RandomConfiguration(c->batch->robot, &seed, c->scratch->chainValues);
        wkPlaceScalar(c->batch, c->scratch, c->scratch->chainValues);
        for (int32_t k = 0; k < c->sphereCount; ++k) {
            float* center = c->centers[(ptrdiff_t)k * SAMPLE_COUNT + i];
            center[0] = (float)c->scratch->spheres[k].center.x;
            center[1] = (float)c->scratch->spheres[k].center.y;
            center[2] = (float)c->scratch->spheres[k].center.z;
        }
    }
}

// Finds the samples in which two spheres overlap.
static void findOverlaps(const innerChoice* c, int32_t a, int32_t b, uint64_t* found)
{
    float(*ofA)[3] = c->centers + (ptrdiff_t)a * SAMPLE_COUNT;
    float(*ofB)[3] = c->centers + (ptrdiff_t)b * SAMPLE_COUNT;
    float reach = c->batch->innerRadii[a] + c->batch->innerRadii[b];
    memset(found, 0, SAMPLE_WORDS * sizeof *found);
    for (int32_t i = 0; i < SAMPLE_COUNT && reach > 0.0f; ++i) {
        float x = ofA[i][0] - ofB[i][0], y = ofA[i][1] - ofB[i][1], z = ofA[i][2] - ofB[i][2];
        bool isOverlap = x * x + y * y + z * z <= reach * reach;
        found[i / 64] |= (uint64_t)isOverlap << (i % 64);
    }
}

static int32_t countBits(const uint64_t* words)
{
    int32_t count = 0;
    for (int i = 0; i < SAMPLE_WORDS; ++i) {
        count += __builtin_popcountll(words[i]);
    }
    return count;
}

static void removeBits(const uint64_t* taken, uint64_t* words)
{
    for (int i = 0; i < SAMPLE_WORDS; ++i) {
        words[i] &= ~taken[i];
    }
}

static void choosePairs(const innerChoice* c, const wkPart* a, const wkPart* b, wkInnerPairs* inner)
{
    int32_t count = a->sphereCount * b->sphereCount;
    uint64_t all[SAMPLE_WORDS] = {0}, taken[SAMPLE_WORDS];
    inner->count = 0;
    for (int32_t n = 0; n < count; ++n) {
        uint64_t* found = c->found + (ptrdiff_t)n * SAMPLE_WORDS;
        findOverlaps(c, a->firstSphere + n / b->sphereCount, b->firstSphere + n % b->sphereCount,
                     found);
        for (int i = 0; i < SAMPLE_WORDS; ++i) {
            all[i] |= found[i];
        }
    }
    int32_t least = (int32_t)(LEAST_SHARE * countBits(all)) + 1;
    while (inner->count < WK_INNER_PAIRS) {
        int32_t best = 0, most = 0;
        for (int32_t n = 0; n < count; ++n) {
            int32_t found = countBits(c->found + (ptrdiff_t)n * SAMPLE_WORDS);
            best = found > most ? n : best;
            most = found > most ? found : most;
        }
        if (most < least) {
            return;
        }
        int32_t* chosen = inner->spheres[inner->count++];
        chosen[0] = a->firstSphere + best / b->sphereCount;
        chosen[1] = b->firstSphere + best % b->sphereCount;
        memcpy(taken, c->found + (ptrdiff_t)best * SAMPLE_WORDS, sizeof taken);
        for (int32_t n = 0; n < count; ++n) {
            removeBits(taken, c->found + (ptrdiff_t)n * SAMPLE_WORDS);
        }
    }
}

wkResult wkChooseInnerPairs(wkBatch* batch)
{
    const wkProgram* program = batch->program;
    innerChoice c = {
        .batch = batch, .scratch = wkOwnScratch(batch), .sphereCount = program->sphereCount};
    size_t centerBytes = (size_t)c.sphereCount * SAMPLE_COUNT * sizeof *c.centers;
    size_t byteCount = centerBytes + (size_t)MOST_COMBINATIONS * SAMPLE_WORDS * sizeof *c.found;
    char* memory = (char*)wkAlloc(byteCount);
    if (memory == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", byteCount);
    }
    c.centers = (float(*)[3])(void*)memory;
    c.found = (uint64_t*)(void*)(memory + centerBytes);
    placeSamples(&c);
    for (int32_t i = 0; i < program->pairCount; ++i) {
        const wkPart *a = &program->parts[program->pairs[i].a],
                     *b = &program->parts[program->pairs[i].b];
        if (batch->selfTables->usesPieces[i] &&
            (int64_t)a->sphereCount * b->sphereCount <= MOST_COMBINATIONS) {
            choosePairs(&c, a, b, &batch->selfTables->inner[i]);
        }
    }
    wkFree(memory, byteCount);
    return wk_ok;
}
