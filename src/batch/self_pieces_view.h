// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What kernels read of convex pieces, see self_pieces.h. The common subset of C, C++ and CUDA.

#include "base/compiler.h"

#include <stddef.h>
#include <stdint.h>

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

// Searches for a plane between two pieces, by lanes and by single items alike.

// Normals that are tried for two pieces.
#define WK_NORMAL_COUNT 10
// Normals are unit vectors up to rounding: longer ones prove nothing, and gaps have to be larger by this
// factor.
#define WK_MOST_NORMAL 1.001f

// Squares below this one count as it, so that nothing is divided by zero.
#define WK_LEAST_SQUARE 1e-20f
