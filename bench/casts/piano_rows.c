// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// piano/<query>: the tables of Pan, Chitta and Manocha (2012) about a piano that moves in a room, from random starts to random
// goals: whether it touches at the start, how deep, when it first touches on the way, and whether it does at eleven instants.
// The paper's figures are beside ours; the piano and the room are the models of FCL's own tests.

#include "casts/cast_truth.h"
#include "mesh/mesh_scenes.h"
#include "race.h"

#include "../tests/scenes/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 20120514u
#define WAYS 100
#define INSTANTS 11

typedef struct pianoCase {
    wkMeshScene scene;
    wkMesh* meshes[2];
    wkCastJob job;
    wkCastWay ways[WAYS];
    wkBodyMotion motions[WAYS];
    wkAnswer* answers; // of the pass that runs
} pianoCase;

static void collideAtStart(void* context)
{
    pianoCase* c = (pianoCase*)context;
    for (int i = 0; i < WAYS; i++) {
        const wkCastWay* way = &c->ways[i];
        c->answers[i] = wkCollide(&c->job.a, way->start, &c->job.b, way->standing, NULL).isTouching;
    }
}

static void penetrateAtStart(void* context)
{
    pianoCase* c = (pianoCase*)context;
    for (int i = 0; i < WAYS; i++) {
        const wkCastWay* way = &c->ways[i];
        wkPenetrationResult result = wkPenetration(&c->job.a, way->start, &c->job.b, way->standing);
        c->answers[i] = -result.depth;
    }
}

static void castAll(void* context)
{
    pianoCase* c = (pianoCase*)context;
    wkCastRequest request = wkDefaultCastRequest();
    request.tolerance = WK_CAST_TOLERANCE;
    for (int i = 0; i < WAYS; i++) {
        wkBodyMotion standing = wkMakeStaticMotion(c->ways[i].standing);
        wkCastResult result = wkCast(&c->job.a, &c->motions[i], &c->job.b, &standing, &request);
        c->answers[i] = result.isTouching ? result.time : (double)INFINITY;
    }
}

// The answer is the first instant with a contact.
static void collideAtInstants(void* context)
{
    pianoCase* c = (pianoCase*)context;
    for (int i = 0; i < WAYS; i++) {
        c->answers[i] = (double)INFINITY;
        for (int k = INSTANTS - 1; k >= 0; k--) {
            double t = (double)k / (INSTANTS - 1);
            wkPose pose = wkBodyMotion_PoseAt(&c->motions[i], t);
            bool isTouching =
                wkCollide(&c->job.a, pose, &c->job.b, c->ways[i].standing, NULL).isTouching;
            c->answers[i] = isTouching ? t : c->answers[i];
        }
    }
}

// The rows, with milliseconds of the paper's tables 2 and 3.
static const struct {
    const char* name;
    void (*pass)(void* context);
    double paper;
} rows[] = {
    {"piano/discrete", collideAtStart, 4.0},
    {"piano/penetration", penetrateAtStart, 8.0},
    {"piano/continuous", castAll, 5.5},
    {"piano/discrete-11", collideAtInstants, 42.4},
};
enum {
    rowDiscrete,
    rowPenetration,
    rowContinuous,
    rowInstants,
    rowCount
};

static void closeNothing(void* handle)
{
    (void)handle;
}

// Counts answers that contradict those of another query: each is right where all agree.
static long countContradictions(wkAnswer answers[rowCount][WAYS])
{
    long wrong = 0;
    for (int i = 0; i < WAYS; i++) {
        bool touches = answers[rowDiscrete][i] != 0.0;
        wrong += touches != (answers[rowPenetration][i] < 0.0);
        wrong += touches != (answers[rowContinuous][i] == 0.0);
        wrong += !(answers[rowContinuous][i] <= answers[rowInstants][i]);
    }
    return wrong;
}

static bool openPiano(pianoCase* c)
{
    if (!wkMeshScene_Load(0, &c->scene)) {
        return false;
    }
    const wkModel* models[2] = {&c->scene.moving, &c->scene.fixed};
    for (int i = 0; i < 2; i++) {
        wkMeshDef def = wkModel_MeshDef(models[i]);
        if (wkMesh_Create(&def, &c->meshes[i]) != wk_ok) {
            fprintf(stderr, "piano: %s\n", wkGetLastError());
            return false;
        }
    }
    c->job = (wkCastJob){.a = wkMakeMesh(c->meshes[0]),
                         .b = wkMakeMesh(c->meshes[1]),
                         .modelA = models[0],
                         .modelB = models[1],
                         .ways = c->ways,
                         .count = WAYS};
    wkRng rng = wkMakeRng(SEED);
    for (int i = 0; i < WAYS; i++) {
        wkPose ends[2];
        for (int k = 0; k < 2; k++) {
            double e = c->scene.extent;
            ends[k].position = (wkVec3d){wkRngRange(&rng, -e, e), wkRngRange(&rng, -e, e),
                                         wkRngRange(&rng, -e, e)};
            ends[k].rotation = wkRngRotation(&rng);
        }
        c->ways[i] = (wkCastWay){ends[0], ends[1], wkIdentityPose()};
        c->motions[i] = wkMakeLinearMotion(ends[0], ends[1]);
    }
    return true;
}

static void closePiano(pianoCase* c)
{
    wkMesh_Destroy(c->meshes[0]);
    wkMesh_Destroy(c->meshes[1]);
    wkMeshScene_Free(&c->scene);
}

static void measure(wkBench* bench, pianoCase* c, long wrong, int index)
{
    wkRacer racers[1 + WK_MAX_PEERS];
    wkBenchSide sides[1 + WK_MAX_PEERS];
    int count = wkRacer_Init(&racers[0], "whisker", NULL, WAYS);
    c->answers = racers[0].answers;
    count = count == 1 && wkRacer_Start(&racers[0], c, rows[index].pass, closeNothing);
    if (count == 0) {
        bench->wrongCount++;
        return;
    }
    for (int i = 0; index == rowContinuous && wkCastPeers[i].name != NULL; i++) {
        const wkCastPeer* peer = &wkCastPeers[i];
        wkRacer* racer = &racers[count];
        count += wkRacer_Init(racer, peer->name, peer->variant, WAYS) &&
                 wkRacer_Start(racer, peer->open(&c->job, racer->answers), peer->pass, peer->close);
    }
    wkRace(racers, sides, count, bench->blockCount);
    wkBenchRow row = wkRaceRow(rows[index].name, &sides[0], WAYS, bench->blockCount);
    row.paper = 1e6 * rows[index].paper;
    row.wrong = wrong;
    int best = 1;
    for (int i = 2; i < count; i++) {
        best = sides[i].median < sides[best].median ? i : best;
    }
    if (count > 1) {
        wkAddPeer(&row, &racers[best], &sides[best], &sides[0], bench->blockCount);
    }
    wkBench_Emit(bench, &row);
    for (int i = 0; i < count; i++) {
        wkRacer_Close(&racers[i]);
    }
}

void wkRunPianoRows(wkBench* bench)
{
    bool isAny = false, isWanted[rowCount];
    for (int i = 0; i < rowCount; i++) {
        isWanted[i] = wkBench_Wants(bench, rows[i].name);
        isAny = isAny || isWanted[i];
    }
    pianoCase* c = (pianoCase*)calloc(1, sizeof *c);
    if (c != NULL && isAny && openPiano(c)) {
        static wkAnswer answers[rowCount][WAYS];
        for (int i = 0; i < rowCount; i++) {
            c->answers = answers[i];
            rows[i].pass(c);
        }
        long wrong = countContradictions(answers);
        for (int i = 0; i < rowCount; i++) {
            if (isWanted[i]) {
                measure(bench, c, wrong, i);
            }
        }
    }
    if (c != NULL) {
        closePiano(c);
    }
    free(c);
}
