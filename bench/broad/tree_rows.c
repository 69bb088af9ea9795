// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// icra13/table1/<scene>/<build>/<task>: dynamic trees of 7,784 boxes, as in the first table of the
// paper: built, asked about 300 objects, and both together. Every number of boxes found is compared
// with a look at all of them.
// icra13/table1/<scene>/refine/...: how a tree built by Morton codes comes close to the full build,
// with one step of refinement per query.

#include "broad/tree_rows.h"
#include "batch/batch_fk_rows.h"
#include "peers/tree_peer.h"
#include "race.h"

#include "../tests/scenes/cells.h"
#include "tree/dynamic/dyn_tree.h"

#include <stdlib.h>
#include <string.h>

#define SEED 1u

typedef struct treeScene {
    const char* name;
    wkAabb boxes[WK_CELL_COUNT];
    wkAabb queries[WK_CELL_OBJECTS];
    double truths[WK_CELL_OBJECTS]; // boxes that each query meets
} treeScene;

static bool doMeet(const wkFloatBox* a, const wkFloatBox* b)
{
    bool meet = true;
    for (int axis = 0; axis < 3; axis++) {
        meet = meet && a->lower[axis] <= b->upper[axis] && b->lower[axis] <= a->upper[axis];
    }
    return meet;
}

static void findTruths(treeScene* scene)
{
    wkVec3d origin = {0.0, 0.0, 0.0};
    for (int i = 0; i < WK_CELL_OBJECTS; i++) {
        wkFloatBox query = wkFloatBoxAround(&scene->queries[i], origin);
        scene->truths[i] = 0.0;
        for (int k = 0; k < WK_CELL_COUNT; k++) {
            wkFloatBox box = wkFloatBoxAround(&scene->boxes[k], origin);
            scene->truths[i] += doMeet(&query, &box) ? 1.0 : 0.0;
        }
    }
}

static wkAabb boxAbout(wkVec3d center, double size)
{
    wkVec3d half = wkSceneVec(0.5 * size, 0.5 * size, 0.5 * size);
    wkAabb box = {wkSceneSub(center, half), wkSceneAdd(center, half)};
    return box;
}

// The scenes of the paper's table, and one in which boxes have sizes from 1 cm to 1 m: along a curve
// large and small ones become neighbours.
enum {
    sceneCount = wk_cellKindCount + 1
};

static void makeScene(treeScene* scene, int kind)
{
    static wkCellScene cells;
    bool isMixed = kind == wk_cellKindCount;
    wkRng rng = wkMakeRng(SEED);
    wkMakeCellScene(&cells, isMixed ? wk_cellsScatter : (wkCellKind)kind, SEED);
    scene->name = isMixed ? "mixed" : cells.name;
    for (int i = 0; i < WK_CELL_COUNT; i++) {
        double size = isMixed ? wkRngLogRange(&rng, 0.01, 1.0) : WK_CELL_SIZE;
        scene->boxes[i] = boxAbout(cells.centers[i], size);
    }
    for (int i = 0; i < WK_CELL_OBJECTS; i++) {
        scene->queries[i] = wkShape_Bounds(&cells.shapes[i], cells.poses[i]);
    }
    findTruths(scene);
}

typedef struct task {
    const char* name;
    int queryCount;
    bool isBuilt;
} task;

// clang-format off
static const task tasks[] = {
    {"build",     0,               false},
    {"query",     WK_CELL_OBJECTS, true},
    {"build+10",  10,              false},
    {"build+100", 100,             false},
};
// clang-format on

// Which of FCL's levels stands beside which of our builds, and what is asked of it, by task.
static const struct {
    wkDynQuality quality;
    const char* level;
    double bars[sizeof tasks / sizeof *tasks];
} matches[] = {
    {wk_dynFull, "level 0", {5.0, 2.0, 0.0, 0.0}},
    {wk_dynFast, "level 0", {10.0, 2.0, 0.0, 0.0}},
    {wk_dynFast, "level 1", {0.0, 0.0, 0.0, 0.0}},
};

static bool startRacer(wkRacer* racer, const wkTreePeer* peer, const wkTreeJob* job)
{
    int count = job->isBuilt ? job->queryCount : 1;
    return wkRacer_Init(racer, peer->name, peer->variant, count) &&
           wkRacer_Start(racer, peer->open(job, peer->level, racer->answers), peer->pass,
                         peer->close);
}

static long countWrong(const treeScene* scene, const wkTreeJob* job, const wkRacer* racer)
{
    double sum = job->queryCount == 0 ? WK_CELL_COUNT : 0.0;
    long wrong = 0;
    for (int i = 0; i < job->queryCount; i++) {
        sum += scene->truths[i];
        wrong += job->isBuilt && racer->answers[i] != scene->truths[i] ? 1 : 0;
    }
    return wrong + (!job->isBuilt && racer->answers[0] != sum ? 1 : 0);
}

static const wkTreePeer* findPeer(const char* variant)
{
    const wkTreePeer* peer = wkTreePeers;
    while (peer->name != NULL && strcmp(peer->variant, variant) != 0) {
        peer++;
    }
    return peer->name != NULL ? peer : NULL;
}

static void runTask(wkBench* bench, const treeScene* scene, int match, int taskIndex,
                    const char* name)
{
    const task* t = &tasks[taskIndex];
    wkTreeJob job = {scene->boxes, WK_CELL_COUNT, scene->queries, t->queryCount, t->isBuilt};
    const wkTreePeer* peer = findPeer(matches[match].level);
    wkRacer racers[2];
    wkBenchSide sides[2];
    if (!startRacer(&racers[0], &wkOurTreeSides[matches[match].quality], &job)) {
        bench->wrongCount++;
        return;
    }
    int count = peer != NULL && startRacer(&racers[1], peer, &job) ? 2 : 1;
    wkRace(racers, sides, count, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &sides[0], racers[0].count, bench->blockCount);
    row.wrong = sides[0].changedCount + countWrong(scene, &job, &racers[0]);
    if (count == 2) {
        wkAddPeer(&row, &racers[1], &sides[1], &sides[0], bench->blockCount);
        row.peerWrong = sides[1].changedCount + countWrong(scene, &job, &racers[1]);
        row.bar = matches[match].bars[taskIndex];
    }
    wkBench_Emit(bench, &row);
    for (int i = 0; i < count; i++) {
        wkRacer_Close(&racers[i]);
    }
}

static void nameTask(char* name, const char* scene, int match, int taskIndex)
{
    const char* level = matches[match].level;
    snprintf(name, WK_ROW_NAME_CAPACITY, "icra13/table1/%s/%s/%s-level%c", scene,
             wkOurTreeSides[matches[match].quality].variant, tasks[taskIndex].name,
             level[strlen(level) - 1]);
}

static void runTasks(wkBench* bench, const treeScene* scene)
{
    for (int m = 0; m < (int)(sizeof matches / sizeof *matches); m++) {
        for (int t = 0; t < (int)(sizeof tasks / sizeof *tasks); t++) {
            char name[WK_ROW_NAME_CAPACITY];
            nameTask(name, scene->name, m, t);
            if (wkBench_Wants(bench, name)) {
                runTask(bench, scene, m, t, name);
            }
        }
    }
}

// A tree and the queries about it.
typedef struct refinement {
    wkDynTree* tree;
    const wkFloatBox* queries;
    long found;
} refinement;

static bool countLeaf(int32_t name, void* context)
{
    (void)name;
    ++((refinement*)context)->found;
    return true;
}

static void askAll(void* context)
{
    refinement* r = (refinement*)context;
    r->found = 0;
    for (int i = 0; i < WK_CELL_OBJECTS; i++) {
        wkDynTree_VisitBox(r->tree, &r->queries[i], countLeaf, r);
    }
}

// True when the row is to be run; `row` has its name then.
static bool wantsRefined(wkBench* bench, const treeScene* scene, const char* what, int stepCount,
                         wkBenchRow* row)
{
    memset(row, 0, sizeof *row);
    snprintf(row->name, sizeof row->name, "icra13/table1/%s/refine/%s-%d", scene->name, what,
             stepCount);
    row->peer = "whisker";
    row->variant = "full";
    return wkBench_Wants(bench, row->name);
}

static void runCost(wkBench* bench, const refinement both[2], wkBenchRow* row)
{
    row->unit = "cost";
    row->ours = wkDynTree_Cost(both[0].tree);
    row->theirs = wkDynTree_Cost(both[1].tree);
    row->ratio = row->theirs / row->ours;
    row->n = WK_CELL_COUNT;
    wkBench_Emit(bench, row);
}

static void runQueries(wkBench* bench, refinement both[2], wkBenchRow* row)
{
    wkBenchSide sides[2];
    memset(sides, 0, sizeof sides);
    for (int i = 0; i < 2; i++) {
        sides[i].pass = askAll;
        sides[i].context = &both[i];
    }
    wkMeasure(sides, 2, WK_CELL_OBJECTS, bench->blockCount);
    row->unit = "ns";
    row->ours = sides[0].median;
    row->theirs = sides[1].median;
    row->ratio = wkBlockRatio(&sides[1], &sides[0], bench->blockCount, &row->spread);
    row->wrong = both[0].found != both[1].found ? 1 : 0;
    row->n = WK_CELL_OBJECTS;
    wkBench_Emit(bench, row);
}

// How long a step takes, over as many as there are leaves.
static void measureSteps(wkBench* bench, const treeScene* scene, wkDynTree* tree)
{
    char name[WK_ROW_NAME_CAPACITY];
    snprintf(name, sizeof name, "icra13/table1/%s/refine/step", scene->name);
    if (!wkBench_Wants(bench, name)) {
        return;
    }
    double start = wkBenchNow();
    for (int i = 0; i < WK_CELL_COUNT; i++) {
        wkDynTree_Refine(tree);
    }
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    memcpy(row.name, name, sizeof row.name);
    row.unit = "ns";
    row.ours = (wkBenchNow() - start) / WK_CELL_COUNT;
    row.n = WK_CELL_COUNT;
    wkBench_Emit(bench, &row);
}

static void runRefinement(wkBench* bench, const treeScene* scene)
{
    static const int stepCounts[] = {0, 10, 100, 300, 1000, 10000};
    static wkDynLeaf leaves[WK_CELL_COUNT];
    static wkFloatBox queries[WK_CELL_OBJECTS];
    wkVec3d origin = {0.0, 0.0, 0.0};
    for (int i = 0; i < WK_CELL_COUNT; i++) {
        leaves[i].box = wkFloatBoxAround(&scene->boxes[i], origin);
        leaves[i].name = i;
    }
    for (int i = 0; i < WK_CELL_OBJECTS; i++) {
        queries[i] = wkFloatBoxAround(&scene->queries[i], origin);
    }
    refinement both[2] = {{NULL, queries, 0}, {NULL, queries, 0}};
    bool isBuilt = true;
    for (int i = 0; i < 2; i++) {
        isBuilt = isBuilt && wkDynTree_Create(&both[i].tree) == wk_ok &&
                  wkDynTree_Build(both[i].tree, leaves, WK_CELL_COUNT,
                                  i == 0 ? wk_dynFast : wk_dynFull) == wk_ok;
    }
    int done = 0;
    for (size_t i = 0; isBuilt && i < sizeof stepCounts / sizeof *stepCounts; i++) {
        for (; done < stepCounts[i]; done++) {
            wkDynTree_Refine(both[0].tree);
        }
        wkBenchRow row;
        if (wantsRefined(bench, scene, "cost", done, &row)) {
            runCost(bench, both, &row);
        }
        if (wantsRefined(bench, scene, "query", done, &row)) {
            runQueries(bench, both, &row);
        }
    }
    if (isBuilt) {
        measureSteps(bench, scene, both[0].tree);
    }
    wkDynTree_Destroy(both[0].tree);
    wkDynTree_Destroy(both[1].tree);
}

void wkRunTableOneRows(wkBench* bench)
{
    static treeScene scene;
    for (int kind = 0; kind < sceneCount; kind++) {
        makeScene(&scene, kind);
        runTasks(bench, &scene);
        if (kind >= wk_cellsScatter && kind != wk_cellsFree) {
            runRefinement(bench, &scene);
        }
    }
}

void wkRunRows(wkBench* bench)
{
    wkRunTableOneRows(bench);
    wkRunMovingTreeRows(bench);
    wkRunBatchFkRows(bench);
}
