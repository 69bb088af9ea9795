// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What kernels read of the tests of pairs of parts, see self_table.h. The common subset of C, C++ and CUDA.

#include "base/view_block.h"
#include "batch/self_map_view.h"
#include "batch/self_pieces_view.h"

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

// What decides about each pair of parts.
typedef struct wkSelfTables {
    size_t byteCount;    // of all
    size_t ownByteCount; // of this struct with the tables

    // Filled while configurations are checked, by the CPU alone.
    struct wkSelfTable** ofPairs; // tables; NULL: the pair has none

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
