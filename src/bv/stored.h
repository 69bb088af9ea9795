// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers of volumes: stored as floats, computed with in double, and what that may be off by.

#include "math/round.h"
#include "math/vec.h"

// Share of the numbers in a formula that rounding may spoil: some 40 times the last bit of a
// double, and nothing beside the last bit of a float. Subtracted from lower bounds, added to fits.
#define WK_VOLUME_SLACK 1e-14

WK_FN wkVec3d wkVecFromFloats(const float v[3])
{
    return wkVec((double)v[0], (double)v[1], (double)v[2]);
}

// The nearest floats, for a centre: what it moves is part of the extents taken from it.
WK_FN void wkNearestFloats(wkVec3d v, float out[3])
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}
