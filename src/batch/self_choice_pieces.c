// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Chooses the convex pieces of a pair of parts. Each part has sets of several levels: undivided bodies, and meshes
// that are divided. The fewest pieces are taken that lose hardly more than the divided ones of both. Tight pieces
// follow where these lose too much: they are slower, and faster than the bodies.

#include "batch/self_choice.h"

// Share that fewer pieces may lose more than the most detailed ones of a pair.
#define DETAIL_LOST 0.0005

// Makes the pieces of both parts of a pair that they lack, for the levels from `first` to `last`.
static wkResult makePieces(const wkBatch* batch, int32_t pair, wkPieceLevel first,
                           wkPieceLevel last)
{
    wkSelfTables* tables = batch->selfTables;
    wkPartPair parts = batch->program->pairs[pair];
    wkResult result = wk_ok;
    for (int level = (int)first; level <= (int)last; ++level) {
        for (int side = 0; side < 2 && result == wk_ok; ++side) {
            int32_t part = side == 0 ? parts.a : parts.b;
            wkPartPieces** pieces = &tables->pieces[WK_PIECE_LEVELS * part + level];
            if (*pieces == NULL) {
                result = wkPartPieces_Create(batch, part, (wkPieceLevel)level, pieces);
                tables->byteCount += *pieces != NULL ? (*pieces)->byteCount : 0;
            }
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

static const wkPartPieces* piecesOf(const wkBatch* batch, int32_t pair, int side, int detail)
{
    wkPartPair parts = batch->program->pairs[pair];
    int32_t part = side == 0 ? parts.a : parts.b;
    return batch->selfTables->pieces[WK_PIECE_LEVELS * part + wkLevelOfDetail(detail, side)];
}

// Returns whether both parts of a pair have pieces of a detail.
static bool hasPieces(const wkBatch* batch, int32_t pair, int detail)
{
    return piecesOf(batch, pair, 0, detail) != NULL && piecesOf(batch, pair, 1, detail) != NULL;
}

static int32_t countPiecePairs(const wkBatch* batch, int32_t pair, int detail)
{
    return piecesOf(batch, pair, 0, detail)->count * piecesOf(batch, pair, 1, detail)->count;
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
    int best = WK_DETAIL_DIVIDED;
    setPieces(c, number, best);
    chosen->leastMarks = countMarks(c, number);
    int32_t most = chosen->leastMarks + (int32_t)(DETAIL_LOST * c->freeCount);
    static const int fewer[] = {WK_PIECE_DETAIL(wk_piecesWhole, wk_piecesWhole),
                                WK_PIECE_DETAIL(wk_piecesDivided, wk_piecesWhole),
                                WK_PIECE_DETAIL(wk_piecesWhole, wk_piecesDivided)};
    for (size_t i = 0; i < sizeof fewer / sizeof *fewer; ++i) {
        int detail = fewer[i];
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

static int detailOf(const wkSelfChoice* c, int32_t number)
{
    return c->batch->selfTables->detail[c->candidates[number].pair];
}

bool wkCanHaveDetail(const wkSelfChoice* c, int32_t number)
{
    return c->candidates[number].test == wk_testPieces &&
           detailOf(c, number) != WK_DETAIL_DIVIDED && detailOf(c, number) != WK_DETAIL_TIGHT &&
           countMarks(c, number) > c->candidates[number].leastMarks;
}

bool wkCanBeTight(const wkSelfChoice* c, int32_t number)
{
    return c->candidates[number].test == wk_testPieces && detailOf(c, number) != WK_DETAIL_TIGHT;
}

// Gives a candidate that has pieces tight ones; the bodies where there are none.
static wkResult setTightPieces(wkSelfChoice* c, int32_t number)
{
    int32_t pair = c->candidates[number].pair;
    wkResult result = makePieces(c->batch, pair, wk_piecesTight, wk_piecesTight);
    if (result == wk_ok && hasPieces(c->batch, pair, WK_DETAIL_TIGHT)) {
        wkChoosePlane(c, number);
        setPieces(c, number, WK_DETAIL_TIGHT);
    } else if (result == wk_ok) {
        wkSetSelfTest(c, number, wk_testBodies);
    }
    return result;
}

wkResult wkImproveByPieces(wkSelfChoice* c, int32_t number)
{
    const wkBatch* batch = c->batch;
    int32_t pair = c->candidates[number].pair;
    if (wkCanHaveDetail(c, number)) {
        setPieces(c, number, WK_DETAIL_DIVIDED);
        return wk_ok;
    }
    if (wkCanBeTight(c, number)) {
        return setTightPieces(c, number);
    }
    if (c->candidates[number].test == wk_testPieces) {
        wkSetSelfTest(c, number, wk_testBodies);
        return wk_ok;
    }
    wkResult result = makePieces(batch, pair, wk_piecesWhole, wk_piecesDivided);
    if (result == wk_ok && hasPieces(batch, pair, WK_DETAIL_DIVIDED)) {
        setFewestPieces(c, number);
    } else if (result == wk_ok) {
        wkSetSelfTest(c, number, wk_testBodies);
    }
    return result;
}
