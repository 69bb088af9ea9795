// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Directions sorted into cells, and for each cell the few vertices of a hull that can be furthest
// along one of its directions. Directions d are scaled to |d.x| + |d.y| + |d.z| = 1, which puts
// them on an octahedron; a cell is a square of |d.x| and |d.y| on one of its faces.

#include "math/vec.h"

#include <string.h>

// Each of the eight faces is a square of this many cells in each direction; half of the cells, where |d.x| +
// |d.y| exceeds 1, stay empty.
#define WK_HULL_CELL_STEPS 16
#define WK_HULL_CELL_COUNT (8 * WK_HULL_CELL_STEPS * WK_HULL_CELL_STEPS)

// Vertices of a cell, as bytes in ascending order; the last is repeated when there are fewer.
#define WK_HULL_CELL_VERTICES 4

// Marks a cell with more vertices than that, or with none.
#define WK_HULL_CELL_CROWDED UINT32_MAX

WK_FN int32_t wkHullSignBit(double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    return (int32_t)(bits >> 63);
}

// Returns the cell of a direction; NaN and lengths out of range map to an empty one.
WK_FN int32_t wkHullCell(wkVec3d d)
{
    double scale = WK_HULL_CELL_STEPS / (fabs(d.x) + fabs(d.y) + fabs(d.z));
    int32_t column = (int32_t)wkMinD(fabs(d.x) * scale, WK_HULL_CELL_STEPS - 1);
    int32_t row = (int32_t)wkMinD(fabs(d.y) * scale, WK_HULL_CELL_STEPS - 1);
    int32_t face = wkHullSignBit(d.x) | wkHullSignBit(d.y) << 1 | wkHullSignBit(d.z) << 2;
    return (face * WK_HULL_CELL_STEPS + row) * WK_HULL_CELL_STEPS + column;
}
