// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// cast/<a>-<b>/linear and /screw: the first time of contact of a moving body and a standing one, for the 28 pairs of solid
// bodies and for pairs of meshes, a third of them each apart, grazing and hitting; geomean/cast/...: over the 28 pairs.
// cast/distances/linear: how many distance queries, at the start of the way, take as long as a cast, in the median of the pairs.

#include "casts/cast_truth.h"
#include "casts/cast_ways.h"
#include "mean.h"
#include "race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 20130507u

// What the project asks for.
#define CONVEX_BAR 5.0
#define MESH_BAR 8.0
#define MOST_DISTANCES 4.0

// Peers take tens of milliseconds for a cast of two meshes: one for so many casts of convex bodies.
#define MESH_SHARE 400

static const char* const motionNames[] = {"linear", "screw"};

typedef struct castRun {
    wkBench* bench;
    wkPairBodies bodies;
    wkCastWay* ways;
    wkCastTruth* truths;
    wkMeanTable means;
    double* distances; // of each pair: distance queries that take as long as a cast
    int pairCount;
} castRun;

static bool openSide(wkRacer* racer, const wkCastPeer* peer, const wkCastJob* job)
{
    return wkRacer_Init(racer, peer->name, peer->variant, job->count) &&
           wkRacer_Start(racer, peer->open(job, racer->answers), peer->pass, peer->close);
}

static long countWrong(const wkRacer* side, const wkCastTruth* truths, bool isOurs,
                       int changedCount)
{
    long wrong = changedCount;
    for (int i = 0; i < side->count; i++) {
        wrong += (isOurs ? wkIsOurCastWrong : wkIsPeerCastWrong)(side->answers[i], &truths[i]);
    }
    return wrong;
}

// Measures a job: us, our distances, and the peers, of whose variants the faster one counts.
static void measure(castRun* run, const char* name, const wkCastJob* job, double bar,
                    bool isForMean)
{
    wkRacer racers[2 + WK_MAX_PEERS];
    wkBenchSide sides[2 + WK_MAX_PEERS];
    int count = 0;
    count += openSide(&racers[count], &wkOurCastSide, job);
    count += openSide(&racers[count], &wkOurStartSide, job);
    if (count < 2) {
        run->bench->wrongCount++;
        return;
    }
    for (int i = 0; wkCastPeers[i].name != NULL && count < 2 + WK_MAX_PEERS; i++) {
        count += openSide(&racers[count], &wkCastPeers[i], job);
    }
    wkRace(racers, sides, count, run->bench->blockCount);
    wkBenchRow base = wkRaceRow(name, &sides[0], job->count, run->bench->blockCount);
    base.wrong = countWrong(&racers[0], run->truths, true, sides[0].changedCount);
    base.bar = bar;
    wkBenchRow rows[WK_MAX_PEERS];
    int rowCount = 0;
    for (int i = 2; i < count; i++) {
        bool isSame = rowCount > 0 && strcmp(rows[rowCount - 1].peer, racers[i].name) == 0;
        if (isSame && rows[rowCount - 1].theirs <= sides[i].median) {
            continue;
        }
        wkBenchRow* row = &rows[isSame ? rowCount - 1 : rowCount++];
        *row = base;
        wkAddPeer(row, &racers[i], &sides[i], &sides[0], run->bench->blockCount);
        row->peerWrong = countWrong(&racers[i], run->truths, false, sides[i].changedCount);
    }
    base.bar = 0.0; // there is no peer
    rows[rowCount] = base;
    rowCount += rowCount == 0;
    for (int i = 0; i < rowCount; i++) {
        wkBench_Emit(run->bench, &rows[i]);
        if (isForMean) {
            wkAddToMean(&run->means, &rows[i]);
        }
    }
    if (isForMean) {
        run->distances[run->pairCount++] = sides[0].median / sides[1].median;
    }
    for (int i = 0; i < count; i++) {
        wkRacer_Close(&racers[i]);
    }
}

static void runJob(castRun* run, const char* name, wkCastJob* job, double radii, double bar,
                   bool isForMean)
{
    job->ways = run->ways;
    wkMakeCastWays(job, radii, SEED, run->ways);
    for (int i = 0; i < job->count; i++) {
        run->truths[i] = wkProveCast(job, &run->ways[i]);
    }
    measure(run, name, job, bar, isForMean);
}

static int compareDoubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The 28 pairs of solid bodies with a motion.
static void runConvex(castRun* run, int motion)
{
    char name[WK_ROW_NAME_CAPACITY], mean[WK_ROW_NAME_CAPACITY], share[WK_ROW_NAME_CAPACITY];
    snprintf(mean, sizeof mean, "geomean/cast/%s", motionNames[motion]);
    snprintf(share, sizeof share, "cast/distances/%s", motionNames[motion]);
    bool isMeanWanted = wkBench_Wants(run->bench, mean) | wkBench_Wants(run->bench, share);
    run->means.count = run->pairCount = 0;
    for (int a = 0; a < WK_SOLID_BODY_COUNT; a++) {
        for (int b = a; b < WK_SOLID_BODY_COUNT; b++) {
            snprintf(name, sizeof name, "cast/%s-%s/%s", wkBodyName((wkBody)a),
                     wkBodyName((wkBody)b), motionNames[motion]);
            if (wkBench_Wants(run->bench, name) || isMeanWanted) {
                double radii =
                    wkBodyRadius(&run->bodies, (wkBody)a) + wkBodyRadius(&run->bodies, (wkBody)b);
                wkCastJob job = {.a = run->bodies.shapes[a],
                                 .b = run->bodies.shapes[b],
                                 .count = run->bench->itemCount,
                                 .isScrew = motion == 1};
                runJob(run, name, &job, radii, 1.0, isMeanWanted);
            }
        }
    }
    if (isMeanWanted && run->pairCount > 0) {
        wkEmitMeans(run->bench, mean, &run->means, CONVEX_BAR);
        qsort(run->distances, (size_t)run->pairCount, sizeof *run->distances, compareDoubles);
        wkBenchRow row = {.ours = run->distances[run->pairCount / 2],
                          .unit = "queries",
                          .n = run->pairCount,
                          .most = MOST_DISTANCES};
        memcpy(row.name, share, sizeof row.name);
        wkBench_Emit(run->bench, &row);
    }
}

// Meshes made by formula.
static bool makeModel(int which, wkModel* model)
{
    switch (which) {
    case 0:
        return wkModel_AddKnot(model, 0.15, 0.05, 200, 12);
    case 1:
        return wkModel_AddBlob(model, (wkVec3d){0.0, 0.0, 0.0}, 0.5, 0.2, 40, 60);
    default:
        return wkModel_AddBox(model, wkIdentityPose(), (wkVec3d){0.5, 0.3, 0.2}, 16);
    }
}

#define MODEL_COUNT 3
static const char* const modelNames[MODEL_COUNT] = {"knot", "blob", "grid-box"};
static const int modelPairs[][2] = {{0, 0}, {0, 1}, {1, 2}};
#define MODEL_PAIR_COUNT ((int)(sizeof modelPairs / sizeof modelPairs[0]))

static void runMeshes(castRun* run, const wkModel* models, wkMesh* const* meshes, int motion)
{
    for (int i = 0; i < MODEL_PAIR_COUNT; i++) {
        int a = modelPairs[i][0], b = modelPairs[i][1];
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "cast/mesh/%s-%s/%s", modelNames[a], modelNames[b],
                 motionNames[motion]);
        if (!wkBench_Wants(run->bench, name)) {
            continue;
        }
        wkCastJob job = {.a = wkMakeMesh(meshes[a]),
                         .b = wkMakeMesh(meshes[b]),
                         .modelA = &models[a],
                         .modelB = &models[b],
                         .count = run->bench->itemCount / MESH_SHARE + 2,
                         .isScrew = motion == 1};
        double radii = wkModel_Radius(&models[a]) + wkModel_Radius(&models[b]);
        runJob(run, name, &job, radii, MESH_BAR, false);
    }
}

static bool openModels(wkModel* models, wkMesh** meshes)
{
    bool isOpen = true;
    for (int i = 0; i < MODEL_COUNT && isOpen; i++) {
        isOpen = makeModel(i, &models[i]);
        wkMeshDef def = wkModel_MeshDef(&models[i]);
        isOpen = isOpen && wkMesh_Create(&def, &meshes[i]) == wk_ok;
    }
    return isOpen;
}

void wkRunCastRows(wkBench* bench)
{
    castRun run = {.bench = bench};
    wkModel models[MODEL_COUNT] = {{0}};
    wkMesh* meshes[MODEL_COUNT] = {NULL};
    size_t count = (size_t)bench->itemCount;
    run.ways = (wkCastWay*)malloc(count * sizeof *run.ways);
    run.truths = (wkCastTruth*)malloc(count * sizeof *run.truths);
    run.distances = (double*)malloc(WK_SOLID_BODY_COUNT * WK_SOLID_BODY_COUNT * sizeof(double));
    if (run.ways != NULL && run.truths != NULL && run.distances != NULL &&
        wkPairBodies_Create(&run.bodies) && openModels(models, meshes)) {
        for (int motion = 0; motion < 2; motion++) {
            runConvex(&run, motion);
            runMeshes(&run, models, meshes, motion);
        }
    } else {
        fprintf(stderr, "cast: %s\n", wkGetLastError());
        bench->wrongCount++;
    }
    for (int i = 0; i < MODEL_COUNT; i++) {
        wkMesh_Destroy(meshes[i]);
        wkModel_Free(&models[i]);
    }
    wkPairBodies_Destroy(&run.bodies);
    free(run.ways);
    free(run.truths);
    free(run.distances);
}
