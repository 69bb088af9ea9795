// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Closing the surface of a solid mesh, see lids.h.

#include "tree/mesh.h"

typedef struct wkClosedSurface {
    int32_t* triangles; // three indices each: those given, then lids; NULL: none were needed
    int32_t givenCount;
    int32_t count;
    int32_t loopCount; // that the lids close
    size_t byteCount;
} wkClosedSurface;

// Which triangles of a surface count once when they are there from both sides.
typedef enum wkBackRule {
    wk_backsAll,             // all: the surface is not balanced, or encloses nothing
    wk_backsOfPieces,        // those of pieces that are there from both sides as a whole
    wk_backsOfPiecesInverted // the same in a surface of negative volume
} wkBackRule;

// Adds lids to the triangles of a definition. Of triangles that are there from both sides, one counts.
// `firsts` has for each vertex the first one at its place; see wkMakeLids for `tolerance`. Where the rule
// is one of pieces and there are none, nothing is closed and `triangles` are NULL.
// @return wk_errorMemory, wk_errorRange
wkResult wkCloseSurface(const wkMeshDef* given, const int32_t* firsts, double tolerance,
                        wkBackRule rule, wkClosedSurface* closed);

void wkFreeClosedSurface(wkClosedSurface* closed);

// Leaves out lids whose vertices are on one line, such as those at T-junctions: no ray crosses them,
// and all of their points are on edges of other triangles. A mesh that may deform needs them.
void wkDropLinearLids(const wkVec3d* vertices, wkClosedSurface* closed);
