// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One object of a live field (live_object.h) and one sphere. Code of this header is C, C++ and CUDA.

#include "cuda/live_object.h"

#include <math.h>

// Returns how far a coordinate is beyond an interval around 0; 0 for NaN.
WK_FN float wkBeyondHalf(float at, float half)
{
    float beyond = at - half;
    return beyond > 0.0f ? beyond : 0.0f;
}

// Returns whether a sphere touches an object. False only where the distance is above the radius; true only where it is
// not above it by more than the rounding in the radius of the object and one part in 2^19 of the sum of the radii. NaN
// touches.
//
// Rounding: coordinates in the frame of the object are off by nine parts in 2^24 of the distance of the centers, in all,
// and by two more where a cylinder has a root. The radius of the object has 16 (wkLiveObjectRounding). Squares and their
// sum are off by three parts of themselves, which the limit has.
WK_FN bool wkTouchesLiveObject(const wkLiveObject* object, float x, float y, float z, float radius)
{
    const float* a = object->axes;
    float dx = x - object->x, dy = y - object->y, dz = z - object->z;
    float u = fabsf(a[0] * dx + a[1] * dy + a[2] * dz);
    float v = fabsf(a[3] * dx + a[4] * dy + a[5] * dz);
    float w = fabsf(a[6] * dx + a[7] * dy + a[8] * dz);
    float halfV = object->half[1];
    if (halfV < 0.0f) {
        u = sqrtf(u * u + v * v); // of a cylinder
        v = halfV = 0.0f;
    }
    float beyondU = wkBeyondHalf(u, object->half[0]), beyondV = wkBeyondHalf(v, halfV);
    float beyondW = wkBeyondHalf(w, object->half[2]);
    float square = beyondU * beyondU + beyondV * beyondV + beyondW * beyondW;
    float limit = (radius + object->radius) * (1.0f + 0x1p-20f) + 1e-18f;
    return !(square > limit * limit);
}

// Returns what the radius of an object has for the rounding of wkTouchesLiveObject.
// @param extent of the object, its radius included, from its center
// @param reach largest radius of spheres
// @param farthest largest coordinate of its center
WK_FN double wkLiveObjectRounding(double extent, double reach, double farthest)
{
    return 0x1p-20 * (extent + reach) + 0x1p-23 * farthest;
}
