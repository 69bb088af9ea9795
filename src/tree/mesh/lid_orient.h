// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How often each triangle of a solid counts. Duplicate triangles would count several times, opposite ones
// would cancel each other, and flipped ones would be holes with a second surface: therefore a facet counts
// once, and all facets of a patch have one direction.

#include "tree/mesh/lid_facets.h"

// For each triangle of a definition.
typedef struct wkOrientation {
    int8_t* weights;  // multiplicity: 1 unchanged, 0 ignored, -1 flipped
    bool* isTwoSided; // its patch has about equal areas in both directions
    bool* isWall;     // its patch balances and was left unchanged, like a wall between two cells
    bool* isNeeded;   // input: its patch is not a wall
} wkOrientation;

// Fills in an orientation. Of the triangles of a facet at most one counts, unless all triangles of its
// patch have one direction, or it occurs several times on average. A patch gets the direction of most of
// its area; where both directions have about equal areas, it encloses a positive volume. A patch that
// balances and is attached to others, as a wall between two cells is, is left unchanged unless it is needed.
// The order of the triangles does not matter.
// @param firsts for each vertex the first one at its position; facets may have joined more than that
// @return false when out of memory
bool wkOrientTriangles(const wkMeshDef* def, const int32_t* firsts, wkFacets* facets,
                       wkOrientation* orientation);

// The direction of a facet whose triangles count as they did before.
#define WK_TARGET_KEPT 2

// Sets the weights of triangles so that each facet counts once in the direction of its target: 1 the facet's own,
// -1 the opposite, 0 not at all.
// @return false when out of memory
bool wkWeighTriangles(const wkMeshDef* def, const int32_t* firsts, const wkFacets* facets,
                      const int8_t* targets, int8_t* weights);
