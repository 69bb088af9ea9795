// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Vectors with two coordinates in one register: two operations instead of three, for closed forms, whose time
// is proportional to their instruction count. The bits are those of math/vec.h.

#include "math/vec.h"
#include "simd/twin.h"

#include <string.h>

typedef struct wkPackedVec {
    wkTwin xy;
    double z;
} wkPackedVec;

WK_FORCE_FN wkPackedVec wkPack(wkVec3d v)
{
    wkPackedVec packedVec = {wkMakeTwin(v.x, v.y), v.z};
    return packedVec;
}

WK_FORCE_FN wkVec3d wkUnpack(wkPackedVec a)
{
    return wkVec(a.xy[0], a.xy[1], a.z);
}

// Stores wkUnpack to memory, in two parts.
WK_FORCE_FN void wkStorePackedVec(wkPackedVec a, wkVec3d* out)
{
    memcpy(&out->x, &a.xy, sizeof a.xy);
    out->z = a.z;
}

WK_FORCE_FN wkPackedVec wkAddPackedVec(wkPackedVec a, wkPackedVec b)
{
    wkPackedVec sum = {a.xy + b.xy, a.z + b.z};
    return sum;
}

WK_FORCE_FN wkPackedVec wkSubPackedVec(wkPackedVec a, wkPackedVec b)
{
    wkPackedVec difference = {a.xy - b.xy, a.z - b.z};
    return difference;
}

WK_FORCE_FN wkPackedVec wkScalePackedVec(double s, wkPackedVec a)
{
    wkPackedVec scaled = {s * a.xy, s * a.z};
    return scaled;
}

WK_FORCE_FN double wkDotPackedVec(wkPackedVec a, wkPackedVec b)
{
    wkTwin products = a.xy * b.xy;
    return products[0] + products[1] + a.z * b.z;
}
