// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What decides about pairs of parts whose spheres touch, other than bodies.
//
// Under wk_exactnessSelf: tables of joint values, for pairs with one or two variables between them. The values
// are divided into cells of several sizes. A cell is classified when the first configuration in it is
// checked: the bodies are apart in all of it, touch in all of it, or neither is proven and smaller cells are
// classified. Where the smallest one proves neither, the bodies decide. The verdict does not depend on
// the contents of a table. Threads that classify the same cell write the same bits.
//
// Under wk_exactnessRefined: maps of joint values (self_map.h) and convex pieces (self_pieces.h), as
// self_choice.c chooses.

#include "batch/self_map.h"
#include "batch/self_pieces.h"
#include "batch/self_tests_view.h"
#include "math/angle.h"
#include "robot/chain.h"

#include <stdatomic.h>

// Variables between two parts, sizes of cells, and the cells of one size along a variable in one of the next
// larger size, as a power of two.
#define WK_TABLE_VARIABLES 2
#define WK_TABLE_LEVELS 3
#define WK_TABLE_SHIFT 2

// Values that are looked up, in radians or metres: floats resolve these well.
#define WK_TABLE_REACH 8.0

typedef _Atomic(uint8_t) wkTableByte;

typedef struct wkSelfTable {
    int32_t variables[WK_TABLE_VARIABLES];
    int32_t variableCount;
    int32_t levelCount;
    int32_t count;                       // smallest cells along each variable, a power of two
    float lower[WK_TABLE_VARIABLES];     // where the first cell begins
    float scale[WK_TABLE_VARIABLES];     // smallest cells in a radian or metre
    bool isWhole[WK_TABLE_VARIABLES];    // values a full revolution apart are the same
    double margin;                       // touching means a distance not above
    wkChain chain;                       // between the parts
    wkTableByte* cells[WK_TABLE_LEVELS]; // four to a byte, the largest first
} wkSelfTable;

typedef struct wkBatch wkBatch;
typedef struct wkBatchScratch wkBatchScratch;

// Bundles the pairs that can touch and use pieces, in their order.
void wkBundlePairs(wkBatch* batch);

// Finds the smallest cell of a configuration; false: it is in none.
// @param values of the variables of the table
WK_FN bool wkFindTableCell(const wkSelfTable* table, const float* values,
                           int32_t cell[WK_TABLE_VARIABLES])
{
    for (int32_t i = 0; i < table->variableCount; ++i) {
        float value = values[i];
        if (!(fabsf(value) <= (float)WK_TABLE_REACH)) {
            return false;
        }
        if (table->isWhole[i]) {
            value -= value > (float)WK_PI    ? (float)(2.0 * WK_PI)
                     : value < -(float)WK_PI ? -(float)(2.0 * WK_PI)
                                             : 0.0f;
        }
        float at = (value - table->lower[i]) * table->scale[i];
        if (!(at >= 0.0f && at < (float)table->count)) {
            return false;
        }
        cell[i] = (int32_t)at;
    }
    return true;
}

// Returns the number of the cell of one size that contains a smallest cell.
WK_FN int32_t wkTableCellNumber(const wkSelfTable* table, int32_t level,
                                const int32_t cell[WK_TABLE_VARIABLES])
{
    int32_t shift = WK_TABLE_SHIFT * (table->levelCount - 1 - level);
    int32_t number = cell[0] >> shift;
    return table->variableCount == 1 ? number
                                     : number * (table->count >> shift) + (cell[1] >> shift);
}

WK_FN wkBoxVerdict wkTableVerdict(const wkSelfTable* table, int32_t level, int32_t number)
{
    unsigned bits = atomic_load_explicit(&table->cells[level][number / 4], memory_order_relaxed);
    return (wkBoxVerdict)(bits >> (number % 4 * 2) & 3u);
}

// Returns whether cells that have been classified prove the bodies apart.
WK_FN bool wkIsApartByTable(const wkSelfTable* table, const float* values)
{
    int32_t cell[WK_TABLE_VARIABLES];
    if (!wkFindTableCell(table, values, cell)) {
        return false;
    }
    wkBoxVerdict verdict = wk_boxOpen;
    for (int32_t level = 0; level < table->levelCount && verdict == wk_boxOpen; ++level) {
        verdict = wkTableVerdict(table, level, wkTableCellNumber(table, level, cell));
    }
    return verdict == wk_boxApart;
}

// Makes the tables for pairs of parts with few variables between them and bodies whose signed distances are
// exact, without any cell classified. Under wk_exactnessRefined there are none yet: wkChooseSelfTests adds
// maps and pieces.
// @param tables set to NULL on failure
// @return wk_errorMemory
wkResult wkSelfTables_Create(const wkBatch* batch, wkSelfTables** tables);
void wkSelfTables_Destroy(wkSelfTables* tables);

// Stores the numbers of the block, once the tests of all pairs are chosen.
void wkSealPairTests(wkSelfTables* tables);

// Lets tables read the tests of pairs from a copy of their block, which they do not own.
// @return wk_errorArgument, see wkBlock_Bind
wkResult wkBindPairTests(const void* block, size_t byteCount, wkSelfTables* tables);

// Returns whether the distances of all bodies of a part are exact, so that boxes of joint values can be
// classified.
bool wkCanClassifyPart(const wkBatch* batch, int32_t part);

// Classifies the cells of a configuration, from the largest to the smallest, until one is decided.
// @return wk_boxApart, wk_boxTouching, or wk_boxOpen: the bodies have to decide
wkBoxVerdict wkSelfTable_Ask(const wkBatch* batch, wkBatchScratch* scratch, int32_t pair,
                             const double* q);
