// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pieces of a surface that lids have closed. Where pieces of opposite directions overlap, their winding
// numbers would cancel: a piece that faces the other way than most of the volume is turned, unless it
// lies in one of the others, where it is the wall of a cavity.

#include "tree/mesh/lid_orient.h"

// A closed surface: the triangles of a definition, then lids.
typedef struct wkClosedChain {
    const wkMeshDef* def;
    const int32_t* firsts; // for each vertex the first one at its position
    int32_t* triangles;    // three indices each
    int8_t* weights;       // how often each counts
    int32_t givenCount;
    int32_t count;
} wkClosedChain;

// What is found out about the pieces.
typedef struct wkPieceReport {
    double volume; // of all pieces
    double
        hollowArea; // of triangles that enclose nothing, or next to nothing between them and lids
    bool areNeeded; // walls that are not inside of any piece
    bool* isHollow; // for each triangle of the definition
    bool* isNeeded; // walls that are not inside of any piece, for each triangle of the definition
} wkPieceReport;

// Turns pieces: changes the weights of triangles and lids.
// @param by which triangles are two-sided or walls
// @return false when there is no memory
bool wkRotationPieces(wkClosedChain* chain, const wkOrientation* by, wkPieceReport* report);

// Counts points beside triangles that are inside, on both sides and at two distances: of two ways to close a
// surface, the one with more of them lost less.
// @return false when there is no memory
bool wkCountInside(const wkClosedChain* chain, int64_t* count);
