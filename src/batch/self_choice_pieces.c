// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Chooses the convex pieces of a pair of parts. Each part has two sets: undivided bodies, and meshes that are
// divided. The fewest pieces are taken that lose hardly more than the divided ones of both.

#include "batch/self_choice.h"

// Share that fewer pieces may lose more than the most detailed ones of a pair.
#define DETAIL_LOST 0.0005

// Makes both sets of pieces of a part.
static wkResult makePieces(const wkBatch* batch, int32_t part)
{
    wkSelfTables* tables = batch->selfTables;
    wkResult result = wk_ok;
    for (int divides = 0; divides < 2 && result == wk_ok; ++divides) {
        wkPartPieces** pieces = &tables->pieces[2 * part + divides];
        if (*pieces == NULL) {
            result = wkPartPieces_Create(batch, part, divides != 0, pieces);
            tables->byteCount += *pieces != NULL ? (*pieces)->byteCount : 0;
        }
    }
    return result;
}

static int32_t countMarks(const wkSelfChoice* c, int32_t number)
{
    int32_t count = 0;
    for (int32_t i = 0; i < c->freeCount; ++i) {
        count += c->marks[(ptrdiff_t)i * c->count + number];
    }
    return count;
}

// Returns whether both parts of a pair have pieces of a detail.
static bool hasPieces(const wkBatch* batch, int32_t pair, int detail)
{
    wkPartPair parts = batch->program->pairs[pair];
    return batch->selfTables->pieces[2 * parts.a + (detail & 1)] != NULL &&
           batch->selfTables->pieces[2 * parts.b + (detail >> 1)] != NULL;
}

static int32_t countPiecePairs(const wkBatch* batch, int32_t pair, int detail)
{
    wkPartPair parts = batch->program->pairs[pair];
    return batch->selfTables->pieces[2 * parts.a + (detail & 1)]->count *
           batch->selfTables->pieces[2 * parts.b + (detail >> 1)]->count;
}

static void setPieces(wkSelfChoice* c, int32_t number, int detail)
{
    c->batch->selfTables->detail[c->candidates[number].pair] = (uint8_t)detail;
    wkSetSelfTest(c, number, wk_testPieces);
}

// Gives a candidate the fewest pieces that lose hardly more than the most detailed ones.
static void setFewestPieces(wkSelfChoice* c, int32_t number)
{
    wkSelfCandidate* chosen = &c->candidates[number];
    int best = wk_detailOfBoth;
    setPieces(c, number, wk_detailOfBoth);
    chosen->leastMarks = countMarks(c, number);
    int32_t most = chosen->leastMarks + (int32_t)(DETAIL_LOST * c->freeCount);
    for (int detail = 0; detail < wk_detailOfBoth; ++detail) {
        if (!hasPieces(c->batch, chosen->pair, detail) ||
            countPiecePairs(c->batch, chosen->pair, detail) >=
                countPiecePairs(c->batch, chosen->pair, best)) {
            continue;
        }
        setPieces(c, number, detail);
        best = countMarks(c, number) <= most ? detail : best;
    }
    setPieces(c, number, best);
}

bool wkCanHaveDetail(const wkSelfChoice* c, int32_t number)
{
    return c->candidates[number].test == wk_testPieces &&
           countMarks(c, number) > c->candidates[number].leastMarks &&
           c->batch->selfTables->detail[c->candidates[number].pair] != wk_detailOfBoth;
}

wkResult wkImproveByPieces(wkSelfChoice* c, int32_t number)
{
    const wkBatch* batch = c->batch;
    int32_t pair = c->candidates[number].pair;
    if (wkCanHaveDetail(c, number)) {
        setPieces(c, number, wk_detailOfBoth);
        return wk_ok;
    }
    if (c->candidates[number].test == wk_testPieces) {
        wkSetSelfTest(c, number, wk_testBodies);
        return wk_ok;
    }
    wkResult result = makePieces(batch, batch->program->pairs[pair].a);
    result = result == wk_ok ? makePieces(batch, batch->program->pairs[pair].b) : result;
    if (result == wk_ok && hasPieces(batch, pair, wk_detailOfBoth)) {
        setFewestPieces(c, number);
    } else if (result == wk_ok) {
        wkSetSelfTest(c, number, wk_testBodies);
    }
    return result;
}
