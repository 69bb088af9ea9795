// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Closest point of a core to a given point, both in the shape's own frame. Distances are signed: inside, the
// nearest way out counts. Normals are computed from exact differences or from the surface itself, so they are
// unit vectors also on faces, edges, axes and centres.

#include "geom/convex.h"
#include "geom/project_ellipsoid.h"

// Squares below this have lost digits to underflow: the gap counts as zero.
#define WK_TINY_SQUARED 1e-280

// Direction from the z axis to a point, and its distance; +x on the axis.
typedef struct wkRadial {
    double radius;
    double x, y;
} wkRadial;

WK_FN wkRadial wkRadialOf(wkVec3d point)
{
    double square = point.x * point.x + point.y * point.y;
    double radius = sqrt(square);
    bool isOffAxis = square > WK_TINY_SQUARED;
    double scale = isOffAxis ? 1.0 / radius : 0.0;
    wkRadial radial = {radius, isOffAxis ? scale * point.x : 1.0, scale * point.y};
    return radial;
}

// Returns the projection of a point outside, `gap` away from `surface`; `fallback` is the normal when the gap
// is zero.
WK_FN wkProjection wkProjectionOfGap(wkVec3d surface, wkVec3d gap, wkVec3d fallback)
{
    double square = wkDot(gap, gap);
    wkProjection projection = {0.0, surface, fallback};
    if (WK_LIKELY(square > WK_TINY_SQUARED)) {
        projection.distance = sqrt(square);
        projection.normal = wkScale(1.0 / projection.distance, gap);
    }
    return projection;
}

// Projects onto the core of a sphere: the origin.
WK_FN wkProjection wkProjectPoint(const wkShape* shape, wkVec3d point)
{
    (void)shape;
    return wkProjectionOfGap(wkVec(0.0, 0.0, 0.0), point, wkVec(0.0, 0.0, 1.0));
}

// Projects onto the core of a capsule: a segment along z.
WK_FN wkProjection wkProjectSegment(const wkShape* shape, wkVec3d point)
{
    double half = shape->capsule.halfLength;
    double z = wkClamp(point.z, -half, half);
    wkVec3d gap = wkVec(point.x, point.y, point.z - z);
    bool isEnd = fabs(point.z) >= half;
    wkVec3d fallback = isEnd ? wkVec(0.0, 0.0, copysign(1.0, point.z)) : wkVec(1.0, 0.0, 0.0);
    return wkProjectionOfGap(wkVec(0.0, 0.0, z), gap, fallback);
}

WK_FN wkProjection wkProjectBox(const wkShape* shape, wkVec3d point)
{
    wkVec3d half = shape->box.half;
    wkVec3d surface = wkMax(wkMin(point, half), wkNeg(half));
    wkVec3d gap = wkSub(point, surface);
    double square = wkDot(gap, gap);
    wkProjection projection = {0.0, surface, {0.0, 0.0, 0.0}};
    if (square > WK_TINY_SQUARED) {
        projection.distance = sqrt(square);
        projection.normal = wkScale(1.0 / projection.distance, gap);
        return projection;
    }

    // inside: leave through the nearest face
    wkVec3d depth = wkSub(half, wkAbs(point));
    if (depth.z <= depth.x && depth.z <= depth.y) {
        projection.normal.z = copysign(1.0, point.z);
        projection.point.z = copysign(half.z, point.z);
        projection.distance = -depth.z;
    } else if (depth.y <= depth.x) {
        projection.normal.y = copysign(1.0, point.y);
        projection.point.y = copysign(half.y, point.y);
        projection.distance = -depth.y;
    } else {
        projection.normal.x = copysign(1.0, point.x);
        projection.point.x = copysign(half.x, point.x);
        projection.distance = -depth.x;
    }
    return projection;
}

WK_FN wkProjection wkProjectCylinder(const wkShape* shape, wkVec3d point)
{
    double radius = shape->cylinder.radius;
    double half = shape->cylinder.halfLength;
    wkRadial radial = wkRadialOf(point);
    double sideGap = radial.radius - radius;
    double capGap = fabs(point.z) - half;

    // beyond both: the rim
    if (sideGap > 0.0 && capGap > 0.0) {
        double square = sideGap * sideGap + capGap * capGap;
        if (square > WK_TINY_SQUARED) {
            double distance = sqrt(square);
            double across = sideGap / distance;
            wkProjection rim = {
                distance,
                {radius * radial.x, radius * radial.y, copysign(half, point.z)},
                {across * radial.x, across * radial.y, copysign(capGap / distance, point.z)}};
            return rim;
        }
    }

    // otherwise the larger of the two is the distance, outside and inside
    if (sideGap > capGap) {
        wkProjection side = {
            sideGap, {radius * radial.x, radius * radial.y, point.z}, {radial.x, radial.y, 0.0}};
        return side;
    }
    wkProjection cap = {
        capGap, {point.x, point.y, copysign(half, point.z)}, {0.0, 0.0, copysign(1.0, point.z)}};
    return cap;
}

// In the half-plane through the axis and the point the cone is a right triangle: the base from
// (0, -half) to the rim (radius, -half), and the side from there to the apex (0, half).
WK_FN wkProjection wkProjectCone(const wkShape* shape, wkVec3d point)
{
    double radius = shape->cone.radius;
    double half = shape->cone.halfLength;
    double height = 2.0 * half;
    wkRadial radial = wkRadialOf(point);

    // unit normal of the side; the direction down the side is (up, -out)
    double slantSquared = height * height + radius * radius;
    double scale = slantSquared > WK_TINY_SQUARED ? 1.0 / sqrt(slantSquared) : 0.0;
    double out = scale * height;
    double up = scale > 0.0 ? scale * radius : 1.0;

    double fromRim = radial.radius - radius;
    double fromBase = point.z + half;
    double fromApex = point.z - half;
    double sideGap = out * radial.radius + up * fromApex;
    double alongSide = up * radial.radius - out * fromApex;

    wkVec3d apex = wkVec(0.0, 0.0, half);
    wkVec3d side = wkVec(out * radial.x, out * radial.y, up);
    if (fromRim > 0.0 && up * fromRim >= out * fromBase) {
        wkVec3d rim = wkVec(radius * radial.x, radius * radial.y, -half);
        wkVec3d gap = wkVec(fromRim * radial.x, fromRim * radial.y, fromBase);
        return wkProjectionOfGap(rim, gap, side);
    }
    if (fromApex >= 0.0 && alongSide <= 0.0) {
        return wkProjectionOfGap(apex, wkVec(point.x, point.y, fromApex), side);
    }

    // base or side, whichever distance is larger; inside, both count
    if (fromBase < 0.0 || -fromBase > sideGap) {
        wkProjection base = {-fromBase, {point.x, point.y, -half}, {0.0, 0.0, -1.0}};
        return base;
    }
    double across = up * alongSide;
    wkProjection onSide = {
        sideGap, {across * radial.x, across * radial.y, half - out * alongSide}, side};
    return onSide;
}

WK_FN wkProjection wkProjectHalfspace(const wkShape* shape, wkVec3d point)
{
    wkVec3d normal = shape->halfspace.normal;
    double distance = wkDot(normal, point) - shape->halfspace.offset;
    wkProjection projection = {distance, wkMulSub(point, distance, normal), normal};
    return projection;
}

// Two-sided: the normal faces the point.
WK_FN wkProjection wkProjectPlane(const wkShape* shape, wkVec3d point)
{
    wkVec3d normal = shape->plane.normal;
    double height = wkDot(normal, point) - shape->plane.offset;
    wkProjection projection = {fabs(height), wkMulSub(point, height, normal),
                               height < 0.0 ? wkNeg(normal) : normal};
    return projection;
}
