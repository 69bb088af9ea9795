// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which numbers a shape may have. The `isSound` of a row asks with the inline tests, its `check`
// with the functions that name what is wrong.

#include "math/vec.h"
#include "whisker/shape.h"

// Lengths beyond this are refused: their fifth power, an inertia, must stay in the range of double.
#define WK_MAX_LENGTH 1e60

// Normals must be this close to unit length.
#define WK_UNIT_TOLERANCE 1e-12

WK_FN bool wkIsSoundSize(double size)
{
    return size >= 0.0 && size <= WK_MAX_LENGTH;
}

WK_FN bool wkIsSoundCoordinate(double coordinate)
{
    return fabs(coordinate) <= WK_MAX_LENGTH;
}

WK_FN bool wkIsSoundPoint(wkVec3d point)
{
    return wkIsSoundCoordinate(point.x) && wkIsSoundCoordinate(point.y) &&
           wkIsSoundCoordinate(point.z);
}

WK_FN bool wkIsSoundNormal(wkVec3d normal)
{
    return fabs(wkDot(normal, normal) - 1.0) <= WK_UNIT_TOLERANCE;
}

// One comparison for all upper limits. NaN passes a maximum unseen from the left only, and there
// stands a size, which is compared with zero as well.
WK_FN bool wkHasSoundMargins(const wkShape* shape, double largestSize)
{
    double largest = wkMaxD(largestSize, wkMaxD(shape->rounding, fabs(shape->padding)));
    return shape->rounding >= 0.0 && largest <= WK_MAX_LENGTH;
}

// The tests behind `isSound` of each row, for callers that know the type.
WK_FN bool wkIsSoundSphere(const wkShape* shape)
{
    double radius = shape->sphere.radius;
    return radius >= 0.0 && wkHasSoundMargins(shape, radius);
}

WK_FN bool wkIsSoundCapsule(const wkShape* shape)
{
    double radius = shape->capsule.radius, half = shape->capsule.halfLength;
    return radius >= 0.0 && half >= 0.0 && wkHasSoundMargins(shape, wkMaxD(radius, half));
}

WK_FN bool wkIsSoundCylinder(const wkShape* shape)
{
    double radius = shape->cylinder.radius, half = shape->cylinder.halfLength;
    return radius >= 0.0 && half >= 0.0 && wkHasSoundMargins(shape, wkMaxD(radius, half));
}

WK_FN bool wkIsSoundCone(const wkShape* shape)
{
    double radius = shape->cone.radius, half = shape->cone.halfLength;
    return radius >= 0.0 && half >= 0.0 && wkHasSoundMargins(shape, wkMaxD(radius, half));
}

WK_FN bool wkAreSoundSizes(const wkShape* shape, wkVec3d sizes)
{
    double largest = wkMaxD(wkMaxD(sizes.x, sizes.y), sizes.z);
    return sizes.x >= 0.0 && sizes.y >= 0.0 && sizes.z >= 0.0 && wkHasSoundMargins(shape, largest);
}

WK_FN bool wkIsSoundBox(const wkShape* shape)
{
    return wkAreSoundSizes(shape, shape->box.half);
}

WK_FN bool wkIsSoundEllipsoid(const wkShape* shape)
{
    return wkAreSoundSizes(shape, shape->ellipsoid.radii);
}

WK_FN bool wkIsSoundTriangle(const wkShape* shape)
{
    const wkVec3d* points = shape->triangle.points;
    return wkIsSoundPoint(points[0]) && wkIsSoundPoint(points[1]) && wkIsSoundPoint(points[2]) &&
           wkHasSoundMargins(shape, 0.0);
}

// Half-spaces and planes keep their surface in the same place.
WK_FN bool wkIsSoundSurface(const wkShape* shape)
{
    return wkIsSoundNormal(shape->halfspace.normal) &&
           wkIsSoundCoordinate(shape->halfspace.offset) && wkHasSoundMargins(shape, 0.0);
}

// wk_ok, or the failure with words such as "box: half.x is -1, must be 0 to 1e+60".
wkResult wkCheckSize(const char* shape, const char* field, double size);
wkResult wkCheckCoordinate(const char* shape, const char* field, double coordinate);
wkResult wkCheckPoint(const char* shape, const char* field, wkVec3d point);
wkResult wkCheckNormal(const char* shape, wkVec3d normal);
wkResult wkCheckMargins(const char* name, const wkShape* shape);
