// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The cylinder's row.

#include "geom/check.h"
#include "geom/convex_ray.h"
#include "geom/convex_rows.h"
#include "geom/face.h"
#include "geom/project.h"
#include "geom/steiner.h"
#include "geom/support.h"
#include "geom/triangulate.h"

bool wkCylinderIsValid(const wkShape* shape)
{
    return wkIsValidCylinder(shape);
}

wkResult wkCylinderCheck(const wkShape* shape)
{
    wkResult result = wkCheckSize("cylinder", "radius", shape->cylinder.radius);
    if (result == wk_ok) {
        result = wkCheckSize("cylinder", "halfLength", shape->cylinder.halfLength);
    }
    return result == wk_ok ? wkCheckMargins("cylinder", shape) : result;
}

wkVec3d wkCylinderCoreSupport(const wkShape* shape, wkVec3d direction)
{
    return wkSupportCylinder(shape, direction, NULL);
}

wkProjection wkCylinderProject(const wkShape* shape, wkVec3d point)
{
    return wkProjectCylinder(shape, point);
}

wkAabb wkCylinderBounds(const wkShape* shape, const wkFrame* frame)
{
    wkVec3d disc = wkDiscExtent(frame, shape->cylinder.radius);
    wkVec3d extent = wkMulAdd(disc, shape->cylinder.halfLength, wkAbs(frame->rotation.z));
    wkAabb bounds = {wkSub(frame->position, extent), wkAdd(frame->position, extent)};
    return bounds;
}

wkInnerOuterSpheres wkCylinderSpheres(const wkShape* shape)
{
    double radius = shape->cylinder.radius, half = shape->cylinder.halfLength;
    wkInnerOuterSpheres sphere = {
        {0.0, 0.0, 0.0}, sqrt(radius * radius + half * half), wkMinD(radius, half)};
    return sphere;
}

wkMass wkCylinderMass(const wkShape* shape)
{
    double radius = shape->cylinder.radius;
    double height = 2.0 * shape->cylinder.halfLength;
    double disc = WK_PI * radius * radius;
    double volume = disc * height;
    double area = 2.0 * disc + 2.0 * WK_PI * radius * height;

    // the wall, and two rims with a right angle each
    double curvature = WK_PI * height + WK_PI * WK_PI * radius;
    double across = volume * (0.25 * radius * radius + height * height / 12.0);
    double along = 0.5 * volume * radius * radius;
    return wkMakeMass(wkSteinerVolume(volume, area, curvature, shape->rounding),
                      wkVec(0.0, 0.0, 0.0), wkVec(across, across, along));
}

wkRayHit wkCylinderRayCast(const wkShape* shape, wkVec3d origin, wkVec3d direction,
                           double maxDistance)
{
    double radius = shape->cylinder.radius, half = shape->cylinder.halfLength;
    wkRayInterval wall = wkDiscInterval(origin.x, origin.y, direction.x, direction.y, radius);
    wkRayInterval slab = wkSlabInterval(origin.z, direction.z, half);
    wkRayInterval interval = {wkMaxD(wall.enter, slab.enter), wkMinD(wall.exit, slab.exit)};
    if (!wkIsHitInterval(interval, radius + half)) {
        return wkRayMiss();
    }
    double enter = wkMaxD(interval.enter, 0.0);
    wkVec3d normal = wkVec(0.0, 0.0, -copysign(1.0, direction.z));
    if (wall.enter > slab.enter) {
        normal = wkDiscNormal(origin.x, origin.y, direction.x, direction.y, radius);
    }
    wkRayHit hit = {enter <= maxDistance, enter, normal};
    return hit;
}

void wkCylinderFaceAt(const wkShape* shape, wkVec3d direction, double cosine, wkFace* face)
{
    double half = shape->cylinder.halfLength;
    if (fabs(direction.z) >= cosine) {
        double side = copysign(1.0, direction.z);
        wkFaceDisc(face, shape->cylinder.radius, side * half, side);
        return;
    }
    wkVec3d to = wkSupportCylinder(shape, direction, NULL);
    if (fabs(direction.z) <= wkSineOf(cosine)) {
        wkFaceEdge(face, wkVec(to.x, to.y, -to.z), to);
    } else {
        wkFacePoint(face, to);
    }
}

wkResult wkCylinderTriangulate(const wkShape* shape, int segments, double extent,
                               wkTriangulation* out)
{
    (void)extent;
    // a negative radius leaves a smaller cylinder
    double round = wkShapeRadius(shape);
    double shrink = wkMinD(round, 0.0);
    double sphere = wkMaxD(round, 0.0);
    double radius = shape->cylinder.radius + shrink;
    double half = shape->cylinder.halfLength + shrink;
    if (radius < 0.0 || half < 0.0) {
        return wkTriangulationReserve(out, 0, 0);
    }
    wkProfileArc arcs[2] = {{radius, -half, sphere, -0.5 * WK_PI, 0.0},
                            {radius, half, sphere, 0.0, 0.5 * WK_PI}};
    return wkTriangulateProfile(arcs, 2, -half - sphere, half + sphere, segments, out);
}
