// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// mesh/<pair>/<query> on poses near contact, mesh/<pair>/build, bytes per triangle, and the geometric
// means over the pairs.

#include "mean.h"
#include "mesh/mesh_case.h"

#include <stdlib.h>
#include <string.h>

#define SEED 17u
#define QUICK_POSES 200
#define FULL_POSES 500

// What the project asks for against FCL's best volume: of each pair, and in the mean.
static const struct {
    const char* name;
    wkMeshQuery query;
    const char* variant; // of the peers; NULL: the fastest
    double bar;
    double meanBar; // 0: no mean
} queries[] = {
    {"collide-first", wk_meshCollideFirst, NULL, 3.0, 4.0},
    {"collide-all", wk_meshCollideAll, NULL, 3.0, 4.0},
    {"distance", wk_meshDistance, NULL, 3.0, 4.0},
    {"build", wk_meshBuild, NULL, 4.0, 4.0},
    {"build/obbrss", wk_meshBuild, "OBBRSS", 0.0, 0.0},
};
#define QUERY_COUNT ((int)(sizeof queries / sizeof queries[0]))

// Beyond the vertices and indices themselves, for each triangle.
#define MAX_BYTES 64.0

typedef struct meshRun {
    wkBench* bench;
    wkMeshCase pair;
    bool isMeanWanted[QUERY_COUNT];
    wkMeanTable means[QUERY_COUNT];
} meshRun;

static void nameRow(char* name, const char* scene, const char* query)
{
    snprintf(name, WK_ROW_NAME_CAPACITY, "mesh/%s/%s", scene, query);
}

// A mesh that needs more than the project allows counts as a wrong answer.
static void emitBytes(wkBench* bench, const char* name, const wkMesh* mesh)
{
    wkMeshInfo info = wkMesh_Info(mesh);
    size_t given = (size_t)info.vertexCount * sizeof(wkVec3d) +
                   (size_t)info.triangleCount * 3 * sizeof(int32_t);
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "%s", name);
    row.unit = "bytes/tri";
    row.ours = (double)(info.byteCount - given) / info.triangleCount;
    row.n = info.triangleCount;
    row.wrong = row.ours > MAX_BYTES ? 1 : 0;
    wkBench_Emit(bench, &row);
}

static void runQuery(meshRun* run, int q, const char* name, bool isEmitted)
{
    wkMeshJob job = wkMeshCase_Job(&run->pair, queries[q].query);
    job.volume = queries[q].variant != NULL ? wk_volumeObbRss : job.volume;
    wkComparison comparison;
    if (!wkCompareMeshes(run->bench, name, &job, queries[q].variant, wkIsMeshAnswerWrong,
                         &run->pair, &comparison)) {
        run->bench->wrongCount++;
        return;
    }
    if (job.query == wk_meshCollideAll) {
        comparison.rows[0].wrong += wkMeshCase_WrongContacts(&run->pair);
    }
    for (int i = 0; i < comparison.rowCount; i++) {
        wkBenchRow* row = &comparison.rows[i];
        bool isFcl = row->peer != NULL && strcmp(row->peer, "fcl") == 0;
        row->bar = isFcl ? queries[q].bar : 0.0;
        if (run->isMeanWanted[q]) {
            wkAddToMean(&run->means[q], row);
        }
    }
    if (isEmitted) {
        wkEmitComparison(run->bench, &comparison);
    }
}

static void runScene(meshRun* run, int index)
{
    char names[QUERY_COUNT][WK_ROW_NAME_CAPACITY];
    char bytesName[WK_ROW_NAME_CAPACITY];
    bool isWanted[QUERY_COUNT];
    nameRow(bytesName, wkMeshSceneName(index), "bytes");
    bool isBytesWanted = wkBench_Wants(run->bench, bytesName);
    bool isNeeded = isBytesWanted;
    bool needsPoses = false;
    for (int q = 0; q < QUERY_COUNT; q++) {
        nameRow(names[q], wkMeshSceneName(index), queries[q].name);
        isWanted[q] = wkBench_Wants(run->bench, names[q]);
        bool isUsed = isWanted[q] || run->isMeanWanted[q];
        isNeeded = isNeeded || isUsed;
        needsPoses = needsPoses || (isUsed && queries[q].query != wk_meshBuild);
    }
    wkMeshScene scene;
    if (!isNeeded || !wkMeshScene_Load(index, &scene) ||
        !wkMeshCase_Open(&run->pair, scene,
                         wkBench_IsFull(run->bench) ? FULL_POSES : QUICK_POSES)) {
        return;
    }
    if (needsPoses) {
        wkMeshCase_PoseNear(&run->pair, SEED);
        run->bench->wrongCount += wkMeshCase_Prove(&run->pair) ? 0 : 1;
    }
    for (int q = 0; q < QUERY_COUNT; q++) {
        if (isWanted[q] || run->isMeanWanted[q]) {
            runQuery(run, q, names[q], isWanted[q]);
        }
    }
    if (isBytesWanted) {
        emitBytes(run->bench, bytesName, run->pair.fixed);
    }
    wkMeshCase_Close(&run->pair);
}

void wkRunMeshRows(wkBench* bench)
{
    char names[QUERY_COUNT][WK_ROW_NAME_CAPACITY];
    meshRun* run = (meshRun*)calloc(1, sizeof(meshRun));
    if (run == NULL) {
        return;
    }
    run->bench = bench;
    for (int q = 0; q < QUERY_COUNT; q++) {
        nameRow(names[q], "geomean", queries[q].name);
        run->isMeanWanted[q] = queries[q].meanBar > 0.0 && wkBench_Wants(bench, names[q]);
    }
    for (int i = 0; i < wkMeshSceneCount(); i++) {
        runScene(run, i);
    }
    for (int q = 0; q < QUERY_COUNT; q++) {
        if (run->isMeanWanted[q]) {
            wkEmitMeans(bench, names[q], &run->means[q], queries[q].meanBar);
        }
    }
    free(run);
}
