// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "gpu_batch.h"

#include "cuda_runtime_api.h"
#include "gpu_kit.h"

#include <math.h>
#include <string.h>

// On an emulated GPU, a configuration takes milliseconds.
#define EMULATED_STATES 200
#define REAL_STATES 40000

static int32_t stateCount(void)
{
    return WK_CASES(emulatedIsUsed() ? EMULATED_STATES : REAL_STATES);
}

wkResult tryGpu(batchOnGpu* b)
{
    return createOnGpu(b->batch, wkDefaultCudaBatchDef().motionCount, &b->cuda, &b->onGpu);
}

void closeGpu(batchOnGpu* b)
{
    destroyOnGpu(b->cuda, b->onGpu);
}

// Replaces some configurations by some that are near their limits, beyond them, far away or not finite.
static void spoilRows(batchOnGpu* b, wkRng* rng)
{
    const double hostile[] = {NAN, INFINITY, -INFINITY, 1e300, -1e30, 1e5, 7.9, -8.1, 9.0, 1e-40};
    for (int32_t i = 0; i < b->count; i++) {
        double* row = b->c.rows + (size_t)i * (size_t)b->length;
        int32_t variable = wkRngBelow(rng, b->length);
        wkVariableInfo info = wkRobot_Variable(b->c.all.robot, variable);
        if (wkRngChance(rng, 40)) {
            row[variable] = hostile[wkRngBelow(rng, 10)];
        } else if (wkRngChance(rng, 20) && isfinite(info.lower) && isfinite(info.upper)) {
            double limit = wkRngChance(rng, 2) ? info.lower : info.upper;
            row[variable] = limit + wkRngRange(rng, -1.0, 1.0) * pow(10.0, -wkRngRange(rng, 0, 12));
        }
    }
}

// Rounds the configurations to floats, as those that are sent as such.
static void roundRows(batchOnGpu* b)
{
    for (int32_t i = 0; i < b->count * b->length; i++) {
        b->c.rows[i] = (double)(float)b->c.rows[i];
    }
}

void createBatch(batchOnGpu* b)
{
    b->batch = wkCreateBatch(&b->c.def);
    b->expected = (uint8_t*)malloc((size_t)b->count);
    assert_non_null(b->expected);
    assert_int_equal(wkBatch_CheckStates(b->batch, NULL, b->c.rows, b->count, b->expected), wk_ok);
}

void openBatch(batchOnGpu* b, int kind, wkExactness exactness, bool checksLimits)
{
    openStates(b, kind, exactness, checksLimits, stateCount());
}

void openStates(batchOnGpu* b, int kind, wkExactness exactness, bool checksLimits, int32_t count)
{
    memset(b, 0, sizeof *b);
    b->count = count;
    wkMakeBatchCase(&b->c, kind, kind % 2 == 1, b->count, 1);
    b->length = wkRobot_Info(b->c.all.robot).variableCount;
    b->c.def.exactness = exactness;
    b->c.def.checksLimits = checksLimits;
    b->c.def.margin = kind % 3 == 0 ? 0.01 : 0.0;
    wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)kind);
    spoilRows(b, &rng);
    roundRows(b);
    createBatch(b);
}

void closeBatch(batchOnGpu* b)
{
    free(b->expected);
    wkBatch_Destroy(b->batch);
    wkFreeBatchCase(&b->c);
}

void compareVerdicts(const batchOnGpu* b, const uint8_t* found, bool asBits)
{
    for (int32_t i = 0; i < b->count; i++) {
        int got = asBits ? found[i / 8] >> i % 8 & 1 : found[i];
        int wanted = asBits ? b->expected[i] == wk_verdictFree : b->expected[i];
        if (got != wanted) {
            fail_msg("configuration %d: %s%s on the GPU, %s on the CPU", (int)i,
                     asBits ? "bit " : "",
                     asBits ? (got ? "1" : "0") : wkVerdictName((wkVerdict)got),
                     wkVerdictName((wkVerdict)b->expected[i]));
        }
    }
    for (int32_t i = b->count; asBits && i % 32 != 0; i++) {
        assert_int_equal(found[i / 8] >> i % 8 & 1, 0); // beyond the last one
    }
}

// Checks all configurations in one way.
static void checkWay(batchOnGpu* b, const wkCudaStatesRequest* request)
{
    size_t numbers = (size_t)b->count * (size_t)b->length, capacity = (size_t)b->count + 64;
    float* floats = (float*)malloc(numbers * sizeof *floats);
    uint8_t* found = (uint8_t*)malloc(capacity);
    assert_true(floats != NULL && found != NULL);
    for (size_t i = 0; i < numbers; i++) {
        floats[i] = (float)b->c.rows[i];
    }
    memset(found, 0xee, capacity);
    const void* rows = request->areFloats ? (const void*)floats : b->c.rows;
    size_t bytes = numbers * (request->areFloats ? sizeof(float) : sizeof(double));
    void *rowsOnGpu = NULL, *foundOnGpu = NULL;
    if (request->statesIn == wk_memoryDevice) {
        rowsOnGpu = copyToGpu(rows, bytes);
    }
    if (request->verdictsIn == wk_memoryDevice) {
        foundOnGpu = copyToGpu(found, capacity);
    }
    wkResult result =
        wkCudaBatch_CheckStates(b->onGpu, rowsOnGpu != NULL ? rowsOnGpu : rows, b->count, request,
                                foundOnGpu != NULL ? foundOnGpu : (void*)found);
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    if (foundOnGpu != NULL) {
        assert_int_equal(cudaMemcpyAsync(found, foundOnGpu, capacity, cudaMemcpyDeviceToHost, 0),
                         cudaSuccess);
        assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
    }
    compareVerdicts(b, found, request->asBits);
    cudaFree(rowsOnGpu);
    cudaFree(foundOnGpu);
    free(floats);
    free(found);
}

void checkAllWays(batchOnGpu* b, int first, int count)
{
    for (int way = first; way < first + count; way++) {
        wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
        request.areFloats = (way & 1) != 0;
        request.statesIn = (way & 2) != 0 ? wk_memoryDevice : wk_memoryHost;
        request.verdictsIn = (way & 4) != 0 ? wk_memoryDevice : wk_memoryHost;
        request.asBits = (way & 8) != 0;
        checkWay(b, &request);
    }
}
