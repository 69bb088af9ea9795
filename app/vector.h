// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Vector functions for drawing.

#include "whisker/math.h"

#include <math.h>

static inline wkVec3d wkVec_Add(wkVec3d a, wkVec3d b)
{
    return (wkVec3d){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline wkVec3d wkVec_Sub(wkVec3d a, wkVec3d b)
{
    return (wkVec3d){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline wkVec3d wkVec_Scale(double s, wkVec3d a)
{
    return (wkVec3d){s * a.x, s * a.y, s * a.z};
}

// Returns a + s * b.
static inline wkVec3d wkVec_MulAdd(wkVec3d a, double s, wkVec3d b)
{
    return (wkVec3d){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double wkVec_Dot(wkVec3d a, wkVec3d b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline wkVec3d wkVec_Cross(wkVec3d a, wkVec3d b)
{
    return (wkVec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double wkVec_Length(wkVec3d a)
{
    return sqrt(wkVec_Dot(a, a));
}

static inline wkVec3d wkVec_Unit(wkVec3d a)
{
    double length = wkVec_Length(a);
    return (wkVec3d){a.x / length, a.y / length, a.z / length};
}
