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

// Pairs of spheres inside the bodies of two parts that find most contacts of these, as numbers of spheres.
#define WK_INNER_PAIRS 8
typedef struct wkInnerPairs {
    int32_t count;
    int32_t spheres[WK_INNER_PAIRS][2];
} wkInnerPairs;

// The levels of the pieces of both parts of a pair, in one number.
#define WK_DETAIL_BITS 2
#define WK_PIECE_DETAIL(levelA, levelB) ((levelA) | (levelB) << WK_DETAIL_BITS)
#define WK_DETAIL_DIVIDED WK_PIECE_DETAIL(wk_piecesDivided, wk_piecesDivided)
#define WK_DETAIL_TIGHT WK_PIECE_DETAIL(wk_piecesTight, wk_piecesTight)

// Returns the level of the pieces of one part of a pair.
// @param side 0: of its first part, 1: of the second
WK_FN int wkLevelOfDetail(int detail, int side)
{
    return detail >> WK_DETAIL_BITS * side & ((1 << WK_DETAIL_BITS) - 1);
}

// A plane that separates the tight pieces of a pair in many configurations in which these are near each other. Its
// normal is constant in the frame of one part: see self_plane.c.
typedef struct wkPairPlane {
    bool isUsed;
    int32_t side;  // part whose frame the normal is constant in: 0 for the first, 1 for the second
    float x, y, z; // unit normal from the first part to the second, in this frame
    float reach;   // of the vertices of this part, towards the other one
} wkPairPlane;

// Pairs of parts of the same two rigid groups that use convex pieces. They are checked together, in rows in which
// boxes around all their pieces are not apart.
typedef struct wkPairBundle {
    int32_t first, count; // in `bundlePairs`
    int32_t groups[2];    // rigid groups
    wkPieceBox boxes[2];  // around the pieces of either
    float inflation;      // metres that pieces of both extend beyond their boxes, at most
    float radius;         // the sum of the radii of spheres around the boxes, with the inflation
} wkPairBundle;

// Maps of a batch at most.
#define WK_MOST_MAPS 32

// What decides about each pair of parts.
typedef struct wkSelfTables {
    size_t byteCount;    // of all
    size_t ownByteCount; // of this struct with the tables

    // Filled while configurations are checked, by the CPU alone.
    wkSelfTable** ofPairs; // tables; NULL: the pair has none

    // A block for each.
    wkPartPieces** pieces; // of each part, one for each level; NULL: none were needed
    int32_t partCount;
    int32_t mapCount;
    wkSelfMap* maps[WK_MOST_MAPS];

    // A view of a block (base/view_block.h): its numbers,
    int32_t pairCount;
    int32_t bundleCount;

    // and its arrays, with capacity for all pairs.
    int32_t* mapOfPair;    // numbers of maps; -1: the pair has none
    bool* usesPieces;      // of pairs: the convex pieces of both parts decide
    uint8_t* detail;       // of these pairs: WK_PIECE_DETAIL
    wkInnerPairs* inner;   // of these pairs
    wkPairPlane* planes;   // of these pairs
    wkPairBundle* bundles; // in the order in which they are checked
    int32_t* bundlePairs;
    int32_t* order; // in which pairs are checked: those that can touch come first
    wkBlockHead* block;
    size_t blockByteCount;
} wkSelfTables;

// Returns the pieces that decide about a pair.
// @param side 0: of its first part, 1: of the second
WK_FN const wkPartPieces* wkPiecesOfPair(const wkSelfTables* tables, int32_t pair, int side,
                                         int32_t part)
{
    int level = wkLevelOfDetail(tables->detail[pair], side);
    return tables->pieces[WK_PIECE_LEVELS * part + level];
}

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
