// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Lids: triangles that close the surface of a solid mesh.
//
// Every triangle passes its three edges in a direction. An edge that is passed more often in one direction
// than in the other is a boundary edge. As many boundary edges end at a vertex as start there, since
// that holds for each triangle, so they always form closed loops: for holes and cracks, at T-junctions,
// around flipped triangles, on Moebius strips, around single triangles. A lid is a triangulation of a
// loop, in the opposite direction. With all lids the surface is balanced, and its winding number is an
// integer everywhere.

#include "whisker/mesh.h"

typedef struct wkLids {
    int32_t* triangles; // three indices of vertices each
    int32_t count;
    int32_t loopCount;
    size_t byteCount; // of the triangles
} wkLids;

// Makes the lids of a surface. `firsts` has for each vertex the first one at its position; lids use those
// vertices alone. The same triangles, in any order, get the same lids.
// @param weights multiplicity of each triangle, see lid_orient.h; NULL: 1
// @param ids for each vertex the one that it is sewn to before loops are searched, so that cracks get lids
//        as narrow as they are; `firsts`: none are
// @return false when out of memory
bool wkMakeLids(const wkMeshDef* def, const int32_t* firsts, const int8_t* weights,
                const int32_t* ids, wkLids* lids);

// Counts the loops of a surface without lids.
// @return false when out of memory
bool wkCountLoops(const wkMeshDef* def, const int32_t* firsts, int32_t* loopCount);

void wkFreeLids(wkLids* lids);

// Upper bound of the lids of a surface with that many triangles: for each edge two in a seam and one in a
// loop, and two for each flipped triangle.
#define WK_LID_BOUND(TRIANGLE_COUNT) (11 * (int64_t)(TRIANGLE_COUNT))
