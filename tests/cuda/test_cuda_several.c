// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Several GPUs: one call on copies of a batch on them, and a thread for each. Where there is one GPU, it has all copies.

#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "gpu_batch.h"
#include "gpu_kit.h"
#include "memory/failing.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#define MOST_BATCHES 3
#define PIECE 1024
#define CUTOFF 0.3

// A batch on the CPU, and copies of it on GPUs in turn.
typedef struct copies {
    batchOnGpu b;
    int32_t count, gpuCount;
    wkCuda* cudas[MOST_BATCHES];
    wkCudaBatch* batches[MOST_BATCHES];
} copies;

static int setUp(void** state)
{
    (void)state;
    emulatedSetDevices(2, 13000);
    return 0;
}

static int tearDown(void** state)
{
    (void)state;
    emulatedFailCall(-1, 0, 0);
    emulatedDelayDevice(1, 0);
    emulatedSetDevices(1, 13000);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    assert_int_equal(emulatedByteCount(), 0);
    return 0;
}

// Takes a GPU into use.
static wkResult openGpu(int32_t device, wkCuda** cuda)
{
    wkCudaDef def = wkDefaultCudaDef();
    def.device = device;
    return wkCuda_Create(&def, cuda);
}

// Returns how many GPUs are used, 2 at most.
static int32_t countGpus(void)
{
    wkCuda* second = NULL;
    wkResult result = openGpu(1, &second);
    wkCuda_Destroy(second);
    return result == wk_ok ? 2 : 1;
}

static wkResult tryCopies(copies* c, int32_t count)
{
    wkResult result = wk_ok;
    c->count = count;
    memset(c->cudas, 0, sizeof c->cudas);
    memset(c->batches, 0, sizeof c->batches);
    for (int32_t i = 0; i < count && result == wk_ok; i++) {
        result = openGpu(i % c->gpuCount, &c->cudas[i]);
        wkCudaBatchDef def = wkDefaultCudaBatchDef();
        def.cuda = c->cudas[i];
        def.batch = c->b.batch;
        def.pieceCount = PIECE;
        def.motionCount = 0;
        result = result == wk_ok ? wkCudaBatch_Create(&def, &c->batches[i]) : result;
    }
    return result;
}

static void closeCopies(copies* c)
{
    for (int32_t i = 0; i < c->count; i++) {
        wkCudaBatch_Destroy(c->batches[i]);
        wkCuda_Destroy(c->cudas[i]);
    }
}

static void openCopies(copies* c, int kind, int32_t stateCount, int32_t count)
{
    memset(c, 0, sizeof *c);
    c->gpuCount = countGpus();
    openStates(&c->b, kind, wk_exactnessRefined, true, stateCount);
    if (tryCopies(c, count) != wk_ok) {
        fail_msg("%d copies of kind %d: %s", (int)count, kind, wkGetLastError());
    }
}

static void closeAll(copies* c)
{
    closeCopies(c);
    closeBatch(&c->b);
}

// Checks the first configurations on all GPUs.
static void checkFirst(copies* c, int32_t count, bool asBits, bool areFloats)
{
    wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
    request.asBits = asBits;
    request.areFloats = areFloats;
    size_t numbers = (size_t)count * (size_t)c->b.length;
    size_t byteCount = asBits ? (size_t)(count + 31) / 32 * 4 : (size_t)count;
    float* floats = (float*)malloc((numbers + 1) * sizeof *floats);
    uint8_t* found = (uint8_t*)malloc(byteCount + 1);
    assert_true(floats != NULL && found != NULL);
    for (size_t i = 0; i < numbers; i++) {
        floats[i] = (float)c->b.c.rows[i];
    }
    memset(found, 0xee, byteCount + 1);
    const void* rows = areFloats ? (const void*)floats : c->b.c.rows;
    if (wkCudaBatches_CheckStates(c->batches, c->count, rows, count, &request, found) != wk_ok) {
        fail_msg("%d batches, %d configurations: %s", (int)c->count, (int)count, wkGetLastError());
    }
    batchOnGpu first = c->b;
    first.count = count;
    compareVerdicts(&first, found, asBits);
    assert_int_equal(found[byteCount], 0xee);
    assert_int_equal(emulatedBusyCount(), 0);
    free(floats);
    free(found);
}

static void verdicts_are_those_of_the_cpu(void** state)
{
    (void)state;
    const int32_t counts[] = {0, 1, 31, 32, 33, 64, 1024, 1025, 2049, 3073, 6177};
    int32_t caseCount = emulatedIsUsed() ? 10 : 11;
    copies c;
    openCopies(&c, 4, counts[caseCount - 1], 0);
    if (c.gpuCount == 1) {
        print_message("there is one GPU, which has all copies\n");
    }
    for (int32_t count = 1; count <= MOST_BATCHES; count++) {
        assert_int_equal(tryCopies(&c, count), wk_ok);
        for (int i = 0; i < caseCount; i++) {
            checkFirst(&c, counts[i], (i + count) % 2 == 0, i % 3 == 0);
        }
        int64_t left = 0;
        for (int32_t i = 0; i < count; i++) {
            left += wkCudaBatch_Info(c.batches[i]).leftCount;
            assert_true(wkCudaBatch_Info(c.batches[i]).leftCount > 0); // each has a part
        }
        print_message("%d batches: the CPU decides %d of %d\n", (int)count, (int)left,
                      (int)counts[caseCount - 1]);
        closeCopies(&c);
    }
    c.count = 0;
    closeAll(&c);
}

static void surroundings_change_nothing(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        copies c;
        openCopies(&c, kind, 70, MOST_BATCHES);
        checkFirst(&c, 70, kind % 2 == 0, kind % 3 == 0);
        closeAll(&c);
    }
}

static void clearances_are_those_of_one_gpu(void** state)
{
    (void)state;
    copies c;
    openCopies(&c, 5, 130, MOST_BATCHES);
    size_t numbers = 130 * (size_t)c.b.length;
    float* memory = (float*)malloc(2 * (130 + numbers) * sizeof *memory);
    assert_non_null(memory);
    float *expected = memory, *slopes = memory + 130, *found = slopes + numbers;
    wkCudaClearancesRequest request = wkDefaultCudaClearancesRequest();
    request.gradients = slopes;
    assert_int_equal(
        wkCudaBatch_Clearances(c.batches[1], c.b.c.rows, 130, &request, CUTOFF, expected), wk_ok);
    for (int32_t count = 1; count <= MOST_BATCHES; count++) {
        memset(found, 0xee, (130 + numbers) * sizeof *found);
        request.gradients = found + 130;
        assert_int_equal(
            wkCudaBatches_Clearances(c.batches, count, c.b.c.rows, 130, &request, CUTOFF, found),
            wk_ok);
        assert_int_equal(emulatedBusyCount(), 0);
        for (size_t i = 0; i < 130 + numbers; i++) {
            bool areNan = found[i] != found[i] && expected[i] != expected[i];
            assert_true(areNan || memcmp(&found[i], &expected[i], sizeof *found) == 0);
        }
    }
    free(memory);
    closeAll(&c);
}

// Of a call of eight pieces, a GPU that is slow has three in its slots, and the other does the rest.
static void faster_gpus_check_more(void** state)
{
    (void)state;
    if (!emulatedIsUsed()) {
        skip();
    }
    copies c;
    openCopies(&c, 0, 8 * PIECE, 2);
    emulatedDelayDevice(1, 1000);
    long before[2] = {emulatedKernelCount(0), emulatedKernelCount(1)};
    checkFirst(&c, 8 * PIECE, true, false);
    long both = 2; // kernels of a piece, and one that packs bits
    assert_int_equal(emulatedKernelCount(0) - before[0], 5 * (both + 1));
    assert_int_equal(emulatedKernelCount(1) - before[1], 3 * (both + 1));
    closeAll(&c);
}

static void refuse(copies* c, int32_t count, const wkCudaStatesRequest* request, wkResult expected,
                   const char* words)
{
    uint8_t found[4] = {wk_verdictFree, wk_verdictFree, wk_verdictFree, wk_verdictFree};
    assert_int_equal(wkCudaBatches_CheckStates(c->batches, count, c->b.c.rows, 4, request, found),
                     expected);
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("\"%s\" lacks \"%s\"", wkGetLastError(), words);
    }
    bool isCleared = request == NULL || request->verdictsIn == wk_memoryHost;
    for (int i = 0; i < 4 && isCleared; i++) {
        assert_int_equal(found[i], wk_verdictUnchecked);
    }
    wkCudaClearancesRequest clearances = wkDefaultCudaClearancesRequest();
    float distances[4];
    clearances.where = request != NULL ? *request : clearances.where;
    assert_int_equal(
        wkCudaBatches_Clearances(c->batches, count, c->b.c.rows, 4, &clearances, CUTOFF, distances),
        expected);
}

static void arguments_are_refused_by_name(void** state)
{
    (void)state;
    copies c, other;
    openCopies(&c, 0, 4, 2);
    openCopies(&other, 1, 4, 1);
    refuse(&c, 0, NULL, wk_errorRange, "batchCount is 0, must be 1 to 64");
    refuse(&c, 65, NULL, wk_errorRange, "batchCount is 65");
    refuse(&c, 3, NULL, wk_errorArgument, "batch 2 of 3 is NULL");
    wkCudaBatch* second = c.batches[1];
    c.batches[1] = c.batches[0];
    refuse(&c, 2, NULL, wk_errorArgument, "batches[1] is batches[0], too");
    c.batches[1] = other.batches[0];
    refuse(&c, 2, NULL, wk_errorArgument, "batches[1] is a copy of another batch than batches[0]");
    c.batches[1] = second;
    wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
    request.statesIn = wk_memoryDevice;
    refuse(&c, 2, &request, wk_errorArgument, "statesIn is device, verdictsIn host");
    request.statesIn = wk_memoryHost;
    request.verdictsIn = wk_memoryDevice;
    refuse(&c, 2, &request, wk_errorArgument, "statesIn is host, verdictsIn device");
    request.verdictsIn = wk_memoryHost;
    wkCudaField* fields[1] = {NULL};
    request.fields = fields;
    request.fieldCount = 1;
    uint8_t found[4] = {0};
    assert_int_equal(wkCudaBatches_CheckStates(c.batches, 2, c.b.c.rows, 4, &request, found),
                     wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "fieldCount 1, must be host, host and 0"));
    assert_int_equal(wkCudaBatches_CheckStates(NULL, 2, c.b.c.rows, 4, NULL, found),
                     wk_errorArgument);
    assert_int_equal(wkCudaBatches_CheckStates(c.batches, 2, NULL, 0, NULL, NULL), wk_ok);
    closeAll(&other);
    closeAll(&c);
}

// One of the copies that is not fresh is enough.
static void stale_copies_are_refused(void** state)
{
    (void)state;
    copies c;
    openCopies(&c, 0, 70, 2);
    wkAddSphere(c.b.c.all.scene, "new", 0.4, wkMakePose(0.3, 0.1, 0.5));
    assert_int_equal(wkBatch_Refresh(c.b.batch), wk_ok);
    assert_int_equal(wkCudaBatch_Refresh(c.batches[0]), wk_ok);
    uint8_t found[70];
    assert_int_equal(wkCudaBatches_CheckStates(c.batches, 2, c.b.c.rows, 70, NULL, found),
                     wk_errorState);
    assert_non_null(strstr(wkGetLastError(), "wkCudaBatch_Refresh"));
    for (int i = 0; i < 70; i++) {
        assert_int_equal(found[i], wk_verdictInvalid);
    }
    assert_int_equal(wkCudaBatch_Refresh(c.batches[1]), wk_ok);
    assert_int_equal(wkBatch_CheckStates(c.b.batch, NULL, c.b.c.rows, 70, c.b.expected), wk_ok);
    checkFirst(&c, 70, false, false);
    closeAll(&c);
}

// Where one GPU fails, no configuration is free, and nothing runs on the others.
static wkResult checkOnce(void* context)
{
    copies* c = (copies*)context;
    uint8_t found[70];
    float distances[70];
    memset(found, wk_verdictFree, sizeof found);
    wkResult result = tryCopies(c, 2);
    if (result == wk_ok) {
        result = wkCudaBatches_CheckStates(c->batches, 2, c->b.c.rows, 70, NULL, found);
        for (int i = 0; i < 70; i++) {
            assert_int_equal(found[i], result == wk_ok ? c->b.expected[i] : wk_verdictUnchecked);
        }
        assert_int_equal(emulatedBusyCount(), 0);
    }
    if (result == wk_ok) {
        memset(distances, 0, sizeof distances);
        result = wkCudaBatches_Clearances(c->batches, 2, c->b.c.rows, 70, NULL, CUTOFF, distances);
        for (int i = 0; i < 70 && result != wk_ok; i++) {
            assert_true(isnan(distances[i]));
        }
        assert_int_equal(emulatedBusyCount(), 0);
    }
    closeCopies(c);
    return result;
}

static void any_gpu_may_fail(void** state)
{
    (void)state;
    copies c;
    openCopies(&c, 4, 70, 0);
    assert_true(failEverywhere(checkOnce, &c) > 0);
    c.count = 0;
    closeAll(&c);
}

static void calls_allocate_nothing(void** state)
{
    (void)state;
    failing counter = {.failAt = -1};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counter};
    wkSetAllocator(&allocator);
    copies c;
    openCopies(&c, 4, 70, MOST_BATCHES);
    uint8_t found[70];
    float distances[70];
    long before = counter.callCount;
    size_t bytes = emulatedByteCount();
    assert_int_equal(
        wkCudaBatches_CheckStates(c.batches, MOST_BATCHES, c.b.c.rows, 70, NULL, found), wk_ok);
    assert_int_equal(
        wkCudaBatches_Clearances(c.batches, MOST_BATCHES, c.b.c.rows, 70, NULL, CUTOFF, distances),
        wk_ok);
    assert_int_equal(counter.callCount, before);
    assert_int_equal(emulatedByteCount(), bytes);
    closeAll(&c);
    wkSetAllocator(NULL);
}

// ---- a thread for each GPU ----

typedef struct worker {
    pthread_t thread;
    const copies* all;
    int32_t number;
    wkResult result;
    int32_t wrongCount;
} worker;

#define STATES_OF_THREAD 200
#define ROUNDS 3

// Takes a GPU into use, and checks all configurations some times. Asserts are for the thread of the test alone.
static void* work(void* argument)
{
    worker* w = (worker*)argument;
    wkCudaBatchDef def = wkDefaultCudaBatchDef();
    wkCudaBatch* onGpu = NULL;
    uint8_t found[STATES_OF_THREAD];
    w->result = openGpu(w->number % w->all->gpuCount, &def.cuda);
    def.batch = w->all->b.batch;
    def.pieceCount = PIECE;
    def.motionCount = 0;
    w->result = w->result == wk_ok ? wkCudaBatch_Create(&def, &onGpu) : w->result;
    for (int round = 0; round < ROUNDS && w->result == wk_ok; round++) {
        memset(found, wk_verdictFree, sizeof found);
        w->result = wkCudaBatch_CheckStates(onGpu, w->all->b.c.rows, STATES_OF_THREAD, NULL, found);
        for (int i = 0; i < STATES_OF_THREAD; i++) {
            w->wrongCount += found[i] != w->all->b.expected[i] ? 1 : 0;
        }
    }
    wkCudaBatch_Destroy(onGpu);
    wkCuda_Destroy(def.cuda);
    return NULL;
}

static void threads_use_gpus_at_once(void** state)
{
    (void)state;
    copies c;
    openCopies(&c, 4, STATES_OF_THREAD, 0);
    worker workers[3];
    for (int i = 0; i < 3; i++) {
        workers[i] = (worker){.all = &c, .number = i};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(workers[i].result, wk_ok);
        assert_int_equal(workers[i].wrongCount, 0);
    }
    c.count = 0;
    closeAll(&c);
}

// ---- the emulation: a call that does not select its GPU fails ----

static void gpus_have_memories_of_their_own(void** state)
{
    (void)state;
    if (!emulatedIsUsed()) {
        skip();
    }
    void *onFirst = NULL, *onSecond = NULL;
    cudaStream_t stream = NULL;
    uint8_t bytes[64] = {0};
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    assert_int_equal(cudaMalloc(&onFirst, 64), cudaSuccess);
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    assert_int_equal(emulatedRunKernel(onFirst, stream), cudaSuccess);
    assert_int_equal(cudaSetDevice(1), cudaSuccess);
    assert_int_equal(cudaMalloc(&onSecond, 64), cudaSuccess);
    assert_int_equal(emulatedRunKernel(onSecond, 0), cudaSuccess);
    // work for a stream of the first GPU
    assert_int_equal(emulatedRunKernel(onFirst, stream), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaMemsetAsync(onFirst, 0, 64, stream), cudaErrorInvalidResourceHandle);
    // memory of the first GPU, or a pointer to it, on the second one
    assert_int_equal(emulatedRunKernel(onFirst, 0), cudaErrorIllegalAddress);
    assert_int_equal(cudaMemcpyAsync(onFirst, bytes, 64, cudaMemcpyHostToDevice, 0),
                     cudaErrorIllegalAddress);
    assert_int_equal(cudaMemcpyAsync(bytes, onFirst, 64, cudaMemcpyDeviceToHost, 0),
                     cudaErrorIllegalAddress);
    memcpy(bytes + 8, &onFirst, sizeof onFirst);
    assert_int_equal(cudaMemcpyAsync(onSecond, bytes, 64, cudaMemcpyHostToDevice, 0),
                     cudaErrorIllegalAddress);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess); // from any
    cudaStreamDestroy(stream);
    cudaFree(onFirst);
    cudaFree(onSecond);
    cudaGetLastError();
    assert_int_equal(emulatedByteCount(), 0);
}

#define SEVERAL_TEST(test) cmocka_unit_test_setup_teardown(test, setUp, tearDown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SEVERAL_TEST(gpus_have_memories_of_their_own),
        SEVERAL_TEST(verdicts_are_those_of_the_cpu),
        SEVERAL_TEST(surroundings_change_nothing),
        SEVERAL_TEST(clearances_are_those_of_one_gpu),
        SEVERAL_TEST(faster_gpus_check_more),
        SEVERAL_TEST(arguments_are_refused_by_name),
        SEVERAL_TEST(stale_copies_are_refused),
        SEVERAL_TEST(any_gpu_may_fail),
        SEVERAL_TEST(calls_allocate_nothing),
        SEVERAL_TEST(threads_use_gpus_at_once),
    };
    int failed = cmocka_run_group_tests_name("cuda_several", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
