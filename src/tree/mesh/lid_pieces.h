// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pieces of a surface that lids have closed. Where pieces of opposite directions overlap, their winding
// numbers would cancel: a piece whose direction is opposite to that of most of the volume is flipped, unless
// it lies in one of the others, where it is the wall of a cavity.

#include "tree/mesh/lid_orient.h"

// A closed surface: the triangles of a definition, then lids.
typedef struct wkClosedChain {
    const wkMeshDef* def;
    const int32_t* firsts; // for each vertex the first one at its position
    int32_t* triangles;    // three indices each
    int8_t* weights;       // multiplicity of each
    int32_t givenCount;
    int32_t count;
} wkClosedChain;

// Results about the pieces.
typedef struct wkPieceReport {
    double volume;     // of all pieces
    double hollowArea; // of triangles that enclose nothing, or almost nothing between them and lids
    bool areNeeded;    // walls that are not inside of any piece
    bool* isHollow;    // for each triangle of the definition
    bool* isChanged;   // the same: the vote of its patch reversed or ignored it
    bool* isNeeded; // walls that are not inside of any piece, for each triangle of the definition
} wkPieceReport;

// Flips pieces: changes the weights of triangles and lids.
// @param by which triangles are two-sided or walls
// @return false when out of memory
bool wkFlipPieces(wkClosedChain* chain, const wkOrientation* by, wkPieceReport* report);

// Counts points beside triangles that are inside, on both sides and at two distances: of two ways to close a
// surface, the one with more of them lost less.
// @return false when out of memory
bool wkCountInside(const wkClosedChain* chain, int64_t* count);
