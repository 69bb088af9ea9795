// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// separation/<pair>/<queries>: a translation that separates two solids which are not convex, with so many distances at
// most; /factor: its length relative to the shortest of many directions; /local: the local depth of wkPenetration.

#include "../tests/scenes/rng.h"
#include "bench.h"
#include "measure.h"
#include "mesh/mesh_scenes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SEED 41u
#define POSES 6

// Directions and steps of the search by trial.
#define DIRECTIONS 300
#define STEPS 100

// What may be left between the bodies, as a share of their size.
#define TOLERANCE 1e-5

static const struct {
    const char* name;
    const char* pathA;
    const char* pathB;
} pairs[] = {
    {"spot-koala", "meshes/odedstein/spot_low_resolution.obj", "meshes/odedstein/koala.obj"},
    {"mug-drill", "meshes/ycb/025_mug.obj", "meshes/ycb/035_power_drill.obj"},
};

static const int queryCounts[] = {200, 2000};

typedef struct separationCase {
    wkMesh* a;
    wkMesh* b;
    double size; // of A
    wkPose poses[POSES];
    wkSeparationRequest request;
    wkSeparationResult found[POSES];
    double depths[POSES]; // local
} separationCase;

static wkMesh* loadMesh(const char* path)
{
    wkModel model = {NULL, NULL, 0, 0, 0, 0};
    wkMesh* mesh = NULL;
    if (wkLoadModel(path, 1.0, &model)) {
        wkMeshDef def = wkModel_MeshDef(&model);
        def.isSolid = true;
        mesh = wkMesh_Create(&def, &mesh) == wk_ok ? mesh : NULL;
    }
    wkModel_Free(&model);
    return mesh;
}

static bool isTouching(const separationCase* c, wkPose pose)
{
    wkShape a = wkMakeMesh(c->a), b = wkMakeMesh(c->b);
    return wkCollide(&a, wkIdentityPose(), &b, pose, NULL).isTouching;
}

static wkPose movedPose(wkPose pose, double length, wkVec3d direction)
{
    pose.position.x += length * direction.x;
    pose.position.y += length * direction.y;
    pose.position.z += length * direction.z;
    return pose;
}

// Poses in which the bodies overlap, their middles at most a third of the size apart.
static void makePoses(separationCase* c)
{
    wkRng rng = wkMakeRng(SEED);
    for (int i = 0; i < POSES;) {
        wkPose pose = {{0.0, 0.0, 0.0}, wkRngRotation(&rng)};
        double length = wkRngRange(&rng, 0.0, c->size / 3.0);
        c->poses[i] = movedPose(pose, length, wkRngDirection(&rng));
        i += isTouching(c, c->poses[i]) ? 1 : 0;
    }
}

static bool openCase(separationCase* c, const char* pathA, const char* pathB)
{
    memset(c, 0, sizeof *c);
    c->a = loadMesh(pathA);
    c->b = loadMesh(pathB);
    if (c->a == NULL || c->b == NULL) {
        return false;
    }
    wkAabb box = wkMesh_Info(c->a).bounds;
    c->size =
        fmax(fmax(box.upper.x - box.lower.x, box.upper.y - box.lower.y), box.upper.z - box.lower.z);
    c->request = wkDefaultSeparationRequest();
    c->request.tolerance = TOLERANCE * c->size;
    makePoses(c);
    return true;
}

static void closeCase(separationCase* c)
{
    wkMesh_Destroy(c->a);
    wkMesh_Destroy(c->b);
}

static void passSeparations(void* context)
{
    separationCase* c = (separationCase*)context;
    wkShape a = wkMakeMesh(c->a), b = wkMakeMesh(c->b);
    for (int i = 0; i < POSES; i++) {
        c->found[i] = wkSeparation(&a, wkIdentityPose(), &b, c->poses[i], &c->request);
    }
}

static void passDepths(void* context)
{
    separationCase* c = (separationCase*)context;
    wkShape a = wkMakeMesh(c->a), b = wkMakeMesh(c->b);
    for (int i = 0; i < POSES; i++) {
        c->depths[i] = wkPenetration(&a, wkIdentityPose(), &b, c->poses[i]).depth;
    }
}

// The shortest of many random directions, each followed to the first step that separates.
static double shortestByTrial(const separationCase* c, int index, wkRng* rng)
{
    double most = 1.1 * c->found[index].depth, best = most;
    for (int i = 0; i < DIRECTIONS; i++) {
        wkVec3d direction = wkRngDirection(rng);
        for (int k = 1; k <= STEPS && most * k / STEPS < best; k++) {
            double length = most * k / STEPS;
            best = isTouching(c, movedPose(c->poses[index], length, direction)) ? best : length;
        }
    }
    return best;
}

static long countWrong(const separationCase* c)
{
    long wrong = 0;
    for (int i = 0; i < POSES; i++) {
        const wkSeparationResult* r = &c->found[i];
        bool isApart = !isTouching(c, movedPose(c->poses[i], 1.0, r->translation));
        wrong += isApart && r->lower <= r->depth ? 0 : 1;
    }
    return wrong;
}

static void emitTime(wkBench* bench, const char* name, separationCase* c,
                     void (*pass)(void* context), bool isChecked)
{
    wkBenchSide side = {.pass = pass, .context = c};
    int blockCount = bench->blockCount < 5 ? bench->blockCount : 5;
    wkMeasure(&side, 1, POSES, blockCount);
    wkBenchRow row = {.ours = side.median / 1e6, .unit = "ms", .n = POSES};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.spread = wkBlockSpread(&side, blockCount);
    row.wrong = isChecked ? countWrong(c) : 0;
    wkBench_Emit(bench, &row);
}

static void emitFactor(wkBench* bench, const char* name, separationCase* c)
{
    wkRng rng = wkMakeRng(SEED + 1);
    wkBenchRow row = {.unit = "x", .n = POSES};
    snprintf(row.name, sizeof row.name, "%s", name);
    passSeparations(c);
    for (int i = 0; i < POSES; i++) {
        row.ours = fmax(row.ours, c->found[i].depth / shortestByTrial(c, i, &rng));
    }
    wkBench_Emit(bench, &row);
}

static void runPair(wkBench* bench, int index)
{
    char local[WK_ROW_NAME_CAPACITY], names[2][WK_ROW_NAME_CAPACITY];
    char factors[2][WK_ROW_NAME_CAPACITY];
    const char* pair = pairs[index].name;
    snprintf(local, sizeof local, "separation/%s/local", pair);
    bool isNeeded = wkBench_Wants(bench, local);
    for (int i = 0; i < 2; i++) {
        snprintf(names[i], sizeof names[i], "separation/%s/%d", pair, queryCounts[i]);
        snprintf(factors[i], sizeof factors[i], "separation/%s/%d/factor", pair, queryCounts[i]);
        isNeeded |= wkBench_Wants(bench, names[i]);
        isNeeded |= wkBench_Wants(bench, factors[i]);
    }
    separationCase c;
    memset(&c, 0, sizeof c);
    if (isNeeded && openCase(&c, pairs[index].pathA, pairs[index].pathB)) {
        if (wkBench_IsSelected(bench, local)) {
            emitTime(bench, local, &c, passDepths, false);
        }
        for (int i = 0; i < 2; i++) {
            c.request.maxQueries = queryCounts[i];
            if (wkBench_IsSelected(bench, names[i])) {
                emitTime(bench, names[i], &c, passSeparations, true);
            }
            if (wkBench_IsSelected(bench, factors[i])) {
                emitFactor(bench, factors[i], &c);
            }
        }
    }
    closeCase(&c);
}

void wkRunSeparationRows(wkBench* bench)
{
    for (int i = 0; i < (int)(sizeof pairs / sizeof pairs[0]); i++) {
        runPair(bench, i);
    }
}
