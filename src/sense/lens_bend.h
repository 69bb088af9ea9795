// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far a lens bends straight lines: bounds on the second derivatives of its model, proven by interval
// arithmetic. They bound the distance of the lens from the bilinear patch between the vertices of a cell.

#include "sense/lens.h"

// Number of rings with bounds.
#define WK_BEND_RINGS 64

// Bounds for slopes up to a length, in rings of equal width.
typedef struct wkBendBounds {
    double perSlope; // rings per unit of length
    double
        slack[WK_BEND_RINGS + 1]; // pixels of the distorted image, for the ring and all within it
} wkBendBounds;

// @param straight the pinhole whose pixels are distorted
// @param cell pixels along the side of a cell
// @param longest maximum length of slopes
wkBendBounds wkBoundBending(const wkLens* lens, const wkCamera* straight, double cell,
                            double longest);

// Returns the maximum deviation of points of a cell from the bilinear patch between its vertices, in pixels
// of the distorted image.
// @param length of the longest slope in the cell
WK_FN double wkBendSlack(const wkBendBounds* bounds, double length)
{
    double ring = length * bounds->perSlope;
    return bounds->slack[ring < WK_BEND_RINGS ? (int)ring : WK_BEND_RINGS];
}
