// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// mesh/growth/<query>/<triangles>: the same knot with more and more triangles, touched by a small one
// that shrinks with them, so that the contact stays as large, counted in triangles. Then the
// exponent p of the fit time = c * triangles^p.

#include "mesh/mesh_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 4u
#define POSE_COUNT 100

// Builds take long and vary little.
#define BUILD_BLOCKS 5

#define SIZE_COUNT 6
static const struct {
    const char* name;
    int around;
    int across;
} sizes[SIZE_COUNT] = {
    {"1k", 80, 6},    {"4k", 160, 12},     {"16k", 320, 25},
    {"64k", 640, 50}, {"256k", 1280, 100}, {"1M", 2560, 200},
};

#define QUERY_COUNT 4
static const struct {
    const char* name;
    wkMeshQuery query;
} queries[QUERY_COUNT] = {
    {"collide-first", wk_meshCollideFirst},
    {"collide-all", wk_meshCollideAll},
    {"distance", wk_meshDistance},
    {"build", wk_meshBuild},
};

typedef struct growthRun {
    wkBench* bench;
    double triangles[SIZE_COUNT];
    double times[QUERY_COUNT][SIZE_COUNT]; // 0: not measured
} growthRun;

static void nameRow(char* name, int query, const char* size)
{
    snprintf(name, WK_ROW_NAME_CAPACITY, "mesh/growth/%s%s%s", queries[query].name,
             size[0] != '\0' ? "/" : "", size);
}

// The small knot is as large as a few triangles of the other.
static bool makeScene(int size, wkMeshScene* scene)
{
    const double tube = 0.12;
    double edge = 2.0 * 3.14159265358979 * tube / sizes[size].across;
    double scale = 2.0 * edge;
    memset(scene, 0, sizeof *scene);
    scene->name = "growth";
    scene->extent = 1.0;
    return wkModel_AddKnot(&scene->moving, 0.3 * scale, tube * scale, 80, 6) &&
           wkModel_AddKnot(&scene->fixed, 0.3, tube, sizes[size].around, sizes[size].across);
}

static void runQuery(growthRun* run, wkMeshCase* pair, int query, int size)
{
    char name[WK_ROW_NAME_CAPACITY];
    nameRow(name, query, sizes[size].name);
    wkBench bench = *run->bench;
    bool isBuild = queries[query].query == wk_meshBuild;
    bench.blockCount = isBuild ? BUILD_BLOCKS : bench.blockCount;
    wkMeshJob job = wkMeshCase_Job(pair, queries[query].query);
    wkComparison comparison;
    if (!wkCompareMeshes(&bench, name, &job, "none", wkIsMeshAnswerWrong, pair, &comparison)) {
        run->bench->wrongCount++;
        return;
    }
    run->times[query][size] = comparison.rows[0].ours;
    if (wkBench_IsSelected(run->bench, name)) {
        wkEmitComparison(run->bench, &comparison);
    }
}

static void runSize(growthRun* run, int size, const bool* needs)
{
    wkMeshScene scene;
    wkMeshCase pair;
    if (!makeScene(size, &scene)) {
        wkMeshScene_Free(&scene);
        return;
    }
    run->triangles[size] = scene.fixed.triangleCount;
    if (!wkMeshCase_Open(&pair, scene, POSE_COUNT)) {
        return;
    }
    wkMeshCase_PoseNear(&pair, SEED);
    run->bench->wrongCount += wkMeshCase_Prove(&pair) ? 0 : 1;
    for (int q = 0; q < QUERY_COUNT; q++) {
        if (needs[q]) {
            runQuery(run, &pair, q, size);
        }
    }
    wkMeshCase_Close(&pair);
}

static void emitExponent(const growthRun* run, const char* name, int query)
{
    double sumX = 0.0, sumY = 0.0, sumXX = 0.0, sumXY = 0.0;
    for (int i = 0; i < SIZE_COUNT; i++) {
        double x = log(run->triangles[i]);
        double y = log(run->times[query][i]);
        sumX += x;
        sumY += y;
        sumXX += x * x;
        sumXY += x * y;
    }
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    memcpy(row.name, name, sizeof row.name);
    row.unit = "exponent";
    row.ours = (SIZE_COUNT * sumXY - sumX * sumY) / (SIZE_COUNT * sumXX - sumX * sumX);
    row.n = SIZE_COUNT;
    wkBench_Emit(run->bench, &row);
}

void wkRunMeshGrowthRows(wkBench* bench)
{
    char names[QUERY_COUNT][WK_ROW_NAME_CAPACITY];
    bool hasExponent[QUERY_COUNT];
    growthRun run;
    memset(&run, 0, sizeof run);
    run.bench = bench;
    for (int q = 0; q < QUERY_COUNT; q++) {
        nameRow(names[q], q, "");
        hasExponent[q] = wkBench_Wants(bench, names[q]);
    }
    for (int i = 0; i < SIZE_COUNT; i++) {
        bool needs[QUERY_COUNT];
        bool isNeeded = false;
        for (int q = 0; q < QUERY_COUNT; q++) {
            char name[WK_ROW_NAME_CAPACITY];
            nameRow(name, q, sizes[i].name);
            needs[q] = wkBench_Wants(bench, name) || hasExponent[q];
            isNeeded = isNeeded || needs[q];
        }
        if (isNeeded) {
            runSize(&run, i, needs);
        }
    }
    for (int q = 0; q < QUERY_COUNT; q++) {
        bool isMeasured = run.times[q][SIZE_COUNT - 1] > 0.0;
        if (hasExponent[q] && isMeasured) {
            emitExponent(&run, names[q], q);
        }
    }
}
