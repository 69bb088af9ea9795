// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whether a point is in a volume, from the floats that are stored and their layout alone: an oracle
// in long double that shares nothing with the library.

#include "unit_kit.h"

#include "bv/volume.h"

// A volume as the layout of its kind says it is, in long double.
typedef struct wkExactVolume {
    long double axes[3][3];
    const float* numbers;
} wkExactVolume;

static wkExactVolume exactVolume(const void* volume)
{
    wkExactVolume exact;
    const float* q = volume;
    long double x = q[0], y = q[1], z = q[2], w = q[3];
    long double s = 2.0L / (x * x + y * y + z * z + w * w);
    const long double axes[3][3] = {
        {1.0L - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
        {s * (x * y - w * z), 1.0L - s * (x * x + z * z), s * (y * z + w * x)},
        {s * (x * z + w * y), s * (y * z - w * x), 1.0L - s * (x * x + y * y)}};
    memcpy(exact.axes, axes, sizeof axes);
    exact.numbers = q;
    return exact;
}

static void localOf(const wkExactVolume* exact, const float* center, wkVec3d point,
                    long double local[3])
{
    long double d[3] = {(long double)point.x - center[0], (long double)point.y - center[1],
                        (long double)point.z - center[2]};
    for (int i = 0; i < 3; ++i) {
        local[i] = d[0] * exact->axes[i][0] + d[1] * exact->axes[i][1] + d[2] * exact->axes[i][2];
    }
}

static bool isInAabb(const void* volume, wkVec3d p)
{
    const float* b = volume;
    return p.x >= (double)b[0] && p.y >= (double)b[1] && p.z >= (double)b[2] &&
           p.x <= (double)b[3] && p.y <= (double)b[4] && p.z <= (double)b[5];
}

static bool isInBoxPart(const wkExactVolume* exact, const float* part, wkVec3d p)
{
    long double local[3];
    localOf(exact, part, p, local);
    return fabsl(local[0]) <= part[3] && fabsl(local[1]) <= part[4] && fabsl(local[2]) <= part[5];
}

static bool isInRectPart(const wkExactVolume* exact, const float* part, wkVec3d p)
{
    long double local[3];
    localOf(exact, part, p, local);
    long double x = fmaxl(fabsl(local[0]) - part[3], 0.0L);
    long double y = fmaxl(fabsl(local[1]) - part[4], 0.0L);
    return sqrtl(x * x + y * y + local[2] * local[2]) <= part[5];
}

static bool isInObb(const void* volume, wkVec3d p)
{
    wkExactVolume exact = exactVolume(volume);
    return isInBoxPart(&exact, exact.numbers + 4, p);
}

static bool isInRss(const void* volume, wkVec3d p)
{
    wkExactVolume exact = exactVolume(volume);
    return isInRectPart(&exact, exact.numbers + 4, p);
}

static bool isInObbRss(const void* volume, wkVec3d p)
{
    wkExactVolume exact = exactVolume(volume);
    return isInBoxPart(&exact, exact.numbers + 4, p) && isInRectPart(&exact, exact.numbers + 10, p);
}

static bool isInKdop(const void* volume, wkVec3d p, int directionCount)
{
    const long double x = p.x, y = p.y, z = p.z;
    const long double along[12] = {x,     y,     z,     x + y,     x - y,     x + z,
                                   x - z, y + z, y - z, x + y - z, x - y + z, -x + y + z};
    const float* slabs = volume;
    bool isIn = true;
    for (int k = 0; k < directionCount; ++k) {
        isIn = isIn && along[k] >= slabs[2 * k] && along[k] <= slabs[2 * k + 1];
    }
    return isIn;
}

static bool isInKdop16(const void* volume, wkVec3d p)
{
    return isInKdop(volume, p, 8);
}

static bool isInKdop18(const void* volume, wkVec3d p)
{
    return isInKdop(volume, p, 9);
}

static bool isInKdop24(const void* volume, wkVec3d p)
{
    return isInKdop(volume, p, 12);
}

static bool isInSphere(const void* volume, wkVec3d p)
{
    const float* sphere = volume;
    long double x = (long double)p.x - sphere[0], y = (long double)p.y - sphere[1];
    long double z = (long double)p.z - sphere[2];
    return sqrtl(x * x + y * y + z * z) <= sphere[3];
}
