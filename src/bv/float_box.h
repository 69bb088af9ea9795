// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Boxes of floats around whole objects, made from exact boxes by rounding outward: a box may be too large and
// is never too small. Infinite sides stay infinite.

#include "math/round.h"
#include "math/vec.h"

typedef struct wkFloatBox {
    float lower[3];
    float upper[3];
} wkFloatBox;

// Returns the coordinate as a float that is not above it. Values beyond all floats become the largest float.
WK_FN float wkFloatBelow(double value)
{
    if (value >= (double)FLT_MAX) {
        return FLT_MAX;
    }
    return value > -(double)FLT_MAX ? wkRoundDown(value) : -INFINITY;
}

WK_FN float wkFloatAbove(double value)
{
    return -wkFloatBelow(-value);
}

// Relative rounding error of a difference of two doubles.
#define WK_DIFFERENCE_ROUNDING 2.3e-16

// Returns the box of floats around an exact box, in coordinates relative to `origin`. Where negative padding
// inverted the box its sides are exchanged, so that a box about the middle results.
WK_FN wkFloatBox wkFloatBoxAround(const wkAabb* box, wkVec3d origin)
{
    wkFloatBox result;
    for (int axis = 0; axis < 3; ++axis) {
        double first = wkAlongAxis(&box->lower, axis) - wkAlongAxis(&origin, axis);
        double last = wkAlongAxis(&box->upper, axis) - wkAlongAxis(&origin, axis);
        double lower = wkMinD(first, last), upper = wkMaxD(first, last);
        result.lower[axis] = wkFloatBelow(lower - WK_DIFFERENCE_ROUNDING * fabs(lower));
        result.upper[axis] = wkFloatAbove(upper + WK_DIFFERENCE_ROUNDING * fabs(upper));
    }
    return result;
}

// Returns the box with `margin` added on every side.
WK_FN wkFloatBox wkGrownFloatBox(wkFloatBox box, double margin)
{
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = wkFloatBelow((double)box.lower[axis] - margin);
        box.upper[axis] = wkFloatAbove((double)box.upper[axis] + margin);
    }
    return box;
}

// Touching boxes meet. No branches: they would be unpredictable.
WK_FN bool wkDoFloatBoxesMeet(const wkFloatBox* a, const wkFloatBox* b)
{
    int x = (a->lower[0] <= b->upper[0]) & (b->lower[0] <= a->upper[0]);
    int y = (a->lower[1] <= b->upper[1]) & (b->lower[1] <= a->upper[1]);
    int z = (a->lower[2] <= b->upper[2]) & (b->lower[2] <= a->upper[2]);
    return (x & y & z) != 0;
}

WK_FN bool wkHoldsFloatBox(const wkFloatBox* outer, const wkFloatBox* inner)
{
    int x = (outer->lower[0] <= inner->lower[0]) & (inner->upper[0] <= outer->upper[0]);
    int y = (outer->lower[1] <= inner->lower[1]) & (inner->upper[1] <= outer->upper[1]);
    int z = (outer->lower[2] <= inner->lower[2]) & (inner->upper[2] <= outer->upper[2]);
    return (x & y & z) != 0;
}

// Returns a lower bound of the signed distance of the contents of two boxes: the gap between the boxes, or
// minus the shortest translation that separates them. Holds for convex contents and for the deepest contact
// of others; it only falls when a box grows.
WK_FN double wkFloatBoxGap(const wkFloatBox* a, const wkFloatBox* b)
{
    double square = 0.0, depth = -INFINITY;
    for (int axis = 0; axis < 3; ++axis) {
        double above = (double)b->lower[axis] - (double)a->upper[axis];
        double below = (double)a->lower[axis] - (double)b->upper[axis];
        double gap = wkMaxD(above, below);
        square += gap > 0.0 ? gap * gap : 0.0;
        depth = wkMaxD(depth, gap);
    }
    // reduced by more than the square and its root can round up
    return square > 0.0 ? sqrt(square) * (1.0 - 1e-15) : depth;
}

// Returns where the ray from `origin` enters the box, at least 0; infinite when it does not within `limit`.
// `inverse` holds the reciprocal of each component of the direction, which may be infinite. The box is
// enlarged slightly to cover the rounding of the products.
WK_FN double wkFloatBoxEntry(const wkFloatBox* box, wkVec3d origin, wkVec3d inverse, double limit)
{
    double enter = 0.0, leave = limit;
    for (int axis = 0; axis < 3; ++axis) {
        double start = wkAlongAxis(&origin, axis), scale = wkAlongAxis(&inverse, axis);
        double lower = ((double)box->lower[axis] - start) * scale;
        double upper = ((double)box->upper[axis] - start) * scale;
        // 0 * infinity: the ray runs within a side plane, which does not cut it
        double first = lower == lower && upper == upper ? wkMinD(lower, upper) : -INFINITY;
        double last = lower == lower && upper == upper ? wkMaxD(lower, upper) : INFINITY;
        // by multiplication, so that infinite values stay infinite
        enter = wkMaxD(enter, first * (first > 0.0 ? 1.0 - 1e-15 : 1.0 + 1e-15));
        leave = wkMinD(leave, last * (last > 0.0 ? 1.0 + 1e-15 : 1.0 - 1e-15));
    }
    return enter <= leave ? enter : INFINITY;
}
