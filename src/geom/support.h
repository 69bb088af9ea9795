// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Support functions of the cores: the furthest point along a direction of any length but zero, in the core's
// own frame. Inline, because the solvers spend half their time here. `hint` stores the last vertex of a hull;
// the other cores ignore it.

#include "geom/hull_impl.h"
#include "math/vec.h"

WK_FN wkVec3d wkSupportPoint(const wkShape* shape, wkVec3d direction, int32_t* hint)
{
    (void)shape, (void)direction, (void)hint;
    return wkVec(0.0, 0.0, 0.0);
}

WK_FN wkVec3d wkSupportSegment(const wkShape* shape, wkVec3d direction, int32_t* hint)
{
    (void)hint;
    return wkVec(0.0, 0.0, copysign(shape->capsule.halfLength, direction.z));
}

WK_FN wkVec3d wkSupportBox(const wkShape* shape, wkVec3d direction, int32_t* hint)
{
    (void)hint;
    wkVec3d half = shape->box.half;
    return wkVec(copysign(half.x, direction.x), copysign(half.y, direction.y),
                 copysign(half.z, direction.z));
}

WK_FN wkVec3d wkSupportCylinder(const wkShape* shape, wkVec3d direction, int32_t* hint)
{
    (void)hint;
    double across = sqrt(direction.x * direction.x + direction.y * direction.y);
    double scale = across > 0.0 ? shape->cylinder.radius / across : 0.0;
    return wkVec(scale * direction.x, scale * direction.y,
                 copysign(shape->cylinder.halfLength, direction.z));
}

WK_FN wkVec3d wkSupportCone(const wkShape* shape, wkVec3d direction, int32_t* hint)
{
    (void)hint;
    double radius = shape->cone.radius, half = shape->cone.halfLength;
    double across = sqrt(direction.x * direction.x + direction.y * direction.y);

    // apex when 2 half . z exceeds radius . across, else the rim of the base
    if (2.0 * half * direction.z > radius * across) {
        return wkVec(0.0, 0.0, half);
    }
    double scale = across > 0.0 ? radius / across : 0.0;
    return wkVec(scale * direction.x, scale * direction.y, -half);
}

WK_FN wkVec3d wkSupportEllipsoid(const wkShape* shape, wkVec3d direction, int32_t* hint)
{
    (void)hint;
    wkVec3d radii = shape->ellipsoid.radii;
    wkVec3d scaled = wkMulVec(radii, direction);
    double length = wkLength(scaled);
    double scale = length > 0.0 ? 1.0 / length : 0.0;
    return wkMulVec(radii, wkScale(scale, scaled));
}

WK_FN wkVec3d wkSupportTriangle(const wkShape* shape, wkVec3d direction, int32_t* hint)
{
    (void)hint;
    const wkVec3d* points = shape->triangle.points;
    double d0 = wkDot(points[0], direction);
    double d1 = wkDot(points[1], direction);
    double d2 = wkDot(points[2], direction);
    if (d0 >= d1) {
        return d0 >= d2 ? points[0] : points[2];
    }
    return d1 >= d2 ? points[1] : points[2];
}

WK_FN wkVec3d wkSupportHull(const wkShape* shape, wkVec3d direction, int32_t* hint)
{
    *hint = wkHullSupport(shape->hull, direction, *hint);
    return wkHullVertex(shape->hull, *hint);
}
