// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Motions of batches on a GPU: in steps, results are those of the CPU; certified motions are free where they are on the
// CPU, and contacts are contacts. In surroundings of all kinds, with every exactness, number type and memory; batches that
// are stale; memory that does not suffice; failures of the GPU at every call.

#include "batch_kit.h"
#include "cuda/cuda_batch.h"
#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "gpu_kit.h"
#include "whisker/cuda.h"

#include <math.h>
#include <string.h>

// On an emulated GPU, an interval takes a millisecond.
#define EMULATED_MOTIONS 14
#define REAL_MOTIONS 500
#define PIECE 1024
#define MOTION_PIECE 64

static int32_t motionCount(void)
{
    return emulatedIsUsed() ? EMULATED_MOTIONS : WK_CASES(REAL_MOTIONS);
}

// A batch on both sides, and motions.
typedef struct motionsOnGpu {
    wkBatchCase c;
    wkBatch* batch;
    wkCuda* cuda;
    wkCudaBatch* onGpu;
    int32_t count, length;
    wkBatchMotionResult* expected;
    wkBatchMotionResult* found;
} motionsOnGpu;

static wkResult tryGpu(motionsOnGpu* m)
{
    return createOnGpu(m->batch, MOTION_PIECE, &m->cuda, &m->onGpu);
}

static void closeGpu(motionsOnGpu* m)
{
    destroyOnGpu(m->cuda, m->onGpu);
}

// Replaces some ends by some that are near their limits, beyond them, far away or not finite, and rounds all to floats.
static void spoilEnds(motionsOnGpu* m, double* rows, wkRng* rng)
{
    const double hostile[] = {NAN, INFINITY, -INFINITY, 1e300, -1e30, 1e5, 7.9, -8.1, 9.0, 1e-40};
    for (int32_t i = 0; i < m->count; i++) {
        double* row = rows + (size_t)i * (size_t)m->length;
        int32_t variable = wkRngBelow(rng, m->length);
        wkVariableInfo info = wkRobot_Variable(m->c.all.robot, variable);
        if (wkRngChance(rng, 40)) {
            row[variable] = hostile[wkRngBelow(rng, 10)];
        } else if (wkRngChance(rng, 20) && isfinite(info.lower) && isfinite(info.upper)) {
            double limit = wkRngChance(rng, 2) ? info.lower : info.upper;
            row[variable] = limit + wkRngRange(rng, -1.0, 1.0) * pow(10.0, -wkRngRange(rng, 0, 12));
        } else if (wkRngChance(rng, 30)) {
            memcpy(row, rows, (size_t)m->length * sizeof *row); // long ways
        }
    }
    for (int32_t i = 0; i < m->count * m->length; i++) {
        rows[i] = (double)(float)rows[i];
    }
}

static void openMotions(motionsOnGpu* m, int kind, wkExactness exactness, bool checksLimits)
{
    memset(m, 0, sizeof *m);
    m->count = motionCount();
    wkMakeBatchCase(&m->c, kind, kind % 2 == 1, m->count, m->count);
    m->length = wkRobot_Info(m->c.all.robot).variableCount;
    m->c.def.exactness = exactness;
    m->c.def.checksLimits = checksLimits;
    m->c.def.margin = kind % 3 == 0 ? 0.01 : 0.0;
    wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)kind);
    spoilEnds(m, m->c.rows, &rng);
    spoilEnds(m, m->c.ends, &rng);
    m->batch = wkCreateBatch(&m->c.def);
    m->expected = (wkBatchMotionResult*)malloc((size_t)m->count * sizeof *m->expected);
    m->found = (wkBatchMotionResult*)malloc((size_t)m->count * sizeof *m->found);
    assert_true(m->expected != NULL && m->found != NULL);
}

static void closeMotions(motionsOnGpu* m)
{
    free(m->expected);
    free(m->found);
    wkBatch_Destroy(m->batch);
    wkFreeBatchCase(&m->c);
}

// Checks all motions on the GPU.
static void checkOnGpu(motionsOnGpu* m, const wkMotionRequest* request,
                       const wkCudaStatesRequest* where)
{
    size_t numbers = (size_t)m->count * (size_t)m->length;
    size_t each = where->areFloats ? sizeof(float) : sizeof(double);
    size_t resultBytes = (size_t)m->count * sizeof *m->found;
    const double* ends[2] = {m->c.rows, m->c.ends};
    void *copies[2], *onGpu[2] = {NULL, NULL}, *resultsOnGpu = NULL;
    memset(m->found, 0xee, resultBytes);
    for (int i = 0; i < 2; i++) {
        copies[i] = malloc(numbers * each);
        assert_non_null(copies[i]);
        for (size_t k = 0; k < numbers; k++) {
            if (where->areFloats) {
                ((float*)copies[i])[k] = (float)ends[i][k];
            } else {
                ((double*)copies[i])[k] = ends[i][k];
            }
        }
        if (where->statesIn == wk_memoryDevice) {
            onGpu[i] = copyToGpu(copies[i], numbers * each);
        }
    }
    if (where->verdictsIn == wk_memoryDevice) {
        resultsOnGpu = copyToGpu(m->found, resultBytes);
    }
    void* results = resultsOnGpu != NULL ? resultsOnGpu : m->found;
    wkCudaMotionsRequest both = wkDefaultCudaMotionsRequest();
    both.motion = *request;
    both.where = *where;
    wkResult result = wkCudaBatch_CheckMotions(m->onGpu, onGpu[0] != NULL ? onGpu[0] : copies[0],
                                               onGpu[1] != NULL ? onGpu[1] : copies[1], m->count,
                                               &both, (wkBatchMotionResult*)results);
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    if (resultsOnGpu != NULL) {
        assert_int_equal(
            cudaMemcpyAsync(m->found, resultsOnGpu, resultBytes, cudaMemcpyDeviceToHost, 0),
            cudaSuccess);
        assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
        cudaFree(resultsOnGpu);
    }
    for (int i = 0; i < 2; i++) {
        cudaFree(onGpu[i]);
        free(copies[i]);
    }
}

static bool isSameResult(const wkBatchMotionResult* a, const wkBatchMotionResult* b)
{
    bool isSameTime = a->time == b->time || (a->time != a->time && b->time != b->time);
    return a->verdict == b->verdict && isSameTime && a->firstIndex == b->firstIndex &&
           a->stepCount == b->stepCount;
}

static bool isContact(const wkBatchMotionResult* result)
{
    return result->verdict == wk_verdictSelf || result->verdict == wk_verdictWorld ||
           result->verdict == wk_verdictUnknown;
}

static void failMotion(const motionsOnGpu* m, int32_t i, const char* why)
{
    const wkBatchMotionResult *found = &m->found[i], *expected = &m->expected[i];
    fail_msg(
        "motion %d: %s: %s at %.9g, index %d of %d on the GPU; %s at %.9g, %d of %d on the CPU",
        (int)i, why, wkVerdictName((wkVerdict)found->verdict), (double)found->time,
        (int)found->firstIndex, (int)found->stepCount, wkVerdictName((wkVerdict)expected->verdict),
        (double)expected->time, (int)expected->firstIndex, (int)expected->stepCount);
}

// Whether the state check of the CPU finds a contact where the GPU has found one.
static bool isContactThere(const motionsOnGpu* m, int32_t i)
{
    double* q = (double*)malloc((size_t)m->length * sizeof *q);
    assert_non_null(q);
    size_t at = (size_t)i * (size_t)m->length;
    wkRobot_Interpolate(m->c.all.robot, m->c.rows + at, m->c.ends + at, (double)m->found[i].time,
                        q);
    uint8_t verdict = wk_verdictUnchecked;
    assert_int_equal(wkBatch_CheckStates(m->batch, NULL, q, 1, &verdict), wk_ok);
    free(q);
    return verdict == wk_verdictSelf || verdict == wk_verdictWorld || verdict == wk_verdictUnknown;
}

// Compares the results of certified motions, as the header of the library promises.
static void compareCertified(const motionsOnGpu* m)
{
    for (int32_t i = 0; i < m->count; i++) {
        const wkBatchMotionResult *found = &m->found[i], *expected = &m->expected[i];
        bool isFree = found->verdict == wk_verdictFree;
        bool isByEnds =
            expected->verdict == wk_verdictLimits || expected->verdict == wk_verdictInvalid;
        if (isByEnds && !isSameResult(found, expected)) {
            failMotion(m, i, "the ends decide");
        }
        if (expected->verdict != wk_verdictUncertain &&
            isFree != (expected->verdict == wk_verdictFree)) {
            failMotion(m, i, "free or not");
        }
        if (!isFree && !isByEnds && found->verdict != wk_verdictUncertain && !isContact(found)) {
            failMotion(m, i, "no verdict");
        }
        if (isContact(found) && !isSameResult(found, expected) && !isContactThere(m, i)) {
            failMotion(m, i, "no contact");
        }
        if (isFree && (found->time != 1.0f || found->firstIndex != -1)) {
            failMotion(m, i, "fields of free motions");
        }
    }
}

static void checkCertified(motionsOnGpu* m, const wkMotionRequest* request, int way)
{
    wkCudaStatesRequest where = wkDefaultCudaStatesRequest();
    where.areFloats = (way & 1) != 0;
    where.statesIn = (way & 2) != 0 ? wk_memoryDevice : wk_memoryHost;
    where.verdictsIn = (way & 4) != 0 ? wk_memoryDevice : wk_memoryHost;
    assert_int_equal(
        wkBatch_CheckMotions(m->batch, NULL, m->c.rows, m->c.ends, m->count, request, m->expected),
        wk_ok);
    checkOnGpu(m, request, &where);
    if (request->isCertified) {
        compareCertified(m);
        return;
    }
    for (int32_t i = 0; i < m->count; i++) {
        if (!isSameResult(&m->found[i], &m->expected[i])) {
            failMotion(m, i, "in steps");
        }
    }
}

static void certified_motions_are_free_where_they_are_on_the_cpu(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        // on an emulated GPU, half of them
        int step = emulatedIsUsed() ? 2 : 1;
        for (int exactness = kind % step; exactness < 4; exactness += step) {
            motionsOnGpu m;
            openMotions(&m, kind, (wkExactness)exactness, (kind + exactness) % 3 != 0);
            assert_int_equal(tryGpu(&m), wk_ok);
            wkMotionRequest request = wkDefaultMotionRequest();
            request.wantsFirst = (kind + exactness) % 4 == 3;
            request.tolerance = exactness == 0 ? 1e-3 : 1e-4;
            checkCertified(&m, &request, (kind + exactness) % 8);
            int32_t freeCount = 0, uncertain = 0;
            for (int32_t i = 0; i < m.count; i++) {
                freeCount += m.found[i].verdict == wk_verdictFree;
                uncertain += m.found[i].verdict == wk_verdictUncertain;
            }
            printf("%s, %s: %.1f %% free, %.2f %% uncertain, the CPU decides %.2f %%\n",
                   wkSurroundingsKinds[kind].name, wkExactnessName((wkExactness)exactness),
                   100.0 * freeCount / m.count, 100.0 * uncertain / m.count,
                   100.0 * (double)wkCudaBatch_Info(m.onGpu).leftCount / m.count);
            closeGpu(&m);
            closeMotions(&m);
        }
    }
}

static void motions_in_steps_have_the_results_of_the_cpu(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        motionsOnGpu m;
        openMotions(&m, kind, (wkExactness)(kind % 4), kind % 3 != 0);
        assert_int_equal(tryGpu(&m), wk_ok);
        wkMotionRequest request = wkDefaultMotionRequest();
        request.isCertified = false;
        request.step = emulatedIsUsed() ? 0.2 : 0.02;
        request.wantsFirst = kind % 2 == 1;
        checkCertified(&m, &request, kind % 8);
        closeGpu(&m);
        closeMotions(&m);
    }
}

static void memory_and_numbers_change_nothing(void** state)
{
    (void)state;
    motionsOnGpu m;
    openMotions(&m, 1, wk_exactnessSpheres, true);
    assert_int_equal(tryGpu(&m), wk_ok);
    wkMotionRequest request = wkDefaultMotionRequest();
    wkBatchMotionResult* first = (wkBatchMotionResult*)malloc((size_t)m.count * sizeof *first);
    assert_non_null(first);
    for (int way = 0; way < 8; way++) {
        request.isCertified = true;
        checkCertified(&m, &request, way);
        if (way == 0) {
            memcpy(first, m.found, (size_t)m.count * sizeof *first);
        }
        for (int32_t i = 0; i < m.count; i++) {
            assert_true(isSameResult(&m.found[i], &first[i]));
        }
        request.isCertified = false;
        request.step = 0.2;
        checkCertified(&m, &request, way);
    }
    free(first);
    closeGpu(&m);
    closeMotions(&m);
}

// Where queues are too short for the intervals of a piece, its motions are checked in smaller pieces, and single ones by
// the CPU.
static void short_queues_change_nothing(void** state)
{
    (void)state;
    motionsOnGpu m;
    openMotions(&m, 0, wk_exactnessSpheres, true);
    assert_int_equal(tryGpu(&m), wk_ok);
    wkMotionRequest request = wkDefaultMotionRequest();
    const uint32_t capacities[] = {40, 16, 1};
    for (int i = 0; i < 3; i++) {
        m.onGpu->motions.capacity = capacities[i];
        checkCertified(&m, &request, 2 * i);
    }
    assert_true(wkCudaBatch_Info(m.onGpu).leftCount > 0);
    closeGpu(&m);
    closeMotions(&m);
}

// A batch that is not that of its scene any more is refused, on the CPU and on the GPU.
static void stale_batches_are_refused(void** state)
{
    (void)state;
    motionsOnGpu m;
    openMotions(&m, 0, wk_exactnessSpheres, true);
    assert_int_equal(tryGpu(&m), wk_ok);
    wkAddSphere(m.c.all.scene, "new", 0.4, wkMakePose(0.3, 0.1, 0.5));
    assert_int_equal(wkCudaBatch_CheckMotions(m.onGpu, m.c.rows, m.c.ends, m.count, NULL, m.found),
                     wk_errorState);
    for (int32_t i = 0; i < m.count; i++) {
        assert_int_equal(m.found[i].verdict, wk_verdictInvalid);
    }
    assert_int_equal(wkBatch_Refresh(m.batch), wk_ok);
    assert_int_equal(wkCudaBatch_CheckMotions(m.onGpu, m.c.rows, m.c.ends, m.count, NULL, m.found),
                     wk_errorState);
    assert_non_null(strstr(wkGetLastError(), "wkCudaBatch_Refresh"));
    assert_int_equal(wkCudaBatch_Refresh(m.onGpu), wk_ok);
    wkMotionRequest request = wkDefaultMotionRequest();
    checkCertified(&m, &request, 0);
    closeGpu(&m);
    closeMotions(&m);
}

static void arguments_are_checked(void** state)
{
    (void)state;
    motionsOnGpu m;
    openMotions(&m, 0, wk_exactnessSpheres, true);
    assert_int_equal(tryGpu(&m), wk_ok);
    const double *from = m.c.rows, *to = m.c.ends;
    wkBatchMotionResult* found = m.found;
    wkCudaBatch* b = m.onGpu;
    assert_int_equal(wkCudaBatch_CheckMotions(NULL, from, to, 1, NULL, found), wk_errorArgument);
    assert_int_equal(wkCudaBatch_CheckMotions(b, NULL, to, 1, NULL, found), wk_errorArgument);
    assert_int_equal(wkCudaBatch_CheckMotions(b, from, NULL, 1, NULL, found), wk_errorArgument);
    assert_int_equal(wkCudaBatch_CheckMotions(b, from, to, 1, NULL, NULL), wk_errorArgument);
    assert_int_equal(wkCudaBatch_CheckMotions(b, from, to, -1, NULL, found), wk_errorRange);
    assert_int_equal(wkCudaBatch_CheckMotions(b, NULL, NULL, 0, NULL, NULL), wk_ok);
    wkCudaMotionsRequest request = wkDefaultCudaMotionsRequest();
    request.where.asBits = true;
    assert_int_equal(wkCudaBatch_CheckMotions(b, from, to, 1, &request, found), wk_errorArgument);
    request = wkDefaultCudaMotionsRequest();
    request.where.fieldCount = 1; // without fields
    assert_int_equal(wkCudaBatch_CheckMotions(b, from, to, 1, &request, found), wk_errorArgument);
    request = wkDefaultCudaMotionsRequest();
    request.where.verdictsIn = (wkCudaMemory)2;
    assert_int_equal(wkCudaBatch_CheckMotions(b, from, to, 1, &request, found), wk_errorArgument);
    request = wkDefaultCudaMotionsRequest();
    request.motion.tolerance = 0.0;
    found[0].verdict = wk_verdictFree;
    assert_int_equal(wkCudaBatch_CheckMotions(b, from, to, 1, &request, found), wk_errorRange);
    assert_int_equal(found[0].verdict, wk_verdictUnchecked);
    request = wkDefaultCudaMotionsRequest();
    request.motion.cookie = 0;
    assert_int_equal(wkCudaBatch_CheckMotions(b, from, to, 1, &request, found), wk_errorArgument);
    wkCudaBatchDef def = wkDefaultCudaBatchDef();
    wkCudaBatch* other = NULL;
    def.cuda = m.cuda;
    def.batch = m.batch;
    const int64_t wrong[] = {-32, 1, 1 << 23, 33};
    for (int i = 0; i < 4; i++) {
        def.motionCount = wrong[i];
        assert_int_equal(wkCudaBatch_Create(&def, &other), wk_errorRange);
        assert_non_null(strstr(wkGetLastError(), "motionCount"));
    }
    def.motionCount = 0;
    def.pieceCount = PIECE;
    assert_int_equal(wkCudaBatch_Create(&def, &other), wk_ok);
    assert_int_equal(wkCudaBatch_CheckMotions(other, from, to, 1, NULL, found), wk_errorState);
    wkCudaBatch_Destroy(other);
    closeGpu(&m);
    closeMotions(&m);
}

// Where the GPU fails, no motion is free.
static wkResult reportMotions(void* context)
{
    motionsOnGpu* m = (motionsOnGpu*)context;
    wkCudaMotionsRequest request = wkDefaultCudaMotionsRequest();
    wkResult result = tryGpu(m);
    for (int mode = 0; mode < 2 && result == wk_ok; mode++) {
        request.motion.isCertified = mode == 0;
        request.motion.step = 0.3;
        for (int32_t i = 0; i < 3; i++) {
            m->found[i].verdict = wk_verdictFree;
        }
        result = wkCudaBatch_CheckMotions(m->onGpu, m->c.rows, m->c.ends, 3, &request, m->found);
        for (int32_t i = 0; i < 3; i++) {
            assert_true((m->found[i].verdict == wk_verdictUnchecked) == (result != wk_ok));
        }
    }
    wkCudaBatch_Destroy(m->onGpu);
    wkCuda_Destroy(m->cuda);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    motionsOnGpu m;
    openMotions(&m, 1, wk_exactnessRefined, true);
    assert_true(failEverywhere(reportMotions, &m) > 0);
    closeMotions(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certified_motions_are_free_where_they_are_on_the_cpu),
        cmocka_unit_test(motions_in_steps_have_the_results_of_the_cpu),
        cmocka_unit_test(memory_and_numbers_change_nothing),
        cmocka_unit_test(short_queues_change_nothing),
        cmocka_unit_test(stale_batches_are_refused),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(any_call_may_fail),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
