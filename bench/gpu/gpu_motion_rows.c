// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/batch/motion: nanoseconds on the wall for each certified motion of one radian of the Panda of 59 spheres among 100
// boxes, from random configurations, with the ends and the results of motions in the memory of the GPU, and what the CPU has
// to decide included; /self: with the robot itself, by spheres; /free: from free configurations alone; /steps: in 33
// configurations each. Beside the CPU on one thread. Wrong are motions that are free on one of them and touching on the other, and contacts that the CPU does not
// find where they are said to be; in steps, any difference.

#include "gpu/gpu_rows.h"

#include "batch/batch_case.h"
#include "gpu/gpu_timing.h"
#include "measure.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#define SEED 71u
#define MOTIONS (1 << 19)
#define PIECE (1 << 17)
#define STATE_PIECE (1 << 18)
#define CPU_MOTIONS (1 << 16) // that the CPU checks, too
#define STEP 0.03125          // 33 configurations of a radian
#define MAX_VARIABLES 32

// Nanoseconds on an H200 for a motion: 2e7 in a second.
#define MOST 50.0

static const struct {
    const char* name;
    bool checksSelf;
    bool isCertified;
    bool isFromFree; // these come last
    double most;
} ways[] = {
    {"gpu/batch/motion", false, true, false, MOST},
    {"gpu/batch/motion/self", true, true, false, 0.0},
    {"gpu/batch/motion/steps", false, false, false, 0.0},
    {"gpu/batch/motion/free", false, true, true, 0.0},
    {"gpu/batch/motion/free/self", true, true, true, 0.0},
};
#define WAY_COUNT ((int)(sizeof ways / sizeof ways[0]))

typedef struct motionRow {
    wkCuda* cuda;
    wkBatchBenchCase made;
    wkBatch* batch;
    wkCudaBatch* onGpu;
    wkCudaMotionsRequest request;
    double* ends[2];
    void* endsOnGpu[2];
    void* resultsOnGpu;
    wkBatchMotionResult* expected;
    wkBatchMotionResult* found;
} motionRow;

static size_t endBytes(const motionRow* m)
{
    return (size_t)MOTIONS * (size_t)m->made.variableCount * sizeof(double);
}

static bool openWorld(motionRow* m)
{
    if (!wkBatchCase_Open(&m->made, wk_batchBoxes100, 1, 1)) {
        return false;
    }
    m->ends[0] = (double*)malloc(endBytes(m));
    m->ends[1] = (double*)malloc(endBytes(m));
    m->expected = (wkBatchMotionResult*)malloc(CPU_MOTIONS * sizeof *m->expected);
    m->found = (wkBatchMotionResult*)malloc(MOTIONS * sizeof *m->found);
    if (m->ends[0] == NULL || m->ends[1] == NULL || m->expected == NULL || m->found == NULL) {
        return false;
    }
    uint64_t seed = SEED;
    for (int i = 0; i < MOTIONS; i++) {
        ptrdiff_t at = (ptrdiff_t)i * m->made.variableCount;
        wkBatchCase_DrawMotion(&m->made, &seed, m->ends[0] + at, m->ends[1] + at);
    }
    return true;
}

static void closeWorld(motionRow* m)
{
    wkBatchCase_Close(&m->made);
    free(m->ends[0]);
    free(m->ends[1]);
    free(m->expected);
    free(m->found);
}

// Keeps the motions that begin in a free configuration, as often as needed.
static bool keepFree(motionRow* m)
{
    uint8_t* verdicts = (uint8_t*)malloc(MOTIONS);
    bool isDone = verdicts != NULL &&
                  wkBatch_CheckStates(m->batch, NULL, m->ends[0], MOTIONS, verdicts) == wk_ok;
    size_t length = (size_t)m->made.variableCount, bytes = length * sizeof(double);
    size_t kept = 0;
    for (size_t i = 0; i < MOTIONS && isDone; i++) {
        for (int end = 0; end < 2 && verdicts[i] == wk_verdictFree; end++) {
            memmove(m->ends[end] + kept * length, m->ends[end] + i * length, bytes);
        }
        kept += verdicts[i] == wk_verdictFree;
    }
    free(verdicts);
    for (size_t i = kept; i < MOTIONS && kept > 0; i++) {
        for (int end = 0; end < 2; end++) {
            memcpy(m->ends[end] + i * length, m->ends[end] + (i - kept) * length, bytes);
        }
    }
    return isDone && kept > 0;
}

static bool openWay(motionRow* m, int way)
{
    wkBatchDef def = wkBatchCase_Def(&m->made);
    def.exactness = wk_exactnessSpheres;
    def.checksSelf = ways[way].checksSelf;
    wkCudaBatchDef onGpu = wkDefaultCudaBatchDef();
    m->request = wkDefaultCudaMotionsRequest();
    m->request.motion.isCertified = ways[way].isCertified;
    m->request.motion.step = STEP;
    m->request.where.statesIn = m->request.where.verdictsIn = wk_memoryDevice;
    bool isOpen = wkBatch_Create(&def, &m->batch) == wk_ok;
    isOpen = isOpen && (!ways[way].isFromFree || keepFree(m));
    onGpu.cuda = m->cuda;
    onGpu.batch = m->batch;
    onGpu.pieceCount = STATE_PIECE;
    onGpu.motionCount = PIECE;
    isOpen = isOpen && wkCudaBatch_Create(&onGpu, &m->onGpu) == wk_ok;
    for (int i = 0; i < 2 && isOpen; i++) {
        isOpen = cudaMalloc(&m->endsOnGpu[i], endBytes(m)) == cudaSuccess &&
                 cudaMemcpy(m->endsOnGpu[i], m->ends[i], endBytes(m), cudaMemcpyHostToDevice) ==
                     cudaSuccess;
    }
    return isOpen && cudaMalloc(&m->resultsOnGpu, MOTIONS * sizeof *m->found) == cudaSuccess;
}

static void closeWay(motionRow* m)
{
    cudaFree(m->endsOnGpu[0]);
    cudaFree(m->endsOnGpu[1]);
    cudaFree(m->resultsOnGpu);
    wkCudaBatch_Destroy(m->onGpu);
    wkBatch_Destroy(m->batch);
    m->endsOnGpu[0] = m->endsOnGpu[1] = m->resultsOnGpu = NULL;
    m->onGpu = NULL;
    m->batch = NULL;
}

static long passMotions(void* context)
{
    motionRow* m = (motionRow*)context;
    return wkCudaBatch_CheckMotions(m->onGpu, m->endsOnGpu[0], m->endsOnGpu[1], MOTIONS,
                                    &m->request, (wkBatchMotionResult*)m->resultsOnGpu) == wk_ok
               ? 0
               : 1;
}

static bool isContact(wkBatchMotionResult result)
{
    return result.verdict == wk_verdictSelf || result.verdict == wk_verdictWorld;
}

// Whether the CPU finds no contact where the GPU has found one.
static bool isContactWrong(const motionRow* m, int motion)
{
    double q[MAX_VARIABLES];
    uint8_t verdict = wk_verdictUnchecked;
    ptrdiff_t at = (ptrdiff_t)motion * m->made.variableCount;
    wkRobot_Interpolate(m->made.peer.robot, m->ends[0] + at, m->ends[1] + at,
                        (double)m->found[motion].time, q);
    return wkBatch_CheckStates(m->batch, NULL, q, 1, &verdict) != wk_ok ||
           verdict == wk_verdictFree;
}

static bool isMotionWrong(const motionRow* m, int motion)
{
    wkBatchMotionResult found = m->found[motion], expected = m->expected[motion];
    if (!m->request.motion.isCertified) {
        return found.verdict != expected.verdict || found.firstIndex != expected.firstIndex ||
               found.stepCount != expected.stepCount;
    }
    bool isFree = found.verdict == wk_verdictFree;
    bool isWrong =
        expected.verdict != wk_verdictUncertain && isFree != (expected.verdict == wk_verdictFree);
    return isWrong || found.verdict == wk_verdictUnchecked ||
           (isContact(found) && isContactWrong(m, motion));
}

// Compares the results of the last pass.
static long countWrong(const motionRow* m)
{
    if (cudaMemcpy(m->found, m->resultsOnGpu, MOTIONS * sizeof *m->found, cudaMemcpyDeviceToHost) !=
        cudaSuccess) {
        return MOTIONS;
    }
    long wrong = 0;
    for (int i = 0; i < CPU_MOTIONS; i++) {
        wrong += isMotionWrong(m, i);
    }
    return wrong;
}

static void report(const motionRow* m, const wkBenchRow* row)
{
    int64_t freeCount = 0, uncertainCount = 0, stepCount = 0;
    for (int i = 0; i < MOTIONS; i++) {
        freeCount += m->found[i].verdict == wk_verdictFree;
        uncertainCount += m->found[i].verdict == wk_verdictUncertain;
        stepCount += m->found[i].stepCount;
    }
    printf("# %.3g motions in a second, %.1f %% free, %.3f %% uncertain, %.1f configurations each, "
           "%.4f %% decided by the CPU\n",
           1e9 / row->ours, 100.0 * (double)freeCount / MOTIONS,
           100.0 * (double)uncertainCount / MOTIONS, (double)stepCount / MOTIONS,
           100.0 * (double)wkCudaBatch_Info(m->onGpu).leftCount / MOTIONS);
}

static void runWay(wkBench* bench, motionRow* m, int way)
{
    double start = wkBenchNow();
    bool isChecked = wkBatch_CheckMotions(m->batch, NULL, m->ends[0], m->ends[1], CPU_MOTIONS,
                                          &m->request.motion, m->expected) == wk_ok;
    wkBenchRow row = {.n = MOTIONS,
                      .theirs = 1e-6 * (wkBenchNow() - start) * MOTIONS / CPU_MOTIONS,
                      .most = ways[way].most};
    snprintf(row.name, sizeof row.name, "%s", ways[way].name);
    wkTimeOnGpu(&row, passMotions, m);
    row.wrong += isChecked ? countWrong(m) : MOTIONS;
    // from milliseconds for all of them
    row.ours *= 1e6 / MOTIONS;
    row.theirs *= 1e6 / MOTIONS;
    row.unit = "ns";
    wkBench_Emit(bench, &row);
    report(m, &row);
}

void wkRunGpuMotionRows(wkBench* bench, wkCuda* cuda)
{
    bool wants[WAY_COUNT], wantsAny = false;
    for (int way = 0; way < WAY_COUNT; way++) {
        wants[way] = wkBench_Wants(bench, ways[way].name);
        wantsAny = wantsAny || wants[way];
    }
    if (cuda == NULL || !wantsAny) {
        return;
    }
    motionRow m;
    memset(&m, 0, sizeof m);
    m.cuda = cuda;
    if (!openWorld(&m)) {
        fprintf(stderr, "%s: left out: %s\n", ways[0].name, wkGetLastError());
        return;
    }
    for (int way = 0; way < WAY_COUNT; way++) {
        if (wants[way] && openWay(&m, way)) {
            runWay(bench, &m, way);
        } else if (wants[way]) {
            fprintf(stderr, "%s: left out: %s\n", ways[way].name, wkGetLastError());
        }
        closeWay(&m);
    }
    closeWorld(&m);
}
