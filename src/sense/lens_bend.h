// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far a lens bends lines: bounds of the second derivatives of its model, proven by interval
// arithmetic. Between the vertices of a cell the lens is then known to be near the bilinear patch.

#include "sense/lens.h"

// Rings that bounds are told for.
#define WK_BEND_RINGS 64

// Bounds for slopes up to a length, in rings of equal width.
typedef struct wkBendBounds {
    double perSlope;                 // rings for a unit of length
    double slack[WK_BEND_RINGS + 1]; // pixels of the bent image: of the ring and all within it
} wkBendBounds;

// @param straight the pinhole whose pixels are bent
// @param cell pixels along the side of a cell
// @param longest slope that is asked about
wkBendBounds wkBoundBending(const wkLens* lens, const wkCamera* straight, double cell,
                            double longest);

// Pixels of the bent image by which any point of a cell may fall beside the bilinear patch between the
// vertices of the cell.
// @param length of the longest slope in the cell
WK_FN double wkBendSlack(const wkBendBounds* bounds, double length)
{
    double ring = length * bounds->perSlope;
    return bounds->slack[ring < WK_BEND_RINGS ? (int)ring : WK_BEND_RINGS];
}
