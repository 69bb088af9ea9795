// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/batch/clearance: nanoseconds on the wall for the clearance of each random configuration of the Panda of 59 spheres
// among 100 boxes, up to 10 cm, with configurations and clearances in the memory of the GPU, and what the CPU has to decide
// included; /gradient: with derivatives by all variables. Beside the CPU on one thread, without derivatives, whose clearances
// must be the same.

#include "gpu/gpu_rows.h"

#include "batch/batch_case.h"
#include "gpu/gpu_timing.h"
#include "measure.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#define STATES (1 << 20)
#define PIECE (1 << 19)
#define CPU_STATES (1 << 16) // that the CPU measures, too
#define CUTOFF 0.1

static const char* const names[] = {"gpu/batch/clearance", "gpu/batch/clearance/gradient"};
#define WAY_COUNT ((int)(sizeof names / sizeof names[0]))

typedef struct clearanceRow {
    wkBatchBenchCase made;
    wkBatch* batch;
    wkCudaBatch* onGpu;
    wkCudaClearancesRequest request;
    void* states;
    void* clearances;
    void* gradients;
    float* expected;
    float* found;
} clearanceRow;

static bool openRow(clearanceRow* r, wkCuda* cuda)
{
    memset(r, 0, sizeof *r);
    if (!wkBatchCase_Open(&r->made, wk_batchBoxes100, STATES, 1)) {
        return false;
    }
    wkBatchCase_DrawStates(&r->made);
    wkBatchDef def = wkBatchCase_Def(&r->made);
    wkCudaBatchDef onGpu = wkDefaultCudaBatchDef();
    def.exactness = wk_exactnessSpheres;
    size_t numbers = (size_t)STATES * (size_t)r->made.variableCount;
    r->expected = (float*)malloc(CPU_STATES * sizeof *r->expected);
    r->found = (float*)malloc(CPU_STATES * sizeof *r->found);
    bool isOpen =
        r->expected != NULL && r->found != NULL && wkBatch_Create(&def, &r->batch) == wk_ok;
    onGpu.cuda = cuda;
    onGpu.batch = r->batch;
    onGpu.pieceCount = PIECE;
    onGpu.motionCount = 0;
    r->request = wkDefaultCudaClearancesRequest();
    r->request.where.statesIn = r->request.where.verdictsIn = wk_memoryDevice;
    return isOpen && wkCudaBatch_Create(&onGpu, &r->onGpu) == wk_ok &&
           cudaMalloc(&r->states, numbers * sizeof(double)) == cudaSuccess &&
           cudaMalloc(&r->clearances, STATES * sizeof(float)) == cudaSuccess &&
           cudaMalloc(&r->gradients, numbers * sizeof(float)) == cudaSuccess &&
           cudaMemcpy(r->states, r->made.states, numbers * sizeof(double),
                      cudaMemcpyHostToDevice) == cudaSuccess;
}

static void closeRow(clearanceRow* r)
{
    cudaFree(r->states);
    cudaFree(r->clearances);
    cudaFree(r->gradients);
    wkCudaBatch_Destroy(r->onGpu);
    wkBatch_Destroy(r->batch);
    wkBatchCase_Close(&r->made);
    free(r->expected);
    free(r->found);
}

static long passClearances(void* context)
{
    clearanceRow* r = (clearanceRow*)context;
    return wkCudaBatch_Clearances(r->onGpu, r->states, STATES, &r->request, CUTOFF,
                                  (float*)r->clearances) == wk_ok
               ? 0
               : 1;
}

// Compares the clearances of the last pass.
static long countWrong(clearanceRow* r)
{
    if (cudaMemcpy(r->found, r->clearances, CPU_STATES * sizeof *r->found,
                   cudaMemcpyDeviceToHost) != cudaSuccess) {
        return CPU_STATES;
    }
    long wrong = 0;
    for (int i = 0; i < CPU_STATES; i++) {
        wrong += r->found[i] != r->expected[i];
    }
    return wrong;
}

static void runWay(wkBench* bench, clearanceRow* r, int way)
{
    double start = wkBenchNow();
    bool isMeasured = wkBatch_Clearances(r->batch, NULL, r->made.states, CPU_STATES, CUTOFF,
                                         r->expected) == wk_ok;
    wkBenchRow row = {.n = STATES, .theirs = 1e-6 * (wkBenchNow() - start) * STATES / CPU_STATES};
    snprintf(row.name, sizeof row.name, "%s", names[way]);
    r->request.gradients = way == 1 ? (float*)r->gradients : NULL;
    wkTimeOnGpu(&row, passClearances, r);
    row.wrong += isMeasured ? countWrong(r) : STATES;
    // from milliseconds for all of them
    row.ours *= 1e6 / STATES;
    row.theirs *= 1e6 / STATES;
    row.unit = "ns";
    wkBench_Emit(bench, &row);
    printf("# %.3g configurations in a second, %.4f %% decided by the CPU\n", 1e9 / row.ours,
           100.0 * (double)wkCudaBatch_Info(r->onGpu).leftCount / STATES);
}

void wkRunGpuClearanceRows(wkBench* bench, wkCuda* cuda)
{
    bool wants[WAY_COUNT], wantsAny = false;
    for (int way = 0; way < WAY_COUNT; way++) {
        wants[way] = wkBench_Wants(bench, names[way]);
        wantsAny = wantsAny || wants[way];
    }
    if (cuda == NULL || !wantsAny) {
        return;
    }
    clearanceRow r;
    if (!openRow(&r, cuda)) {
        fprintf(stderr, "%s: left out: %s\n", names[0], wkGetLastError());
    }
    for (int way = 0; way < WAY_COUNT && r.gradients != NULL; way++) {
        if (wants[way]) {
            runWay(bench, &r, way);
        }
    }
    closeRow(&r);
}
