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

// What surrounds every core.
WK_FN bool wkHasSoundMargins(const wkShape* shape)
{
    return wkIsSoundSize(shape->rounding) && wkIsSoundCoordinate(shape->padding);
}

// wk_ok, or the failure with words such as "box: half.x is -1, must be 0 to 1e+60".
wkResult wkCheckSize(const char* shape, const char* field, double size);
wkResult wkCheckCoordinate(const char* shape, const char* field, double coordinate);
wkResult wkCheckPoint(const char* shape, const char* field, wkVec3d point);
wkResult wkCheckNormal(const char* shape, wkVec3d normal);
wkResult wkCheckMargins(const char* name, const wkShape* shape);
