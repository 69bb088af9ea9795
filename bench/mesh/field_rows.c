// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// heightfield/<thing>/<query>, heightfield/ray and heightfield/build on ground of 131,072 triangles.
// No peer has distances to height fields, so that the other side is our own mesh of the same surface,
// named "mesh". The mesh rows prove meshes; here both sides have to agree.

#include "mesh/field_scene.h"
#include "race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 37u

// Metres of rounding.
#define SLACK 1e-9

typedef struct fieldSide fieldSide;

// What is asked of both sides.
typedef struct fieldJob {
    const wkGround* ground;
    wkShape thing;
    const wkPose* poses;
    const wkRay* rays;
    int count;
    void (*pass)(void* side);
} fieldJob;

struct fieldSide {
    const fieldJob* job;
    wkShape ground;
    wkAnswer* answers;
};

static void collideAll(void* context)
{
    const fieldSide* side = (const fieldSide*)context;
    const fieldJob* job = side->job;
    for (int i = 0; i < job->count; i++) {
        wkCollideResult r =
            wkCollide(&job->thing, job->poses[i], &side->ground, wkIdentityPose(), NULL);
        side->answers[i] = r.isTouching ? 1.0 : 0.0;
    }
}

static void measureAll(void* context)
{
    const fieldSide* side = (const fieldSide*)context;
    const fieldJob* job = side->job;
    for (int i = 0; i < job->count; i++) {
        side->answers[i] =
            wkDistance(&job->thing, job->poses[i], &side->ground, wkIdentityPose(), NULL).distance;
    }
}

static void castAll(void* context)
{
    const fieldSide* side = (const fieldSide*)context;
    const fieldJob* job = side->job;
    for (int i = 0; i < job->count; i++) {
        wkRayResult r = wkShape_RayCast(&side->ground, wkIdentityPose(), job->rays[i]);
        side->answers[i] = r.isHit ? r.distance : -1.0;
    }
}

static void buildOnce(void* context)
{
    const fieldSide* side = (const fieldSide*)context;
    const wkGround* ground = side->job->ground;
    wkHeightField* field = NULL;
    wkMesh* mesh = NULL;
    if (side->ground.type == wk_shapeHeightField) {
        field = wkGround_MakeField(ground);
    } else {
        wkMesh_Create(&ground->meshDef, &mesh);
    }
    side->answers[0] = field != NULL || mesh != NULL ? 1.0 : 0.0;
    wkHeightField_Destroy(field);
    wkMesh_Destroy(mesh);
}

static wkShape makeSphere(const wkGround* ground)
{
    (void)ground;
    return wkMakeSphere(0.25);
}

static wkShape makeBox(const wkGround* ground)
{
    (void)ground;
    return wkMakeBox(0.5, 0.4, 0.3);
}

static wkShape makeKnot(const wkGround* ground)
{
    return wkMakeMesh(ground->knot);
}

typedef struct fieldRow {
    const char* name;
    wkShape (*makeThing)(const wkGround* ground); // rays and builds do not look at it
    void (*pass)(void* side);
} fieldRow;

static const fieldRow rows[] = {
    {"sphere/collide", makeSphere, collideAll},
    {"sphere/distance", makeSphere, measureAll},
    {"box/collide", makeBox, collideAll},
    {"box/distance", makeBox, measureAll},
    {"mesh/collide", makeKnot, collideAll},
    {"mesh/distance", makeKnot, measureAll},
    {"ray", makeSphere, castAll},
    {"build", makeSphere, buildOnce},
};

#define ROW_COUNT ((int)(sizeof rows / sizeof rows[0]))

static void nameRow(char* name, const fieldRow* row)
{
    snprintf(name, WK_ROW_NAME_CAPACITY, "heightfield/%s", row->name);
}

static void closeSide(void* side)
{
    free(side);
}

static bool openSide(wkRacer* racer, const char* name, const fieldJob* job, wkShape ground)
{
    fieldSide* side = (fieldSide*)malloc(sizeof(fieldSide));
    if (side == NULL || !wkRacer_Init(racer, name, NULL, job->count)) {
        free(side);
        return false;
    }
    *side = (fieldSide){job, ground, racer->answers};
    return wkRacer_Start(racer, side, job->pass, closeSide);
}

static void emitRow(wkBench* bench, const char* name, const fieldJob* job)
{
    wkRacer racers[2];
    wkBenchSide sides[2];
    if (!openSide(&racers[0], "whisker", job, wkMakeHeightField(job->ground->field))) {
        return;
    }
    if (!openSide(&racers[1], "mesh", job, wkMakeMesh(job->ground->mesh))) {
        wkRacer_Close(&racers[0]);
        return;
    }
    wkRace(racers, sides, 2, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &sides[0], job->count, bench->blockCount);
    wkAddPeer(&row, &racers[1], &sides[1], &sides[0], bench->blockCount);
    row.wrong = sides[0].changedCount;
    row.peerWrong = sides[1].changedCount;
    for (int i = 0; i < job->count; i++) {
        row.wrong += !(fabs(racers[0].answers[i] - racers[1].answers[i]) <= SLACK);
    }
    wkBench_Emit(bench, &row);
    wkRacer_Close(&racers[0]);
    wkRacer_Close(&racers[1]);
}

void wkRunFieldRows(wkBench* bench)
{
    bool isNeeded = false;
    for (int i = 0; i < ROW_COUNT; i++) {
        char name[WK_ROW_NAME_CAPACITY];
        nameRow(name, &rows[i]);
        isNeeded = wkBench_Wants(bench, name) || isNeeded;
    }
    if (!isNeeded) {
        return;
    }
    int count = bench->itemCount;
    wkGround ground;
    wkPose* poses = (wkPose*)malloc(sizeof(wkPose) * (size_t)count);
    wkRay* rays = (wkRay*)malloc(sizeof(wkRay) * (size_t)count);
    if (wkGround_Create(&ground) && poses != NULL && rays != NULL) {
        wkGround_MakePoses(&ground, SEED, count, poses);
        wkGround_MakeRays(&ground, SEED, count, rays);
        for (int i = 0; i < ROW_COUNT; i++) {
            char name[WK_ROW_NAME_CAPACITY];
            nameRow(name, &rows[i]);
            fieldJob job = {&ground, rows[i].makeThing(&ground), poses, rays, count, rows[i].pass};
            job.count = rows[i].pass == buildOnce ? 1 : count;
            if (wkBench_IsSelected(bench, name)) {
                emitRow(bench, name, &job);
            }
        }
    }
    wkGround_Destroy(&ground);
    free(poses);
    free(rays);
}
