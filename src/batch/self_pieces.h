// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Convex pieces around the bodies of a part, for SIMD kernels. A mesh that does not fill its hull is divided
// by boxes, and what each box has of it is a piece. A piece has the vertices of its hull, or some of them and the
// distance by which the others stick out. Two parts are apart where a plane separates each piece of one from
// each piece of the other; where none is found, nothing is proven.

#include "batch/program.h"
#include "batch/self_pieces_view.h"

// Pieces of one part at most.
#define WK_PART_PIECES 32

typedef struct wkBatch wkBatch;

// Makes the pieces of a part.
// @param pieces set to NULL on failure, and where bodies have no such pieces: unbounded ones, maps, those
// with negative padding, or too many
// @return wk_errorMemory
wkResult wkPartPieces_Create(const wkBatch* batch, int32_t part, wkPieceLevel level,
                             wkPartPieces** pieces);
void wkPartPieces_Destroy(wkPartPieces* pieces);
