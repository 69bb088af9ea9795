// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rectangles swept by a sphere: all points within the radius of a rectangle.

#include "bv/axes.h"

// A stored swept rectangle without its axes, which are kept beside it; the rectangle is perpendicular to z.
typedef struct wkRectPart {
    float center[3];
    float half[2];
    float radius;
} wkRectPart;

// Fits around spheres with these extents along these axes; the extent along z should be the smallest.
wkRectPart wkFitRectPart(const wkSpheres* spheres, const wkMat3d* axes, const wkExtents* extents);

// Writes the vertices of the rectangle.
void wkRectVertices(const wkRectPart* rect, const wkMat3d* axes, wkVec3d vertices[4]);

// Returns a lower bound of the distance between two swept rectangles; `bInA` is B's frame relative to A's.
double wkRectGap(const wkFrame* bInA, const wkRectPart* a, const wkRectPart* b);

// Returns the half extents of the box around the volume.
WK_FN wkVec3d wkRectReach(const wkRectPart* rect)
{
    double radius = (double)rect->radius;
    double slack = 1.0 + WK_VOLUME_SLACK;
    return wkVec(slack * ((double)rect->half[0] + radius), slack * ((double)rect->half[1] + radius),
                 radius);
}
