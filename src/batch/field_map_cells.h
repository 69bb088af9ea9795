// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cells of a grid that the cells of a map overlap, and the distances of all other cells from these.

#include "batch/field.h"

// A cube of cells of a map that are occupied or count as such.
typedef struct wkMapCube {
    int32_t lower[3]; // its first cell, counted from the middle of the map
    int32_t edge;     // in cells
    bool isUnknown;
} wkMapCube;

// Iterates over the cubes of a map that overlap its stored part.
typedef struct wkMapCubes {
    wkCellIterator cells;
} wkMapCubes;

wkMapCubes wkMapCubes_Start(const wkFieldMap* map, const wkShape* shape);
bool wkMapCubes_Next(wkMapCubes* cubes, wkMapCube* cube);

// Marks on a grid that extends beyond that of the field by the reach.
typedef struct wkMapMarks {
    double size;      // of a cell, in metres
    float step;       // metres per unit of a byte
    double lower[3];  // lower vertex of the first cell, relative to the origin of the field
    double sphere;    // swept around the cells of the map
    int32_t beyond;   // additional cells at each end of the grid
    int32_t count[3]; // along each axis
    size_t cellCount;
    bool isWhole;        // cells that are marked are filled
    uint8_t* marks;      // wk_markAny, wk_markKnown
    int16_t* scratch[2]; // squared distances during the transform, in cells
} wkMapMarks;

// Bits of a mark.
enum {
    wk_markAny = 1,   // overlapped, by unknown cells too
    wk_markKnown = 2, // overlapped by occupied cells
};

// @param sphere swept around the cells of the map, any sign
wkResult wkMapMarks_Create(const wkField* field, const wkFieldGrid* grid, double sphere,
                           wkMapMarks* marks);
void wkMapMarks_Destroy(wkMapMarks* marks);

void wkMapMarks_Add(wkMapMarks* marks, const wkFieldMap* map, const wkMapCube* cube,
                    bool isUnknown);

// Fills `cells` of the map by a distance transform.
wkResult wkMapMarks_Spread(wkMapMarks* marks, const wkFieldGrid* grid, wkFieldMap* map);
