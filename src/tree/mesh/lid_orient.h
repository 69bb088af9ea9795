// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How often each triangle of a solid counts. Triangles that are there several times would count as
// often, those that are there from both sides would cancel each other, and flipped ones would be holes
// with a second surface: a facet counts once, and all facets of a patch face one way.

#include "tree/mesh/lid_facets.h"

// For each triangle of a definition.
typedef struct wkOrientation {
    int8_t* weights;  // how often it counts: 1 as it is, 0 not at all, -1 the other way round
    bool* isTwoSided; // its patch is there from both sides to about the same extent
    bool*
        isWall; // its patch was left as it is though it balances, as a wall between two cells does
    bool* isNeeded; // given: its patch is no wall
} wkOrientation;

// Fills in an orientation. Of the triangles of a facet at most one counts, unless all triangles of its
// patch face one way, or it is there several times on average. A patch faces as most of its area does; where both sides are there to about the same
// extent, it encloses a positive volume. A patch whose sides balance and that is attached to others, as a
// wall between two cells is, is left as it is unless it is needed. The order of the triangles does not
// matter.
// @param firsts for each vertex the first one at its position; facets may have joined more than that
// @return false when there is no memory
bool wkOrientTriangles(const wkMeshDef* def, const int32_t* firsts, wkFacets* facets,
                       wkOrientation* orientation);
