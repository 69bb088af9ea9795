// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which cells of a grid the cells of a map overlap, and how far all others are from these.

#include "batch/field.h"

// A cube of cells of a map that count.
typedef struct wkMapCube {
    int32_t lower[3]; // its first cell, counted from the middle of the map
    int32_t edge;     // in cells
    bool isUnknown;
} wkMapCube;

// Goes over the cubes of a map that reach into what is kept of it.
typedef struct wkMapCubes {
    wkCellIterator cells;
} wkMapCubes;

wkMapCubes wkMapCubes_Start(const wkFieldMap* map, const wkShape* shape);
bool wkMapCubes_Next(wkMapCubes* cubes, wkMapCube* cube);

// Marks on a grid that reaches beyond that of the field by as much as matters.
typedef struct wkMapMarks {
    double size;      // of a cell, in metres
    float step;       // metres that a one in a byte stands for
    double lower[3];  // where the first one begins, relative to the origin of the field
    double sphere;    // around the cells of the map
    int32_t beyond;   // cells more than the grid has, at each end
    int32_t count[3]; // along each axis
    size_t cellCount;
    bool isWhole;        // cells that are marked are filled
    uint8_t* marks;      // wk_markAny, wk_markKnown
    int16_t* scratch[2]; // squared distances on their way, in cells
} wkMapMarks;

// Bits of a mark.
enum {
    wk_markAny = 1,   // overlapped, by unknown cells too
    wk_markKnown = 2, // overlapped by more than unknown space
};

// @param sphere around the cells of the map, any sign
wkResult wkMapMarks_Create(const wkField* field, const wkFieldGrid* grid, double sphere,
                           wkMapMarks* marks);
void wkMapMarks_Destroy(wkMapMarks* marks);

void wkMapMarks_Add(wkMapMarks* marks, const wkFieldMap* map, const wkMapCube* cube,
                    bool isUnknown);

// Fills `cells` of the map.
wkResult wkMapMarks_Spread(wkMapMarks* marks, const wkFieldGrid* grid, wkFieldMap* map);
