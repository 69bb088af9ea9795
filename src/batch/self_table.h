// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whether the bodies of two parts touch, by the values of the one or two variables between them. The
// values are cut into cells, of several sizes. A cell is classified when the first configuration in it
// asks for it: the bodies are apart in all of it, touch in all of it, or neither is proven and smaller
// cells are asked. Behind the smallest ones the bodies are asked (wk_exactnessSelf), or the configuration
// counts as touching (`decides`, wk_exactnessRefined). Either way the verdict does not depend on what was
// asked before. Threads that classify the same cell write the same bits.
//
// With three variables between them, the outermost joint is left out, and the bodies that it rotates are
// taken for what they sweep (self_sweep.h): such cells are apart or open.

#include "math/angle.h"
#include "robot/chain.h"

#include <stdatomic.h>

// Variables between two parts, sizes of cells, and how many of one size are along a variable in one of the
// next larger size.
#define WK_TABLE_VARIABLES 2
#define WK_TABLE_LEVELS 3
#define WK_TABLE_SHIFT 2

// Values that floats tell well enough: radians or metres.
#define WK_TABLE_REACH 8.0

typedef _Atomic(uint8_t) wkTableByte;

typedef struct wkSelfTable {
    int32_t variables[WK_TABLE_VARIABLES];
    int32_t variableCount;
    int32_t levelCount;
    int32_t count;                    // of the smallest cells along each variable, a power of two
    float lower[WK_TABLE_VARIABLES];  // where the first cell begins
    float scale[WK_TABLE_VARIABLES];  // smallest cells in a radian or metre
    bool isWhole[WK_TABLE_VARIABLES]; // values a turn apart are the same
    bool decides;                     // smallest cells that are not apart count as touching
    double margin;                    // touching means a distance not above
    wkCollisionBody* swept;           // in place of the bodies that the outermost joint rotates
    int32_t sweptCount;               // 0: the bodies are as they are
    bool isSweptA;                    // they are those of the first part
    wkChain chain;                    // between the parts
    wkTableByte* cells[WK_TABLE_LEVELS]; // four to a byte, the largest first
} wkSelfTable;

// Tables of all pairs of parts, one block of memory.
typedef struct wkSelfTables {
    size_t byteCount;
    wkSelfTable** ofPairs; // NULL: the pair has none
} wkSelfTables;

// The smallest cell that a configuration is in; false when it is in none.
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

// The number of a cell of one size, from that of the smallest one.
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

// Whether bodies are known to be apart, by what was asked before.
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

typedef struct wkBatch wkBatch;
typedef struct wkBatchScratch wkBatchScratch;

// Tables for the pairs of parts of a batch whose bodies decide, as far as these have few variables between
// them and signed distances that are exact.
// @param tables set to NULL on failure
// @return wk_errorMemory
wkResult wkSelfTables_Create(const wkBatch* batch, wkSelfTables** tables);
void wkSelfTables_Destroy(wkSelfTables* tables);

// Classifies the cells that a configuration is in, from the largest on, until one tells.
// @return wk_boxApart, wk_boxTouching, or wk_boxOpen: the bodies have to be asked
wkBoxVerdict wkSelfTable_Ask(const wkBatch* batch, wkBatchScratch* room, int32_t pair,
                             const double* q);
