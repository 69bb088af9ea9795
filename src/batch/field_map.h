// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Occupancy maps in a field. Where cells of a map are near the grid they are kept as bits, in rows along
// x of the map, so that a sphere looks at a few words instead of walking down the octree. While the field
// is made, the cells of its grid that cells of the map overlap are marked, and distances to these spread
// from cell to cell.

#include "math/frame.h"
#include "whisker/octree.h"

// What is touched first counts.
typedef enum wkMapTouch {
    wk_mapFree = 0,
    wk_mapUnknown = 1,
    wk_mapOccupied = 2,
} wkMapTouch;

typedef struct wkFieldMap {
    wkFrame frame;    // of the map, relative to the origin of the field
    double perMetre;  // cells of the map
    double sphere;    // around its cells, with what rounding may do; in cells
    int32_t lower[3]; // first cell that is kept, counted from the middle of the map
    int32_t count[3]; // cells that are kept along each axis
    int32_t rowWords; // words of a row
    bool isAsked;     // the map is asked as a shape
    bool isCovered;   // boxes stand for it
    uint64_t* occupied;
    uint64_t* unknown; // NULL: unknown cells are free, or as solid as others
    size_t byteCount;  // of each

    // While the field is made: for each cell of the grid how far the map is, in steps of the field; low
    // byte: at least, high byte: at most.
    uint16_t* cells;
    size_t cellBytes;
} wkFieldMap;

// Whether a sphere touches cells of a map that has bits.
wkMapTouch wkFieldMap_Touch(const wkFieldMap* map, const float center[3], float radius);
