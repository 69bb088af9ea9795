// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// batch/motion/<how>: nanoseconds for each motion of one radian from a free configuration of the
// Panda among 100 boxes. Sampled ones are looked at in 33 configurations, as FCL does it until one
// touches; certified ones are free at every instant, beside the time of the sampled ones.
// batch/clearance, batch/threads and batch/allocations are about the same robot there.

#include "batch/batch_case.h"
#include "bench.h"
#include "malloc_count.h"
#include "measure.h"
#include "robot/robot_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED 53u
#define MOTION_COUNT 512
#define REPEATS 4 // of a pass, so that what the peer does to the caches counts for little
#define PEER_MOTIONS 32
#define INSTANTS (WK_BATCH_STEPS + 1)
#define PROVEN_INSTANTS 257 // of a motion that is said to be free at all of them
#define TOUCH_SLACK 1e-4    // metres that a contact may be wrong by
#define PEER_TOLERANCE 1e-6
#define MAX_VARIABLES 32

#define CUTOFF 0.1 // of clearances, as far as the truth about them reaches
#define STATE_COUNT 8192
#define THREAD_STATES 65536
#define THREAD_BAR 1.9

typedef struct motionCase {
    wkBatchBenchCase made;
    wkBatch* batch;
    double* from;
    double* to;
} motionCase;

typedef struct motionSide {
    const motionCase* motions;
    wkMotionRequest motion;
    wkBatchMotionResult results[MOTION_COUNT];
    wkResult result;
} motionSide;

static void closeMotions(motionCase* motions)
{
    wkBatch_Destroy(motions->batch);
    free(motions->from);
    free(motions->to);
    wkBatchCase_Close(&motions->made);
}

// Motions start where the robot is free; FCL gets the steps of the first ones.
static void drawMotions(motionCase* motions)
{
    wkBatchBenchCase* made = &motions->made;
    int length = made->variableCount;
    uint64_t seed = SEED;
    for (int i = 0; i < MOTION_COUNT; i++) {
        double *from = &motions->from[i * length], *to = &motions->to[i * length];
        do {
            wkBatchCase_DrawMotion(made, &seed, from, to);
        } while (wkBatchCase_Clearance(made, from, true) <= 0.0);
        for (int k = 0; k < INSTANTS && i < PEER_MOTIONS; k++) {
            wkRobot_Interpolate(made->peer.robot, from, to, (double)k / WK_BATCH_STEPS,
                                &made->peer.configurations[(i * INSTANTS + k) * length]);
        }
    }
    wkRobotCase_Place(&made->peer);
}

static bool openMotions(motionCase* motions)
{
    memset(motions, 0, sizeof *motions);
    wkBatchBenchCase* made = &motions->made;
    if (!wkBatchCase_Open(made, wk_batchBoxes100, STATE_COUNT, PEER_MOTIONS * INSTANTS)) {
        return false;
    }
    size_t doubles = (size_t)(MOTION_COUNT * made->variableCount);
    wkBatchDef def = wkBatchCase_Def(made);
    motions->from = (double*)calloc(doubles, sizeof(double));
    motions->to = (double*)calloc(doubles, sizeof(double));
    if (motions->from == NULL || motions->to == NULL ||
        wkBatch_Create(&def, &motions->batch) != wk_ok) {
        closeMotions(motions);
        return false;
    }
    wkBatchCase_DrawStates(made);
    drawMotions(motions);
    return true;
}

static void passMotions(void* context)
{
    motionSide* side = (motionSide*)context;
    const motionCase* m = side->motions;
    for (int i = 0; i < REPEATS; i++) {
        wkResult result = wkBatch_CheckMotions(m->batch, NULL, m->from, m->to, MOTION_COUNT,
                                               &side->motion, side->results);
        side->result = result != wk_ok ? result : side->result;
    }
}

// The least clearance at evenly spread instants.
static double leastClearance(const motionCase* m, int motion, int instants)
{
    int length = m->made.variableCount;
    double q[MAX_VARIABLES], least = INFINITY;
    for (int k = 0; k < instants && least > 0.0; k++) {
        wkRobot_Interpolate(m->made.peer.robot, &m->from[motion * length], &m->to[motion * length],
                            (double)k / (instants - 1), q);
        least = fmin(least, wkBatchCase_Clearance(&m->made, q, true));
    }
    return least;
}

// A contact that is told of must be one. Uncertain motions are not wrong, and are counted
// elsewhere.
static bool isContactWrong(const motionCase* m, int motion, float time)
{
    int length = m->made.variableCount;
    double q[MAX_VARIABLES];
    wkRobot_Interpolate(m->made.peer.robot, &m->from[motion * length], &m->to[motion * length],
                        (double)time, q);
    return wkBatchCase_Clearance(&m->made, q, true) > TOUCH_SLACK;
}

static long countWrong(const motionSide* side)
{
    long wrong = side->result != wk_ok ? 1 : 0;
    int instants = side->motion.isCertified ? PROVEN_INSTANTS : INSTANTS;
    for (int i = 0; i < MOTION_COUNT; i++) {
        const wkBatchMotionResult* result = &side->results[i];
        bool isFree = result->verdict == wk_verdictFree;
        wrong += isFree && leastClearance(side->motions, i, instants) <= 0.0 ? 1 : 0;
        wrong += !isFree && result->verdict != wk_verdictUncertain &&
                         isContactWrong(side->motions, i, result->time)
                     ? 1
                     : 0;
    }
    return wrong;
}

static long countPeerWrong(const motionCase* m, const wkRacer* peer)
{
    long wrong = 0;
    for (int i = 0; i < PEER_MOTIONS; i++) {
        double least = leastClearance(m, i, INSTANTS);
        bool isFree = peer->answers[(i + 1) * INSTANTS - 1] <= 0.0;
        wrong += fabs(least) > PEER_TOLERANCE && isFree != (least > 0.0) ? 1 : 0;
    }
    return wrong;
}

static void emitUncertain(wkBench* bench, const motionSide* side)
{
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "batch/motion/certified/uncertain");
    row.unit = "motions";
    row.n = MOTION_COUNT;
    for (int i = 0; i < MOTION_COUNT; i++) {
        row.ours += side->results[i].verdict == wk_verdictUncertain ? 1.0 : 0.0;
    }
    wkBench_Emit(bench, &row);
}

// Sampled ones beside FCL, then certified ones beside those.
static void raceMotions(wkBench* bench, const motionCase* m, motionSide* sampled,
                        motionSide* certified)
{
    wkBenchSide sides[3];
    memset(sides, 0, sizeof sides);
    sides[0] = (wkBenchSide){.pass = passMotions, .context = sampled};
    sides[1] = (wkBenchSide){.pass = passMotions, .context = certified};
    wkRacer peer;
    wkPeerRobotJob job = {&m->made.peer, wk_robotValid, NULL, INSTANTS};
    bool hasPeer =
        wkRobotPeers[0].name != NULL && wkOpenFastestRobotPeer(&peer, &wkRobotPeers[0], &job);
    if (hasPeer) {
        sides[2].pass = peer.pass;
        sides[2].context = peer.handle;
        sides[2].itemCount = PEER_MOTIONS;
    }
    wkMeasure(sides, hasPeer ? 3 : 2, REPEATS * MOTION_COUNT, bench->blockCount);
    wkBenchRow row = wkRaceRow("batch/motion/sampled", &sides[0], MOTION_COUNT, bench->blockCount);
    row.wrong = countWrong(sampled);
    if (hasPeer) {
        wkAddPeer(&row, &peer, &sides[2], &sides[0], bench->blockCount);
        row.peerWrong = countPeerWrong(m, &peer);
        wkRacer_Close(&peer);
    }
    wkBench_Emit(bench, &row);

    row = wkRaceRow("batch/motion/certified", &sides[1], MOTION_COUNT, bench->blockCount);
    wkRacer ourSampled = {.name = "whisker", .variant = "sampled"};
    wkAddPeer(&row, &ourSampled, &sides[0], &sides[1], bench->blockCount);
    row.wrong = countWrong(certified);
    row.bar = 1.0;
    wkBench_Emit(bench, &row);
    emitUncertain(bench, certified);
}

static void runMotions(wkBench* bench, const motionCase* m)
{
    motionSide* sides = (motionSide*)calloc(2, sizeof *sides);
    if (sides == NULL) {
        bench->wrongCount++;
        return;
    }
    for (int i = 0; i < 2; i++) {
        sides[i].motions = m;
        sides[i].motion = wkDefaultMotionRequest();
        sides[i].motion.isCertified = i == 1;
        sides[i].motion.step = 1.0 / WK_BATCH_STEPS;
    }
    raceMotions(bench, m, &sides[0], &sides[1]);
    free(sides);
}

typedef struct clearanceSide {
    const motionCase* motions;
    float* clearances;
} clearanceSide;

static void passClearances(void* context)
{
    const clearanceSide* side = (const clearanceSide*)context;
    wkBatch_Clearances(side->motions->batch, NULL, side->motions->made.states, STATE_COUNT, CUTOFF,
                       side->clearances);
}

static void runClearances(wkBench* bench, const motionCase* m, const char* name)
{
    clearanceSide clearances = {m, (float*)calloc(STATE_COUNT, sizeof(float))};
    if (clearances.clearances == NULL) {
        bench->wrongCount++;
        return;
    }
    wkBenchSide side = {.pass = passClearances, .context = &clearances};
    wkMeasure(&side, 1, STATE_COUNT, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &side, STATE_COUNT, bench->blockCount);
    for (int i = 0; i < STATE_COUNT; i++) {
        const double* q = &m->made.states[i * m->made.variableCount];
        double truth = wkBatchCase_Clearance(&m->made, q, true);
        double most = truth > 0.0 ? truth + PEER_TOLERANCE : 0.0;
        row.wrong += (double)clearances.clearances[i] <= most ? 0 : 1;
    }
    wkBench_Emit(bench, &row);
    free(clearances.clearances);
}

// A batch that is asked on its threads, or on one of them: the same one for both sides, as where things come to
// lie in memory makes more of a difference than threads should.
typedef struct threadSide {
    const wkBatch* batch;
    wkBatchContext* context; // NULL: on the threads of the batch
    const double* states;
    uint8_t* verdicts;
} threadSide;

static double timeStates(const threadSide* side)
{
    double start = wkBenchWallNow();
    wkBatch_CheckStates(side->batch, side->context, side->states, THREAD_STATES, side->verdicts);
    return (wkBenchWallNow() - start) / THREAD_STATES;
}

// By the clock on the wall, on all cores of the machine, in alternating blocks.
static void timeThreads(wkBench* bench, const char* name, const threadSide* one,
                        const threadSide* two)
{
    wkBenchSide sides[2];
    memset(sides, 0, sizeof sides);
    wkBenchUnpin();
    for (int block = -1; block < bench->blockCount; block++) { // the first one warms up
        int index = block < 0 ? 0 : block;
        sides[0].blocks[index] = timeStates(one);
        sides[1].blocks[index] = timeStates(two);
    }
    wkBenchPin();
    wkBenchRow row = wkRaceRow(name, &sides[1], THREAD_STATES, bench->blockCount);
    double oneBlocks[WK_MAX_BLOCKS], twoBlocks[WK_MAX_BLOCKS];
    memcpy(oneBlocks, sides[0].blocks, sizeof oneBlocks);
    memcpy(twoBlocks, sides[1].blocks, sizeof twoBlocks);
    sides[0].median = wkMedian(oneBlocks, bench->blockCount);
    row.ours = wkMedian(twoBlocks, bench->blockCount);
    wkRacer oneThread = {.name = "whisker", .variant = "one thread"};
    wkAddPeer(&row, &oneThread, &sides[0], &sides[1], bench->blockCount);
    row.bar = THREAD_BAR;
    row.wrong = memcmp(one->verdicts, two->verdicts, THREAD_STATES) == 0 ? 0 : 1;
    wkBench_Emit(bench, &row);
}

static void runThreads(wkBench* bench, const motionCase* m, const char* name)
{
    size_t length = (size_t)m->made.variableCount;
    double* states = (double*)calloc(THREAD_STATES * length, sizeof(double));
    uint8_t* verdicts = (uint8_t*)calloc(2, THREAD_STATES);
    wkParallel parallel = {.threadCount = 2};
    wkBatchDef def = wkBatchCase_Def(&m->made);
    def.parallel = &parallel;
    wkBatch* batch = NULL;
    wkBatchContext* context = NULL;
    wkBenchUnpin(); // threads of the batch keep the processors that they may use when they start
    bool isMade = states != NULL && verdicts != NULL && wkBatch_Create(&def, &batch) == wk_ok &&
                  wkBatchContext_Create(batch, &context) == wk_ok;
    wkBenchPin();
    if (!isMade) {
        bench->wrongCount++;
    } else {
        uint64_t seed = SEED;
        for (size_t i = 0; i < THREAD_STATES; i++) {
            wkRobot_RandomConfiguration(m->made.peer.robot, &seed, &states[i * length]);
        }
        threadSide one = {batch, context, states, verdicts};
        threadSide two = {batch, NULL, states, verdicts + THREAD_STATES};
        timeThreads(bench, name, &one, &two);
    }
    wkBatchContext_Destroy(context);
    wkBatch_Destroy(batch);
    free(states);
    free(verdicts);
}

// Every kind of question, once the first ones have been answered.
static void runAllocations(wkBench* bench, const motionCase* m, const char* name)
{
    static wkBatchMotionResult results[MOTION_COUNT];
    static uint8_t verdicts[STATE_COUNT];
    static float clearances[STATE_COUNT];
    wkMotionRequest sampled = wkDefaultMotionRequest(), certified = wkDefaultMotionRequest();
    sampled.isCertified = false;
    long allocations = 0;
    for (int pass = 0; pass < 2; pass++) {
        long before = wkMallocCount();
        wkBatch_CheckStates(m->batch, NULL, m->made.states, STATE_COUNT, verdicts);
        wkBatch_Clearances(m->batch, NULL, m->made.states, STATE_COUNT, CUTOFF, clearances);
        wkBatch_CheckMotions(m->batch, NULL, m->from, m->to, MOTION_COUNT, &sampled, results);
        wkBatch_CheckMotions(m->batch, NULL, m->from, m->to, MOTION_COUNT, &certified, results);
        allocations += wkMallocCount() - before;
    }
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "%s", name);
    row.unit = "mallocs";
    row.ours = (double)allocations;
    row.wrong = allocations;
    row.n = 2L * (STATE_COUNT + MOTION_COUNT);
    wkBench_Emit(bench, &row);
}

void wkRunBatchMotionRows(wkBench* bench)
{
    bool wantsSampled = wkBench_Wants(bench, "batch/motion/sampled");
    bool wantsCertified = wkBench_Wants(bench, "batch/motion/certified");
    bool wantsClearance = wkBench_Wants(bench, "batch/clearance");
    bool wantsThreads = sysconf(_SC_NPROCESSORS_ONLN) > 1 && wkBench_Wants(bench, "batch/threads");
    bool wantsAllocations = wkMallocCount() >= 0 && wkBench_Wants(bench, "batch/allocations");
    motionCase motions;
    if (!(wantsSampled || wantsCertified || wantsClearance || wantsThreads || wantsAllocations)) {
        return;
    }
    if (!openMotions(&motions)) {
        fprintf(stderr, "batch/motion: left out: %s\n", wkGetLastError());
        return;
    }
    if (wantsSampled || wantsCertified) {
        runMotions(bench, &motions);
    }
    if (wantsClearance) {
        runClearances(bench, &motions, "batch/clearance");
    }
    if (wantsThreads) {
        runThreads(bench, &motions, "batch/threads");
    }
    if (wantsAllocations) {
        runAllocations(bench, &motions, "batch/allocations");
    }
    closeMotions(&motions);
}
