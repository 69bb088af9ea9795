// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Functions that half-spaces and planes share. Both store their normal and offset at the same position.

#include "geom/convex.h"
#include "geom/convex_ray.h"

// Fails with the name of the first invalid parameter.
wkResult wkFlatCheck(const char* name, const wkShape* shape);

// Returns the point of the surface nearest the origin of the frame: the support of an unbounded shape.
WK_FN wkVec3d wkFlatPoint(const wkShape* shape)
{
    return wkScale(shape->halfspace.offset, shape->halfspace.normal);
}

// Returns an infinite outer sphere and an empty inner one.
wkInnerOuterSpheres wkFlatSphere(const wkShape* shape);

// Returns infinite bounds, except along a world axis that the plane is exactly perpendicular to. There a
// solid is bounded on one side, a surface on both.
wkAabb wkFlatBounds(wkVec3d normal, double offset, bool isSolid, const wkFrame* frame);

// Casts a ray that starts `gap` above the plane.
wkRayHit wkFlatRayCast(double gap, wkVec3d normal, wkVec3d direction, double maxDistance);

// Writes one square above the plane, or one on each side of it (count 2, the second faces down); `extent` is
// half the edge length.
wkResult wkTriangulateSquares(wkVec3d normal, const double* offsets, int count, double extent,
                              wkTriangulation* out);
