// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Extent of a shape, stored so that bounds for any rotation are computed without the shape: a box in
// its frame, a disc about the z axis and a sphere, whose Minkowski sum contains the shape.

#include "geom/convex.h"
#include "math/frame.h"
#include "whisker/shape.h"

typedef struct wkExtent {
    wkVec3d center;
    wkVec3d half;  // of the box
    double disc;   // radius
    double sphere; // radius plus a rounding margin; NaN: bounds are computed by the shape
} wkExtent;

_Static_assert(sizeof(wkExtent) == 64, "an extent is one cache line");

wkExtent wkMakeExtent(const wkShape* shape);

// Returns the shape with negative padding clamped so that its core remains: spheres that cover the result
// touch all that the shape touches. A shape whose negative padding exceeds its radius is decided by the
// distance of the core, so spheres that cover only the rest miss contacts. `storage` holds the copy, if any.
WK_FN const wkShape* wkWholeShape(const wkShape* shape, wkShape* storage)
{
    double radius = wkShapeSolidRadius(shape);
    if (WK_LIKELY(radius + shape->padding >= 0.0)) {
        return shape;
    }
    *storage = *shape;
    storage->padding = -radius;
    return storage;
}

// Bounds of a shape that are no further from other shapes than the shape is. Negative padding takes more
// off the vertices of a box than off the shape, so where it reaches into the core the core is bounded.
wkAabb wkBoundsForGaps(const wkShape* shape, const wkPose* pose);

// Whether a mesh or map is empty.
bool wkIsEmptyShape(const wkShape* shape);

// The same bounds relative to the position of the shape; for an empty mesh or map, that point.
wkAabb wkBoundsAround(const wkShape* shape, wkQuat rotation);

// The same computed from the extent.
WK_FN wkAabb wkRotateExtent(const wkExtent* extent, const wkShape* shape, wkQuat rotation)
{
    if (WK_UNLIKELY(!(extent->sphere >= 0.0))) {
        return wkBoundsAround(shape, rotation);
    }
    wkMat3d m = wkMatFromQuat(rotation);
    wkVec3d center = wkMulMV(&m, extent->center), half = extent->half;
    wkVec3d reach = wkVec(extent->sphere, extent->sphere, extent->sphere);
    reach = wkMulAdd(reach, half.x, wkAbs(m.x));
    reach = wkMulAdd(reach, half.y, wkAbs(m.y));
    reach = wkMulAdd(reach, half.z, wkAbs(m.z));
    if (extent->disc > 0.0) {
        // not from the third axis: near it, digits would cancel
        reach =
            wkMulAdd(reach, extent->disc,
                     wkVec(sqrt(m.x.x * m.x.x + m.y.x * m.y.x), sqrt(m.x.y * m.x.y + m.y.y * m.y.y),
                           sqrt(m.x.z * m.x.z + m.y.z * m.y.z)));
    }
    wkAabb around = {wkSub(center, reach), wkAdd(center, reach)};
    return around;
}
