// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Ways in which the points of a cloud may lie, for tests of the nearest points of two clouds.

#include "rng.h"

// How the points of a cloud lie.
typedef enum layout {
    layoutUniform,
    layoutLattice, // many pairs at the same distance, and equal points
    layoutLine,
    layoutPlane,
    layoutEqual, // all points are one
    layoutTiny,  // squares underflow
    layoutFar,   // kilometres from the origin
    layoutOutlier,
    layoutCount,
} layout;

static inline float coordinateOf(wkRng* rng, layout kind, int32_t point, int axis)
{
    switch (kind) {
    case layoutLattice:
        return 0.125f * (float)wkRngBelow(rng, 10);
    case layoutLine:
        return axis == 0 ? (float)wkRngRange(rng, -1.0, 1.0) : 0.5f;
    case layoutPlane:
        return axis == 2 ? 0.5f : (float)wkRngRange(rng, -1.0, 1.0);
    case layoutEqual:
        return 0.25f;
    case layoutTiny:
        return (float)wkRngRange(rng, -1e-22, 1e-22);
    case layoutFar:
        return (float)wkRngRange(rng, 1000.0, 1001.0);
    case layoutOutlier:
        return (point == 0 ? 1e6f : 1.0f) * (float)wkRngRange(rng, -1.0, 1.0);
    default:
        return (float)wkRngRange(rng, -1.0, 1.0);
    }
}
