// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One look-up in a field for as many spheres as there are lanes; for SIMD files. Lanes hold spheres, each with a
// cell of its own.

#include "batch/field.h"
#include "simd/simd_int.h"

// Results of the cells of spheres: bits of lanes.
typedef struct wkFieldBits {
    unsigned open;     // may touch something: not proven free
    unsigned touching; // of these, known to touch something other than unknown space
} wkFieldBits;

// Returns the position of a coordinate, in cells from the first.
WK_FORCE_FN wkFloatW wkPositionAlong(const wkFieldGrid* grid, int axis, wkFloatW center)
{
    return wkMulF(wkSubF(center, wkSplatF(grid->lower[axis])), wkSplatF(grid->perMetre));
}

// Returns the cell of a position, or the outermost one. NaN gets the last cell.
WK_FORCE_FN wkIntW wkCellOfPosition(const wkFieldGrid* grid, int axis, wkFloatW position)
{
    return wkTruncateF(wkMaxF(wkMinF(position, wkSplatF(grid->last[axis])), wkSplatF(0.0f)));
}

// Contents of the cells of points.
typedef struct wkFieldCellsW {
    wkFloatW least; // lower bound on the distance in metres, less the bias of the grid
    wkIntW word;
} wkFieldCellsW;

// Points are relative to the origin of the field.
WK_FORCE_FN wkFieldCellsW wkFindCells(const wkFieldGrid* grid, wkFloatW x, wkFloatW y, wkFloatW z)
{
    wkFloatW positionX = wkPositionAlong(grid, 0, x), positionY = wkPositionAlong(grid, 1, y);
    wkFloatW positionZ = wkPositionAlong(grid, 2, z);
    wkIntW cellX = wkCellOfPosition(grid, 0, positionX),
           cellY = wkCellOfPosition(grid, 1, positionY);
    wkIntW cellZ = wkCellOfPosition(grid, 2, positionZ);
    wkIntW row = wkAddI(cellY, wkMulI(cellZ, wkSplatI(grid->count[1])));
    wkIntW cell = wkAddI(cellX, wkMulI(row, wkSplatI(grid->count[0])));
    wkIntW word = wkGatherI((const int32_t*)grid->words, cell);

    // The plane: its value at the first vertex of the cell, and its slope. Outermost cells have slope
    // zero, but zero times NaN is NaN, which proves nothing.
    wkFloatW slopeX = wkToFloatI(wkShiftRightSignI(wkShiftLeftI(word, 12), 26));
    wkFloatW slopeY = wkToFloatI(wkShiftRightSignI(wkShiftLeftI(word, 6), 26));
    wkFloatW slopeZ = wkToFloatI(wkShiftRightSignI(word, 26));
    wkFloatW vertex = wkToFloatI(wkAndI(word, wkSplatI(0xff)));
    wkFloatW grown = wkMulF(slopeX, wkSubF(positionX, wkToFloatI(cellX)));
    grown = wkAddF(grown, wkMulF(slopeY, wkSubF(positionY, wkToFloatI(cellY))));
    grown = wkAddF(grown, wkMulF(slopeZ, wkSubF(positionZ, wkToFloatI(cellZ))));
    wkFieldCellsW cells = {
        wkAddF(wkMulF(vertex, wkSplatF(grid->step)), wkMulF(grown, wkSplatF(grid->slope))), word};
    return cells;
}

// Returns lanes whose spheres around such points may touch something. Margins are in the radii.
WK_FORCE_FN unsigned wkNotFreeInCells(const wkFieldGrid* grid, const wkFieldCellsW* cells,
                                      wkFloatW radius)
{
    return wkNotAboveBitsF(cells->least, wkAddF(radius, wkSplatF(grid->bias)));
}

WK_FORCE_FN wkFieldBits wkCheckCells(const wkFieldGrid* grid, const wkFieldCellsW* cells,
                                     wkFloatW radius)
{
    wkFieldBits bits = {wkNotFreeInCells(grid, cells, radius), 0};
    if (bits.open != 0) {
        wkIntW none = wkSplatI(WK_FIELD_NONE), gap = wkAndI(wkShiftRightI(cells->word, 8), none);
        wkFloatW most = wkAddF(cells->least, wkMulF(wkToFloatI(gap), wkSplatF(grid->gapStep)));
        wkFloatW reach = wkAddF(radius, wkSplatF(grid->bias));
        bits.touching = wkNotAboveBitsF(most, reach) & wkGreaterBitsI(none, gap) & bits.open;
    }
    return bits;
}

// Checks spheres whose centers are relative to the origin of the field.
WK_FORCE_FN wkFieldBits wkCheckField(const wkFieldGrid* grid, wkFloatW x, wkFloatW y, wkFloatW z,
                                     wkFloatW radius)
{
    wkFieldCellsW cells = wkFindCells(grid, x, y, z);
    return wkCheckCells(grid, &cells, radius);
}
