// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tables of pairs of parts: which pairs have one, and the classification of cells.

#include "batch/self_table.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/batch_impl.h"

#include <string.h>

// Smallest cells along a variable, with one variable and with two.
#define ONE_VARIABLE_CELLS 4096
#define TWO_VARIABLE_CELLS 1024
// Maximum bytes of all tables; where they would need more, they have fewer sizes of cells.
#define MOST_BYTES ((size_t)16 << 20)
// Radians or metres by which a cell is larger on either side than its share of the range: the cell of a value
// up to WK_TABLE_REACH is found in floats, with an error of at most 2e-6.
#define CELL_SLACK 1e-5

// Cost of classifying a cell, where a test of the bodies in one configuration costs 1. No more is spent
// on cells than was spent on configurations, so that few configurations take no longer than without tables.
#define CELL_COST 8

#define ALIGNMENT 64

static size_t roundUp(size_t byteCount)
{
    return (byteCount + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

bool wkCanClassifyPart(const wkBatch* batch, int32_t part)
{
    const wkBodySet* bodySet = batch->def.scene->bodySet->bodySet;
    wkPartBodies bodies = batch->partBodies[part];
    bool can = bodies.end > bodies.first;
    for (int32_t i = bodies.first; i < bodies.end && can; ++i) {
        can = bodySet->bodies[i].isEmpty || wkCanClassifyBoxes(&bodySet->bodies[i]);
    }
    return can;
}

// Returns whether spheres of a pair can touch, so that bodies decide.
static bool isLive(const wkContacts* contacts, int32_t pair)
{
    return contacts->pairs[pair].areAll || contacts->pairs[pair].groupCount > 0;
}

// Sets everything but the cells.
// @return false: the pair has no table
static bool describe(const wkBatch* batch, int32_t pair, wkSelfTable* table)
{
    const wkProgram* program = batch->program;
    wkPartPair parts = program->pairs[pair];
    if (batch->def.exactness != wk_exactnessSelf || !wkAsksBodies(batch, pair) ||
        !isLive(batch->contacts, pair) || !(batch->def.margin >= 0.0) ||
        !wkCanClassifyPart(batch, parts.a) || !wkCanClassifyPart(batch, parts.b) ||
        !wkChain_Find(batch->robot, program->parts[parts.a].rigidGroup,
                      program->parts[parts.b].rigidGroup, &table->chain)) {
        return false;
    }
    const wkChain* chain = &table->chain;
    if (chain->variableCount < 1 || chain->variableCount > WK_TABLE_VARIABLES) {
        return false;
    }
    table->margin = batch->def.margin;
    table->variableCount = chain->variableCount;
    table->count = chain->variableCount == 1 ? ONE_VARIABLE_CELLS : TWO_VARIABLE_CELLS;
    table->levelCount = WK_TABLE_LEVELS;
    bool isNear = true;
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        double length = chain->upper[i] - chain->lower[i];
        isNear = isNear && length > 0.0 && fabs(chain->lower[i]) <= WK_TABLE_REACH &&
                 fabs(chain->upper[i]) <= WK_TABLE_REACH;
        table->variables[i] = chain->variables[i];
        table->isWhole[i] = chain->isWhole[i];
    }
    return isNear;
}

// Sets where cells begin and their size, from their count.
static void setScales(wkSelfTable* table)
{
    for (int32_t i = 0; i < table->variableCount; ++i) {
        double length = table->chain.upper[i] - table->chain.lower[i];
        table->lower[i] = (float)table->chain.lower[i];
        table->scale[i] = (float)(table->count / length);
    }
}

static size_t cellBytes(const wkSelfTable* table, int32_t level)
{
    size_t count = (size_t)table->count >> WK_TABLE_SHIFT * (table->levelCount - 1 - level);
    size_t cells = table->variableCount == 1 ? count : count * count;
    return roundUp((cells + 3) / 4);
}

// Puts the pairs that can touch first.
static void setOrder(const wkContacts* contacts, int32_t* order)
{
    int32_t liveCount = 0, others = contacts->liveCount;
    for (int32_t i = 0; i < contacts->pairCount; ++i) {
        if (isLive(contacts, i)) {
            order[liveCount++] = i;
        } else {
            order[others++] = i;
        }
    }
}

static const wkBlockArray testArrays[] = {
    WK_BLOCK_ARRAY(wkSelfTables, mapOfPair, pairCount, 1),
    WK_BLOCK_ARRAY(wkSelfTables, usesPieces, pairCount, 1),
    WK_BLOCK_ARRAY(wkSelfTables, detail, pairCount, 1),
    WK_BLOCK_ARRAY(wkSelfTables, inner, pairCount, 1),
    WK_BLOCK_ARRAY(wkSelfTables, planes, pairCount, 1),
    WK_BLOCK_ARRAY(wkSelfTables, bundles, pairCount, 1),
    WK_BLOCK_ARRAY(wkSelfTables, bundlePairs, pairCount, 1),
    WK_BLOCK_ARRAY(wkSelfTables, order, pairCount, 1),
};

static const wkBlockLayout testLayout = {
    .name = "tests of pairs",
    .magic = 0x74736574u,
    .version = 1,
    .numbersAt = offsetof(wkSelfTables, pairCount),
    .numberBytes = offsetof(wkSelfTables, mapOfPair) - offsetof(wkSelfTables, pairCount),
    .arrays = testArrays,
    .arrayCount = sizeof testArrays / sizeof *testArrays,
};

// Makes the block with the tests of pairs: spheres decide about all of them.
// @return false: no memory
static bool makePairTests(const wkBatch* batch, wkSelfTables* tables)
{
    tables->pairCount = batch->program->pairCount;
    tables->block = wkBlock_Create(&testLayout, tables, &tables->blockByteCount);
    if (tables->block == NULL) {
        return false;
    }
    size_t count = (size_t)tables->pairCount;
    memset(tables->usesPieces, 0, count * sizeof *tables->usesPieces);
    memset(tables->detail, 0, count * sizeof *tables->detail);
    memset(tables->inner, 0, count * sizeof *tables->inner);
    memset(tables->planes, 0, count * sizeof *tables->planes);
    memset(tables->bundles, 0, count * sizeof *tables->bundles);
    memset(tables->bundlePairs, 0, count * sizeof *tables->bundlePairs);
    for (size_t i = 0; i < count; ++i) {
        tables->mapOfPair[i] = -1;
    }
    setOrder(batch->contacts, tables->order);
    tables->byteCount += tables->blockByteCount;
    return true;
}

void wkSealPairTests(wkSelfTables* tables)
{
    wkBlock_Seal(&testLayout, tables->block, tables);
}

wkResult wkBindPairTests(const void* block, size_t byteCount, wkSelfTables* tables)
{
    return wkBlock_Bind(&testLayout, block, byteCount, tables);
}

// Takes memory for the pointers to tables and pieces.
static size_t layOutPointers(const wkBatch* batch, char* start, wkSelfTables* tables)
{
    size_t tablesAt = roundUp(sizeof *tables);
    size_t piecesAt = tablesAt + roundUp((size_t)batch->program->pairCount * sizeof(wkSelfTable*));
    size_t pieceCount = WK_PIECE_LEVELS * (size_t)batch->program->partCount;
    if (start != NULL) {
        tables->ofPairs = (wkSelfTable**)(void*)(start + tablesAt);
        tables->pieces = (wkPartPieces**)(void*)(start + piecesAt);
        tables->partCount = batch->program->partCount;
    }
    return piecesAt + roundUp(pieceCount * sizeof(wkPartPieces*));
}

// Takes memory for the pointers, then for the tables with their cells.
// @param start NULL: counts bytes alone
static size_t layOut(const wkBatch* batch, int32_t levelCount, char* start, wkSelfTables* tables)
{
    size_t used = layOutPointers(batch, start, tables);
    for (int32_t pair = 0; pair < batch->program->pairCount; ++pair) {
        wkSelfTable table;
        memset(&table, 0, sizeof table);
        if (!describe(batch, pair, &table)) {
            continue;
        }
        table.count >>= WK_TABLE_SHIFT * (WK_TABLE_LEVELS - levelCount);
        table.levelCount = levelCount;
        setScales(&table);
        size_t tableAt = used;
        used += roundUp(sizeof table);
        for (int32_t level = 0; level < levelCount; ++level) {
            table.cells[level] = start != NULL ? (wkTableByte*)(void*)(start + used) : NULL;
            used += cellBytes(&table, level);
        }
        if (start != NULL) {
            tables->ofPairs[pair] = (wkSelfTable*)(void*)(start + tableAt);
            *tables->ofPairs[pair] = table;
        }
    }
    return used;
}

wkResult wkSelfTables_Create(const wkBatch* batch, wkSelfTables** tables)
{
    *tables = NULL;
    int32_t levelCount = WK_TABLE_LEVELS;
    size_t byteCount = layOut(batch, levelCount, NULL, NULL);
    while (byteCount > MOST_BYTES && levelCount > 1) {
        byteCount = layOut(batch, --levelCount, NULL, NULL);
    }
    char* memory = (char*)wkAlloc(byteCount);
    if (memory == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", byteCount);
    }
    // cells of zeros are not classified
    memset(memory, 0, byteCount);
    wkSelfTables* made = (wkSelfTables*)(void*)memory;
    made->byteCount = made->ownByteCount = byteCount;
    layOut(batch, levelCount, memory, made);
    if (!makePairTests(batch, made)) {
        wkSelfTables_Destroy(made);
        return wkFail(wk_errorMemory, "batch: no memory for tests of %d pairs",
                      (int)batch->program->pairCount);
    }
    *tables = made;
    return wk_ok;
}

void wkSelfTables_Destroy(wkSelfTables* tables)
{
    if (tables == NULL) {
        return;
    }
    for (int32_t i = 0; i < tables->mapCount; ++i) {
        wkSelfMap_Destroy(tables->maps[i]);
    }
    for (int32_t i = 0; i < WK_PIECE_LEVELS * tables->partCount; ++i) {
        wkPartPieces_Destroy(tables->pieces[i]);
    }
    wkFree(tables->block, tables->blockByteCount);
    wkFree(tables, tables->ownByteCount);
}

static wkChainBox boxOf(const wkSelfTable* table, int32_t level,
                        const int32_t cell[WK_TABLE_VARIABLES])
{
    wkChainBox box = {.share = 1.0};
    int32_t shift = WK_TABLE_SHIFT * (table->levelCount - 1 - level);
    for (int32_t i = 0; i < table->variableCount; ++i) {
        const wkChain* chain = &table->chain;
        double size = (chain->upper[i] - chain->lower[i]) / (table->count >> shift);
        box.middle[i] = chain->lower[i] + ((cell[i] >> shift) + 0.5) * size;
        box.half[i] = 0.5 * size + CELL_SLACK;
    }
    return box;
}

// Classifies all bodies of one part with all of the other: apart when all are, touching when two are.
static wkBoxVerdict classify(const wkBatch* batch, wkBatchScratch* scratch, int32_t pair,
                             const wkChainBox* box)
{
    const wkBodySet* bodySet = batch->def.scene->bodySet->bodySet;
    const wkSelfTable* table = batch->selfTables->ofPairs[pair];
    wkPartPair parts = batch->program->pairs[pair];
    wkPartBodies a = batch->partBodies[parts.a], b = batch->partBodies[parts.b];
    wkChainPair bodies = {
        .chain = &table->chain, .margin = table->margin, .q = scratch->chainValues};
    wkBoxVerdict verdict = wk_boxApart;
    for (int32_t i = a.first; i < a.end; ++i) {
        for (int32_t k = b.first; k < b.end; ++k) {
            bodies.a = &bodySet->bodies[i];
            bodies.b = &bodySet->bodies[k];
            if (!wkIsCheckedPair(bodySet, i, k) || bodies.a->isEmpty || bodies.b->isEmpty) {
                continue;
            }
            wkBoxVerdict found = wkClassifyChainBox(&bodies, box);
            if (found == wk_boxTouching) {
                return found;
            }
            verdict = found == wk_boxApart ? verdict : found;
        }
    }
    return verdict;
}

wkBoxVerdict wkSelfTable_Ask(const wkBatch* batch, wkBatchScratch* scratch, int32_t pair,
                             const double* q)
{
    const wkSelfTable* table = batch->selfTables->ofPairs[pair];
    float values[WK_TABLE_VARIABLES];
    int32_t cell[WK_TABLE_VARIABLES];
    wkBoxVerdict verdict = wk_boxOpen;
    for (int32_t i = 0; i < table->variableCount; ++i) {
        values[i] = (float)q[table->variables[i]];
    }
    if (!wkFindTableCell(table, values, cell)) {
        return wk_boxOpen;
    }
    for (int32_t level = 0; level < table->levelCount && verdict == wk_boxOpen; ++level) {
        int32_t number = wkTableCellNumber(table, level, cell);
        verdict = wkTableVerdict(table, level, number);
        if (verdict == wk_boxUnknown && scratch->tableCredit < CELL_COST) {
            break;
        }
        if (verdict == wk_boxUnknown) {
            scratch->tableCredit -= CELL_COST;
            wkChainBox box = boxOf(table, level, cell);
            verdict = classify(batch, scratch, pair, &box);
            atomic_fetch_or_explicit(&table->cells[level][number / 4],
                                     (uint8_t)((unsigned)verdict << (number % 4 * 2)),
                                     memory_order_relaxed);
        }
    }
    bool isDecided = verdict == wk_boxApart || verdict == wk_boxTouching;
    scratch->tableCredit += isDecided ? 0 : 1;
    return isDecided ? verdict : wk_boxOpen;
}
