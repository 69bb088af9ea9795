// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Coordinates as x y z x y: the axes after k are k + 1 and k + 2, for each k of three.

#include "math/vec.h"

WK_FN void wkSpread(wkVec3d v, double cyclic[5])
{
    cyclic[0] = cyclic[3] = v.x;
    cyclic[1] = cyclic[4] = v.y;
    cyclic[2] = v.z;
}

WK_FN wkVec3d wkGather(const double cyclic[5])
{
    return wkVec(cyclic[0], cyclic[1], cyclic[2]);
}

// Vector with the given coordinates along the axes k, k + 1 and k + 2.
WK_FN wkVec3d wkAlongAxes(int k, double t, double u, double v)
{
    return k == 0 ? wkVec(t, u, v) : k == 1 ? wkVec(v, t, u) : wkVec(u, v, t);
}
