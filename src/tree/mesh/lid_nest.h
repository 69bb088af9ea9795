// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Winding numbers of a few pieces of a closed surface, for many points.

#include "tree/mesh/lid_facets.h"

// Facets by the cells of a grid across the z axis that their bounds overlap.
typedef struct wkNest {
    const wkVec3d* vertices;
    const wkFacet* facets;
    double lower[2];
    double scale[2]; // cells per metre
    int32_t size;    // cells along each axis
    int32_t* starts; // of each cell, and one more for the end
    int32_t* items;
    size_t byteCount;
} wkNest;

// @param isPart which facets belong to the pieces
// @return false when out of memory
bool wkMakeNest(const wkVec3d* vertices, const wkFacets* facets, const bool* isPart, wkNest* nest);

void wkFreeNest(wkNest* nest);

// Finds the winding number of a point.
// @return false on the surface, and where rounding leaves it undecided
bool wkFindNestWinding(const wkNest* nest, wkVec3d point, int32_t* winding);

// The winding number of a point; 0 on the surface, and where rounding leaves it undecided.
int32_t wkNestWinding(const wkNest* nest, wkVec3d point);

// Whether a facet may meet a facet of the pieces. False is certain: then all points of the facet have one winding
// number.
bool wkMayMeetNest(const wkNest* nest, const wkFacet* facet);
