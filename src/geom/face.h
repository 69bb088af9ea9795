// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Flat features of cores, for contact manifolds and bounds.

#include "geom/convex.h"

// Number of vertices of the polygon that approximates a disc.
#define WK_DISC_VERTICES 16

WK_FN void wkFacePoint(wkFace* face, wkVec3d point)
{
    face->count = 1;
    face->points[0] = point;
}

WK_FN bool wkIsSamePoint(wkVec3d a, wkVec3d b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Makes an edge, or a point when its length is zero.
WK_FN void wkFaceEdge(wkFace* face, wkVec3d from, wkVec3d to)
{
    face->count = wkIsSamePoint(from, to) ? 1 : 2;
    face->points[0] = from;
    face->points[1] = to;
}

// Makes a polygon with its vertices on the rim of a disc at height z, anticlockwise as viewed from `facing`
// (1 above, -1 below).
WK_FN void wkFaceDisc(wkFace* face, double radius, double z, double facing)
{
    // cosines of multiples of a sixteenth turn; the sine is the cosine of the complement
    static const double quarter[5] = {1.0, 0.92387953251128674, 0.70710678118654752,
                                      0.38268343236508977, 0.0};
    face->count = radius > 0.0 ? WK_DISC_VERTICES : 1;
    for (int i = 0; i < WK_DISC_VERTICES / 4; ++i) {
        double x = radius * quarter[i], y = radius * quarter[4 - i];
        face->points[i] = wkVec(x, facing * y, z);
        face->points[i + 4] = wkVec(-y, facing * x, z);
        face->points[i + 8] = wkVec(-x, -facing * y, z);
        face->points[i + 12] = wkVec(y, -facing * x, z);
    }
}

// Returns the half extents of the box around a disc across the z axis of `frame`.
WK_FN wkVec3d wkDiscExtent(const wkFrame* frame, double radius)
{
    wkVec3d x = frame->rotation.x, y = frame->rotation.y;
    wkVec3d square = wkAdd(wkMulVec(x, x), wkMulVec(y, y));
    return wkScale(radius, wkVec(sqrt(square.x), sqrt(square.y), sqrt(square.z)));
}

// Returns the sine of the angle with this cosine: the largest component of a direction along an edge.
WK_FN double wkSineOf(double cosine)
{
    return sqrt(wkMaxD(1.0 - cosine * cosine, 0.0));
}
