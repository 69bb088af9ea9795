// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A point and a shape: shared by containment and ray casts.

#include "geom/check.h"
#include "geom/convex.h"
#include "solve/pair.h"

// Largest coordinate of a shape's core in its own frame; of its plane where it is unbounded.
WK_FN double wkCoreReach(const wkShape* shape)
{
    const wkConvexRow* row = wkConvexRowOf(shape);
    wkInnerOuterSpheres sphere = row->sphere(shape);
    return wkMaxAbs(sphere.center) + (row->isBounded ? sphere.radius : 0.0);
}

// Signed distance with rounding and padding, minus a rounding bound; also returns the normal and the
// core's closest point. A point that is not finite, or beyond all lengths, is inside.
WK_FN wkProjection wkPointDistance(const wkShape* shape, wkVec3d local)
{
    wkProjection projection = {-INFINITY, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
    if (wkIsValidPoint(local)) {
        double radius = wkShapeRadius(shape);
        double scale = wkMaxAbs(local) + wkCoreReach(shape) + fabs(radius);
        projection = wkConvexRowOf(shape)->project(shape, local);
        projection.distance -= radius + WK_ROUNDING * scale;
    }
    return projection;
}
