// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/batch/panda/<surroundings>: nanoseconds on the wall for each random configuration of the Panda of 59 spheres, with
// configurations and verdicts in the memory of the GPU, and what the CPU has to decide included; /self: with pairs of
// spheres; /host: configurations and verdicts in pinned memory of the host. Beside the CPU on one thread, whose verdicts
// must be the same.

#include "gpu/gpu_rows.h"

#include "batch/cloud_case.h"
#include "gpu/gpu_timing.h"
#include "measure.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#define STATES (1 << 22)
#define PIECE (1 << 21)
#define CLOUD_POINTS 1000000

// Cells that are smaller than those that the CPU is fastest with: see docs/gpu.md.
#define FINE_CELLS 0.014

// Nanoseconds on an H200 for a configuration: 3e9 in a second, 1.5e9 with pairs of spheres.
#define MOST (1.0 / 3.0)
#define MOST_SELF (2.0 / 3.0)

static const struct {
    const char* name;
    wkBatchWorld world; // wk_batchWorldCount: a cloud
    double cellSize;    // of the clearance field, in metres
} worlds[] = {
    {"100-boxes", wk_batchBoxes100, FINE_CELLS},
    {"1000-boxes", wk_batchBoxes1000, FINE_CELLS},
    {"octree", wk_batchOctree, FINE_CELLS},
    {"cloud-1M", wk_batchWorldCount, FINE_CELLS},
};
#define WORLD_COUNT ((int)(sizeof worlds / sizeof worlds[0]))

static const struct {
    const char* suffix;
    bool checksSelf;
    bool isOnHost;
    double most;
} ways[] = {
    {"", false, false, MOST},
    {"/self", true, false, MOST_SELF},
    {"/host", false, true, 0.0},
};
#define WAY_COUNT ((int)(sizeof ways / sizeof ways[0]))

typedef struct statesOnGpu {
    wkCuda* cuda;
    wkBatchCloudCase made; // without a cloud, but for the last world
    wkBatch* batch;
    wkCudaBatch* onGpu;
    wkCudaStatesRequest request;
    void* states;
    void* verdicts;
    uint8_t* expected;
    uint8_t* found;
} statesOnGpu;

static bool openWorld(statesOnGpu* s, int world)
{
    memset(s, 0, sizeof *s);
    bool isOpen = worlds[world].world == wk_batchWorldCount
                      ? wkBatchCloudCase_Open(&s->made, CLOUD_POINTS, STATES)
                      : wkBatchCase_Open(&s->made.robot, worlds[world].world, STATES, 1);
    if (!isOpen) {
        return false;
    }
    wkBatchCase_DrawStates(&s->made.robot);
    s->expected = (uint8_t*)malloc(STATES);
    s->found = (uint8_t*)malloc(STATES);
    return s->expected != NULL && s->found != NULL;
}

static void closeWorld(statesOnGpu* s, int world)
{
    if (worlds[world].world == wk_batchWorldCount) {
        wkBatchCloudCase_Close(&s->made);
    } else {
        wkBatchCase_Close(&s->made.robot);
    }
    free(s->expected);
    free(s->found);
}

static size_t stateBytes(const statesOnGpu* s)
{
    return (size_t)STATES * (size_t)s->made.robot.variableCount * sizeof(double);
}

static bool openWay(statesOnGpu* s, int world, int way)
{
    wkBatchDef def = wkBatchCase_Def(&s->made.robot);
    def.exactness = wk_exactnessSpheres;
    def.checksSelf = ways[way].checksSelf;
    def.cellSize = worlds[world].cellSize;
    wkCudaBatchDef onGpu = wkDefaultCudaBatchDef();
    s->request = wkDefaultCudaStatesRequest();
    bool isOpen = wkBatch_Create(&def, &s->batch) == wk_ok;
    onGpu.cuda = s->cuda;
    onGpu.batch = s->batch;
    onGpu.pieceCount = PIECE;
    isOpen = isOpen && wkCudaBatch_Create(&onGpu, &s->onGpu) == wk_ok;
    if (ways[way].isOnHost) {
        isOpen = isOpen && wkCuda_AllocatePinned(s->cuda, stateBytes(s), &s->states) == wk_ok &&
                 wkCuda_AllocatePinned(s->cuda, STATES, &s->verdicts) == wk_ok;
        if (isOpen) {
            memcpy(s->states, s->made.robot.states, stateBytes(s));
        }
        return isOpen;
    }
    s->request.statesIn = s->request.verdictsIn = wk_memoryDevice;
    return isOpen && cudaMalloc(&s->states, stateBytes(s)) == cudaSuccess &&
           cudaMalloc(&s->verdicts, STATES) == cudaSuccess &&
           cudaMemcpy(s->states, s->made.robot.states, stateBytes(s), cudaMemcpyHostToDevice) ==
               cudaSuccess;
}

static void closeWay(statesOnGpu* s, int way)
{
    if (ways[way].isOnHost) {
        wkCuda_ReleasePinned(s->cuda, s->states);
        wkCuda_ReleasePinned(s->cuda, s->verdicts);
    } else {
        cudaFree(s->states);
        cudaFree(s->verdicts);
    }
    wkCudaBatch_Destroy(s->onGpu);
    wkBatch_Destroy(s->batch);
    s->states = s->verdicts = NULL;
    s->onGpu = NULL;
    s->batch = NULL;
}

static long passStates(void* context)
{
    statesOnGpu* s = (statesOnGpu*)context;
    return wkCudaBatch_CheckStates(s->onGpu, s->states, STATES, &s->request, s->verdicts) == wk_ok
               ? 0
               : 1;
}

// Compares the verdicts of the last pass.
static long countWrong(statesOnGpu* s, int way)
{
    const uint8_t* found = (const uint8_t*)s->verdicts;
    if (!ways[way].isOnHost) {
        if (cudaMemcpy(s->found, s->verdicts, STATES, cudaMemcpyDeviceToHost) != cudaSuccess) {
            return STATES;
        }
        found = s->found;
    }
    long wrong = 0;
    for (int i = 0; i < STATES; i++) {
        wrong += found[i] != s->expected[i];
    }
    return wrong;
}

static void runWay(wkBench* bench, const char* name, statesOnGpu* s, int way)
{
    double start = wkBenchNow();
    bool isChecked =
        wkBatch_CheckStates(s->batch, NULL, s->made.robot.states, STATES, s->expected) == wk_ok;
    wkBenchRow row = {.n = STATES, .theirs = 1e-6 * (wkBenchNow() - start), .most = ways[way].most};
    memcpy(row.name, name, sizeof row.name); // names have the same capacity
    wkTimeOnGpu(&row, passStates, s);
    row.wrong += isChecked ? countWrong(s, way) : STATES;
    // from milliseconds for all of them
    row.ours *= 1e6 / STATES;
    row.theirs *= 1e6 / STATES;
    row.unit = "ns";
    wkBench_Emit(bench, &row);
    long freeCount = 0;
    for (int i = 0; i < STATES; i++) {
        freeCount += s->expected[i] == wk_verdictFree;
    }
    printf("# %.3g configurations in a second, %.1f %% free, %.4f %% decided by the CPU\n",
           1e9 / row.ours, 100.0 * (double)freeCount / STATES,
           100.0 * (double)wkCudaBatch_Info(s->onGpu).leftCount / STATES);
}

static void runWorld(wkBench* bench, wkCuda* cuda, int world, char names[][WK_ROW_NAME_CAPACITY],
                     const bool* wants)
{
    statesOnGpu s;
    if (!openWorld(&s, world)) {
        fprintf(stderr, "%s: left out: %s\n", names[0], wkGetLastError());
        return;
    }
    s.cuda = cuda;
    for (int way = 0; way < WAY_COUNT; way++) {
        if (wants[way] && openWay(&s, world, way)) {
            runWay(bench, names[way], &s, way);
        } else if (wants[way]) {
            fprintf(stderr, "%s: left out: %s\n", names[way], wkGetLastError());
        }
        closeWay(&s, way);
    }
    closeWorld(&s, world);
}

void wkRunGpuBatchRows(wkBench* bench, wkCuda* cuda)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        char names[WAY_COUNT][WK_ROW_NAME_CAPACITY];
        bool wants[WAY_COUNT], wantsAny = false;
        for (int way = 0; way < WAY_COUNT; way++) {
            snprintf(names[way], sizeof names[way], "gpu/batch/panda/%s%s", worlds[world].name,
                     ways[way].suffix);
            wants[way] = wkBench_Wants(bench, names[way]);
            wantsAny = wantsAny || wants[way];
        }
        if (cuda != NULL && wantsAny) {
            runWorld(bench, cuda, world, names, wants);
        }
    }
}
