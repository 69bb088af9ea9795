// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One row per kind of bounding volume; all differences between kinds are looked up here.

#include "bv/volume_rows.h"

#include "base/error.h"
#include "whisker/detail/counts.h"

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

const wkVolumeRow wkVolumeTable[WK_VOLUME_KIND_COUNT] = {
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
    return (unsigned)kind < WK_VOLUME_KIND_COUNT ? wkVolumeTable[kind].name : "none";
}

wkResult wkVolumeKindFromName(const char* name, wkVolumeKind* kind)
{
    for (int i = 0; name != NULL && i < WK_VOLUME_KIND_COUNT; ++i) {
        if (strcmp(name, wkVolumeTable[i].name) == 0) {
            *kind = (wkVolumeKind)i;
            return wk_ok;
        }
    }
    return wkFail(wk_errorArgument, "mesh: \"%.40s\" is no kind of volumes",
                  name != NULL ? name : "");
}
