// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Axis-aligned boxes. Hierarchies keep eight of them side by side (tree.h); this file handles single boxes.

#include "bv/volume_rows.h"

typedef struct wkAabbVolume {
    float lower[3], upper[3];
} wkAabbVolume;

_Static_assert(sizeof(wkAabbVolume) == WK_AABB_BYTES, "the table knows the size");

void wkFitAabb(const wkVec3d* points, int32_t count, const wkMat3d* axes, void* volume)
{
    (void)axes;
    wkVec3d lower = points[0], upper = points[0];
    for (int32_t i = 1; i < count; ++i) {
        lower = wkMin(lower, points[i]);
        upper = wkMax(upper, points[i]);
    }
    wkAabbVolume box = {{wkRoundDown(lower.x), wkRoundDown(lower.y), wkRoundDown(lower.z)},
                        {wkRoundUp(upper.x), wkRoundUp(upper.y), wkRoundUp(upper.z)}};
    *(wkAabbVolume*)volume = box;
}

void wkMergeAabb(const void* a, const void* b, void* merged)
{
    const wkAabbVolume* first = a;
    const wkAabbVolume* second = b;
    wkAabbVolume* box = merged;
    for (int i = 0; i < 3; ++i) {
        box->lower[i] = fminf(first->lower[i], second->lower[i]);
        box->upper[i] = fmaxf(first->upper[i], second->upper[i]);
    }
}

wkObb wkBoxOfAabb(const void* volume)
{
    const wkAabbVolume* box = volume;
    wkVec3d lower = wkVecFromFloats(box->lower), upper = wkVecFromFloats(box->upper);
    wkVec3d center = wkMiddle(lower, upper);
    wkObb obb = {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, center},
                 wkMax(wkSub(upper, center), wkSub(center, lower))};
    return obb;
}

double wkSizeOfAabb(const void* volume)
{
    return 2.0 * wkMaxAbs(wkBoxOfAabb(volume).half);
}

double wkGapAabb(const wkFrame* bInA, const void* a, const void* b)
{
    wkObb boxA = wkBoxOfAabb(a), boxB = wkBoxOfAabb(b);
    return wkObbDistance(bInA, &boxA, &boxB);
}
