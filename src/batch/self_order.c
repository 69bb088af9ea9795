// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Orders pairs of parts such that few of them are checked before a configuration is found touching. Random
// configurations that touch, the same ones each time, are checked for each pair alone. The first pair is the one
// that finds most of them, the next one the one that finds most of the others, and so on. Verdicts do not
// depend on the order.

#include "batch/batch_kernel.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

#define BLOCK_COUNT 16 // of random configurations
#define SAMPLE_SEED 31u

typedef struct ordering {
    wkBatch* batch;
    wkBatchScratch* scratch;
    int32_t liveCount; // of pairs
    int32_t rowCount;  // configurations that touch and are not found yet
    int32_t rowCapacity;
    double* rows;
    uint8_t* marks; // of pairs in the order so far: a byte for each configuration that it finds
} ordering;

static size_t sizeOfRow(const ordering* o)
{
    return (size_t)o->batch->program->variableCount * sizeof(double);
}

static void check(const ordering* o, const double* rows, int32_t count, uint8_t* verdicts)
{
    wkBlockCheck block = {.rows = rows, .count = count, .bits = wk_checkSelf, .verdicts = verdicts};
    wkCheckBlock(o->batch, o->scratch, &block);
}

// Keeps random configurations that touch, but not by a map: maps come before all pairs.
static void drawRows(ordering* o)
{
    wkContacts* contacts = o->batch->contacts;
    int32_t length = o->batch->program->variableCount;
    uint64_t seed = SAMPLE_SEED;
    for (int32_t i = 0; i < BLOCK_COUNT; ++i) {
        double* rows = o->rows + (ptrdiff_t)o->rowCount * length;
        uint8_t verdicts[2][WK_BATCH_BLOCK];
        for (int32_t k = 0; k < WK_BATCH_BLOCK; ++k) {
            wkRobot_RandomConfiguration(o->batch->robot, &seed, rows + (ptrdiff_t)k * length);
        }
        check(o, rows, WK_BATCH_BLOCK, verdicts[0]);
        contacts->liveCount = 0;
        wkBundlePairs(o->batch);
        check(o, rows, WK_BATCH_BLOCK, verdicts[1]);
        contacts->liveCount = o->liveCount;
        wkBundlePairs(o->batch);
        for (int32_t k = 0; k < WK_BATCH_BLOCK; ++k) {
            if (verdicts[0][k] == wk_verdictSelf && verdicts[1][k] == wk_verdictFree) {
                memmove(o->rows + (ptrdiff_t)o->rowCount * length, rows + (ptrdiff_t)k * length,
                        sizeOfRow(o));
                ++o->rowCount;
            }
        }
    }
}

// Marks the configurations that each pair finds.
static void markRows(const ordering* o)
{
    int32_t* order = o->batch->selfTables->order;
    int32_t length = o->batch->program->variableCount, first = order[0];
    o->batch->contacts->liveCount = 1;
    for (int32_t i = 0; i < o->liveCount; ++i) {
        uint8_t* marks = o->marks + (ptrdiff_t)i * o->rowCapacity;
        order[0] = i == 0 ? first : order[i];
        wkBundlePairs(o->batch);
        for (int32_t k = 0; k < o->rowCount; k += WK_BATCH_BLOCK) {
            int32_t left = o->rowCount - k;
            check(o, o->rows + (ptrdiff_t)k * length, left < WK_BATCH_BLOCK ? left : WK_BATCH_BLOCK,
                  marks + k);
        }
        for (int32_t k = 0; k < o->rowCount; ++k) {
            marks[k] = marks[k] != wk_verdictFree;
        }
    }
    order[0] = first;
    o->batch->contacts->liveCount = o->liveCount;
}

static int32_t countMarks(const ordering* o, int32_t number)
{
    const uint8_t* marks = o->marks + (ptrdiff_t)number * o->rowCapacity;
    int32_t count = 0;
    for (int32_t k = 0; k < o->rowCount; ++k) {
        count += marks[k];
    }
    return count;
}

// Removes the configurations that a pair finds from the marks of the others.
static void removeFound(const ordering* o, int32_t number)
{
    const uint8_t* found = o->marks + (ptrdiff_t)number * o->rowCapacity;
    for (int32_t i = number + 1; i < o->liveCount; ++i) {
        uint8_t* marks = o->marks + (ptrdiff_t)i * o->rowCapacity;
        for (int32_t k = 0; k < o->rowCount; ++k) {
            marks[k] = found[k] != 0 ? 0 : marks[k];
        }
    }
}

static void swapPairs(const ordering* o, int32_t a, int32_t b)
{
    int32_t* order = o->batch->selfTables->order;
    uint8_t *ofA = o->marks + (ptrdiff_t)a * o->rowCapacity,
            *ofB = o->marks + (ptrdiff_t)b * o->rowCapacity;
    int32_t pair = order[a];
    order[a] = order[b];
    order[b] = pair;
    for (int32_t k = 0; k < o->rowCount && a != b; ++k) {
        uint8_t mark = ofA[k];
        ofA[k] = ofB[k];
        ofB[k] = mark;
    }
}

static void orderPairs(const ordering* o)
{
    for (int32_t i = 0; i < o->liveCount; ++i) {
        int32_t best = i, most = countMarks(o, i);
        for (int32_t k = i + 1; k < o->liveCount; ++k) {
            int32_t count = countMarks(o, k);
            if (count > most) {
                best = k;
                most = count;
            }
        }
        if (most == 0) {
            return;
        }
        swapPairs(o, i, best);
        removeFound(o, i);
    }
}

wkResult wkOrderPairs(wkBatch* batch)
{
    ordering o = {.batch = batch,
                  .scratch = wkOwnScratch(batch),
                  .liveCount = batch->contacts->liveCount,
                  .rowCapacity = BLOCK_COUNT * WK_BATCH_BLOCK};
    size_t rowBytes = (size_t)o.rowCapacity * sizeOfRow(&o);
    size_t byteCount = rowBytes + (size_t)o.rowCapacity * (size_t)o.liveCount;
    wkBundlePairs(batch);
    if (o.liveCount < 2) {
        return wk_ok;
    }
    o.rows = (double*)wkAlloc(byteCount);
    if (o.rows == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", byteCount);
    }
    o.marks = (uint8_t*)o.rows + rowBytes;
    drawRows(&o);
    markRows(&o);
    orderPairs(&o);
    wkBundlePairs(batch);
    wkFree(o.rows, byteCount);
    return wk_ok;
}
