// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Spherical linear interpolation of rotations: about one axis, with a constant velocity, the shorter way round.

#include "math/angle.h"
#include "math/frame.h"

typedef struct wkRotationWay {
    wkQuat from;
    wkVec3d axis;     // of unit length, in the frame of `from`; 0 without a rotation
    double halfAngle; // from 0 to pi/2
} wkRotationWay;

// @param a of any length but zero, as `b`
WK_FN wkRotationWay wkWayBetween(wkQuat a, wkQuat b)
{
    a = wkNormalizeQuat(a);
    wkQuat rotation = wkRelativeQuat(a, wkNormalizeQuat(b));
    wkVec3d sine = wkVec(rotation.x, rotation.y, rotation.z);
    sine = rotation.w < 0.0 ? wkNeg(sine) : sine;
    double length = wkLength(sine);
    wkVec3d none = {0.0, 0.0, 0.0};
    wkRotationWay way = {a, length > 0.0 ? wkScale(1.0 / length, sine) : none,
                         wkArc(fabs(rotation.w), length)};
    return way;
}

// Returns the rotation at a part of the way.
// @param sine of that part of the half angle
WK_FN wkQuat wkRotationBy(const wkRotationWay* way, double sine, double cosine)
{
    wkQuat rotation = {sine * way->axis.x, sine * way->axis.y, sine * way->axis.z, cosine};
    return wkNormalizeQuat(wkMulQuat(way->from, rotation));
}

// Returns the rotation at a part of the way; 1: its end.
WK_FN wkQuat wkRotationAt(const wkRotationWay* way, double part)
{
    double s = 0.0, c = 1.0;
    wkSinCos(part * way->halfAngle, &s, &c);
    return wkRotationBy(way, s, c);
}
