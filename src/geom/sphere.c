// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The sphere's row. Its core is the origin, and its radius is that of the sphere around the core.

#include "geom/check.h"
#include "geom/convex_ray.h"
#include "geom/convex_rows.h"
#include "geom/face.h"
#include "geom/project.h"
#include "geom/steiner.h"
#include "geom/support.h"
#include "geom/triangulate.h"

bool wkSphereIsValid(const wkShape* shape)
{
    return wkIsValidSphere(shape);
}

wkResult wkSphereCheck(const wkShape* shape)
{
    wkResult result = wkCheckSize("sphere", "radius", shape->sphere.radius);
    return result == wk_ok ? wkCheckMargins("sphere", shape) : result;
}

wkVec3d wkSphereCoreSupport(const wkShape* shape, wkVec3d direction)
{
    return wkSupportPoint(shape, direction, NULL);
}

wkProjection wkSphereProject(const wkShape* shape, wkVec3d point)
{
    return wkProjectPoint(shape, point);
}

wkAabb wkSphereBounds(const wkShape* shape, const wkFrame* frame)
{
    (void)shape;
    wkAabb bounds = {frame->position, frame->position};
    return bounds;
}

wkInnerOuterSpheres wkSphereSpheres(const wkShape* shape)
{
    (void)shape;
    wkInnerOuterSpheres sphere = {{0.0, 0.0, 0.0}, 0.0, 0.0};
    return sphere;
}

wkMass wkSphereMass(const wkShape* shape)
{
    double radius = wkShapeSolidRadius(shape);
    double volume = wkSteinerVolume(0.0, 0.0, 0.0, radius);
    double inertia = 0.4 * volume * radius * radius;
    return wkMakeMass(volume, wkVec(0.0, 0.0, 0.0), wkVec(inertia, inertia, inertia));
}

wkRayHit wkSphereRayCast(const wkShape* shape, wkVec3d origin, wkVec3d direction,
                         double maxDistance)
{
    double radius = wkShapeRadius(shape);
    double middle = -wkDot(origin, direction);
    wkVec3d aside = wkMulAdd(origin, middle, direction);
    // made perpendicular a second time: the first difference keeps a component along the ray
    aside = wkMulSub(aside, wkDot(aside, direction), direction);
    double nearest = wkLength(aside);
    if (!(nearest <= radius) || middle < 0.0) {
        return wkRayMiss();
    }
    double halfChord = sqrt((radius - nearest) * (radius + nearest));
    double enter = wkMaxD(middle - halfChord, 0.0);
    wkVec3d normal = wkNormalizeOr(wkMulSub(aside, halfChord, direction), wkNeg(direction));
    wkRayHit hit = {enter <= maxDistance, enter, normal};
    return hit;
}

void wkSphereFaceAt(const wkShape* shape, wkVec3d direction, double cosine, wkFace* face)
{
    (void)cosine;
    wkFacePoint(face, wkSupportPoint(shape, direction, NULL));
}

wkResult wkSphereTriangulate(const wkShape* shape, int segments, double extent,
                             wkTriangulation* out)
{
    (void)extent;
    double radius = wkShapeRadius(shape);
    if (radius < 0.0) {
        return wkTriangulationReserve(out, 0, 0);
    }
    wkProfileArc arc = {0.0, 0.0, radius, -0.5 * WK_PI, 0.5 * WK_PI};
    return wkTriangulateProfile(&arc, 1, -radius, radius, segments, out);
}
