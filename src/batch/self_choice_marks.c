// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Marks the samples that a test of a pair of parts calls touching, while its test is chosen.

#include "batch/self_choice.h"

// Marks the samples that the kernels call touching when they check one pair alone, by its spheres or its
// pieces.
static void markByKernel(wkSelfChoice* c, int32_t number)
{
    wkBatch* batch = c->batch;
    wkContacts* contacts = batch->contacts;
    wkSelfTables* tables = batch->selfTables;
    int32_t pair = c->candidates[number].pair;
    int32_t first = tables->order[0], liveCount = contacts->liveCount;
    int32_t map = tables->mapOfPair[pair], mapCount = tables->mapCount;
    tables->order[0] = pair;
    contacts->liveCount = 1;
    tables->mapOfPair[pair] = -1;
    tables->mapCount = 0;
    wkBundlePairs(batch);
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
    tables->order[0] = first;
    contacts->liveCount = liveCount;
    tables->mapOfPair[pair] = map;
    tables->mapCount = mapCount;
}

// Corrects the marks of a pair by its map.
static void markByMap(wkSelfChoice* c, int32_t number)
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

void wkSetSelfTest(wkSelfChoice* c, int32_t number, wkSelfTest test)
{
    wkSelfCandidate* chosen = &c->candidates[number];
    chosen->test = test;
    c->batch->hasBodyPair[chosen->pair] = test != wk_testSpheres;
    c->batch->selfTables->usesPieces[chosen->pair] = test == wk_testPieces;
    if (test == wk_testSpheres || test == wk_testPieces) {
        markByKernel(c, number);
    } else {
        for (int32_t i = 0; i < c->freeCount; ++i) {
            c->marks[(ptrdiff_t)i * c->count + number] = test == wk_testMap;
        }
    }
    markByMap(c, number);
}
