// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The half-space's row: solid below its plane, unbounded.

#include "geom/check.h"
#include "geom/convex_ray.h"
#include "geom/convex_rows.h"
#include "geom/flat.h"
#include "geom/project.h"
#include "geom/steiner.h"
#include "geom/triangulate.h"

bool wkHalfspaceIsValid(const wkShape* shape)
{
    return wkIsValidSurface(shape);
}

wkResult wkHalfspaceCheck(const wkShape* shape)
{
    return wkFlatCheck("halfspace", shape);
}

wkVec3d wkHalfspaceCoreSupport(const wkShape* shape, wkVec3d direction)
{
    (void)direction;
    return wkFlatPoint(shape);
}

wkProjection wkHalfspaceProject(const wkShape* shape, wkVec3d point)
{
    return wkProjectHalfspace(shape, point);
}

wkAabb wkHalfspaceBounds(const wkShape* shape, const wkFrame* frame)
{
    return wkFlatBounds(shape->halfspace.normal, shape->halfspace.offset, true, frame);
}

wkInnerOuterSpheres wkHalfspaceSpheres(const wkShape* shape)
{
    return wkFlatSphere(shape);
}

wkMass wkHalfspaceMass(const wkShape* shape)
{
    return wkMakeMass(INFINITY, wkFlatPoint(shape), wkVec(0.0, 0.0, 0.0));
}

wkRayHit wkHalfspaceRayCast(const wkShape* shape, wkVec3d origin, wkVec3d direction,
                            double maxDistance)
{
    wkVec3d normal = shape->halfspace.normal;
    double gap = wkDot(normal, origin) - shape->halfspace.offset - wkShapeRadius(shape);
    return wkFlatRayCast(gap, normal, direction, maxDistance);
}

void wkHalfspaceFaceAt(const wkShape* shape, wkVec3d direction, double cosine, wkFace* face)
{
    (void)shape, (void)direction, (void)cosine;
    face->count = 0;
}

wkResult wkHalfspaceTriangulate(const wkShape* shape, int segments, double extent,
                                wkTriangulation* out)
{
    (void)segments;
    double offset = shape->halfspace.offset + wkShapeRadius(shape);
    return wkTriangulateSquares(shape->halfspace.normal, &offset, 1, extent, out);
}
