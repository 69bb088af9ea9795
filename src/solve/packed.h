// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Vectors with two coordinates side by side: two operations where there would be three, for closed
// forms, whose time is the number of their instructions. The bits are those of math/vec.h.

#include "math/vec.h"
#include "simd/twin.h"

#include <string.h>

typedef struct wkPacked {
    wkTwin xy;
    double z;
} wkPacked;

WK_FORCE_FN wkPacked wkPack(wkVec3d v)
{
    wkPacked packed = {wkMakeTwin(v.x, v.y), v.z};
    return packed;
}

WK_FORCE_FN wkVec3d wkUnpack(wkPacked a)
{
    return wkVec(a.xy[0], a.xy[1], a.z);
}

// wkUnpack into memory, in two pieces.
WK_FORCE_FN void wkStorePacked(wkPacked a, wkVec3d* out)
{
    memcpy(&out->x, &a.xy, sizeof a.xy);
    out->z = a.z;
}

WK_FORCE_FN wkPacked wkAddPacked(wkPacked a, wkPacked b)
{
    wkPacked sum = {a.xy + b.xy, a.z + b.z};
    return sum;
}

WK_FORCE_FN wkPacked wkSubPacked(wkPacked a, wkPacked b)
{
    wkPacked difference = {a.xy - b.xy, a.z - b.z};
    return difference;
}

WK_FORCE_FN wkPacked wkScalePacked(double s, wkPacked a)
{
    wkPacked scaled = {s * a.xy, s * a.z};
    return scaled;
}

WK_FORCE_FN double wkDotPacked(wkPacked a, wkPacked b)
{
    wkTwin products = a.xy * b.xy;
    return products[0] + products[1] + a.z * b.z;
}
