// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// mesh/front/<query>: a knot that sways and turns where it touches another, with a front and without.

#include "mesh/mesh_case.h"
#include "race.h"

#include <math.h>
#include <string.h>

#define SEED 23u

// Coherent motion: so many places near contact, and steps around each.
#define SWAY_POSES 4
#define SWAY_STEPS 400
#define FRONT_POSES (SWAY_POSES * SWAY_STEPS)

// How far it sways, as a share of its size, and turns, in radians: a thousandth or two a step, as at
// a metre a second and a thousand queries.
#define SWAY_SHARE 0.02
#define SWAY_ROTATION 0.1

static const struct {
    const char* name;
    wkMeshQuery query;
} queries[] = {
    {"collide-first", wk_meshCollideFirst},
    {"distance", wk_meshDistance},
};
#define QUERY_COUNT ((int)(sizeof queries / sizeof queries[0]))

// Answers with a front must be those without, bit for bit.
static long countFrontWrong(const wkRacer* with, const wkRacer* without, const wkMeshCase* pair)
{
    long wrong = 0;
    for (int i = 0; i < with->count; i++) {
        bool isSame = with->answers[i] == without->answers[i];
        bool isWrong = wkIsMeshAnswerWrong(pair, i, with->answers[i], true);
        wrong += isSame && !isWrong ? 0 : 1;
    }
    return wrong;
}

static bool openRacer(wkRacer* racer, wkMeshJob job, wkFront* front)
{
    job.front = front;
    const wkMeshPeer* ours = &wkOurMeshSide;
    return wkRacer_Init(racer, "whisker", front != NULL ? "front" : "no front", job.count) &&
           wkRacer_Start(racer, ours->open(&job, racer->answers), ours->pass, ours->close);
}

static void runFront(wkBench* bench, wkMeshCase* pair, int query)
{
    char name[WK_ROW_NAME_CAPACITY];
    snprintf(name, sizeof name, "mesh/front/%s", queries[query].name);
    if (!wkBench_IsSelected(bench, name)) {
        return;
    }
    wkMeshJob job = wkMeshCase_Job(pair, queries[query].query);
    wkRacer racers[2];
    wkBenchSide sides[2];
    wkFront* front = NULL;
    memset(racers, 0, sizeof racers);
    if (wkFront_Create(0, &front) == wk_ok && openRacer(&racers[0], job, front) &&
        openRacer(&racers[1], job, NULL)) {
        wkRace(racers, sides, 2, bench->blockCount);
        wkBenchRow row = wkRaceRow(name, &sides[0], job.count, bench->blockCount);
        wkAddPeer(&row, &racers[1], &sides[1], &sides[0], bench->blockCount);
        row.wrong = countFrontWrong(&racers[0], &racers[1], pair) + sides[0].changedCount;
        wkBench_Emit(bench, &row);
    }
    wkRacer_Close(&racers[0]);
    wkRacer_Close(&racers[1]);
    wkFront_Destroy(front);
}

// The first poses are near contact; they become the middles of a swaying motion each.
static void sway(wkMeshCase* pair)
{
    wkPose poses[SWAY_POSES];
    memcpy(poses, pair->poses, sizeof poses);
    for (int i = 0; i < FRONT_POSES; i++) {
        wkPose pose = poses[i / SWAY_STEPS];
        double phase = 2.0 * 3.14159265358979 * i / SWAY_STEPS;
        double reach = SWAY_SHARE * pair->size;
        wkVec3d axis = {0.0, 0.6, 0.8};
        wkPose turn = {{0.0, 0.0, 0.0}, wkMakeQuat(axis, SWAY_ROTATION * sin(phase))};
        pose = wkMulPose(pose, turn);
        pose.position.x += reach * sin(phase);
        pose.position.y += reach * sin(2.0 * phase);
        pose.position.z += reach * (cos(phase) - 1.0);
        pair->poses[i] = pose;
    }
}

void wkRunMeshFrontRows(wkBench* bench)
{
    bool isNeeded = false;
    for (int q = 0; q < QUERY_COUNT; q++) {
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "mesh/front/%s", queries[q].name);
        isNeeded = wkBench_Wants(bench, name) || isNeeded;
    }
    wkMeshCase pair;
    if (!isNeeded || !wkMeshCase_OpenKnots(&pair, FRONT_POSES)) {
        return;
    }
    wkMeshCase_PoseNear(&pair, SEED);
    sway(&pair);
    bench->wrongCount += wkMeshCase_Prove(&pair) ? 0 : 1;
    for (int q = 0; q < QUERY_COUNT; q++) {
        runFront(bench, &pair, q);
    }
    wkMeshCase_Close(&pair);
}
