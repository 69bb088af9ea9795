// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// icra13/table2 to table4/<scene>/<task>: bodies in front of a map, which is asked as it is or as boxes
// of a broad phase, as in the tables of the paper (ICRA 2013). t11 makes boxes of the cells and t12 a
// broad phase of the boxes; first, all and distance are questions to the map as it is, beside FCL's
// answers from the map, FCL's from the boxes and our own from the boxes. <question>+N is what a frame
// costs with so many questions, from the times of the others. Every answer is compared with a look at
// all cells.

#include "peers/strategy_peer.h"
#include "race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FREE_COUNT 30 // configurations of the robot that distances are asked of

// What rounding may do to a distance, and what FCL's iterations may.
#define OUR_TOLERANCE 1e-9
#define PEER_TOLERANCE 1e-4

enum {
    oursDirect,
    oursBoxes,
    theirsDirect,
    theirsBoxes,
    sideCount
};

static const char* const questions[wk_strategyQueryCount] = {
    [wk_strategyFirst] = "first",
    [wk_strategyAll] = "all",
    [wk_strategyDistance] = "distance",
};

// A frame is asked many times, so that caches are warm on all sides; but a peer's distances from a
// block take a quarter of a second.
#define REPEAT_COUNT 30
#define SLOW_REPEAT_COUNT 2

// What is asked for: times as fast as FCL on the map, and on prebuilt boxes.
typedef struct bars {
    double direct;
    double boxes;
} bars;

// A scene with its truths, and the times of the tasks in nanoseconds; 0: not measured.
typedef struct strategyRun {
    wkBench* bench;
    const char* table;
    wkStrategyScene scene;
    int repeatCount; // of questions about a single placement
    double setup[2]; // boxes and broad phase: ours, theirs
} strategyRun;

static void nameRow(char* name, const strategyRun* run, const char* task)
{
    snprintf(name, WK_ROW_NAME_CAPACITY, "icra13/%s/%s/%s", run->table, run->scene.name, task);
}

static bool openRacer(wkRacer* racer, const wkStrategyPeer* peer, const wkStrategyJob* job)
{
    const char* variant = job->isDirect ? "octree" : "boxes";
    return peer->name != NULL && wkRacer_Init(racer, peer->name, variant, job->itemCount) &&
           wkRacer_Start(racer, peer->open(job, racer->answers), peer->pass, peer->close);
}

// One truth for all answers, or one for each.
static long countWrong(const wkRacer* racer, const wkBenchSide* side, const double* truths,
                       int truthCount, double tolerance)
{
    long wrong = side->changedCount;
    for (int i = 0; i < racer->count; i++) {
        bool isRight = fabs(racer->answers[i] - truths[truthCount > 1 ? i : 0]) <= tolerance;
        wrong += isRight ? 0 : 1;
    }
    return wrong;
}

// t11 or t12, and its times into the sums.
static void runSetup(strategyRun* run, wkStrategyTask task, const char* taskName)
{
    char name[WK_ROW_NAME_CAPACITY];
    nameRow(name, run, taskName);
    wkStrategyJob job = {&run->scene, task, wk_strategyFirst, false, 1};
    wkRacer racers[2];
    wkBenchSide sides[2];
    if (!openRacer(&racers[0], &wkOurStrategySide, &job)) {
        run->bench->wrongCount++;
        return;
    }
    int count = openRacer(&racers[1], &wkStrategyPeers[0], &job) ? 2 : 1;
    wkRace(racers, sides, count, run->bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &sides[0], run->scene.cellCount, run->bench->blockCount);
    // ours may take cells together
    double known = (double)wkOctree_Info(run->scene.octree).occupiedCount;
    double single = run->scene.cellCount;
    row.wrong = countWrong(&racers[0], &sides[0], &known, 1, 0.0);
    run->setup[0] += sides[0].median;
    if (count == 2) {
        wkAddPeer(&row, &racers[1], &sides[1], &sides[0], run->bench->blockCount);
        row.peerWrong = countWrong(&racers[1], &sides[1], &single, 1, 0.0);
        run->setup[1] += sides[1].median;
    }
    wkBench_Emit(run->bench, &row);
    for (int i = 0; i < count; i++) {
        wkRacer_Close(&racers[i]);
    }
}

// The four ways to answer, in the order of sides; those that are not there have no name.
static int openWays(const strategyRun* run, wkStrategyQuery query, wkRacer racers[sideCount])
{
    int count = 0, placementCount = run->scene.placementCount;
    int itemCount = placementCount > 1 ? placementCount : run->repeatCount;
    memset(racers, 0, sizeof(wkRacer) * sideCount);
    for (int i = 0; i < sideCount; i++) {
        bool isDirect = i == oursDirect || i == theirsDirect;
        wkStrategyJob job = {&run->scene, wk_strategyAsk, query, isDirect, itemCount};
        const wkStrategyPeer* peer = i <= oursBoxes ? &wkOurStrategySide : &wkStrategyPeers[0];
        if (!openRacer(&racers[count], peer, &job)) {
            break;
        }
        count++;
    }
    return count;
}

static void emitWays(const strategyRun* run, const char* name, const wkRacer* racers,
                     const wkBenchSide* sides, int count, const double* truths, bars asked)
{
    const double wanted[sideCount] = {0.0, 0.0, asked.direct, asked.boxes};
    int blockCount = run->bench->blockCount, truthCount = run->scene.placementCount;
    long wrong = countWrong(&racers[0], &sides[0], truths, truthCount, OUR_TOLERANCE);
    for (int i = 1; i < count && i < sideCount; i++) {
        wkBenchRow row = wkRaceRow(name, &sides[0], racers[0].count, blockCount);
        row.wrong = i == 1 ? wrong : 0;
        wkAddPeer(&row, &racers[i], &sides[i], &sides[0], blockCount);
        bool isOurs = i == oursBoxes;
        row.peerWrong = countWrong(&racers[i], &sides[i], truths, truthCount,
                                   isOurs ? OUR_TOLERANCE : PEER_TOLERANCE);
        row.wrong += isOurs ? row.peerWrong : 0;
        row.bar = wanted[i];
        wkBench_Emit(run->bench, &row);
    }
}

// What a frame with so many questions costs: ours without boxes beside the ways with them.
static void emitTotals(const strategyRun* run, const char* question, const wkRacer* racers,
                       const wkBenchSide* sides, int count)
{
    static const int questionCounts[] = {10, 100};
    for (size_t k = 0; k < sizeof questionCounts / sizeof *questionCounts; k++) {
        int n = questionCounts[k];
        for (int i = oursBoxes; i < count; i++) {
            char task[32];
            wkBenchRow row;
            memset(&row, 0, sizeof row);
            snprintf(task, sizeof task, "%s+%d", question, n);
            nameRow(row.name, run, task);
            double setup = i == oursBoxes ? run->setup[0] : i == theirsBoxes ? run->setup[1] : 0.0;
            row.peer = racers[i].name;
            row.variant = racers[i].variant;
            row.unit = "ns";
            row.ours = n * sides[oursDirect].median;
            row.theirs = setup + n * sides[i].median;
            row.ratio = row.theirs / row.ours;
            row.n = n;
            wkBench_Emit(run->bench, &row);
        }
    }
}

static void runQuestion(strategyRun* run, wkStrategyQuery question, const double* truths,
                        bars asked)
{
    char name[WK_ROW_NAME_CAPACITY];
    nameRow(name, run, questions[question]);
    wkRacer racers[sideCount];
    wkBenchSide sides[sideCount];
    memset(sides, 0, sizeof sides);
    int count = openWays(run, question, racers);
    if (count < 2) {
        run->bench->wrongCount++;
    } else {
        wkRace(racers, sides, count, run->bench->blockCount);
        emitWays(run, name, racers, sides, count, truths, asked);
        if (run->setup[0] > 0.0) {
            emitTotals(run, questions[question], racers, sides, count);
        }
    }
    for (int i = 0; i < count; i++) {
        wkRacer_Close(&racers[i]);
    }
}

static double* findTruths(const strategyRun* run, wkStrategyQuery query)
{
    double* truths = (double*)calloc((size_t)run->scene.placementCount, sizeof *truths);
    for (int i = 0; i < run->scene.placementCount && truths != NULL; i++) {
        truths[i] = wkStrategyTruth(&run->scene, query, i);
    }
    return truths;
}

static bool wants(const strategyRun* run, const char* task)
{
    char name[WK_ROW_NAME_CAPACITY];
    nameRow(name, run, task);
    return wkBench_Wants(run->bench, name);
}

static void ask(strategyRun* run, wkStrategyQuery question, bars asked)
{
    if (!wants(run, questions[question])) {
        return;
    }
    double* truths = findTruths(run, question);
    if (truths != NULL) {
        runQuestion(run, question, truths, asked);
    }
    free(truths);
}

static void prepare(strategyRun* run)
{
    run->setup[0] = run->setup[1] = 0.0;
    if (wants(run, "t11")) {
        runSetup(run, wk_strategyBoxes, "t11");
    }
    if (wants(run, "t12")) {
        runSetup(run, wk_strategyBuild, "t12");
    }
}

// Tables 2 and 3 of the paper. Distances are asked where nothing touches.
static void runCells(wkBench* bench, wkCellKind kind, bool areMeshes)
{
    strategyRun run = {.bench = bench, .table = "table2", .repeatCount = REPEAT_COUNT};
    if (!wkStrategyScene_MakeCells(&run.scene, kind, areMeshes, 1)) {
        bench->wrongCount++;
    } else {
        prepare(&run);
        ask(&run, wk_strategyFirst, (bars){kind == wk_cellsScatter ? 0.0 : 15.0, 1.0});
        ask(&run, wk_strategyAll, (bars){15.0, 1.0});
        run.table = "table3";
        run.repeatCount = kind == wk_cellsBlock ? SLOW_REPEAT_COUNT : REPEAT_COUNT;
        if (kind != wk_cellsScatter) {
            ask(&run, wk_strategyDistance, (bars){20.0, 0.0});
        }
    }
    wkStrategyScene_Free(&run.scene);
}

// Table 4: all configurations for verdicts, those that are free for distances.
static void runRobot(wkBench* bench)
{
    strategyRun run = {.bench = bench, .table = "table4"};
    bool isMade = wkStrategyScene_MakeRobot(&run.scene);
    double* touching = isMade ? findTruths(&run, wk_strategyFirst) : NULL;
    if (touching != NULL) {
        prepare(&run);
        if (wants(&run, "first")) {
            runQuestion(&run, wk_strategyFirst, touching, (bars){25.0, 1.0});
        }
        wkStrategyScene_KeepFree(&run.scene, touching, FREE_COUNT);
        ask(&run, wk_strategyDistance, (bars){20.0, 0.0});
    } else {
        bench->wrongCount++;
    }
    free(touching);
    wkStrategyScene_Free(&run.scene);
}

// True when a row of the table is selected: scenes take a while to make.
static bool isNeeded(const wkBench* bench, const char* table, const char* scene)
{
    static const char* const tasks[] = {"t11", "t12", "first", "all", "distance"};
    bool needed = bench->isListing;
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "icra13/%s/%s/%s", table, scene, tasks[i]);
        needed = needed || wkBench_IsSelected(bench, name);
    }
    return needed;
}

void wkRunStrategyRows(wkBench* bench)
{
    static const char* const names[2][wk_cellKindCount] = {
        {"shapes/block", "shapes/scatter", "shapes/free"},
        {"meshes/block", "meshes/scatter", "meshes/free"},
    };
    for (int areMeshes = 0; areMeshes < 2; areMeshes++) {
        for (int kind = 0; kind < wk_cellKindCount; kind++) {
            const char* name = names[areMeshes][kind];
            if (isNeeded(bench, "table2", name) || isNeeded(bench, "table3", name)) {
                runCells(bench, (wkCellKind)kind, areMeshes == 1);
            }
        }
    }
    if (isNeeded(bench, "table4", "robot")) {
        runRobot(bench);
    }
}
