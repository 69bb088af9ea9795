// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Volume of a convex body swept with a sphere (Steiner's formula), and inertia along the main axes.

#include "math/vec.h"
#include "whisker/shape.h"

#define WK_PI 3.14159265358979323846

// `area` of the surface (both sides of a flat body); `curvature` is the integral of its mean
// curvature, where an edge counts half its length times its exterior angle.
WK_FN double wkSteinerVolume(double volume, double area, double curvature, double radius)
{
    return volume + radius * (area + radius * (curvature + radius * (4.0 / 3.0 * WK_PI)));
}

WK_FN wkMass wkMakeMass(double volume, wkVec3d centroid, wkVec3d inertia)
{
    wkMass mass = {
        volume, centroid, {{inertia.x, 0.0, 0.0}, {0.0, inertia.y, 0.0}, {0.0, 0.0, inertia.z}}};
    return mass;
}
