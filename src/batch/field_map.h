// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Occupancy maps in a field. Where cells of a map are near the grid they are stored as bits, in rows along
// x of the map, so that a sphere reads a few words instead of descending the octree. While the field
// is built, the cells of its grid that cells of the map overlap are marked, and a distance transform
// from these fills the other cells.

#include "math/frame.h"
#include "whisker/octree.h"

typedef struct wkFieldMap {
    wkFrame frame;      // of the map, relative to the origin of the field
    double perMetre;    // cells of the map
    double sphere;      // swept around its cells, with the rounding slack; in cells
    int32_t lower[3];   // first cell that is stored, counted from the middle of the map
    int32_t count[3];   // cells that are stored along each axis
    int32_t rowWords;   // words of a row
    bool isAsked;       // queries on the map as a shape are used instead
    bool isCovered;     // boxes represent it
    int64_t occupiedAt; // first word of its occupied cells among the bits of all maps
    int64_t unknownAt;  // the same of unknown cells; -1: these are free, or count as occupied

    // While the field is built: these bits.
    uint64_t* occupied;
    uint64_t* unknown; // NULL: none
    size_t byteCount;  // of each

    // While the field is built: the distance of the map from each cell of the grid, in steps of the field;
    // low byte: at least, high byte: at most.
    uint16_t* cells;
    size_t cellBytes;
} wkFieldMap;
