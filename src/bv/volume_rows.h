// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The functions behind wkVolumeTable, documented in volume.h; each kind has its own file.

#include "bv/volume.h"

#define WK_VOLUME_ROW_FUNCTIONS(NAME)                                                              \
    void wkFit##NAME(const wkVec3d* points, int32_t count, const wkMat3d* axes, void* volume);     \
    void wkMerge##NAME(const void* a, const void* b, void* merged);                                \
    double wkGap##NAME(const wkFrame* bInA, const void* a, const void* b);                         \
    wkObb wkBoxOf##NAME(const void* volume);                                                       \
    double wkSizeOf##NAME(const void* volume)

WK_VOLUME_ROW_FUNCTIONS(Aabb);
WK_VOLUME_ROW_FUNCTIONS(Obb);
WK_VOLUME_ROW_FUNCTIONS(Rss);
WK_VOLUME_ROW_FUNCTIONS(ObbRss);
WK_VOLUME_ROW_FUNCTIONS(Kdop16);
WK_VOLUME_ROW_FUNCTIONS(Kdop18);
WK_VOLUME_ROW_FUNCTIONS(Kdop24);
WK_VOLUME_ROW_FUNCTIONS(Sphere);

// Bytes of each kind as stored.
#define WK_AABB_BYTES 24
#define WK_OBB_BYTES 40
#define WK_RSS_BYTES 40
#define WK_OBBRSS_BYTES 64
#define WK_KDOP16_BYTES 64
#define WK_KDOP18_BYTES 72
#define WK_KDOP24_BYTES 96
#define WK_SPHERE_BYTES 16

// Returns true when the axes of A and B are parallel: volumes with fixed normals then compare directly.
WK_FN bool wkIsUnturned(const wkFrame* bInA)
{
    const wkMat3d* m = &bInA->rotation;
    double aside =
        fabs(m->x.y) + fabs(m->x.z) + fabs(m->y.x) + fabs(m->y.z) + fabs(m->z.x) + fabs(m->z.y);
    return aside == 0.0 && m->x.x == 1.0 && m->y.y == 1.0 && m->z.z == 1.0;
}
