// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One row per kind of bounding volume; all differences between kinds are looked up here.

#include "bv/volume_rows.h"

#include <string.h>

// clang-format off
#define ROW(NAME, TEXT, BYTES, IS_ORIENTED)                                                        \
    {                                                                                              \
        .name       = TEXT,                                                                        \
        .byteCount  = BYTES,                                                                       \
        .isOriented = IS_ORIENTED,                                                                 \
        .fit        = wkFit##NAME,                                                                 \
        .merge      = wkMerge##NAME,                                                               \
        .distance   = wkGap##NAME,                                                                 \
        .box        = wkBoxOf##NAME,                                                               \
        .size       = wkSizeOf##NAME,                                                              \
    }

const wkVolumeRow wkVolumeTable[wk_volumeKindCount] = {
    //                      function name      bytes            oriented
    [wk_volumeAabb]   = ROW(Aabb,    "aabb",   WK_AABB_BYTES,   false),
    [wk_volumeObb]    = ROW(Obb,     "obb",    WK_OBB_BYTES,    true),
    [wk_volumeRss]    = ROW(Rss,     "rss",    WK_RSS_BYTES,    true),
    [wk_volumeObbRss] = ROW(ObbRss,  "obbrss", WK_OBBRSS_BYTES, true),
    [wk_volumeKdop16] = ROW(Kdop16,  "kdop16", WK_KDOP16_BYTES, false),
    [wk_volumeKdop18] = ROW(Kdop18,  "kdop18", WK_KDOP18_BYTES, false),
    [wk_volumeKdop24] = ROW(Kdop24,  "kdop24", WK_KDOP24_BYTES, false),
    [wk_volumeSphere] = ROW(Sphere,    "sphere", WK_SPHERE_BYTES,   false),
};
// clang-format on

const char* wkVolumeKindName(wkVolumeKind kind)
{
    return (unsigned)kind < wk_volumeKindCount ? wkVolumeTable[kind].name : "none";
}

wkVolumeKind wkVolumeKindFromName(const char* name)
{
    for (int kind = 0; name != NULL && kind < wk_volumeKindCount; ++kind) {
        if (strcmp(name, wkVolumeTable[kind].name) == 0) {
            return (wkVolumeKind)kind;
        }
    }
    return wk_volumeKindCount;
}
