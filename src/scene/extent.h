// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far a shape reaches, kept so that its bounds with a rotation are found without looking at it
// again: as a box in its own frame, a disc about the z axis and a sphere, whose sum holds it.

#include "geom/convex.h"
#include "math/frame.h"
#include "whisker/shape.h"

typedef struct wkExtent {
    wkVec3d center;
    wkVec3d half;  // of the box
    double disc;   // its radius
    double sphere; // its radius, and what rounding may do; NaN: bounds are asked for by the shape
} wkExtent;

_Static_assert(sizeof(wkExtent) == 64, "an extent is one cache line");

wkExtent wkMakeExtent(const wkShape* shape);

// The shape with no more negative padding than leaves its core: what covers this one touches all that the
// shape touches. A shape that reaches into its core touches by the distance of the core, and spheres that
// cover only what is left of it do not. `room` holds the copy where one is needed.
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

// Bounds of a shape that are no further from others than the shape is. Negative padding takes more off
// the vertices of a box than off the shape, so where it reaches into the core the core is bounded.
wkAabb wkBoundsForGaps(const wkShape* shape, const wkPose* pose);

// Whether there is nothing in a mesh or map.
bool wkIsEmptyShape(const wkShape* shape);

// The same bounds as seen from the position; those of an empty mesh or map are that point.
wkAabb wkBoundsAround(const wkShape* shape, wkQuat rotation);

// The same from its extent.
WK_FN wkAabb wkRotationExtent(const wkExtent* extent, const wkShape* shape, wkQuat rotation)
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
        // not by the third axis, near to which digits would be lost
        reach =
            wkMulAdd(reach, extent->disc,
                     wkVec(sqrt(m.x.x * m.x.x + m.y.x * m.y.x), sqrt(m.x.y * m.x.y + m.y.y * m.y.y),
                           sqrt(m.x.z * m.x.z + m.y.z * m.y.z)));
    }
    wkAabb around = {wkSub(center, reach), wkAdd(center, reach)};
    return around;
}
