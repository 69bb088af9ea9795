// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Start vertices for climbing without a good hint: directions are sorted into the cells of a cube, and a
// large hull stores the support vertex of the middle of each cell.

#include "math/vec.h"

// Each face of the cube has this many cells in each direction.
#define WK_HULL_SEED_CELLS 8
#define WK_HULL_SEED_COUNT (6 * WK_HULL_SEED_CELLS * WK_HULL_SEED_CELLS)

// Returns the column or row of a coordinate between -1 and 1; 0 for NaN.
WK_FN int32_t wkHullSeedStep(double coordinate)
{
    double step = 0.5 * WK_HULL_SEED_CELLS * (coordinate + 1.0);
    return step > 0.0 ? (int32_t)wkMinD(step, WK_HULL_SEED_CELLS - 1) : 0;
}

// Returns the cell of a direction of any length. Faces are numbered +x -x +y -y +z -z.
WK_FN int32_t wkHullSeedCell(wkVec3d d)
{
    wkVec3d size = wkAbs(d);
    double major = d.z, u = d.x, v = d.y;
    int32_t face = 4;
    if (size.x > size.y && size.x > size.z) {
        face = 0;
        major = d.x;
        u = d.y;
        v = d.z;
    } else if (size.y > size.z) {
        face = 2;
        major = d.y;
        u = d.z;
        v = d.x;
    }
    face += major < 0.0;
    double scale = 1.0 / fabs(major);
    int32_t row = wkHullSeedStep(scale * v), column = wkHullSeedStep(scale * u);
    return (face * WK_HULL_SEED_CELLS + row) * WK_HULL_SEED_CELLS + column;
}

// Returns the direction to the middle of a cell.
WK_FN wkVec3d wkHullSeedDirection(int32_t cell)
{
    const double step = 2.0 / WK_HULL_SEED_CELLS;
    int32_t face = cell / (WK_HULL_SEED_CELLS * WK_HULL_SEED_CELLS);
    double u = step * (0.5 + cell % WK_HULL_SEED_CELLS) - 1.0;
    double v = step * (0.5 + cell / WK_HULL_SEED_CELLS % WK_HULL_SEED_CELLS) - 1.0;
    double major = face % 2 == 0 ? 1.0 : -1.0;
    if (face < 2) {
        return wkVec(major, u, v);
    }
    return face < 4 ? wkVec(v, major, u) : wkVec(u, v, major);
}
