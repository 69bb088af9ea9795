// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What half-spaces and planes share. Both keep their normal and offset in the same place.

#include "geom/cast.h"
#include "geom/convex.h"

// Names the first parameter that is wrong.
wkResult wkFlatCheck(const char* name, const wkShape* shape);

// Point of the surface nearest the origin of the frame: the support of what has no end.
WK_FN wkVec3d wkFlatPoint(const wkShape* shape)
{
    return wkScale(shape->halfspace.offset, shape->halfspace.normal);
}

// Around everything, with nothing inside.
wkInnerOuterSpheres wkFlatSphere(const wkShape* shape);

// Infinite, but across an axis of the world that the plane is exactly at right angles to. A solid
// ends there on one side, a surface on both.
wkAabb wkFlatBounds(wkVec3d normal, double offset, bool isSolid, const wkFrame* frame);

// A ray that starts `gap` above the plane.
wkRayHit wkFlatRayCast(double gap, wkVec3d normal, wkVec3d direction, double maxDistance);

// One square above the plane, or one on each side of it (count 2, the second looks down); `extent`
// is half the side.
wkResult wkTriangulateSquares(wkVec3d normal, const double* offsets, int count, double extent,
                              wkTriangulation* out);
