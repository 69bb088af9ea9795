// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The ellipsoid's row.

#include "geom/check.h"
#include "geom/convex_ray.h"
#include "geom/convex_rows.h"
#include "geom/elliptic.h"
#include "geom/face.h"
#include "geom/project.h"
#include "geom/steiner.h"
#include "geom/support.h"
#include "geom/triangulate.h"

bool wkEllipsoidIsValid(const wkShape* shape)
{
    return wkIsValidEllipsoid(shape);
}

wkResult wkEllipsoidCheck(const wkShape* shape)
{
    wkResult result = wkCheckSize("ellipsoid", "radii.x", shape->ellipsoid.radii.x);
    if (result == wk_ok) {
        result = wkCheckSize("ellipsoid", "radii.y", shape->ellipsoid.radii.y);
    }
    if (result == wk_ok) {
        result = wkCheckSize("ellipsoid", "radii.z", shape->ellipsoid.radii.z);
    }
    return result == wk_ok ? wkCheckMargins("ellipsoid", shape) : result;
}

wkVec3d wkEllipsoidCoreSupport(const wkShape* shape, wkVec3d direction)
{
    return wkSupportEllipsoid(shape, direction, NULL);
}

wkProjection wkEllipsoidProject(const wkShape* shape, wkVec3d point)
{
    return wkProjectEllipsoid(shape, point);
}

wkAabb wkEllipsoidBounds(const wkShape* shape, const wkFrame* frame)
{
    wkVec3d radii = shape->ellipsoid.radii;
    wkVec3d x = wkScale(radii.x, frame->rotation.x);
    wkVec3d y = wkScale(radii.y, frame->rotation.y);
    wkVec3d z = wkScale(radii.z, frame->rotation.z);
    wkVec3d extent = wkVec(wkLength(wkVec(x.x, y.x, z.x)), wkLength(wkVec(x.y, y.y, z.y)),
                           wkLength(wkVec(x.z, y.z, z.z)));
    wkAabb bounds = {wkSub(frame->position, extent), wkAdd(frame->position, extent)};
    return bounds;
}

wkInnerOuterSpheres wkEllipsoidSpheres(const wkShape* shape)
{
    wkVec3d radii = shape->ellipsoid.radii;
    wkInnerOuterSpheres sphere = {
        {0.0, 0.0, 0.0}, wkMaxAbs(radii), wkMinD(radii.x, wkMinD(radii.y, radii.z))};
    return sphere;
}

wkMass wkEllipsoidMass(const wkShape* shape)
{
    wkVec3d radii = shape->ellipsoid.radii;
    double volume = 4.0 / 3.0 * WK_PI * radii.x * radii.y * radii.z;

    // both are integrals of a support function over the unit sphere
    double area = wkSupportIntegral(radii.y * radii.z, radii.z * radii.x, radii.x * radii.y);
    double curvature = wkSupportIntegral(radii.x, radii.y, radii.z);
    wkVec3d square = wkMulVec(radii, radii);
    wkVec3d inertia = wkVec(square.y + square.z, square.z + square.x, square.x + square.y);
    return wkMakeMass(wkSteinerVolume(volume, area, curvature, shape->rounding),
                      wkVec(0.0, 0.0, 0.0), wkScale(0.2 * volume, inertia));
}

wkRayHit wkEllipsoidRayCast(const wkShape* shape, wkVec3d origin, wkVec3d direction,
                            double maxDistance)
{
    wkVec3d radii = shape->ellipsoid.radii;
    double longest = wkMaxD(wkMaxD(radii.x, radii.y), radii.z);
    double shortest = wkMinD(wkMinD(radii.x, radii.y), radii.z);
    if (!(shortest > 1e-9 * longest)) {
        return wkCastByProjection(shape, 0.0, origin, direction, maxDistance);
    }

    // in units of the radii it is the unit sphere
    wkVec3d inverse = wkVec(1.0 / radii.x, 1.0 / radii.y, 1.0 / radii.z);
    wkVec3d scaledOrigin = wkMulVec(origin, inverse);
    wkVec3d scaled = wkMulVec(direction, inverse);
    double speed = wkLength(scaled);
    wkVec3d unit = wkScale(1.0 / speed, scaled);
    double nearest = wkLength(wkCross(scaledOrigin, unit));
    double middle = -wkDot(scaledOrigin, unit);
    if (!(nearest <= 1.0) || middle < 0.0) {
        return wkRayMiss();
    }
    double halfChord = sqrt((1.0 - nearest) * (1.0 + nearest));
    double enter = wkMaxD(middle - halfChord, 0.0) / speed;
    wkVec3d point = wkMulVec(wkMulAdd(origin, enter, direction), inverse);
    wkRayHit hit = {enter <= maxDistance, enter,
                    wkNormalizeOr(wkMulVec(point, inverse), wkNeg(direction))};
    return hit;
}

void wkEllipsoidFaceAt(const wkShape* shape, wkVec3d direction, double cosine, wkFace* face)
{
    (void)cosine;
    wkFacePoint(face, wkSupportEllipsoid(shape, direction, NULL));
}

typedef struct ellipsoidLoft {
    const wkShape* shape;
    double radius;
    int ringCount;
    int segments;
} ellipsoidLoft;

// Maps a point of the unit sphere to the surface.
static wkVec3d placeOnSurface(const ellipsoidLoft* loft, wkVec3d unit)
{
    wkVec3d radii = loft->shape->ellipsoid.radii;
    wkVec3d point = wkMulVec(radii, unit);
    if (loft->radius == 0.0) {
        return point;
    }
    if (loft->radius > 0.0) {
        // distribute as on an ellipsoid with longer semi-axes: its normal there is `unit` divided by them
        wkVec3d outer = wkAdd(radii, wkVec(loft->radius, loft->radius, loft->radius));
        wkVec3d normal = wkVec(outer.y * outer.z * unit.x, outer.z * outer.x * unit.y,
                               outer.x * outer.y * unit.z);
        normal = wkNormalizeOr(normal, unit);
        return wkMulAdd(wkSupportEllipsoid(loft->shape, normal, NULL), loft->radius, normal);
    }

    // inward offsets may give the surface edges: search for it from outside, towards the centre
    wkVec3d inward = wkNormalizeOr(wkNeg(point), wkVec(0.0, 0.0, 1.0));
    wkRayHit hit = wkCastByProjection(loft->shape, loft->radius, point, inward, wkLength(point));
    return hit.isHit ? wkMulAdd(point, hit.distance, inward) : wkVec(0.0, 0.0, 0.0);
}

static wkVec3d ellipsoidRing(const void* context, int ring, int column)
{
    const ellipsoidLoft* loft = (const ellipsoidLoft*)context;
    double rise = WK_PI * ((ring + 1.0) / (loft->ringCount + 1.0) - 0.5);
    double angle = 2.0 * WK_PI * column / loft->segments;
    return placeOnSurface(loft, wkVec(cos(rise) * cos(angle), cos(rise) * sin(angle), sin(rise)));
}

static wkVec3d ellipsoidCap(const void* context, bool isTop, int vertex)
{
    (void)vertex;
    return placeOnSurface((const ellipsoidLoft*)context, wkVec(0.0, 0.0, isTop ? 1.0 : -1.0));
}

static int ellipsoidVertex(const void* context, int column)
{
    (void)context, (void)column;
    return 0;
}

wkResult wkEllipsoidTriangulate(const wkShape* shape, int segments, double extent,
                                wkTriangulation* out)
{
    (void)extent;
    ellipsoidLoft context = {shape, wkShapeRadius(shape), (segments + 1) / 2 - 1, segments};
    wkVec3d radii = shape->ellipsoid.radii;
    if (wkMinD(wkMinD(radii.x, radii.y), radii.z) < -context.radius) {
        return wkTriangulationReserve(out, 0, 0);
    }
    wkLoft loft = {&context, context.ringCount, segments,     1,
                   false,    ellipsoidRing,     ellipsoidCap, ellipsoidVertex};
    return wkTriangulateLoft(&loft, out);
}
