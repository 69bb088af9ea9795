// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// mesh/kinds/<kind>/<query>: our kinds of volumes side by side, on two knots near contact.

#include "mesh_case.h"

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

static void nameKind(char* name, int kind, int query)
{
    snprintf(name, WK_ROW_NAME_CAPACITY, "mesh/kinds/%s/%s", wkVolumeKindName((wkVolumeKind)kind),
             queries[query].name);
}

static void runKind(wkBench* bench, wkMeshCase* pair, int kind, int query)
{
    char name[WK_ROW_NAME_CAPACITY];
    wkComparison comparison;
    nameKind(name, kind, query);
    if (!wkBench_IsSelected(bench, name)) {
        return;
    }
    wkMeshJob job = wkMeshCase_Job(pair, queries[query].query);
    job.volume = (wkVolumeKind)kind;
    if (wkCompareMeshes(bench, name, &job, "none", wkIsMeshAnswerWrong, pair, &comparison)) {
        wkEmitComparison(bench, &comparison);
    }
}

void wkRunMeshKindRows(wkBench* bench)
{
    bool isNeeded = false;
    for (int kind = 0; kind < wk_volumeKindCount; kind++) {
        for (int q = 0; q < QUERY_COUNT; q++) {
            char name[WK_ROW_NAME_CAPACITY];
            nameKind(name, kind, q);
            isNeeded = wkBench_Wants(bench, name) || isNeeded;
        }
    }
    wkMeshCase pair;
    if (!isNeeded || !wkMeshCase_OpenKnots(&pair, KIND_POSES)) {
        return;
    }
    wkMeshCase_PoseNear(&pair, SEED);
    bench->wrongCount += wkMeshCase_Prove(&pair) ? 0 : 1;
    for (int kind = 0; kind < wk_volumeKindCount; kind++) {
        for (int q = 0; q < QUERY_COUNT; q++) {
            runKind(bench, &pair, kind, q);
        }
    }
    wkMeshCase_Close(&pair);
}
