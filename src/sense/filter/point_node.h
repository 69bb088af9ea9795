// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Nodes of the hierarchy for searches of neighbours, and numbers of such searches.

#include "base/compiler.h"

#include <math.h>
#include <stdint.h>

#define WK_POINT_WIDTH 16

// Boxes around the sixteen children of a node; those of missing ones are empty.
typedef struct wkPointNode {
    WK_ALIGNAS(64) float lower[3][WK_POINT_WIDTH];
    WK_ALIGNAS(64) float upper[3][WK_POINT_WIDTH];
} wkPointNode;

// Levels of nodes: more than 2^31 points need.
#define WK_POINT_LEVELS 8

// The largest float that is not above the square of a radius: neighbours have no larger squared distance.
WK_FN float wkSquaredRadius(double radius)
{
    double square = radius * radius;
    float nearest = (float)square;
    return (double)nearest > square ? nextafterf(nearest, 0.0f) : nearest;
}

// Number of bits that indices of this many points take.
WK_FN int wkIndexBits(int32_t count)
{
    int bits = 0;
    while (((int64_t)1 << bits) < count) {
        ++bits;
    }
    return bits;
}
