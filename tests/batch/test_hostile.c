// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What batches say to input that is hostile, and what becomes of them when memory runs out.

#include "batch_kit.h"
#include "memory/failing.h"
#include "memory/malloc_hook.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <string.h>

#define STATE_COUNT WK_CASES(800)
#define MOTION_COUNT 64

static void failing_memory_is_survived(void** state)
{
    (void)state;
    wkBatchCase c;
    wkMakeBatchCase(&c, 0, false, STATE_COUNT, MOTION_COUNT);
    c.def.cellSize = 0.3;
    const wkParallel two = {.threadCount = 2};
    c.def.parallel = &two;
    wkBatch* kept = wkCreateBatch(&c.def);
    bool isMade = false, isRefreshed = false, hasContext = false;
    for (long n = 0; !isMade || !isRefreshed || !hasContext; ++n) {
        failing f = {0, n, 0};
        wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
        wkSetAllocator(&allocator);
        wkBatch* batch = NULL;
        isMade = wkBatch_Create(&c.def, &batch) == wk_ok;
        assert_int_equal(batch != NULL, isMade);
        wkBatch_Destroy(batch);
        assert_int_equal(f.allocatedBytes, 0);
        f.callCount = 0;
        wkBatchContext* context = NULL;
        hasContext = wkBatchContext_Create(kept, &context) == wk_ok;
        assert_int_equal(context != NULL, hasContext);
        wkBatchContext_Destroy(context);
        assert_int_equal(f.allocatedBytes, 0);
        f.callCount = 0;
        isRefreshed = wkBatch_Refresh(kept) == wk_ok;
        uint8_t verdict = WK_VERDICT_COUNT;
        assert_int_equal(wkBatch_CheckStates(kept, NULL, c.rows, 1, &verdict), wk_ok);
        assert_true(verdict < WK_VERDICT_COUNT);
        wkSetAllocator(NULL);
    }
    wkBatch_Destroy(kept);
    wkFreeBatchCase(&c);
}

static void queries_allocate_nothing(void** state)
{
    (void)state;
    if (!wkHasMallocHook()) {
        skip();
    }
    wkBatchCase c;
    wkMakeBatchCase(&c, 2, true, STATE_COUNT, MOTION_COUNT);
    c.def.exactness = wk_exactnessFilter;
    const wkParallel two = {.threadCount = 2};
    c.def.parallel = &two;
    wkBatch* batch = wkCreateBatch(&c.def);
    wkBatchContext* contexts[2] = {NULL, NULL}; // the threads of the batch, and the calling one
    assert_int_equal(wkBatchContext_Create(batch, &contexts[1]), wk_ok);
    static uint8_t verdicts[STATE_COUNT];
    static float clearances[STATE_COUNT];
    static wkBatchMotionResult results[MOTION_COUNT];
    long before = wkMallocCalls();
    for (int i = 0; i < 2; ++i) {
        wkBatch_CheckStates(batch, contexts[i], c.rows, STATE_COUNT, verdicts);
        wkBatch_Clearances(batch, contexts[i], c.rows, 200, 0.05, clearances);
        wkBatch_CheckMotions(batch, contexts[i], c.rows, c.ends, MOTION_COUNT, NULL, results);
    }
    assert_int_equal(wkMallocCalls(), before);
    wkBatchContext_Destroy(contexts[1]);
    wkBatch_Destroy(batch);
    wkFreeBatchCase(&c);
}

static void bad_definitions_are_named(void** state)
{
    (void)state;
    wkBatchCase c;
    wkMakeBatchCase(&c, 0, false, STATE_COUNT, MOTION_COUNT);
    wkBatchDef bad[9];
    for (int i = 0; i < 9; ++i) {
        bad[i] = c.def;
    }
    bad[0].scene = NULL;
    bad[1].margin = NAN;
    bad[2].margin = -1.0;
    bad[3].cellSize = -1.0;
    bad[4].base.position.x = NAN;
    bad[5].depthMapCount = 1;
    bad[6].cookie = 0;
    bad[7].margin = 1e300;
    bad[8].backend = (wkBackend)7;
    static const char* const words[9] = {"scene",
                                         "margin",
                                         "margin",
                                         "cellSize",
                                         "base",
                                         "depthMaps",
                                         "wkDefaultBatchDef",
                                         "margin",
                                         "backend is 7, expected 0 (cpu)"};
    for (int i = 0; i < 9; ++i) {
        wkBatch* batch = (wkBatch*)&c;
        assert_int_not_equal(wkBatch_Create(&bad[i], &batch), wk_ok);
        assert_null(batch);
        assert_non_null(strstr(wkGetLastError(), words[i]));
    }
    wkBatch* batch = wkCreateBatch(&c.def);
    uint8_t verdict = 0;
    float clearance = 0.0f;
    assert_int_equal(wkBatch_CheckStates(NULL, NULL, c.rows, 1, &verdict), wk_errorArgument);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, NULL, 1, &verdict), wk_errorArgument);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, c.rows, 1, NULL), wk_errorArgument);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, c.rows, -1, &verdict), wk_errorRange);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, NULL, 0, NULL), wk_ok);
    assert_int_equal(wkBatch_Clearances(batch, NULL, c.rows, 1, 0.0, &clearance), wk_errorRange);
    assert_int_equal(wkBatch_Clearances(batch, NULL, c.rows, 1, NAN, &clearance), wk_errorRange);
    wkBatch_Destroy(batch);
    wkBatch_Destroy(NULL);
    wkFreeBatchCase(&c);
}

// Contexts of another batch, and those that are older than a refresh.
static void contexts_that_do_not_fit_are_refused(void** state)
{
    (void)state;
    wkBatchCase c;
    wkMakeBatchCase(&c, 0, false, STATE_COUNT, MOTION_COUNT);
    wkBatch *batch = wkCreateBatch(&c.def), *other = wkCreateBatch(&c.def);
    wkBatchContext* context = (wkBatchContext*)&c;
    assert_int_equal(wkBatchContext_Create(NULL, &context), wk_errorArgument);
    assert_null(context);
    assert_int_equal(wkBatchContext_Create(batch, NULL), wk_errorArgument);
    assert_int_equal(wkBatchContext_Create(batch, &context), wk_ok);
    uint8_t verdict = wk_verdictFree;
    float number = 0.0f;
    wkBatchMotionResult result;
    assert_int_equal(wkBatch_CheckStates(batch, context, c.rows, 1, &verdict), wk_ok);
    for (int i = 0; i < 2; ++i) {
        const wkBatch* asked = i == 0 ? other : batch;
        wkResult expected = i == 0 ? wk_errorArgument : wk_errorState;
        if (i == 1) {
            assert_int_equal(wkBatch_Refresh(batch), wk_ok);
        }
        assert_int_equal(wkBatch_CheckStates(asked, context, c.rows, 1, &verdict), expected);
        assert_int_equal(verdict, wk_verdictUnchecked);
        assert_non_null(strstr(wkGetLastError(), i == 0 ? "another batch" : "wkBatch_Refresh"));
        assert_int_equal(wkBatch_Clearances(asked, context, c.rows, 1, 0.1, &number), expected);
        assert_true(isnan(number));
        assert_int_equal(wkBatch_CheckMotions(asked, context, c.rows, c.ends, 1, NULL, &result),
                         expected);
        assert_int_equal(result.verdict, wk_verdictUnchecked);
        static float spheres[4 * 1024];
        int32_t sphereCount = wkBatch_Info(asked).robotSphereCount;
        assert_in_range(sphereCount, 1, 1024);
        memset(spheres, 0, sizeof spheres);
        assert_int_equal(wkBatch_PlaceSpheres(asked, context, c.rows, 1, spheres), expected);
        assert_true(isnan(spheres[0]) && isnan(spheres[4 * sphereCount - 1]));
    }
    wkBatchContext_Destroy(context);
    wkBatchContext_Destroy(NULL);
    wkBatch_Destroy(other);
    wkBatch_Destroy(batch);
    wkFreeBatchCase(&c);
}

// Whatever the caller's memory held before, a call that is refused leaves no row that reads as free.
static void refused_calls_leave_nothing_free(void** state)
{
    (void)state;
    wkBatchCase c;
    wkMakeBatchCase(&c, 0, false, STATE_COUNT, MOTION_COUNT);
    wkBatch* batch = wkCreateBatch(&c.def);
    const uint8_t unchecked[4] = {wk_verdictUnchecked, wk_verdictUnchecked, wk_verdictUnchecked,
                                  wk_verdictUnchecked};
    uint8_t verdicts[4];
    float clearances[4];
    wkBatchMotionResult results[4];
    wkMotionRequest bad = wkDefaultMotionRequest();
    bad.step = 0.0;
    const double* const rows[3] = {NULL, c.rows, c.rows};
    const wkBatch* const batches[3] = {batch, NULL, batch};
    for (int k = 0; k < 3; ++k) {
        memset(verdicts, wk_verdictFree, sizeof verdicts);
        for (int i = 0; i < 4; ++i) {
            clearances[i] = 1.0f;
            results[i] = (wkBatchMotionResult){wk_verdictFree, 1.0f, -1, 0};
        }
        if (k < 2) {
            assert_int_not_equal(wkBatch_CheckStates(batches[k], NULL, rows[k], 4, verdicts),
                                 wk_ok);
            assert_memory_equal(verdicts, unchecked, sizeof verdicts);
        }
        assert_int_not_equal(wkBatch_Clearances(batches[k], NULL, rows[k], 4, -1.0, clearances),
                             wk_ok);
        assert_int_not_equal(
            wkBatch_CheckMotions(batches[k], NULL, rows[k], c.ends, 4, &bad, results), wk_ok);
        for (int i = 0; i < 4; ++i) {
            assert_true(isnan(clearances[i]));
            assert_int_equal(results[i].verdict, wk_verdictUnchecked);
            assert_true(isnan(results[i].time));
        }
    }
    wkBatch_Destroy(batch);
    wkFreeBatchCase(&c);
}

// A batch checks what its definition says: options of checks that it would ignore are refused.
static void requests_with_checks_of_their_own_are_refused(void** state)
{
    (void)state;
    wkBatchCase c;
    wkMakeBatchCase(&c, 0, false, STATE_COUNT, MOTION_COUNT);
    wkBatch* batch = wkCreateBatch(&c.def);
    wkMotionRequest requests[5];
    for (int i = 0; i < 5; ++i) {
        requests[i] = wkDefaultMotionRequest();
    }
    requests[0].check.margin = 0.1;
    requests[1].check.group = 0;
    requests[2].check.checksSelf = false;
    requests[3].check.cookie = 0;
    requests[4].maxCheckCount = 0;
    for (int i = 0; i < 5; ++i) {
        wkBatchMotionResult result;
        assert_int_equal(
            wkBatch_CheckMotions(batch, NULL, c.rows, c.ends, 1, &requests[i], &result),
            i < 4 ? wk_errorArgument : wk_errorRange);
        assert_non_null(strstr(wkGetLastError(), i < 4 ? "check" : "maxCheckCount"));
        assert_int_equal(result.verdict, wk_verdictUnchecked);
    }
    wkBatch_Destroy(batch);
    wkFreeBatchCase(&c);
}

static void numbers_that_are_none_are_invalid(void** state)
{
    (void)state;
    wkBatchCase c;
    wkMakeBatchCase(&c, 0, false, STATE_COUNT, MOTION_COUNT);
    int32_t length = wkRobot_Info(c.all.robot).variableCount;
    wkBatch* batch = wkCreateBatch(&c.def);
    uint8_t before[64], verdicts[64];
    float clearances[64];
    wkBatchMotionResult results[64];
    assert_int_equal(wkBatch_CheckStates(batch, NULL, c.rows, 64, before), wk_ok);
    static const double odd[4] = {NAN, INFINITY, -INFINITY, 1e300};
    for (int i = 0; i < 64; i += 3) {
        c.rows[i * length + i % length] = odd[i / 3 % 4];
    }
    assert_int_equal(wkBatch_CheckStates(batch, NULL, c.rows, 64, verdicts), wk_ok);
    assert_int_equal(wkBatch_Clearances(batch, NULL, c.rows, 64, 0.1, clearances), wk_ok);
    assert_int_equal(wkBatch_CheckMotions(batch, NULL, c.rows, c.ends, 64, NULL, results), wk_ok);
    for (int i = 0; i < 64; ++i) {
        // what is huge but finite is beyond limits where there are any
        bool isOdd = i % 3 == 0, isHuge = isOdd && i / 3 % 4 == 3;
        if (isHuge) {
            assert_int_not_equal(verdicts[i], wk_verdictInvalid);
        } else {
            assert_int_equal(verdicts[i], isOdd ? wk_verdictInvalid : (wkVerdict)before[i]);
        }
        assert_int_equal(isnan(clearances[i]) != 0, isOdd && !isHuge);
        assert_true(!isOdd || isHuge || results[i].verdict == wk_verdictInvalid);
    }
    wkBatch_Destroy(batch);
    wkFreeBatchCase(&c);
}

static void robots_without_spheres_and_scenes_without_objects_are_dd(void** state)
{
    (void)state;
    wkRobot* robot;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = robot;
    wkRobotScene* scene;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &scene), wk_ok);
    double* rows = wkRandomRows(robot, 5, 40);
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = scene;
    static wkLinkSphere many[10000];
    wkRng rng = wkMakeRng(4);
    for (int i = 0; i < 10000; ++i) {
        wkLinkSphere sphere = {i % wkRobot_Info(robot).linkCount,
                               {{wkRngRange(&rng, -0.01, 0.01), 0.0, 0.0}, 1e-3}};
        many[i] = sphere;
    }
    for (int count = 0; count <= 10000; count += 10000) {
        wkSphereModel* model;
        assert_int_equal(wkSphereModel_Create(robot, many, count, &model), wk_ok);
        def.spheres = model;
        wkBatch* batch = NULL;
        if (count == 0) {
            // without spheres everything is free, so the caller has to allow it
            def.allowsEmpty = false;
            assert_int_equal(wkBatch_Create(&def, &batch), wk_errorArgument);
            assert_null(batch);
            assert_non_null(strstr(wkGetLastError(), "has no spheres"));
            def.allowsEmpty = true;
        }
        batch = wkCreateBatch(&def);
        uint8_t verdicts[40];
        float clearances[40];
        assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, 40, verdicts), wk_ok);
        assert_int_equal(wkBatch_Clearances(batch, NULL, rows, 3, 0.5, clearances), wk_ok);
        for (int i = 0; i < 40 && count == 0; ++i) {
            assert_int_equal(verdicts[i], wk_verdictFree);
        }
        assert_true(count > 0 || clearances[0] == 0.5f);
        assert_int_equal(wkBatch_Info(batch).sphereCount, count);
        wkBatch_Destroy(batch);
        wkSphereModel_Destroy(model);
    }
    free(rows);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
}

// A sphere that floats, near obstacles and far away from where lanes go.
static void robots_that_float_are_found_wherever_they_are(void** state)
{
    (void)state;
    const char* links[2] = {"world", "body"};
    wkJointDef joint = wkDefaultJointDef();
    joint.name = "float";
    joint.type = wk_jointFloating;
    joint.parent = "world";
    joint.child = "body";
    wkBodyDef body = {"body", NULL, wkMakeSphere(0.1), wkIdentityPose()};
    wkRobotDef robotDef = wkDefaultRobotDef();
    robotDef.links = links;
    robotDef.linkCount = 2;
    robotDef.joints = &joint;
    robotDef.jointCount = 1;
    robotDef.bodies = &body;
    robotDef.bodyCount = 1;
    wkRobot* robot;
    assert_int_equal(wkRobot_Create(&robotDef, &robot), wk_ok);
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = robot;
    wkRobotScene* scene;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &scene), wk_ok);
    static const double slots[4] = {0.0, 10.0, 1000.0, 1e7};
    for (int i = 0; i < 4; ++i) {
        char name[32];
        snprintf(name, sizeof name, "thing%d", i);
        assert_int_equal(wkAddSphere(scene, name, 0.2, wkMakePose(slots[i], 0.0, 0.0)), wk_ok);
    }
    wkLinkSphere sphere = {1, {{0.0, 0.0, 0.0}, 0.1}};
    wkBatchDef def = wkDefaultBatchDef();
    wkSphereModel* model;
    assert_int_equal(wkSphereModel_Create(robot, &sphere, 1, &model), wk_ok);
    def.scene = scene;
    def.spheres = model;
    wkBatch* batch = wkCreateBatch(&def);
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 2; ++k) {
            double q[7] = {slots[i] + (k == 0 ? 0.29 : 0.31), 0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
            double to[7] = {q[0] + 0.2, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
            uint8_t verdict = WK_VERDICT_COUNT;
            float clearance = -1.0f;
            wkBatchMotionResult result;
            wkVerdict expected = k == 0 ? wk_verdictWorld : wk_verdictFree;
            assert_int_equal(wkBatch_CheckStates(batch, NULL, q, 1, &verdict), wk_ok);
            assert_int_equal(wkBatch_Clearances(batch, NULL, q, 1, 0.5, &clearance), wk_ok);
            assert_int_equal(wkBatch_CheckMotions(batch, NULL, q, to, 1, NULL, &result), wk_ok);
            assert_int_equal(verdict, expected);
            assert_int_equal(result.verdict, expected);
            // lanes that reach so far are coarser
            assert_true(k == 0 ? clearance <= 0.0f : fabs((double)clearance - 0.01) < 2e-3);
        }
    }
    wkBatch_Destroy(batch);
    wkSphereModel_Destroy(model);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_memory_is_survived),
        cmocka_unit_test(queries_allocate_nothing),
        cmocka_unit_test(bad_definitions_are_named),
        cmocka_unit_test(contexts_that_do_not_fit_are_refused),
        cmocka_unit_test(refused_calls_leave_nothing_free),
        cmocka_unit_test(requests_with_checks_of_their_own_are_refused),
        cmocka_unit_test(numbers_that_are_none_are_invalid),
        cmocka_unit_test(robots_without_spheres_and_scenes_without_objects_are_dd),
        cmocka_unit_test(robots_that_float_are_found_wherever_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
