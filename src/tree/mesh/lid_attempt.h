// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One way to close the surface of a solid: triangles oriented, loops closed, pieces flipped.

#include "tree/mesh/lid_pieces.h"

typedef struct wkAttempt {
    wkClosedChain chain;
    wkPieceReport report;
    int32_t loopCount; // of the unchanged triangles
    size_t byteCount;  // of the arrays
} wkAttempt;

// Closes a surface.
// @param firsts for each vertex the first one at its position
// @param ids for each vertex the one that it is sewn to; `firsts`: none are
// @param facets of the triangles with vertices sewn so
// @return wk_errorMemory, wk_errorRange; `attempt` must be freed in any case
wkResult wkTryToClose(const wkMeshDef* given, const int32_t* firsts, const int32_t* ids,
                      wkFacets* facets, wkAttempt* attempt);

void wkFreeAttempt(wkAttempt* attempt);
