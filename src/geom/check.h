// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Valid ranges of shape parameters. The `isValid` of a row uses the inline tests, its `check` the functions
// that name the invalid parameter.

#include "math/vec.h"
#include "whisker/shape.h"

// Larger lengths are rejected: their fifth power, an inertia, must stay in the range of double.
#define WK_MAX_LENGTH 1e60

// Normals must be this close to unit length.
#define WK_UNIT_TOLERANCE 1e-12

WK_FN bool wkIsValidSize(double size)
{
    return size >= 0.0 && size <= WK_MAX_LENGTH;
}

WK_FN bool wkIsValidCoordinate(double coordinate)
{
    return fabs(coordinate) <= WK_MAX_LENGTH;
}

WK_FN bool wkIsValidPoint(wkVec3d point)
{
    return wkIsValidCoordinate(point.x) && wkIsValidCoordinate(point.y) &&
           wkIsValidCoordinate(point.z);
}

WK_FN bool wkIsValidNormal(wkVec3d normal)
{
    return fabs(wkDot(normal, normal) - 1.0) <= WK_UNIT_TOLERANCE;
}

// One comparison for all upper limits. A maximum drops NaN from its left operand only; that operand is a
// size, which is compared with zero as well.
WK_FN bool wkHasValidMargins(const wkShape* shape, double largestSize)
{
    double largest = wkMaxD(largestSize, wkMaxD(shape->rounding, fabs(shape->padding)));
    return shape->rounding >= 0.0 && largest <= WK_MAX_LENGTH;
}

// The tests behind `isValid` of each row, for callers that know the type.
WK_FN bool wkIsValidSphere(const wkShape* shape)
{
    double radius = shape->sphere.radius;
    return radius >= 0.0 && wkHasValidMargins(shape, radius);
}

WK_FN bool wkIsValidCapsule(const wkShape* shape)
{
    double radius = shape->capsule.radius, half = shape->capsule.halfLength;
    return radius >= 0.0 && half >= 0.0 && wkHasValidMargins(shape, wkMaxD(radius, half));
}

WK_FN bool wkIsValidCylinder(const wkShape* shape)
{
    double radius = shape->cylinder.radius, half = shape->cylinder.halfLength;
    return radius >= 0.0 && half >= 0.0 && wkHasValidMargins(shape, wkMaxD(radius, half));
}

WK_FN bool wkIsValidCone(const wkShape* shape)
{
    double radius = shape->cone.radius, half = shape->cone.halfLength;
    return radius >= 0.0 && half >= 0.0 && wkHasValidMargins(shape, wkMaxD(radius, half));
}

WK_FN bool wkAreValidSizes(const wkShape* shape, wkVec3d sizes)
{
    double largest = wkMaxD(wkMaxD(sizes.x, sizes.y), sizes.z);
    return sizes.x >= 0.0 && sizes.y >= 0.0 && sizes.z >= 0.0 && wkHasValidMargins(shape, largest);
}

WK_FN bool wkIsValidBox(const wkShape* shape)
{
    return wkAreValidSizes(shape, shape->box.half);
}

WK_FN bool wkIsValidEllipsoid(const wkShape* shape)
{
    return wkAreValidSizes(shape, shape->ellipsoid.radii);
}

WK_FN bool wkIsValidTriangle(const wkShape* shape)
{
    const wkVec3d* points = shape->triangle.points;
    return wkIsValidPoint(points[0]) && wkIsValidPoint(points[1]) && wkIsValidPoint(points[2]) &&
           wkHasValidMargins(shape, 0.0);
}

// Half-spaces and planes store their surface at the same offset.
WK_FN bool wkIsValidSurface(const wkShape* shape)
{
    return wkIsValidNormal(shape->halfspace.normal) &&
           wkIsValidCoordinate(shape->halfspace.offset) && wkHasValidMargins(shape, 0.0);
}

// Returns wk_ok, or the failure with a message such as "box: half.x is -1, must be 0 to 1e+60".
wkResult wkCheckSize(const char* shape, const char* field, double size);
wkResult wkCheckCoordinate(const char* shape, const char* field, double coordinate);
wkResult wkCheckPoint(const char* shape, const char* field, wkVec3d point);
wkResult wkCheckNormal(const char* shape, wkVec3d normal);
wkResult wkCheckMargins(const char* name, const wkShape* shape);
