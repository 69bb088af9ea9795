// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clearances of batches on a GPU: those of the CPU, bit for bit, in surroundings of all kinds; gradients beside differences
// of clearances; batches that are stale; failures of the GPU at every call.

#include "batch_kit.h"
#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "gpu_kit.h"
#include "whisker/cuda.h"

#include <math.h>
#include <string.h>

#define EMULATED_STATES 200
#define REAL_STATES 4000
#define CUTOFF 0.3

// A batch on both sides, and configurations.
typedef struct clearancesOnGpu {
    wkBatchCase c;
    wkBatch* batch;
    wkCuda* cuda;
    wkCudaBatch* onGpu;
    int32_t count, length;
    float* expected;
    float* found;
    float* gradients;
} clearancesOnGpu;

static wkResult tryGpu(clearancesOnGpu* b)
{
    return createOnGpu(b->batch, 0, &b->cuda, &b->onGpu);
}

static void closeGpu(clearancesOnGpu* b)
{
    destroyOnGpu(b->cuda, b->onGpu);
}

static float* newFloats(size_t count)
{
    float* floats = (float*)malloc((count + 1) * sizeof *floats);
    assert_non_null(floats);
    return floats;
}

static void openBatch(clearancesOnGpu* b, int kind)
{
    const double hostile[] = {NAN, INFINITY, 1e300, -1e30, 1e5, -8.1};
    memset(b, 0, sizeof *b);
    b->count = WK_CASES(emulatedIsUsed() ? EMULATED_STATES : REAL_STATES);
    wkMakeBatchCase(&b->c, kind, kind % 2 == 1, b->count, 1);
    b->length = wkRobot_Info(b->c.all.robot).variableCount;
    b->c.def.exactness = wk_exactnessSpheres;
    b->c.def.margin = kind % 3 == 0 ? 0.01 : 0.0;
    wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)kind);
    for (int32_t i = 0; i < b->count; i++) {
        double* row = b->c.rows + (size_t)i * (size_t)b->length;
        if (wkRngChance(&rng, 40)) {
            row[wkRngBelow(&rng, b->length)] = hostile[wkRngBelow(&rng, 6)];
        }
        for (int32_t k = 0; k < b->length; k++) {
            row[k] = (double)(float)row[k];
        }
    }
    b->batch = wkCreateBatch(&b->c.def);
    b->expected = newFloats((size_t)b->count);
    b->found = newFloats((size_t)b->count);
    b->gradients = newFloats((size_t)b->count * (size_t)b->length);
    assert_int_equal(wkBatch_Clearances(b->batch, NULL, b->c.rows, b->count, CUTOFF, b->expected),
                     wk_ok);
}

static void closeBatch(clearancesOnGpu* b)
{
    free(b->expected);
    free(b->found);
    free(b->gradients);
    wkBatch_Destroy(b->batch);
    wkFreeBatchCase(&b->c);
}

static void fetch(void* to, void* onGpu, size_t byteCount)
{
    assert_int_equal(cudaMemcpyAsync(to, onGpu, byteCount, cudaMemcpyDeviceToHost, 0), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
    cudaFree(onGpu);
}

static void computeOnGpu(clearancesOnGpu* b, const wkCudaStatesRequest* where, bool hasGradients)
{
    size_t numbers = (size_t)b->count * (size_t)b->length, count = (size_t)b->count;
    float* floats = newFloats(numbers);
    for (size_t i = 0; i < numbers; i++) {
        floats[i] = (float)b->c.rows[i];
    }
    memset(b->found, 0xee, count * sizeof(float));
    memset(b->gradients, 0xee, numbers * sizeof(float));
    const void* rows = where->areFloats ? (const void*)floats : b->c.rows;
    void *rowsOnGpu = NULL, *foundOnGpu = NULL, *gradientsOnGpu = NULL;
    if (where->statesIn == wk_memoryDevice) {
        rowsOnGpu = copyToGpu(rows, numbers * (where->areFloats ? sizeof(float) : sizeof(double)));
    }
    wkCudaClearancesRequest request = wkDefaultCudaClearancesRequest();
    request.where = *where;
    request.gradients = hasGradients ? b->gradients : NULL;
    float* found = b->found;
    if (where->verdictsIn == wk_memoryDevice) {
        foundOnGpu = copyToGpu(b->found, count * sizeof(float));
        gradientsOnGpu = copyToGpu(b->gradients, numbers * sizeof(float));
        found = (float*)foundOnGpu;
        request.gradients = hasGradients ? (float*)gradientsOnGpu : NULL;
    }
    wkResult result = wkCudaBatch_Clearances(b->onGpu, rowsOnGpu != NULL ? rowsOnGpu : rows,
                                             b->count, &request, CUTOFF, found);
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    if (foundOnGpu != NULL) {
        fetch(b->found, foundOnGpu, count * sizeof(float));
        fetch(b->gradients, gradientsOnGpu, numbers * sizeof(float));
    }
    cudaFree(rowsOnGpu);
    free(floats);
}

static void compare(const clearancesOnGpu* b)
{
    for (int32_t i = 0; i < b->count; i++) {
        float found = b->found[i], expected = b->expected[i];
        bool isSame = found == expected || (found != found && expected != expected);
        if (!isSame) {
            fail_msg("configuration %d: %.9g on the GPU, %.9g on the CPU", (int)i, (double)found,
                     (double)expected);
        }
    }
}

// Whether the GPU decides about a configuration.
static bool isByGpu(clearancesOnGpu* b, int32_t i)
{
    float clearance;
    assert_int_equal(wkCudaBatch_Clearances(b->onGpu, b->c.rows + (size_t)i * (size_t)b->length, 1,
                                            NULL, CUTOFF, &clearance),
                     wk_ok);
    return wkCudaBatch_Info(b->onGpu).leftCount == 0;
}

// Compares a gradient with differences of clearances of the CPU, which are made of several pairs where the nearest one
// changes: most agree.
static int32_t countAgreeing(const clearancesOnGpu* b, int32_t i, int32_t* total)
{
    int32_t agreeing = 0;
    double* rows = (double*)malloc(2 * (size_t)b->length * sizeof *rows);
    assert_non_null(rows);
    for (int32_t k = 0; k < b->length; k++) {
        double change = 1.0 / 256.0;
        for (int side = 0; side < 2; side++) {
            double* row = rows + side * b->length;
            memcpy(row, b->c.rows + (size_t)i * (size_t)b->length, (size_t)b->length * sizeof *row);
            row[k] += side == 0 ? -change : change;
        }
        float at[2];
        assert_int_equal(wkBatch_Clearances(b->batch, NULL, rows, 2, CUTOFF, at), wk_ok);
        float gradient = b->gradients[(size_t)i * (size_t)b->length + (size_t)k];
        double slope = ((double)at[1] - (double)at[0]) / (2.0 * change);
        if (gradient == gradient) {
            agreeing += fabs(slope - (double)gradient) < 0.01 + 0.02 * fabs(slope);
            ++*total;
        }
    }
    free(rows);
    return agreeing;
}

static void clearances_are_those_of_the_cpu(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        clearancesOnGpu b;
        openBatch(&b, kind);
        assert_int_equal(tryGpu(&b), wk_ok);
        wkCudaStatesRequest where = wkDefaultCudaStatesRequest();
        where.areFloats = (kind & 1) != 0;
        where.statesIn = (kind & 2) != 0 ? wk_memoryDevice : wk_memoryHost;
        where.verdictsIn = (kind & 4) != 0 ? wk_memoryDevice : wk_memoryHost;
        computeOnGpu(&b, &where, kind % 3 != 0);
        compare(&b);
        printf("%s: the CPU decides %.1f %%\n", wkSurroundingsKinds[kind].name,
               100.0 * (double)wkCudaBatch_Info(b.onGpu).leftCount / b.count);
        closeGpu(&b);
        closeBatch(&b);
    }
}

static void gradients_are_slopes_of_clearances(void** state)
{
    (void)state;
    clearancesOnGpu b;
    openBatch(&b, 0);
    assert_int_equal(tryGpu(&b), wk_ok);
    float* first = newFloats((size_t)b.count * (size_t)b.length);
    for (int way = 0; way < 8; way++) {
        wkCudaStatesRequest where = wkDefaultCudaStatesRequest();
        where.areFloats = (way & 1) != 0;
        where.statesIn = (way & 2) != 0 ? wk_memoryDevice : wk_memoryHost;
        where.verdictsIn = (way & 4) != 0 ? wk_memoryDevice : wk_memoryHost;
        computeOnGpu(&b, &where, true);
        compare(&b);
        size_t bytes = (size_t)b.count * (size_t)b.length * sizeof *first;
        if (way == 0) {
            memcpy(first, b.gradients, bytes);
        }
        assert_memory_equal(first, b.gradients, bytes);
    }
    int32_t agreeing = 0, total = 0;
    for (int32_t i = 0; i < b.count; i++) {
        if (!isByGpu(&b, i)) {
            continue;
        }
        bool isFar = (double)b.found[i] >= CUTOFF - 1e-6;
        for (int32_t k = 0; k < b.length; k++) {
            float gradient = b.gradients[i * b.length + k];
            assert_true(b.found[i] == b.found[i] || gradient != gradient);
            assert_true(!isFar || gradient == 0.0f);
        }
        if (b.found[i] == b.found[i] && !isFar) {
            agreeing += countAgreeing(&b, i, &total);
        }
    }
    printf("gradients: %d of %d agree\n", (int)agreeing, (int)total);
    assert_true(total > 100 && agreeing > total * 9 / 10);
    free(first);
    closeGpu(&b);
    closeBatch(&b);
}

static void stale_batches_are_refused(void** state)
{
    (void)state;
    clearancesOnGpu b;
    openBatch(&b, 0);
    assert_int_equal(tryGpu(&b), wk_ok);
    wkAddSphere(b.c.all.scene, "new", 0.4, wkMakePose(0.3, 0.1, 0.5));
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, b.c.rows, 3, NULL, 1.0, b.found),
                     wk_errorState);
    assert_true(b.found[0] != b.found[0]);
    assert_int_equal(wkBatch_Refresh(b.batch), wk_ok);
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, b.c.rows, 3, NULL, 1.0, b.found),
                     wk_errorState);
    assert_non_null(strstr(wkGetLastError(), "wkCudaBatch_Refresh"));
    assert_int_equal(wkCudaBatch_Refresh(b.onGpu), wk_ok);
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, b.c.rows, 3, NULL, 1.0, b.found), wk_ok);
    closeGpu(&b);
    closeBatch(&b);
}

static void arguments_are_checked(void** state)
{
    (void)state;
    clearancesOnGpu b;
    openBatch(&b, 0);
    assert_int_equal(tryGpu(&b), wk_ok);
    const double* rows = b.c.rows;
    float* found = b.found;
    assert_int_equal(wkCudaBatch_Clearances(NULL, rows, 1, NULL, 1.0, found), wk_errorArgument);
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, NULL, 1, NULL, 1.0, found), wk_errorArgument);
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, rows, 1, NULL, 1.0, NULL), wk_errorArgument);
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, rows, -1, NULL, 1.0, found), wk_errorRange);
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, rows, 1, NULL, 0.0, found), wk_errorRange);
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, rows, 1, NULL, NAN, found), wk_errorRange);
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, NULL, 0, NULL, 1.0, NULL), wk_ok);
    wkCudaClearancesRequest request = wkDefaultCudaClearancesRequest();
    request.where.asBits = true;
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, rows, 1, &request, 1.0, found),
                     wk_errorArgument);
    request = wkDefaultCudaClearancesRequest();
    request.cookie = 0;
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, rows, 1, &request, 1.0, found),
                     wk_errorArgument);
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, rows, 4, NULL, 1e-9, found), wk_ok);
    assert_int_equal(wkCudaBatch_Clearances(b.onGpu, rows, 4, NULL, INFINITY, found), wk_ok);
    closeGpu(&b);
    closeBatch(&b);
}

// Where the GPU fails, no clearance is known.
static wkResult reportClearances(void* context)
{
    clearancesOnGpu* b = (clearancesOnGpu*)context;
    wkCudaClearancesRequest request = wkDefaultCudaClearancesRequest();
    request.gradients = b->gradients;
    wkResult result = tryGpu(b);
    if (result == wk_ok) {
        memset(b->found, 0, 40 * sizeof(float));
        result = wkCudaBatch_Clearances(b->onGpu, b->c.rows, 40, &request, CUTOFF, b->found);
        for (int32_t i = 0; i < 40 && result != wk_ok; i++) {
            assert_true(b->found[i] != b->found[i]);
        }
    }
    wkCudaBatch_Destroy(b->onGpu);
    wkCuda_Destroy(b->cuda);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    clearancesOnGpu b;
    openBatch(&b, 1);
    assert_true(failEverywhere(reportClearances, &b) > 0);
    closeBatch(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clearances_are_those_of_the_cpu),
        cmocka_unit_test(gradients_are_slopes_of_clearances),
        cmocka_unit_test(stale_batches_are_refused),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(any_call_may_fail),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
