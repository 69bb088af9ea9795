// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers of volumes: stored as floats, computed with in double, and their error bounds.

#include "math/round.h"
#include "math/vec.h"

// Relative rounding error of a formula: some 40 times the last bit of a double, and negligible against the
// last bit of a float. Subtracted from lower bounds, added to fits.
#define WK_VOLUME_SLACK 1e-14

WK_FN wkVec3d wkVecFromFloats(const float v[3])
{
    return wkVec((double)v[0], (double)v[1], (double)v[2]);
}

// Rounds a centre to the nearest floats: extents are measured from the rounded centre.
WK_FN void wkNearestFloats(wkVec3d v, float out[3])
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}
