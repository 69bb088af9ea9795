// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Point sets for tests of hulls: those that hulls are made of in earnest, and those that hurt.

#include "math/vec.h"
#include "scenes/rng.h"
#include "scenes/shapes.h"

typedef enum wkPointKind {
    wk_pointsInSphere,
    wk_pointsOnSphere,
    wk_pointsOnGrid,     // few values per axis: many in one plane, many equal
    wk_pointsOnCylinder, // two large coplanar rings
    wk_pointsOnParabola, // a paraboloid over a grid: faces almost in one plane
    wk_pointsInCluster,  // a few vertices, the rest within rounding of them
    wk_pointsInPlate,    // 1e-9 as thick as wide
    wk_pointsInNeedle,   // 1e-5 and 1e-9 as wide as long
    wk_pointsInPlane,    // flat
    wk_pointsOnLine,     // a segment
    wk_pointKindCount,
} wkPointKind;

static inline wkVec3d wkRandomPointOf(wkRng* rng, wkPointKind kind, const wkVec3d* points, int i)
{
    wkVec3d d = wkRngDirection(rng);
    wkVec3d p = wkScale(cbrt(wkRngUnit(rng)), d);
    double angle = 2.0 * 3.14159265358979323846 * wkRngBelow(rng, 100) / 100.0;
    switch (kind) {
    case wk_pointsOnSphere:
        return d;
    case wk_pointsOnGrid:
        return wkVec(wkRngBelow(rng, 4), wkRngBelow(rng, 4), wkRngBelow(rng, 4));
    case wk_pointsOnCylinder:
        return wkVec(cos(angle), sin(angle), wkRngBelow(rng, 2));
    case wk_pointsOnParabola:
        p = wkVec(wkRngBelow(rng, 21) - 10, wkRngBelow(rng, 21) - 10, 0.0);
        return wkVec(p.x, p.y, (p.x * p.x + p.y * p.y) / 100.0);
    case wk_pointsInCluster:
        return i < 5 ? p : wkMulAdd(points[i % 5], 1e-15 * wkRngUnit(rng), d);
    case wk_pointsInPlate:
        return wkVec(p.x, p.y, 1e-9 * p.z);
    case wk_pointsInNeedle:
        return wkVec(p.x, 1e-5 * p.y, 1e-9 * p.z);
    case wk_pointsInPlane:
        return wkVec(wkRngBelow(rng, 9), wkRngBelow(rng, 9), 0.0);
    case wk_pointsOnLine:
        return wkVec(wkRngBelow(rng, 50), 0.0, 0.0);
    default:
        return p;
    }
}

// Fills `points`, turned, scaled and moved at random: sizes 1e-4 to 1e4, up
// to `offset` from the origin.
static inline void wkFillPoints(wkRng* rng, wkPointKind kind, wkVec3d* points, int count,
                                double offset)
{
    for (int i = 0; i < count; ++i) {
        points[i] = wkRandomPointOf(rng, kind, points, i);
    }
    double scale = wkRngLogRange(rng, 1e-4, 1e4);
    wkPose pose = {wkScale(offset, wkRngDirection(rng)), wkRngRotation(rng)};
    for (int i = 0; i < count; ++i) {
        points[i] = wkTransformPoint(pose, wkScale(scale, points[i]));
    }
}

// Largest coordinate, which is what rounding is measured by.
static inline double wkLargestCoordinate(const wkVec3d* points, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        largest = wkMaxD(largest, wkMaxAbs(points[i]));
    }
    return largest;
}
