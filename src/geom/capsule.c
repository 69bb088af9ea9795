// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The capsule's row. Its core is a segment along z, and its radius is that of the sphere around the core.

#include "geom/check.h"
#include "geom/convex_ray.h"
#include "geom/convex_rows.h"
#include "geom/face.h"
#include "geom/project.h"
#include "geom/steiner.h"
#include "geom/support.h"
#include "geom/triangulate.h"

bool wkCapsuleIsValid(const wkShape* shape)
{
    return wkIsValidCapsule(shape);
}

wkResult wkCapsuleCheck(const wkShape* shape)
{
    wkResult result = wkCheckSize("capsule", "radius", shape->capsule.radius);
    if (result == wk_ok) {
        result = wkCheckSize("capsule", "halfLength", shape->capsule.halfLength);
    }
    return result == wk_ok ? wkCheckMargins("capsule", shape) : result;
}

wkVec3d wkCapsuleCoreSupport(const wkShape* shape, wkVec3d direction)
{
    return wkSupportSegment(shape, direction, NULL);
}

wkProjection wkCapsuleProject(const wkShape* shape, wkVec3d point)
{
    return wkProjectSegment(shape, point);
}

wkAabb wkCapsuleBounds(const wkShape* shape, const wkFrame* frame)
{
    wkVec3d extent = wkScale(shape->capsule.halfLength, wkAbs(frame->rotation.z));
    wkAabb bounds = {wkSub(frame->position, extent), wkAdd(frame->position, extent)};
    return bounds;
}

wkInnerOuterSpheres wkCapsuleSpheres(const wkShape* shape)
{
    wkInnerOuterSpheres sphere = {{0.0, 0.0, 0.0}, shape->capsule.halfLength, 0.0};
    return sphere;
}

wkMass wkCapsuleMass(const wkShape* shape)
{
    double radius = wkShapeSolidRadius(shape);
    double length = 2.0 * shape->capsule.halfLength;
    double tube = WK_PI * radius * radius * length;
    double caps = 4.0 / 3.0 * WK_PI * radius * radius * radius;
    double square = radius * radius;

    // the centre of a half sphere is 3/8 of its radius away from its flat side
    double across = tube * (length * length / 12.0 + 0.25 * square) +
                    caps * (0.4 * square + 0.25 * length * length + 0.375 * length * radius);
    double along = 0.5 * tube * square + 0.4 * caps * square;
    return wkMakeMass(tube + caps, wkVec(0.0, 0.0, 0.0), wkVec(across, across, along));
}

wkRayHit wkCapsuleRayCast(const wkShape* shape, wkVec3d origin, wkVec3d direction,
                          double maxDistance)
{
    double radius = wkShapeRadius(shape);
    double half = shape->capsule.halfLength;
    if (radius < 0.0) {
        return wkRayMiss();
    }

    // the tube, where its wall is hit between the two ends
    wkRayInterval tube = wkDiscInterval(origin.x, origin.y, direction.x, direction.y, radius);
    double z = origin.z + tube.enter * direction.z;
    if (tube.enter > -INFINITY && fabs(z) <= half) {
        bool isHit = tube.enter >= 0.0 && tube.enter <= maxDistance;
        wkRayHit hit = {isHit, tube.enter,
                        wkDiscNormal(origin.x, origin.y, direction.x, direction.y, radius)};
        return hit;
    }

    // otherwise the cap on the side that the line comes from: a sphere of that radius
    double side = tube.enter > -INFINITY ? z : -direction.z;
    origin.z -= copysign(half, side);
    return tube.enter < INFINITY ? wkSphereRayCast(shape, origin, direction, maxDistance)
                                 : wkRayMiss();
}

void wkCapsuleFaceAt(const wkShape* shape, wkVec3d direction, double cosine, wkFace* face)
{
    double half = shape->capsule.halfLength;
    if (fabs(direction.z) <= wkSineOf(cosine)) {
        wkFaceEdge(face, wkVec(0.0, 0.0, -half), wkVec(0.0, 0.0, half));
    } else {
        wkFacePoint(face, wkSupportSegment(shape, direction, NULL));
    }
}

wkResult wkCapsuleTriangulate(const wkShape* shape, int segments, double extent,
                              wkTriangulation* out)
{
    (void)extent;
    double radius = wkShapeRadius(shape);
    double half = shape->capsule.halfLength;
    if (radius < 0.0) {
        return wkTriangulationReserve(out, 0, 0);
    }
    wkProfileArc arcs[2] = {{0.0, -half, radius, -0.5 * WK_PI, 0.0},
                            {0.0, half, radius, 0.0, 0.5 * WK_PI}};
    return wkTriangulateProfile(arcs, 2, -half - radius, half + radius, segments, out);
}
