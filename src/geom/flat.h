// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What half-spaces and planes share.

#include "geom/cast.h"
#include "geom/convex.h"

// Infinite, but across an axis of the world that the plane is exactly at right angles to. A solid
// ends there on one side, a surface on both.
wkAabb wkFlatBounds(wkVec3d normal, double offset, bool isSolid, const wkFrame* frame);

// A ray that starts `gap` above the plane.
wkRayHit wkFlatRayCast(double gap, wkVec3d normal, wkVec3d direction, double maxDistance);

// One square above the plane, or one on each side of it (count 2, the second looks down); `extent`
// is half the side.
wkResult wkTriangulateSquares(wkVec3d normal, const double* offsets, int count, double extent,
                              wkTriangulation* out);
