// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rectangles swept by a sphere: all points no further than the radius from a rectangle.

#include "bv/axes.h"

// A swept rectangle as it is stored, with its axes beside it: it lies across the z axis.
typedef struct wkRectPart {
    float center[3];
    float half[2];
    float radius;
} wkRectPart;

// Around spheres with these extents along these axes, the thinnest of which should be that along z.
wkRectPart wkFitRectPart(const wkSpheres* spheres, const wkMat3d* axes, const wkExtents* extents);

// Vertices of the rectangle.
void wkRectVertices(const wkRectPart* rect, const wkMat3d* axes, wkVec3d vertices[4]);

// Lower bound of the distance between two swept rectangles, B's centre and axes as seen from A's.
double wkRectGap(const wkFrame* bInA, const wkRectPart* a, const wkRectPart* b);

// Half extents of the box around it.
WK_FN wkVec3d wkRectReach(const wkRectPart* rect)
{
    double radius = (double)rect->radius;
    double slack = 1.0 + WK_VOLUME_SLACK;
    return wkVec(slack * ((double)rect->half[0] + radius), slack * ((double)rect->half[1] + radius),
                 radius);
}
