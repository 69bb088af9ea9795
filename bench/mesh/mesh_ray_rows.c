// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// mesh/<model>/ray and ray-any: depth images of 640 by 480 pixels, one ray at a time.

#include "mesh/mesh_check.h"
#include "mesh/mesh_compare.h"
#include "mesh/mesh_rays.h"
#include "mesh/mesh_scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Metres of rounding on models of some metres: ours, and those of a peer in single precision.
#define OUR_SLACK 1e-9
#define PEER_SLACK 2e-5

// A model and a camera.
typedef struct viewRow {
    const char* name;
    const char* path; // NULL: the generated room
    double scale;
    wkVec3d eye;
    wkVec3d target;
} viewRow;

static const viewRow views[] = {
    {"room50k", NULL, 1.0, {-2.2, -0.2, 1.4}, {1.0, 0.2, 0.9}},
    {"skull", "meshes/odedstein/skull_low_resolution.obj", 0.13, {1.2, 1.6, 1.0}, {0.0, 0.0, 0.0}},
};

static const struct {
    const char* name;
    wkMeshQuery query;
} queries[] = {
    {"ray", wk_meshRay},
    {"ray-any", wk_meshRayAny},
};

// Embree may take 1.5 times less.
#define BAR (1.0 / 1.5)

typedef struct rayRun {
    const wkRayTruth* ours;
    const wkRayTruth* theirs;
    wkMeshQuery query;
} rayRun;

// Hits within doubt of an edge may be taken or left.
static bool isRayWrong(const void* context, int index, wkAnswer answer, bool isOurs)
{
    const rayRun* run = (const rayRun*)context;
    const wkRayTruth* truth = isOurs ? &run->ours[index] : &run->theirs[index];
    double slack = isOurs ? OUR_SLACK : PEER_SLACK;
    bool isSure = truth->sure < (double)INFINITY;
    bool isPossible = truth->possible < (double)INFINITY;
    if (run->query == wk_meshRayAny) {
        return answer > 0.0 ? !isPossible : isSure;
    }
    if (answer < 0.0) {
        return isSure;
    }
    return answer < truth->possible - slack || answer > truth->sure + slack;
}

static bool fillModel(const viewRow* view, wkModel* model)
{
    memset(model, 0, sizeof *model);
    return view->path != NULL ? wkLoadModel(view->path, view->scale, model)
                              : wkModel_AddRoom(model);
}

static void proveRays(const wkMeshChecker* checker, const wkRay* rays, double slack,
                      wkRayTruth* truths)
{
    for (int i = 0; i < WK_IMAGE_RAYS; i++) {
        truths[i] = wkProveRay(checker, &rays[i], slack);
    }
}

static void runView(wkBench* bench, const viewRow* view)
{
    wkModel model = {NULL, NULL, 0, 0, 0, 0};
    wkMeshChecker* checker = NULL;
    wkRay* rays = (wkRay*)malloc(sizeof(wkRay) * WK_IMAGE_RAYS);
    wkRayTruth* ours = (wkRayTruth*)malloc(sizeof(wkRayTruth) * WK_IMAGE_RAYS);
    wkRayTruth* theirs = (wkRayTruth*)malloc(sizeof(wkRayTruth) * WK_IMAGE_RAYS);
    if (rays == NULL || ours == NULL || theirs == NULL || !fillModel(view, &model)) {
        goto cleanup;
    }
    checker = wkMeshChecker_Create(&model);
    if (checker == NULL) {
        goto cleanup;
    }
    wkMakeCameraRays(view->eye, view->target, rays);
    proveRays(checker, rays, OUR_SLACK, ours);
    proveRays(checker, rays, PEER_SLACK, theirs);
    for (size_t q = 0; q < sizeof queries / sizeof queries[0]; q++) {
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "mesh/%s/%s", view->name, queries[q].name);
        rayRun run = {ours, theirs, queries[q].query};
        wkMeshJob job;
        memset(&job, 0, sizeof job);
        job.fixed = &model;
        job.rays = rays;
        job.count = WK_IMAGE_RAYS;
        job.query = queries[q].query;
        wkComparison comparison;
        if (wkBench_IsSelected(bench, name) &&
            wkCompareMeshes(bench, name, &job, NULL, isRayWrong, &run, &comparison)) {
            comparison.rows[0].bar = comparison.rows[0].peer != NULL ? BAR : 0.0;
            wkEmitComparison(bench, &comparison);
        }
    }

cleanup:
    wkMeshChecker_Destroy(checker);
    wkModel_Free(&model);
    free(rays);
    free(ours);
    free(theirs);
}

void wkRunMeshRayRows(wkBench* bench)
{
    for (size_t v = 0; v < sizeof views / sizeof views[0]; v++) {
        bool isNeeded = false;
        for (size_t q = 0; q < sizeof queries / sizeof queries[0]; q++) {
            char name[WK_ROW_NAME_CAPACITY];
            snprintf(name, sizeof name, "mesh/%s/%s", views[v].name, queries[q].name);
            isNeeded = wkBench_Wants(bench, name) || isNeeded;
        }
        if (isNeeded) {
            runView(bench, &views[v]);
        }
    }
}
