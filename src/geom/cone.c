// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The cone's row: base disc at -halfLength, apex at +halfLength.

#include "geom/check.h"
#include "geom/convex_ray.h"
#include "geom/convex_rows.h"
#include "geom/face.h"
#include "geom/project.h"
#include "geom/steiner.h"
#include "geom/support.h"
#include "geom/triangulate.h"

bool wkConeIsValid(const wkShape* shape)
{
    return wkIsValidCone(shape);
}

wkResult wkConeCheck(const wkShape* shape)
{
    wkResult result = wkCheckSize("cone", "radius", shape->cone.radius);
    if (result == wk_ok) {
        result = wkCheckSize("cone", "halfLength", shape->cone.halfLength);
    }
    return result == wk_ok ? wkCheckMargins("cone", shape) : result;
}

wkVec3d wkConeCoreSupport(const wkShape* shape, wkVec3d direction)
{
    return wkSupportCone(shape, direction, NULL);
}

wkProjection wkConeProject(const wkShape* shape, wkVec3d point)
{
    return wkProjectCone(shape, point);
}

wkAabb wkConeBounds(const wkShape* shape, const wkFrame* frame)
{
    wkVec3d disc = wkDiscExtent(frame, shape->cone.radius);
    wkVec3d apex = wkMulAdd(frame->position, shape->cone.halfLength, frame->rotation.z);
    wkVec3d base = wkMulSub(frame->position, shape->cone.halfLength, frame->rotation.z);
    wkAabb bounds = {wkMin(apex, wkSub(base, disc)), wkMax(apex, wkAdd(base, disc))};
    return bounds;
}

// The smallest sphere passes through the rim and the apex, or is that of the base when the cone is low.
wkInnerOuterSpheres wkConeSpheres(const wkShape* shape)
{
    double radius = shape->cone.radius, half = shape->cone.halfLength;
    wkInnerOuterSpheres sphere = {{0.0, 0.0, -half}, radius, 0.0};
    if (2.0 * half > radius) {
        double up = half - radius * (radius / (4.0 * half));
        sphere.center.z = up - half;
        sphere.radius = 2.0 * half - up;
        double toSide = sphere.radius * radius / sqrt(radius * radius + 4.0 * half * half);
        sphere.innerRadius = wkMinD(up, toSide);
    }
    return sphere;
}

// Computes the unit normal of the side: across the axis and along it. A cone of zero size has a flat side.
static void sideNormal(const wkShape* shape, double* out, double* up)
{
    double radius = shape->cone.radius, height = 2.0 * shape->cone.halfLength;
    wkVec3d normal = wkNormalizeOr(wkVec(height, 0.0, radius), wkVec(0.0, 0.0, 1.0));
    *out = normal.x;
    *up = normal.z;
}

wkMass wkConeMass(const wkShape* shape)
{
    double radius = shape->cone.radius;
    double height = 2.0 * shape->cone.halfLength;
    double slant = sqrt(radius * radius + height * height);
    double disc = WK_PI * radius * radius;
    double volume = disc * height / 3.0;
    double area = disc + WK_PI * radius * slant;

    // the side, and the rim with the angle between the normals of base and side
    double curvature = WK_PI * height + WK_PI * radius * atan2(height, -radius);
    double across = volume * (0.15 * radius * radius + 0.0375 * height * height);
    double along = 0.3 * volume * radius * radius;
    return wkMakeMass(wkSteinerVolume(volume, area, curvature, shape->rounding),
                      wkVec(0.0, 0.0, -0.25 * height), wkVec(across, across, along));
}

wkRayHit wkConeRayCast(const wkShape* shape, wkVec3d origin, wkVec3d direction, double maxDistance)
{
    return wkCastByProjection(shape, 0.0, origin, direction, maxDistance);
}

void wkConeFaceAt(const wkShape* shape, wkVec3d direction, double cosine, wkFace* face)
{
    double radius = shape->cone.radius, half = shape->cone.halfLength;
    double out, up;
    sideNormal(shape, &out, &up);
    wkRadial radial = wkRadialOf(direction);
    bool isLid = half == 0.0 && direction.z >= cosine; // the upper side of a flat cone
    if (-direction.z >= cosine || isLid) {
        wkFaceDisc(face, radius, -half, isLid ? 1.0 : -1.0);
    } else if (out * radial.radius + up * direction.z >= cosine) {
        wkFaceEdge(face, wkVec(radius * radial.x, radius * radial.y, -half), wkVec(0.0, 0.0, half));
    } else {
        wkFacePoint(face, wkSupportCone(shape, direction, NULL));
    }
}

wkResult wkConeTriangulate(const wkShape* shape, int segments, double extent, wkTriangulation* out)
{
    (void)extent;
    double round = wkShapeRadius(shape);
    double sphere = wkMaxD(round, 0.0);
    double radius = shape->cone.radius, bottom = -shape->cone.halfLength;
    double apex = shape->cone.halfLength;
    double normalOut, normalUp;
    sideNormal(shape, &normalOut, &normalUp);

    // a negative radius leaves a smaller cone of the same slope
    if (round < 0.0) {
        if (!(normalUp > 0.0 && normalOut > 0.0)) {
            return wkTriangulationReserve(out, 0, 0);
        }
        bottom -= round;
        apex += round / normalUp;
        radius = (apex - bottom) * (normalUp / normalOut);
        if (radius < 0.0) {
            return wkTriangulationReserve(out, 0, 0);
        }
    }
    double slope = atan2(normalUp, normalOut);
    wkProfileArc arcs[2] = {{radius, bottom, sphere, -0.5 * WK_PI, slope},
                            {0.0, apex, sphere, slope, 0.5 * WK_PI}};
    return wkTriangulateProfile(arcs, 2, bottom - sphere, apex + sphere, segments, out);
}
