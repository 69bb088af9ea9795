// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// mesh/kinds/<kind>/<query> and mesh/splits/<method>/<query>: our kinds of volumes and our ways of
// splitting side by side, on two knots near contact.

#include "mesh/mesh_case.h"

#include <string.h>

#define SEED 23u
#define KIND_POSES 100

static const struct {
    const char* name;
    wkMeshQuery query;
} queries[] = {
    {"collide-first", wk_meshCollideFirst},
    {"collide-all", wk_meshCollideAll},
    {"distance", wk_meshDistance},
    {"build", wk_meshBuild},
};
#define QUERY_COUNT ((int)(sizeof queries / sizeof queries[0]))

// clang-format off
static const struct {
    const char* name;
    wkVolumeKind volume;
    wkSplitMethod split;
} variants[] = {
    {"kinds/aabb",    wk_volumeAabb,   wk_splitSah},
    {"kinds/obb",     wk_volumeObb,    wk_splitSah},
    {"kinds/rss",     wk_volumeRss,    wk_splitSah},
    {"kinds/obbrss",  wk_volumeObbRss, wk_splitSah},
    {"kinds/kdop16",  wk_volumeKdop16, wk_splitSah},
    {"kinds/kdop18",  wk_volumeKdop18, wk_splitSah},
    {"kinds/kdop24",  wk_volumeKdop24, wk_splitSah},
    {"kinds/sphere",  wk_volumeSphere, wk_splitSah},
    {"splits/sah",    wk_volumeAabb,   wk_splitSah},
    {"splits/median", wk_volumeAabb,   wk_splitMedian},
    {"splits/mean",   wk_volumeAabb,   wk_splitMean},
    {"splits/morton", wk_volumeAabb,   wk_splitMorton},
};
// clang-format on
#define VARIANT_COUNT ((int)(sizeof variants / sizeof variants[0]))

static void nameRow(char* name, int variant, int query)
{
    snprintf(name, WK_ROW_NAME_CAPACITY, "mesh/%s/%s", variants[variant].name, queries[query].name);
}

static void runVariant(wkBench* bench, wkMeshCase* pair, int variant, int query)
{
    char name[WK_ROW_NAME_CAPACITY];
    wkComparison comparison;
    nameRow(name, variant, query);
    if (!wkBench_IsSelected(bench, name)) {
        return;
    }
    wkMeshJob job = wkMeshCase_Job(pair, queries[query].query);
    job.volume = variants[variant].volume;
    job.split = variants[variant].split;
    if (wkCompareMeshes(bench, name, &job, "none", wkIsMeshAnswerWrong, pair, &comparison)) {
        wkEmitComparison(bench, &comparison);
    }
}

void wkRunMeshKindRows(wkBench* bench)
{
    bool isNeeded = false;
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        for (int q = 0; q < QUERY_COUNT; q++) {
            char name[WK_ROW_NAME_CAPACITY];
            nameRow(name, variant, q);
            isNeeded = wkBench_Wants(bench, name) || isNeeded;
        }
    }
    wkMeshCase pair;
    if (!isNeeded || !wkMeshCase_OpenKnots(&pair, KIND_POSES)) {
        return;
    }
    wkMeshCase_PoseNear(&pair, SEED);
    bench->wrongCount += wkMeshCase_Prove(&pair) ? 0 : 1;
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        for (int q = 0; q < QUERY_COUNT; q++) {
            runVariant(bench, &pair, variant, q);
        }
    }
    wkMeshCase_Close(&pair);
}
