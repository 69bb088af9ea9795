// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tables of pairs of parts: which pairs have one, and the proof for a cell.

#include "batch/self_table.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/batch_impl.h"
#include "batch/self_sweep.h"

#include <string.h>

// Smallest cells along a variable, with one variable and with two.
#define ONE_VARIABLE_CELLS 4096
#define TWO_VARIABLE_CELLS 1024
// Bytes of all tables; where they would need more, they have fewer sizes of cells.
#define MOST_BYTES ((size_t)16 << 20)
// Radians or metres by which a cell is taken to be larger on either side: floats find the cell of values
// up to WK_TABLE_REACH, which is off by 2e-6 at most.
#define CELL_SLACK 1e-5

// What classifying a cell costs, where asking the bodies about one configuration costs 1. No more is spent
// on cells than was spent on configurations, so that few of these take no longer than they would without
// tables.
#define CELL_COST 8

#define ALIGNMENT 64

static size_t roundUp(size_t byteCount)
{
    return (byteCount + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool canClassify(const wkBodySet* bodySet, wkPartBodies bodies)
{
    bool can = bodies.end > bodies.first;
    for (int32_t i = bodies.first; i < bodies.end && can; ++i) {
        can = bodySet->bodies[i].isEmpty || wkCanClassifyBoxes(&bodySet->bodies[i]);
    }
    return can;
}

// Whether spheres of a pair can touch, so that bodies are asked.
static bool isLive(const wkContacts* contacts, int32_t pair)
{
    return contacts->pairs[pair].areAll || contacts->pairs[pair].groupCount > 0;
}

// Whether there are few enough variables in the chain of a table; where there is one too many, the
// outermost joint is taken out of it, and the bodies that this joint rotates are taken for what they
// sweep.
static bool isShort(const wkBatch* batch, wkSelfTable* table)
{
    wkChain* chain = &table->chain;
    if (batch->def.exactness == wk_exactnessRefined &&
        chain->variableCount == WK_TABLE_VARIABLES + 1 &&
        wkLeaveOuterJoint(chain, &table->isSweptA)) {
        table->sweptCount = WK_SWEPT_SLICES;
    }
    return chain->variableCount >= 1 && chain->variableCount <= WK_TABLE_VARIABLES;
}

// Sets everything but the cells.
// @return false: the pair has no table
static bool describe(const wkBatch* batch, int32_t pair, wkSelfTable* table)
{
    const wkProgram* program = batch->program;
    const wkBodySet* bodySet = batch->def.scene->bodySet->bodySet;
    wkPartPair parts = program->pairs[pair];
    if (!wkAsksBodies(batch, pair) || !isLive(batch->contacts, pair) ||
        !(batch->def.margin >= 0.0) || !canClassify(bodySet, batch->partBodies[parts.a]) ||
        !canClassify(bodySet, batch->partBodies[parts.b]) ||
        !wkChain_Find(batch->robot, program->parts[parts.a].rigidGroup,
                      program->parts[parts.b].rigidGroup, &table->chain) ||
        !isShort(batch, table)) {
        return false;
    }
    const wkChain* chain = &table->chain;
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

// Where the cells begin, for as many as there are along a variable.
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

// Sets what the bodies sweep that the joint left out of the chain rotates.
static void sweep(const wkBatch* batch, int32_t pair, wkSelfTable* table)
{
    if (table->sweptCount == 0) {
        return;
    }
    wkPartPair parts = batch->program->pairs[pair];
    int32_t part = table->isSweptA ? parts.a : parts.b;
    wkPartBodies bodies = batch->partBodies[part];
    const wkBodySet* bodySet = batch->def.scene->bodySet->bodySet;
    table->sweptCount = wkSweepBodies(
        &bodySet->bodies[bodies.first], bodies.end - bodies.first,
        &batch->robot->rigidGroups[batch->program->parts[part].rigidGroup], table->swept);
}

// Puts the tables, and then their cells, behind each other.
// @param start NULL: counts bytes alone
static size_t layOut(const wkBatch* batch, int32_t levelCount, char* start, wkSelfTables* tables)
{
    int32_t pairCount = batch->program->pairCount;
    size_t used = roundUp(sizeof *tables) + roundUp((size_t)pairCount * sizeof(wkSelfTable*));
    for (int32_t pair = 0; pair < pairCount; ++pair) {
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
        table.swept = start != NULL ? (wkCollisionBody*)(void*)(start + used) : NULL;
        used += roundUp((size_t)table.sweptCount * sizeof *table.swept);
        for (int32_t level = 0; level < levelCount; ++level) {
            table.cells[level] = start != NULL ? (wkTableByte*)(void*)(start + used) : NULL;
            used += cellBytes(&table, level);
        }
        if (start != NULL) {
            tables->ofPairs[pair] = (wkSelfTable*)(void*)(start + tableAt);
            *tables->ofPairs[pair] = table;
            sweep(batch, pair, tables->ofPairs[pair]);
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
    made->byteCount = byteCount;
    made->ofPairs = (wkSelfTable**)(void*)(memory + roundUp(sizeof *made));
    layOut(batch, levelCount, memory, made);
    *tables = made;
    return wk_ok;
}

void wkSelfTables_Destroy(wkSelfTables* tables)
{
    if (tables != NULL) {
        wkFree(tables, tables->byteCount);
    }
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

// All bodies of one part with all of the other: apart when all are, touching when two are.
// @param wantsTouching false: apart or not is all that counts
static wkBoxVerdict classify(const wkBatch* batch, wkBatchScratch* room, int32_t pair,
                             const wkChainBox* box, bool wantsTouching)
{
    const wkBodySet* bodySet = batch->def.scene->bodySet->bodySet;
    const wkSelfTable* table = batch->selfTables->ofPairs[pair];
    wkPartPair parts = batch->program->pairs[pair];
    wkPartBodies a = batch->partBodies[parts.a], b = batch->partBodies[parts.b];
    wkChainPair bodies = {.chain = &table->chain, .margin = table->margin, .q = room->chainValues};
    wkBoxVerdict verdict = wk_boxApart;
    for (int32_t i = a.first; i < a.end; ++i) {
        for (int32_t k = b.first; k < b.end; ++k) {
            bodies.a = &bodySet->bodies[i];
            bodies.b = &bodySet->bodies[k];
            if (!wkIsCheckedPair(bodySet, i, k) || bodies.a->isEmpty || bodies.b->isEmpty) {
                continue;
            }
            if (!wantsTouching && !wkIsChainBoxApart(&bodies, box)) {
                return wk_boxOpen;
            }
            wkBoxVerdict found = wantsTouching ? wkClassifyChainBox(&bodies, box) : wk_boxApart;
            if (found == wk_boxTouching) {
                return found;
            }
            verdict = found == wk_boxApart ? verdict : found;
        }
    }
    return verdict;
}

// The bodies of one part with what those of the other sweep.
static wkBoxVerdict classifySwept(const wkBatch* batch, wkBatchScratch* room, int32_t pair,
                                  const wkChainBox* box)
{
    const wkBodySet* bodySet = batch->def.scene->bodySet->bodySet;
    const wkSelfTable* table = batch->selfTables->ofPairs[pair];
    wkPartPair parts = batch->program->pairs[pair];
    wkPartBodies others = batch->partBodies[table->isSweptA ? parts.b : parts.a];
    wkChainPair bodies = {.chain = &table->chain, .margin = table->margin, .q = room->chainValues};
    for (int32_t i = others.first; i < others.end; ++i) {
        for (int32_t k = 0; k < table->sweptCount && !bodySet->bodies[i].isEmpty; ++k) {
            const wkCollisionBody *other = &bodySet->bodies[i], *swept = &table->swept[k];
            bodies.a = table->isSweptA ? swept : other;
            bodies.b = table->isSweptA ? other : swept;
            if (!wkIsChainBoxApart(&bodies, box)) {
                return wk_boxOpen;
            }
        }
    }
    return wk_boxApart;
}

wkBoxVerdict wkSelfTable_Ask(const wkBatch* batch, wkBatchScratch* room, int32_t pair,
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
        if (verdict == wk_boxUnknown && !table->decides && room->tableCredit < CELL_COST) {
            break;
        }
        if (verdict == wk_boxUnknown) {
            room->tableCredit -= table->decides ? 0 : CELL_COST;
            wkChainBox box = boxOf(table, level, cell);
            verdict = table->sweptCount > 0 ? classifySwept(batch, room, pair, &box)
                                            : classify(batch, room, pair, &box, !table->decides);
            atomic_fetch_or_explicit(&table->cells[level][number / 4],
                                     (uint8_t)((unsigned)verdict << (number % 4 * 2)),
                                     memory_order_relaxed);
        }
    }
    if (table->decides && verdict == wk_boxOpen) {
        return wk_boxTouching;
    }
    bool isTold = verdict == wk_boxApart || verdict == wk_boxTouching;
    room->tableCredit += isTold ? 0 : 1;
    return isTold ? verdict : wk_boxOpen;
}
