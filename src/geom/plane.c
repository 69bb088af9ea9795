// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The plane's row: a two-sided surface without interior.

#include "geom/check.h"
#include "geom/convex_ray.h"
#include "geom/convex_rows.h"
#include "geom/flat.h"
#include "geom/project.h"
#include "geom/steiner.h"
#include "geom/triangulate.h"

bool wkPlaneIsValid(const wkShape* shape)
{
    return wkIsValidSurface(shape);
}

wkResult wkPlaneCheck(const wkShape* shape)
{
    return wkFlatCheck("plane", shape);
}

wkVec3d wkPlaneCoreSupport(const wkShape* shape, wkVec3d direction)
{
    (void)direction;
    return wkFlatPoint(shape);
}

wkProjection wkPlaneProject(const wkShape* shape, wkVec3d point)
{
    return wkProjectPlane(shape, point);
}

wkAabb wkPlaneBounds(const wkShape* shape, const wkFrame* frame)
{
    return wkFlatBounds(shape->plane.normal, shape->plane.offset, false, frame);
}

wkInnerOuterSpheres wkPlaneSpheres(const wkShape* shape)
{
    return wkFlatSphere(shape);
}

// A plane has no volume; with rounding the volume is infinite.
wkMass wkPlaneMass(const wkShape* shape)
{
    return wkMakeMass(shape->rounding > 0.0 ? INFINITY : 0.0, wkFlatPoint(shape),
                      wkVec(0.0, 0.0, 0.0));
}

wkRayHit wkPlaneRayCast(const wkShape* shape, wkVec3d origin, wkVec3d direction, double maxDistance)
{
    double radius = wkShapeRadius(shape);
    if (radius < 0.0) {
        return wkRayMiss();
    }
    wkProjection projection = wkProjectPlane(shape, origin);
    return wkFlatRayCast(projection.distance - radius, projection.normal, direction, maxDistance);
}

void wkPlaneFaceAt(const wkShape* shape, wkVec3d direction, double cosine, wkFace* face)
{
    (void)shape, (void)direction, (void)cosine;
    face->count = 0;
}

wkResult wkPlaneTriangulate(const wkShape* shape, int segments, double extent, wkTriangulation* out)
{
    (void)segments;
    double radius = wkShapeRadius(shape);
    double offset = shape->plane.offset;
    const double offsets[2] = {offset + radius, offset - radius};
    return radius < 0.0 ? wkTriangulationReserve(out, 0, 0)
                        : wkTriangulateSquares(shape->plane.normal, offsets, 2, extent, out);
}
