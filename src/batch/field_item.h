// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One look-up in a field for one sphere: what field_kernel.h does in lanes, by the same operations in the same order,
// so that the results have the same bits. Nothing may be fused. One word is loaded from memory. Code of this header is C, C++
// and CUDA.

#include "batch/field_view.h"

// Contents of the cell of a point.
typedef struct wkFieldCell {
    float least; // lower bound on the distance in metres, less the bias of the grid
    uint32_t word;
} wkFieldCell;

// Returns the position of a coordinate, in cells from the first.
WK_FN float wkFieldItem_Along(const wkFieldGrid* grid, int axis, float center)
{
    return (center - grid->lower[axis]) * grid->perMetre;
}

// The cell of a position along an axis, as a number and as a float.
typedef struct wkFieldIndex {
    int32_t cell;
    float whole;
} wkFieldIndex;

// Rounds a position down. A GPU converts numbers slowly: there, sums with 2^23 round and convert.
WK_FN wkFieldIndex wkFieldItem_RoundDown(float position)
{
    wkFieldIndex index;
#if defined(__CUDA_ARCH__)
    float shifted = __fadd_rd(position, 0x1p23f);
    index.cell = (int32_t)(__float_as_uint(shifted) & 0x7fffffu);
    index.whole = shifted - 0x1p23f;
#else
    index.cell = (int32_t)position;
    index.whole = (float)index.cell;
#endif
    return index;
}

// Returns the cell of a position, or the outermost one. NaN gets the last cell.
WK_FN wkFieldIndex wkFieldItem_CellOf(const wkFieldGrid* grid, int axis, float position)
{
#if defined(__CUDA_ARCH__)
    return wkFieldItem_RoundDown(fmaxf(fminf(position, grid->last[axis]), 0.0f));
#else
    float most = position < grid->last[axis] ? position : grid->last[axis];
    return wkFieldItem_RoundDown(most > 0.0f ? most : 0.0f);
#endif
}

// Returns a slope of a plane, stored in six bits of a word that end below a bit.
WK_FN float wkFieldItem_Slope(uint32_t word, int end)
{
#if defined(__CUDA_ARCH__)
    return __uint_as_float((word >> (end - 6) & 63u) ^ 0x4b000020u) - (0x1p23f + 32.0f);
#else
    return (float)((int32_t)(word << (32 - end)) >> 26);
#endif
}

// Returns the distance of a plane, in steps.
WK_FN float wkFieldItem_Steps(uint32_t word)
{
#if defined(__CUDA_ARCH__)
    return __uint_as_float((word & 0xffu) | 0x4b000000u) - 0x1p23f;
#else
    return (float)(int32_t)(word & 0xffu);
#endif
}

// Looks up the cell of a point, which is relative to the origin of the field.
WK_FN wkFieldCell wkFieldItem_Find(const wkFieldGrid* grid, const float center[3])
{
    float x = wkFieldItem_Along(grid, 0, center[0]), y = wkFieldItem_Along(grid, 1, center[1]);
    float z = wkFieldItem_Along(grid, 2, center[2]);
    wkFieldIndex cellX = wkFieldItem_CellOf(grid, 0, x), cellY = wkFieldItem_CellOf(grid, 1, y);
    wkFieldIndex cellZ = wkFieldItem_CellOf(grid, 2, z);
    int32_t row = cellY.cell + cellZ.cell * grid->count[1];
    uint32_t word = grid->words[cellX.cell + row * grid->count[0]];

    // the plane: its value at the first vertex of the cell, and its slope
    float grown = wkFieldItem_Slope(word, 20) * (x - cellX.whole);
    grown = grown + wkFieldItem_Slope(word, 26) * (y - cellY.whole);
    grown = grown + wkFieldItem_Slope(word, 32) * (z - cellZ.whole);
    wkFieldCell cell = {wkFieldItem_Steps(word) * grid->step + grown * grid->slope, word};
    return cell;
}

// Returns whether a sphere around such a point may touch something: it is not proven free. Margins are in the radius.
WK_FN bool wkFieldItem_IsOpen(const wkFieldGrid* grid, wkFieldCell cell, float radius)
{
    return !(cell.least > radius + grid->bias);
}

// Returns whether a sphere that is open is known to touch something other than unknown space.
WK_FN bool wkFieldItem_IsTouching(const wkFieldGrid* grid, wkFieldCell cell, float radius)
{
    int32_t gap = (int32_t)(cell.word >> 8 & WK_FIELD_NONE);
    float most = cell.least + (float)gap * grid->gapStep;
    return gap < WK_FIELD_NONE && !(most > radius + grid->bias);
}
