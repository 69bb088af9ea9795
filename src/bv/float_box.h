// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Boxes of floats around whole objects. They are made from exact ones by rounding outward, so a box
// may be too large and never is too small; infinite sides stay infinite.

#include "math/round.h"
#include "math/vec.h"

typedef struct wkFloatBox {
    float lower[3];
    float upper[3];
} wkFloatBox;

// A coordinate as a float that is not above it. What no float reaches becomes the largest one.
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

// What a difference of two doubles can be off by, as a share of it.
#define WK_DIFFERENCE_ROUNDING 2.3e-16

// Box of floats about an exact one, in coordinates relative to `origin`. Where negative padding left
// less than nothing the sides change places, so that there is a box about the middle.
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

WK_FN wkFloatBox wkFloatBoxUnion(const wkFloatBox* a, const wkFloatBox* b)
{
    wkFloatBox result;
    for (int axis = 0; axis < 3; ++axis) {
        result.lower[axis] = a->lower[axis] < b->lower[axis] ? a->lower[axis] : b->lower[axis];
        result.upper[axis] = a->upper[axis] > b->upper[axis] ? a->upper[axis] : b->upper[axis];
    }
    return result;
}

// The same with `margin` more on every side.
WK_FN wkFloatBox wkGrownFloatBox(wkFloatBox box, double margin)
{
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = wkFloatBelow((double)box.lower[axis] - margin);
        box.upper[axis] = wkFloatAbove((double)box.upper[axis] + margin);
    }
    return box;
}

// Touching counts. No branch: that would be a matter of chance.
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

// What the signed distance of anything in the two boxes is never below: the gap between them, or
// minus the way that takes one out of the other. For convex contents and for the deepest contact of
// others; it only falls when a box grows.
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
    // shorter by more than the square and its root can round up
    return square > 0.0 ? sqrt(square) * (1.0 - 1e-15) : depth;
}

// Where the ray from `origin` meets the box, not before 0; infinite when it does not within `limit`.
// `inverse` holds one over each component of the direction, which may be infinite. The box is taken
// a little too large, for the rounding of the products.
WK_FN double wkFloatBoxEntry(const wkFloatBox* box, wkVec3d origin, wkVec3d inverse, double limit)
{
    double enter = 0.0, leave = limit;
    for (int axis = 0; axis < 3; ++axis) {
        double start = wkAlongAxis(&origin, axis), scale = wkAlongAxis(&inverse, axis);
        double lower = ((double)box->lower[axis] - start) * scale;
        double upper = ((double)box->upper[axis] - start) * scale;
        // 0 * infinity: the ray runs within a side, which lets it through
        double first = lower == lower && upper == upper ? wkMinD(lower, upper) : -INFINITY;
        double last = lower == lower && upper == upper ? wkMaxD(lower, upper) : INFINITY;
        // products, as infinite ones stay what they are
        enter = wkMaxD(enter, first * (first > 0.0 ? 1.0 - 1e-15 : 1.0 + 1e-15));
        leave = wkMinD(leave, last * (last > 0.0 ? 1.0 + 1e-15 : 1.0 - 1e-15));
    }
    return enter <= leave ? enter : INFINITY;
}
