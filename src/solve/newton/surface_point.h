// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The surface point of a point: the closest point of a core, with its derivative by the given point. Without
// branches where features meet, since which of them is touched is unpredictable.

#include "math/vec.h"
#include "whisker/shape.h"

typedef struct wkSurfacePoint {
    wkVec3d point;    // in the core's own frame, as are all fields
    double depth;     // of the given point inside; the surface point is valid only when <= 0
    wkVec3d along[2]; // unit tangents of the feature, at right angles
    double give[2];   // derivative along each by the given point: 0 to 1
} wkSurfacePoint;

typedef wkSurfacePoint wkSurfacePointFcn(const wkShape* shape, wkVec3d point);

// On a face two axes are free, on an edge one, at a vertex none.
WK_FN wkSurfacePoint wkSurfacePointBox(const wkShape* shape, wkVec3d point)
{
    wkVec3d half = shape->box.half;
    wkVec3d inside = wkSub(half, wkAbs(point));
    bool isFreeX = inside.x >= 0.0, isFreeY = inside.y >= 0.0, isFreeZ = inside.z >= 0.0;
    wkSurfacePoint surfacePoint = {
        .point = wkMax(wkMin(point, half), wkNeg(half)),
        .depth = wkMinD(wkMinD(inside.x, inside.y), inside.z),
        .along = {wkVec(isFreeX ? 1.0 : 0.0, isFreeX ? 0.0 : 1.0, 0.0),
                  wkVec(0.0, isFreeZ ? 0.0 : 1.0, isFreeZ ? 1.0 : 0.0)},
        .give = {isFreeX || isFreeY ? 1.0 : 0.0, isFreeZ || (isFreeX && isFreeY) ? 1.0 : 0.0},
    };
    return surfacePoint;
}

// Around the axis the surface point rotates with the point, on a smaller circle; across a cap it follows
// fully, as it does along the side.
WK_FN wkSurfacePoint wkSurfacePointCylinder(const wkShape* shape, wkVec3d point)
{
    double radius = shape->cylinder.radius, half = shape->cylinder.halfLength;
    double across = sqrt(point.x * point.x + point.y * point.y);
    double scale = across > 0.0 ? 1.0 / across : 0.0;
    double x = across > 0.0 ? scale * point.x : 1.0, y = scale * point.y;
    bool isOnCap = across <= radius, isOnSide = fabs(point.z) <= half;
    double share = isOnCap ? 1.0 : scale * radius;
    wkSurfacePoint surfacePoint = {
        .point = wkVec(share * point.x, share * point.y, wkClamp(point.z, -half, half)),
        .depth = wkMinD(radius - across, half - fabs(point.z)),
        .along = {wkVec(-y, x, 0.0),
                  wkVec(isOnCap ? x : 0.0, isOnCap ? y : 0.0, isOnCap ? 0.0 : 1.0)},
        .give = {share, isOnCap || isOnSide ? 1.0 : 0.0},
    };
    return surfacePoint;
}

// The same in the half-plane through the axis and the point, where the cone is a triangle: the base from the
// axis to the rim, and the side, `down` of which the surface point lies, from the apex to the rim.
WK_FN wkSurfacePoint wkSurfacePointCone(const wkShape* shape, wkVec3d point)
{
    double radius = shape->cone.radius, half = shape->cone.halfLength, height = 2.0 * half;
    double slant = sqrt(height * height + radius * radius);
    double out = slant > 0.0 ? height / slant : 0.0, up = slant > 0.0 ? radius / slant : 1.0;

    double across = sqrt(point.x * point.x + point.y * point.y);
    double scale = across > 0.0 ? 1.0 / across : 0.0;
    double x = across > 0.0 ? scale * point.x : 1.0, y = scale * point.y;
    double fromApex = point.z - half, fromBase = point.z + half;
    double down = up * across - out * fromApex;
    bool isOnBase = fromBase <= 0.0 && across <= radius;
    bool isOnRim = !(down < slant), isApex = down <= 0.0;

    double outward = isOnRim ? radius : isApex ? 0.0 : up * down;
    double z = isOnRim ? -half : isApex ? half : half - out * down;
    outward = isOnBase ? across : outward;
    wkSurfacePoint surfacePoint = {
        .point = wkVec(outward * x, outward * y, isOnBase ? -half : z),
        .depth = wkMinD(fromBase, -(out * across + up * fromApex)),
        .along = {wkVec(-y, x, 0.0),
                  wkVec(isOnBase ? x : up * x, isOnBase ? y : up * y, isOnBase ? 0.0 : -out)},
        .give = {across > 0.0 ? scale * outward : 1.0,
                 isOnBase || !(isOnRim || isApex) ? 1.0 : 0.0},
    };
    return surfacePoint;
}
