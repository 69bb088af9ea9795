// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Convex pieces around the bodies of a part, for SIMD kernels. A mesh that does not fill its hull is divided
// by boxes, and what each box has of it is a piece. A piece has the vertices of its hull, or some of them and the
// distance by which the others stick out. Two parts are apart where a plane separates each piece of one from
// each piece of the other; where none is found, nothing is proven.

#include "batch/program.h"

// Pieces of one part at most.
#define WK_PART_PIECES 32

// How closely pieces follow the bodies of a part.
typedef enum wkPieceLevel {
    wk_piecesWhole,   // each body is one piece
    wk_piecesDivided, // meshes that do not fill their hulls are divided
    wk_piecesTight,   // the same, with as many vertices as it takes to have next to no inflation
} wkPieceLevel;

#define WK_PIECE_LEVELS 3

// A box around vertices, along the axes of the frame of the program.
typedef struct wkPieceBox {
    float x, y, z; // center
    float half[3];
} wkPieceBox;

typedef struct wkConvexPiece {
    int32_t first, end;    // vertices
    float x, y, z, radius; // a sphere around the piece, in the frame of the program
    float inflation;       // metres that the piece extends beyond its vertices, rounding included
    wkPieceBox box;
} wkConvexPiece;

// One block of memory that means the same wherever it lies: arrays are at offsets.
typedef struct wkPartPieces {
    size_t byteCount;
    int32_t count;
    int32_t vertexCount;
    wkPieceBox box;  // around the vertices of all pieces
    float inflation; // the largest of all pieces
    // offsets of arrays, in bytes from the start
    size_t piecesAt;      // wkConvexPiece, one for each
    size_t verticesAt[3]; // float, x, y and z of vertices in the frame of the program
} wkPartPieces;

WK_FN const wkConvexPiece* wkConvexPieces(const wkPartPieces* pieces)
{
    return (const wkConvexPiece*)(const void*)((const char*)pieces + pieces->piecesAt);
}

// Returns a coordinate of all vertices.
WK_FN const float* wkPieceVertices(const wkPartPieces* pieces, int axis)
{
    return (const float*)(const void*)((const char*)pieces + pieces->verticesAt[axis]);
}

typedef struct wkBatch wkBatch;

// Makes the pieces of a part.
// @param pieces set to NULL on failure, and where bodies have no such pieces: unbounded ones, maps, those
// with negative padding, or too many
// @return wk_errorMemory
wkResult wkPartPieces_Create(const wkBatch* batch, int32_t part, wkPieceLevel level,
                             wkPartPieces** pieces);
void wkPartPieces_Destroy(wkPartPieces* pieces);
