// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Verdicts of batches on a GPU: those of the CPU for every configuration, in surroundings of all kinds, with every
// exactness, number type and memory; batches that are stale; failures of the GPU at every call.

#include "cuda/cuda_batch.h"
#include "failing_gpu.h"
#include "gpu_batch.h"
#include "gpu_kit.h"

#include <string.h>

static void verdicts_are_those_of_the_cpu(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        for (int exactness = 0; exactness < 4; exactness++) {
            batchOnGpu b;
            openBatch(&b, kind, (wkExactness)exactness, (kind + exactness) % 3 != 0);
            assert_int_equal(tryGpu(&b), wk_ok);
            checkAllWays(&b, 3 * kind % 16, 1);
            int64_t left = wkCudaBatch_Info(b.onGpu).leftCount;
            print_message("%s, %s: the CPU decides %.2f %%\n", wkSurroundingsKinds[kind].name,
                          wkExactnessName((wkExactness)exactness),
                          100.0 * (double)left / (double)b.count);
            closeGpu(&b);
            closeBatch(&b);
        }
    }
}

static void memory_and_numbers_change_nothing(void** state)
{
    (void)state;
    batchOnGpu b;
    openBatch(&b, 1, wk_exactnessRefined, true);
    assert_int_equal(tryGpu(&b), wk_ok);
    checkAllWays(&b, 0, 16);
    closeGpu(&b);
    closeBatch(&b);
}

// A batch that is not that of its scene any more is refused, on the CPU and on the GPU.
static void stale_batches_are_refused(void** state)
{
    (void)state;
    batchOnGpu b;
    openBatch(&b, 0, wk_exactnessSpheres, true);
    b.count = b.count < 300 ? b.count : 300;
    assert_int_equal(tryGpu(&b), wk_ok);
    wkAddSphere(b.c.all.scene, "new", 0.4, wkMakePose(0.3, 0.1, 0.5));
    uint8_t found[300];
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, b.count, NULL, found),
                     wk_errorState);
    for (int32_t i = 0; i < b.count; i++) {
        assert_int_equal(found[i], wk_verdictInvalid);
    }
    assert_int_equal(wkBatch_Refresh(b.batch), wk_ok);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, b.count, NULL, found),
                     wk_errorState);
    assert_non_null(strstr(wkGetLastError(), "wkCudaBatch_Refresh"));
    assert_int_equal(found[0], wk_verdictInvalid);
    assert_int_equal(wkCudaBatch_Refresh(b.onGpu), wk_ok);
    assert_int_equal(wkBatch_CheckStates(b.batch, NULL, b.c.rows, b.count, b.expected), wk_ok);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, b.count, NULL, found), wk_ok);
    compareVerdicts(&b, found, false);
    closeGpu(&b);
    closeBatch(&b);
}

// A robot may need more shared memory than a GPU has, and more for its pairs than there is for tables.
static void shared_memory_changes_nothing(void** state)
{
    (void)state;
    if (!emulatedIsUsed()) {
        skip();
    }
    for (int exactness = 0; exactness < 4; exactness += 3) {
        batchOnGpu b;
        openBatch(&b, 4, (wkExactness)exactness, true);
        emulatedSetShared(20000);
        assert_int_equal(tryGpu(&b), wk_ok);
        assert_false(wkCudaBatch_Info(b.onGpu).isShared);
        checkAllWays(&b, 6, 1);
        closeGpu(&b);
        emulatedSetShared((size_t)1 << 20);
        closeBatch(&b);
    }
}

// Batches share their kernels. What one of them lets these use must suffice for the others, too.
static void a_smaller_batch_leaves_a_larger_one_its_shared_memory(void** state)
{
    (void)state;
    batchOnGpu b[2];
    int32_t numbers[2];
    for (int i = 0; i < 2; i++) {
        openStates(&b[i], 4 * i, wk_exactnessRefined, false, 40);
        assert_int_equal(tryGpu(&b[i]), wk_ok);
        numbers[i] = b[i].onGpu->copy.view.numberCount;
    }
    batchOnGpu *larger = &b[numbers[1] > numbers[0]], *smaller = &b[numbers[1] <= numbers[0]];
    wkCudaBatch* again = NULL;
    wkCudaBatchDef def = wkDefaultCudaBatchDef();
    def.cuda = smaller->cuda;
    def.batch = smaller->batch;
    def.pieceCount = 1024;
    assert_int_equal(wkCudaBatch_Create(&def, &again), wk_ok);
    uint8_t found[40];
    float clearances[40], expected[40];
    assert_int_equal(wkCudaBatch_CheckStates(larger->onGpu, larger->c.rows, 40, NULL, found),
                     wk_ok);
    compareVerdicts(larger, found, false);
    assert_int_equal(
        wkCudaBatch_Clearances(larger->onGpu, larger->c.rows, 40, NULL, 0.3, clearances), wk_ok);
    assert_int_equal(wkBatch_Clearances(larger->batch, NULL, larger->c.rows, 40, 0.3, expected),
                     wk_ok);
    assert_memory_equal(clearances, expected, sizeof expected);
    wkBatchMotionResult motions[8];
    assert_int_equal(
        wkCudaBatch_CheckMotions(larger->onGpu, larger->c.rows, larger->c.rows, 8, NULL, motions),
        wk_ok);
    wkCudaBatch_Destroy(again);
    for (int i = 0; i < 2; i++) {
        wkCudaBatch_Destroy(b[i].onGpu);
        wkCuda_Destroy(b[i].cuda);
        closeBatch(&b[i]);
    }
    assert_int_equal(emulatedByteCount(), 0);
}

#define CHAIN_LINKS 30

// A robot of many links, so that its pairs of links are not in shared memory.
static wkRobot* makeChain(void)
{
    static char names[CHAIN_LINKS][24];
    const char* links[CHAIN_LINKS];
    wkJointDef joints[CHAIN_LINKS - 1];
    wkBodyDef bodies[CHAIN_LINKS];
    for (int i = 0; i < CHAIN_LINKS; i++) {
        snprintf(names[i], sizeof names[i], "link %d", i);
        links[i] = names[i];
        bodies[i] = (wkBodyDef){names[i], NULL, wkMakeSphere(0.04), wkIdentityPose()};
    }
    for (int i = 0; i < CHAIN_LINKS - 1; i++) {
        joints[i] = wkDefaultJointDef();
        joints[i].name = names[i + 1];
        joints[i].type = wk_jointRevolute;
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].axis = i % 2 == 0 ? (wkVec3d){0.0, 1.0, 0.0} : (wkVec3d){0.0, 0.0, 1.0};
        joints[i].origin = wkMakePose(0.1, 0.0, 0.0);
        joints[i].lower = -2.0;
        joints[i].upper = 2.0;
    }
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = CHAIN_LINKS;
    def.joints = joints;
    def.jointCount = CHAIN_LINKS - 1;
    def.bodies = bodies;
    def.bodyCount = CHAIN_LINKS;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Create(&def, &robot), wk_ok);
    return robot;
}

static void clearances_need_no_more_shared_memory_than_verdicts(void** state)
{
    (void)state;
    wkRobot* robot = makeChain();
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = robot;
    wkRobotScene* scene = NULL;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &scene), wk_ok);
    wkAddSphere(scene, "obstacle", 0.2, wkMakePose(1.0, 0.0, 0.5));
    wkSphereModel* spheres = wkSpheresOnBodies(robot, 1.0);
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = scene;
    def.spheres = spheres;
    def.exactness = wk_exactnessSpheres;
    wkBatch* batch = wkCreateBatch(&def);
    wkCuda* cuda = NULL;
    wkCudaBatch* onGpu = NULL;
    // the least shared memory that verdicts use
    for (size_t bytes = 20000; onGpu == NULL; bytes += 2000) {
        emulatedSetShared(bytes);
        assert_int_equal(createOnGpu(batch, 64, &cuda, &onGpu), wk_ok);
        if (!wkCudaBatch_Info(onGpu).isShared) {
            destroyOnGpu(cuda, onGpu);
            onGpu = NULL;
        }
    }
    const wkDeviceTables* tables = &onGpu->copy.view.tables;
    assert_true(tables->sharedByteCount < tables->byteCount);
    double* rows = wkRandomRows(robot, 5, 64);
    float clearances[64], expected[64];
    assert_int_equal(wkCudaBatch_Clearances(onGpu, rows, 64, NULL, 0.3, clearances), wk_ok);
    assert_int_equal(wkBatch_Clearances(batch, NULL, rows, 64, 0.3, expected), wk_ok);
    assert_memory_equal(clearances, expected, sizeof expected);
    emulatedSetShared((size_t)1 << 20);
    free(rows);
    destroyOnGpu(cuda, onGpu);
    wkBatch_Destroy(batch);
    wkSphereModel_Destroy(spheres);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
}

static void arguments_are_checked(void** state)
{
    (void)state;
    batchOnGpu b;
    openBatch(&b, 0, wk_exactnessSpheres, true);
    assert_int_equal(tryGpu(&b), wk_ok);
    uint8_t found[4] = {9, 9, 9, 9};
    wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
    assert_int_equal(wkCudaBatch_CheckStates(NULL, b.c.rows, 1, NULL, found), wk_errorArgument);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, NULL, 1, NULL, found), wk_errorArgument);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, 1, NULL, NULL), wk_errorArgument);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, -1, NULL, found), wk_errorRange);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, NULL, 0, NULL, NULL), wk_ok);
    request.statesIn = (wkCudaMemory)2;
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, 1, &request, found),
                     wk_errorArgument);
    request = wkDefaultCudaStatesRequest();
    request.fieldCount = 5;
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, 1, &request, found), wk_errorRange);
    request.fieldCount = 1;
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, 1, &request, found),
                     wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "fields[0]"));
    wkCudaBatchDef def = wkDefaultCudaBatchDef();
    wkCudaBatch* other = NULL;
    assert_int_equal(wkCudaBatch_Create(&def, NULL), wk_errorArgument);
    assert_int_equal(wkCudaBatch_Create(&def, &other), wk_errorArgument);
    def.cuda = b.cuda;
    assert_int_equal(wkCudaBatch_Create(&def, &other), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "batch is NULL"));
    def.batch = b.batch;
    const int64_t wrong[] = {0, -32, 1000, 1 << 27, 1025};
    for (int i = 0; i < 5; i++) {
        def.pieceCount = wrong[i];
        assert_int_equal(wkCudaBatch_Create(&def, &other), wk_errorRange);
        assert_null(other);
    }
    assert_int_equal(wkCudaBatch_Refresh(NULL), wk_errorArgument);
    wkCudaBatch_Destroy(NULL);
    assert_int_equal(wkCudaBatch_Info(NULL).byteCount, 0);
    closeGpu(&b);
    closeBatch(&b);
}

// Where the GPU fails, no configuration is free.
static wkResult checkOnce(void* context)
{
    batchOnGpu* b = (batchOnGpu*)context;
    uint8_t found[40];
    memset(found, wk_verdictFree, sizeof found);
    wkResult result = tryGpu(b);
    if (result == wk_ok) {
        result = wkCudaBatch_CheckStates(b->onGpu, b->c.rows, 40, NULL, found);
        for (int32_t i = 0; i < 40; i++) {
            assert_int_equal(found[i], result == wk_ok ? b->expected[i] : wk_verdictUnchecked);
        }
    }
    wkCudaBatch_Destroy(b->onGpu);
    wkCuda_Destroy(b->cuda);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    batchOnGpu b;
    openBatch(&b, 1, wk_exactnessRefined, true);
    assert_true(failEverywhere(checkOnce, &b) > 0);
    closeBatch(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_the_cpu),
        cmocka_unit_test(memory_and_numbers_change_nothing),
        cmocka_unit_test(stale_batches_are_refused),
        cmocka_unit_test(shared_memory_changes_nothing),
        cmocka_unit_test(a_smaller_batch_leaves_a_larger_one_its_shared_memory),
        cmocka_unit_test(clearances_need_no_more_shared_memory_than_verdicts),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(any_call_may_fail),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
