// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// batch/panda/<what>/<states>: nanoseconds for each configuration of the Panda of 59 spheres, on one
// thread: place hands out where spheres are, self asks whether they touch each other, the others also
// whether they touch what is around. States are random ones, or lie along motions. FCL does the
// same one configuration at a time, with its poses ready. `elsewhere` is what code that was
// generated for this one robot took on a 2.8 GHz core with AVX2; it looks at one box after the
// other, so that 1000 of them take ten times what 100 do. Every verdict is compared with all
// boxes.

#include "batch/batch_case.h"
#include "batch/state_side.h"
#include "bench.h"
#include "measure.h"
#include "robot/robot_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STATE_COUNT 8192
#define PEER_COUNT 512  // those that FCL is asked about
#define REPEATS 4       // of a pass, so that what the peer does to the caches counts for little
#define PLACED_COUNT 64 // configurations that are placed at a time: their spheres stay in the cache
#define POSITION_TOLERANCE 1e-5f // metres
#define PEER_TOLERANCE 1e-6      // what a verdict of a peer may be off

typedef enum stateKind {
    randomStates,
    motionStates,
    stateKindCount,
} stateKind;

static const char* const stateNames[stateKindCount] = {"random", "motion"};

// What was measured elsewhere, and how many times faster ours is asked to be; 0: neither.
static const struct {
    double elsewhere[stateKindCount];
    double factor;
} figures[wk_batchWorldCount] = {
    [wk_batchAlone] = {{128.0, 104.0}, 1.0},     [wk_batchBoxes16] = {{379.0, 196.0}, 2.0},
    [wk_batchBoxes100] = {{2365.0, 799.0}, 5.0}, [wk_batchBoxes1000] = {{23650.0, 7990.0}, 30.0},
    [wk_batchOctree] = {{0.0, 0.0}, 0.0},
};

// Verdicts that are wrong, of ours and of the peer, which answered some of the first ones.
static long classify(const wkBatchBenchCase* made, bool checksWorld, const wkStateSide* ours,
                     const wkRacer* peer, long* peerWrong)
{
    long wrong = ours->result != wk_ok ? 1 : 0;
    for (int i = 0; i < made->count; i++) {
        const double* q = &made->states[i * made->variableCount];
        double clearance = wkBatchCase_Clearance(made, q, checksWorld);
        wrong += wkIsVerdictWrong(clearance, ours->verdicts[i] == wk_verdictFree) ? 1 : 0;
        if (peer != NULL && i < made->peer.count) {
            bool isFree = peer->answers[i] <= 0.0;
            *peerWrong += fabs(clearance) > PEER_TOLERANCE && isFree != (clearance > 0.0) ? 1 : 0;
        }
    }
    return wrong;
}

static void race(wkBench* bench, const char* name, wkBatchWorld world, stateKind kind,
                 const wkBatchBenchCase* made, wkStateSide* ours)
{
    wkBenchSide sides[2];
    memset(sides, 0, sizeof sides);
    sides[0].pass = wkPassStates;
    sides[0].context = ours;
    sides[0].isUnchanged = wkAreVerdictsUnchanged;
    sides[0].itemCount = REPEATS * made->count;
    wkRacer peer;
    wkPeerRobotJob job = {&made->peer, world == wk_batchAlone ? wk_robotSelf : wk_robotValid, NULL,
                          0};
    bool hasPeer = bench->isa == NULL && wkRobotPeers[0].name != NULL &&
                   wkOpenFastestRobotPeer(&peer, &wkRobotPeers[0], &job);
    if (hasPeer) {
        sides[1].pass = peer.pass;
        sides[1].context = peer.handle;
        sides[1].itemCount = made->peer.count;
    }
    wkMeasure(sides, hasPeer ? 2 : 1, made->count, bench->blockCount);

    wkBenchRow row = wkRaceRow(name, &sides[0], made->count, bench->blockCount);
    if (hasPeer) {
        wkAddPeer(&row, &peer, &sides[1], &sides[0], bench->blockCount);
    }
    row.wrong = sides[0].changedCount + classify(made, world != wk_batchAlone, ours,
                                                 hasPeer ? &peer : NULL, &row.peerWrong);
    row.paper = figures[world].elsewhere[kind];
    row.most = figures[world].factor > 0.0 ? row.paper / figures[world].factor : 0.0;
    wkBench_Emit(bench, &row);
    if (hasPeer) {
        wkRacer_Close(&peer);
    }
}

static void runStates(wkBench* bench, const char* name, wkBatchWorld world, stateKind kind,
                      const wkBatchBenchCase* made)
{
    wkBatchDef def = wkBatchCase_Def(made);
    def.checksWorld = world != wk_batchAlone;
    wkBatch* batch = NULL;
    wkStateSide ours;
    if (!wkStateSide_Open(&ours, made->states, made->count, REPEATS) ||
        wkBatch_Create(&def, &batch) != wk_ok) {
        fprintf(stderr, "%s: %s\n", name, wkGetLastError());
        bench->wrongCount++;
    } else {
        ours.batch = batch;
        race(bench, name, world, kind, made, &ours);
    }
    wkBatch_Destroy(batch);
    wkStateSide_Close(&ours);
}

typedef struct placementSide {
    const wkBatch* batch;
    const double* states;
    int count, variableCount;
    float* spheres; // of PLACED_COUNT configurations
} placementSide;

static void passPlacement(void* context)
{
    placementSide* side = (placementSide*)context;
    for (int i = 0; i < side->count; i += PLACED_COUNT) {
        wkBatch_PlaceSpheres(side->batch, NULL, &side->states[i * side->variableCount],
                             PLACED_COUNT, side->spheres);
    }
}

// Spheres of the last configurations that are not where the robot's own kinematics has them.
static long countWrongSpheres(const wkBatchBenchCase* made, const placementSide* side,
                              int sphereCount)
{
    wkSphere3d* spheres = (wkSphere3d*)calloc((size_t)sphereCount, sizeof *spheres);
    long wrong = spheres == NULL ? 1 : 0;
    for (int i = 0; i < PLACED_COUNT && spheres != NULL; i++) {
        int state = made->count - PLACED_COUNT + i;
        wkSphereModel_PlaceLinks(made->spheres, wkIdentityPose(),
                                 &made->states[state * made->variableCount], spheres);
        for (int k = 0; k < sphereCount; k++) {
            const float* sphere = &side->spheres[(i * sphereCount + k) * 4];
            wkVec3d gap = {spheres[k].center.x - (double)sphere[0],
                           spheres[k].center.y - (double)sphere[1],
                           spheres[k].center.z - (double)sphere[2]};
            double far = fmax(fabs(gap.x), fmax(fabs(gap.y), fabs(gap.z)));
            wrong += far <= (double)POSITION_TOLERANCE ? 0 : 1;
        }
    }
    free(spheres);
    return wrong;
}

static void runPlacement(wkBench* bench, const char* name, const wkBatchBenchCase* made)
{
    wkBatchDef def = wkBatchCase_Def(made);
    def.checksWorld = false;
    wkBatch* batch = NULL;
    int sphereCount = wkSphereModel_Info(made->spheres).sphereCount;
    placementSide placement = {NULL, made->states, made->count, made->variableCount, NULL};
    placement.spheres = (float*)calloc((size_t)(PLACED_COUNT * sphereCount), 4 * sizeof(float));
    if (placement.spheres == NULL || wkBatch_Create(&def, &batch) != wk_ok) {
        fprintf(stderr, "%s: %s\n", name, wkGetLastError());
        bench->wrongCount++;
        free(placement.spheres);
        return;
    }
    placement.batch = batch;
    wkBenchSide side;
    memset(&side, 0, sizeof side);
    side.pass = passPlacement;
    side.context = &placement;
    wkMeasure(&side, 1, made->count, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &side, made->count, bench->blockCount);
    row.wrong = countWrongSpheres(made, &placement, sphereCount);
    wkBench_Emit(bench, &row);
    wkBatch_Destroy(batch);
    free(placement.spheres);
}

static bool wantsRow(wkBench* bench, const char* what, stateKind kind,
                     char name[WK_ROW_NAME_CAPACITY])
{
    char plain[WK_ROW_NAME_CAPACITY];
    snprintf(plain, sizeof plain, "batch/panda/%s/%s", what, stateNames[kind]);
    wkBench_NameVectorRow(bench, plain, name);
    return wkBench_Wants(bench, name);
}

static void runWorld(wkBench* bench, wkBatchWorld world)
{
    char placement[stateKindCount][WK_ROW_NAME_CAPACITY],
        checks[stateKindCount][WK_ROW_NAME_CAPACITY];
    bool wantsPlacement[stateKindCount], wantsChecks[stateKindCount], wantsAny = false;
    for (int kind = 0; kind < stateKindCount; kind++) {
        wantsPlacement[kind] =
            world == wk_batchAlone && wantsRow(bench, "place", kind, placement[kind]);
        wantsChecks[kind] = wantsRow(bench, wkBatchWorldNames[world], kind, checks[kind]);
        wantsAny = wantsAny || wantsPlacement[kind] || wantsChecks[kind];
    }
    wkBatchBenchCase made;
    if (!wantsAny) {
        return;
    }
    if (!wkBatchCase_Open(&made, world, STATE_COUNT, PEER_COUNT)) {
        fprintf(stderr, "batch/panda: left out: %s\n", wkGetLastError());
        return;
    }
    for (int kind = 0; kind < stateKindCount; kind++) {
        kind == randomStates ? wkBatchCase_DrawStates(&made) : wkBatchCase_DrawMotions(&made);
        if (wantsPlacement[kind]) {
            runPlacement(bench, placement[kind], &made);
        }
        if (wantsChecks[kind]) {
            runStates(bench, checks[kind], world, kind, &made);
        }
    }
    wkBatchCase_Close(&made);
}

void wkRunBatchRows(wkBench* bench)
{
    for (int world = 0; world < wk_batchWorldCount; world++) {
        runWorld(bench, (wkBatchWorld)world);
    }
}
