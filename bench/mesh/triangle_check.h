// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two triangles, and a triangle and a ray: the leaves of mesh_check.c.

#include "whisker/whisker.h"

// Numbers only: the functions of the C library also mind NaN, at ten times the cost.
static inline double wkLarger(double a, double b)
{
    return a > b ? a : b;
}

static inline double wkSmaller(double a, double b)
{
    return a < b ? a : b;
}

// Distance of two triangles that do not overlap: the least over vertices and faces, edges and edges.
double wkTriangleDistance(const wkVec3d* a, const wkVec3d* b);

// Distance along a ray of unit direction to a triangle widened (or narrowed) by `slack`; infinite
// without a hit.
double wkRayTriangle(const wkRay* ray, const wkVec3d* faceVertices, double slack);
