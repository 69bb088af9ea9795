// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One look at a field for as many balls as there are lanes; for lane files.

#include "batch/field.h"
#include "simd/simd_int.h"

// What the cells of balls tell: bits of lanes.
typedef struct wkFieldBits {
    unsigned open;     // may touch something: not proven free
    unsigned touching; // of these, known to touch something other than unknown space
} wkFieldBits;

// Which cell a coordinate is in, and what makes all that follows NaN when it is no number.
WK_FORCE_FN wkIntW wkCellAlong(const wkFieldGrid* grid, int axis, wkFloatW center)
{
    wkFloatW place = wkMulF(wkSubF(center, wkSplatF(grid->lower[axis])), wkSplatF(grid->perMetre));
    // a place that is no number becomes the last one: its verdict does not depend on the cell
    place = wkMaxF(wkMinF(place, wkSplatF(grid->last[axis])), wkSplatF(0.0f));
    return wkTruncateF(place);
}

// Looks at balls, whose centers are relative to the origin of the field. Margins are in the radii.
WK_FORCE_FN wkFieldBits wkLookAtField(const wkFieldGrid* grid, wkFloatW x, wkFloatW y, wkFloatW z,
                                      wkFloatW radius)
{
    wkIntW row =
        wkAddI(wkCellAlong(grid, 1, y), wkMulI(wkCellAlong(grid, 2, z), wkSplatI(grid->count[1])));
    wkIntW cell = wkAddI(wkCellAlong(grid, 0, x), wkMulI(row, wkSplatI(grid->count[0])));
    wkIntW word = wkGatherI((const int32_t*)grid->words, wkShiftRightI(cell, 1));
    word = wkShiftRightByI(word, wkShiftLeftI(wkAndI(cell, wkSplatI(1)), 4));
    wkFloatW step = wkSplatF(grid->step);
    wkIntW byte = wkSplatI(0xff);
    wkFloatW least = wkMulF(wkToFloatI(wkAndI(word, byte)), step);
    wkFloatW most = wkMulF(wkToFloatI(wkAndI(wkShiftRightI(word, 8), byte)), step);
    // times zero: nothing, unless a number is none or too large
    wkFloatW nothing = wkMulF(wkAddF(wkAddF(x, y), wkAddF(z, radius)), wkSplatF(0.0f));
    wkFieldBits bits;
    bits.open = wkNotAboveBitsF(least, wkAddF(radius, nothing));
    wkFloatW furthest = wkMulF(wkSplatF((float)WK_FIELD_FAR - 0.5f), step);
    bits.touching = bits.open & wkNotAboveBitsF(most, wkMinF(radius, furthest));
    return bits;
}
