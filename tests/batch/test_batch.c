// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What changes nothing: the instruction set, threads, memory that runs out. And what batches say to
// input that is hostile.

#include "batch/batch_lanes.h"
#include "batch_kit.h"
#include "memory/failing.h"
#include "memory/malloc_hook.h"

#include <math.h>
#include <string.h>

#define STATE_COUNT WK_CASES(800)
#define MOTION_COUNT 64

// Everything that a batch can be asked.
typedef struct answers {
    uint8_t verdicts[STATE_COUNT];
    float clearances[STATE_COUNT];
    wkBatchMotionResult certified[MOTION_COUNT];
    wkBatchMotionResult stepped[MOTION_COUNT];
} answers;

typedef struct batchCase {
    wkSurroundings all;
    wkSphereModel* model;
    wkBatchDef def;
    double* rows;
    double* ends;
} batchCase;

static void makeCase(batchCase* c, int kind, bool isHolding)
{
    wkSurroundingsKind one = wkSurroundingsKinds[kind];
    one.isHolding = isHolding;
    wkMakeSurroundings(&one, 29, &c->all);
    c->model = wkBallsOnBodies(c->all.robot, 0.6);
    c->def = wkDefaultBatchDef();
    c->def.scene = c->all.scene;
    c->def.spheres = c->model;
    c->def.cellSize = 0.08; // made in less time
    c->rows = wkRandomRows(c->all.robot, 3, STATE_COUNT);
    c->ends = wkNeighbourRows(c->all.robot, c->rows, 4, MOTION_COUNT, 0.6);
    c->def.base = wkChooseBase(&c->def, c->rows, WK_CASES(200), isHolding ? 1 : 4);
}

static void freeCase(batchCase* c)
{
    free(c->rows);
    free(c->ends);
    wkSphereModel_Destroy(c->model);
    wkFreeSurroundings(&c->all);
}

static answers* askAll(const batchCase* c, const wkBatch* batch)
{
    answers* a = (answers*)calloc(1, sizeof *a);
    assert_non_null(a);
    wkBatchMotion motion = wkDefaultBatchMotion();
    assert_int_equal(wkBatch_CheckStates(batch, c->rows, STATE_COUNT, a->verdicts), wk_ok);
    assert_int_equal(wkBatch_Clearances(batch, c->rows, STATE_COUNT, 0.05, a->clearances), wk_ok);
    assert_int_equal(
        wkBatch_CheckMotions(batch, c->rows, c->ends, MOTION_COUNT, &motion, a->certified), wk_ok);
    motion.isCertified = false;
    motion.wantsFirst = true;
    assert_int_equal(
        wkBatch_CheckMotions(batch, c->rows, c->ends, MOTION_COUNT, &motion, a->stepped), wk_ok);
    return a;
}

static void assertSame(const answers* a, const answers* b)
{
    assert_memory_equal(a->verdicts, b->verdicts, sizeof a->verdicts);
    assert_memory_equal(a->clearances, b->clearances, sizeof a->clearances);
    for (int i = 0; i < MOTION_COUNT; ++i) {
        const wkBatchMotionResult* x[2] = {&a->certified[i], &a->stepped[i]};
        const wkBatchMotionResult* y[2] = {&b->certified[i], &b->stepped[i]};
        for (int k = 0; k < 2; ++k) {
            assert_int_equal(x[k]->verdict, y[k]->verdict);
            assert_true(x[k]->time == y[k]->time);
            assert_int_equal(x[k]->firstIndex, y[k]->firstIndex);
            assert_int_equal(x[k]->stepCount, y[k]->stepCount);
        }
    }
}

static void every_instruction_set_gives_the_same_answers(void** state)
{
    (void)state;
    for (int kind = 1; kind < 4; kind += 2) {
        batchCase c;
        makeCase(&c, kind, kind == 3);
        wkBatch* batch = wkCreateBatch(&c.def);
        answers* first = askAll(&c, batch);
        int count = 0;
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            const wkBatchLanes* lanes = wkBatchLanesOf((wkIsa)isa);
            if (lanes != NULL) {
                wkBatch_UseLanes(batch, lanes);
                answers* other = askAll(&c, batch);
                assertSame(first, other);
                free(other);
                ++count;
            }
        }
        assert_true(count > 1);
        free(first);
        wkBatch_Destroy(batch);
        freeCase(&c);
    }
}

static void threads_give_the_same_answers(void** state)
{
    (void)state;
    batchCase c;
    makeCase(&c, 0, false);
    wkBatch* batch = wkCreateBatch(&c.def);
    answers* first = askAll(&c, batch);
    wkBatch_Destroy(batch);
    wkParallel parallel = {NULL, NULL, 3};
    c.def.parallel = &parallel;
    batch = wkCreateBatch(&c.def);
    answers* second = askAll(&c, batch);
    assertSame(first, second);
    free(first);
    free(second);
    wkBatch_Destroy(batch);
    freeCase(&c);
}

static void clearances_are_never_above_the_plain_ones(void** state)
{
    (void)state;
    int nearCount = 0;
    for (int kind = 0; kind < 4; ++kind) {
        batchCase c;
        makeCase(&c, kind, false);
        int32_t length = wkRobot_Info(c.all.robot).variableCount;
        wkBatch* batch = wkCreateBatch(&c.def);
        wkPlainBatch plain = wkMakePlainBatch(&c.def);
        float clearances[STATE_COUNT / 8];
        assert_int_equal(wkBatch_Clearances(batch, c.rows, STATE_COUNT / 8, 0.05, clearances),
                         wk_ok);
        for (int i = 0; i < STATE_COUNT / 8; ++i) {
            wkPlainDistances d = wkPlainDistancesOf(&plain, c.rows + i * length, WK_BATCH_BAND);
            double truth = fmin(fmin(fmin(d.self, d.world), d.unknown), 0.05);
            double found = (double)clearances[i];
            assert_true(found <= truth + 1e-9);
            assert_true(truth <= 0.0 ? found <= 0.0 : found >= truth - WK_BATCH_BAND);
            nearCount += truth > 0.0 && truth < 0.05;
        }
        wkFreePlainBatch(&plain);
        wkBatch_Destroy(batch);
        freeCase(&c);
    }
    assert_true(nearCount > WK_CASES(10));
}

static void what_shapes_touch_balls_do_not_miss(void** state)
{
    (void)state;
    batchCase c;
    makeCase(&c, 4, true);
    // balls that cover the robot, for both batches; coarse ones take less time
    wkSphereFit fit = wkDefaultSphereFit();
    fit.accuracy = 0.05;
    wkSphereModel* fitted = NULL;
    assert_int_equal(wkSphereModel_Fit(c.all.robot, &fit, &fitted), wk_ok);
    c.def.spheres = fitted;
    wkBatch* batch = wkCreateBatch(&c.def);
    c.def.exactness = wk_exactnessFilter;
    wkBatch* filter = wkCreateBatch(&c.def);
    int32_t length = wkRobot_Info(c.all.robot).variableCount, touchCount = 0, freeCount = 0;
    uint8_t balls[STATE_COUNT], both[STATE_COUNT];
    assert_int_equal(wkBatch_CheckStates(batch, c.rows, STATE_COUNT, balls), wk_ok);
    assert_int_equal(wkBatch_CheckStates(filter, c.rows, STATE_COUNT, both), wk_ok);
    for (int i = 0; i < STATE_COUNT; ++i) {
        assert_int_equal(wkRobotState_Set(c.all.state, c.def.base, c.rows + i * length), wk_ok);
        wkVerdict verdict = wkRobotScene_Check(c.all.scene, c.all.state, NULL).verdict;
        assert_int_equal(both[i], verdict);
        assert_true(balls[i] != wk_verdictFree || verdict == wk_verdictFree);
        touchCount += verdict != wk_verdictFree;
        freeCount += verdict == wk_verdictFree && balls[i] == wk_verdictFree;
    }
    assert_true(touchCount > WK_CASES(40) && freeCount > WK_CASES(40));
    wkBatchMotionResult results[MOTION_COUNT];
    assert_int_equal(wkBatch_CheckMotions(filter, c.rows, c.ends, MOTION_COUNT, NULL, results),
                     wk_ok);
    for (int i = 0; i < MOTION_COUNT; ++i) {
        wkMotionResult exact = wkRobotScene_CheckMotion(
            c.all.scene, c.all.state, c.def.base, c.rows + i * length, c.ends + i * length, NULL);
        bool isFree = results[i].verdict == wk_verdictFree;
        assert_true(!isFree || exact.verdict == wk_verdictFree ||
                    exact.verdict == wk_verdictUncertain);
    }
    wkBatch_Destroy(batch);
    wkBatch_Destroy(filter);
    wkSphereModel_Destroy(fitted);
    freeCase(&c);
}

static void failing_memory_is_survived(void** state)
{
    (void)state;
    batchCase c;
    makeCase(&c, 0, false);
    c.def.cellSize = 0.3;
    wkBatch* kept = wkCreateBatch(&c.def);
    bool isMade = false, isRefreshed = false;
    for (long n = 0; !isMade || !isRefreshed; ++n) {
        failing f = {0, n, 0};
        wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
        wkSetAllocator(&allocator);
        wkBatch* batch = NULL;
        isMade = wkBatch_Create(&c.def, &batch) == wk_ok;
        assert_int_equal(batch != NULL, isMade);
        wkBatch_Destroy(batch);
        assert_int_equal(f.heldBytes, 0);
        f.callCount = 0;
        isRefreshed = wkBatch_Refresh(kept) == wk_ok;
        uint8_t verdict = wk_verdictCount;
        assert_int_equal(wkBatch_CheckStates(kept, c.rows, 1, &verdict), wk_ok);
        assert_true(verdict < wk_verdictCount);
        wkSetAllocator(NULL);
    }
    wkBatch_Destroy(kept);
    freeCase(&c);
}

static void queries_allocate_nothing(void** state)
{
    (void)state;
    if (!wkHasMallocHook()) {
        skip();
    }
    batchCase c;
    makeCase(&c, 2, true);
    c.def.exactness = wk_exactnessFilter;
    wkBatch* batch = wkCreateBatch(&c.def);
    static uint8_t verdicts[STATE_COUNT];
    static float clearances[STATE_COUNT];
    static wkBatchMotionResult results[MOTION_COUNT];
    long before = wkMallocCalls();
    wkBatch_CheckStates(batch, c.rows, STATE_COUNT, verdicts);
    wkBatch_Clearances(batch, c.rows, 200, 0.05, clearances);
    wkBatch_CheckMotions(batch, c.rows, c.ends, MOTION_COUNT, NULL, results);
    assert_int_equal(wkMallocCalls(), before);
    wkBatch_Destroy(batch);
    freeCase(&c);
}

static void bad_definitions_are_named(void** state)
{
    (void)state;
    batchCase c;
    makeCase(&c, 0, false);
    wkBatchDef bad[7];
    for (int i = 0; i < 7; ++i) {
        bad[i] = c.def;
    }
    bad[0].scene = NULL;
    bad[1].margin = NAN;
    bad[2].margin = -1.0;
    bad[3].cellSize = -1.0;
    bad[4].base.position.x = NAN;
    bad[5].depthMapCount = 1;
    bad[6].cookie = 0;
    static const char* const words[7] = {"scene", "margin",    "margin",           "cellSize",
                                         "base",  "depthMaps", "wkDefaultBatchDef"};
    for (int i = 0; i < 7; ++i) {
        wkBatch* batch = (wkBatch*)&c;
        assert_int_not_equal(wkBatch_Create(&bad[i], &batch), wk_ok);
        assert_null(batch);
        assert_non_null(strstr(wkGetLastError(), words[i]));
    }
    wkBatch* batch = wkCreateBatch(&c.def);
    uint8_t verdict = 0;
    float clearance = 0.0f;
    assert_int_equal(wkBatch_CheckStates(NULL, c.rows, 1, &verdict), wk_errorArgument);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, 1, &verdict), wk_errorArgument);
    assert_int_equal(wkBatch_CheckStates(batch, c.rows, 1, NULL), wk_errorArgument);
    assert_int_equal(wkBatch_CheckStates(batch, c.rows, -1, &verdict), wk_errorRange);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, 0, NULL), wk_ok);
    assert_int_equal(wkBatch_Clearances(batch, c.rows, 1, 0.0, &clearance), wk_errorRange);
    assert_int_equal(wkBatch_Clearances(batch, c.rows, 1, NAN, &clearance), wk_errorRange);
    wkBatch_Destroy(batch);
    wkBatch_Destroy(NULL);
    freeCase(&c);
}

static void numbers_that_are_none_are_invalid(void** state)
{
    (void)state;
    batchCase c;
    makeCase(&c, 0, false);
    int32_t length = wkRobot_Info(c.all.robot).variableCount;
    wkBatch* batch = wkCreateBatch(&c.def);
    uint8_t before[64], verdicts[64];
    float clearances[64];
    wkBatchMotionResult results[64];
    assert_int_equal(wkBatch_CheckStates(batch, c.rows, 64, before), wk_ok);
    static const double odd[4] = {NAN, INFINITY, -INFINITY, 1e300};
    for (int i = 0; i < 64; i += 3) {
        c.rows[i * length + i % length] = odd[i / 3 % 4];
    }
    assert_int_equal(wkBatch_CheckStates(batch, c.rows, 64, verdicts), wk_ok);
    assert_int_equal(wkBatch_Clearances(batch, c.rows, 64, 0.1, clearances), wk_ok);
    assert_int_equal(wkBatch_CheckMotions(batch, c.rows, c.ends, 64, NULL, results), wk_ok);
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
    freeCase(&c);
}

static void robots_without_balls_and_scenes_without_objects_are_fine(void** state)
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
    static wkLinkBall many[10000];
    wkRng rng = wkMakeRng(4);
    for (int i = 0; i < 10000; ++i) {
        wkLinkBall ball = {i % wkRobot_Info(robot).linkCount,
                           {{wkRngRange(&rng, -0.01, 0.01), 0.0, 0.0}, 1e-3}};
        many[i] = ball;
    }
    for (int count = 0; count <= 10000; count += 10000) {
        wkSphereModel* model;
        assert_int_equal(wkSphereModel_Create(robot, many, count, &model), wk_ok);
        def.spheres = model;
        wkBatch* batch = wkCreateBatch(&def);
        uint8_t verdicts[40];
        float clearances[40];
        assert_int_equal(wkBatch_CheckStates(batch, rows, 40, verdicts), wk_ok);
        assert_int_equal(wkBatch_Clearances(batch, rows, 3, 0.5, clearances), wk_ok);
        for (int i = 0; i < 40 && count == 0; ++i) {
            assert_int_equal(verdicts[i], wk_verdictFree);
        }
        assert_true(count > 0 || clearances[0] == 0.5f);
        assert_int_equal(wkBatch_Info(batch).ballCount, count);
        wkBatch_Destroy(batch);
        wkSphereModel_Destroy(model);
    }
    free(rows);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
}

// A ball that floats, near obstacles and far away from where lanes go.
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
    static const double places[4] = {0.0, 10.0, 1000.0, 1e7};
    for (int i = 0; i < 4; ++i) {
        char name[32];
        snprintf(name, sizeof name, "thing%d", i);
        assert_int_equal(wkAddBall(scene, name, 0.2, wkMakePose(places[i], 0.0, 0.0)), wk_ok);
    }
    wkLinkBall ball = {1, {{0.0, 0.0, 0.0}, 0.1}};
    wkBatchDef def = wkDefaultBatchDef();
    wkSphereModel* model;
    assert_int_equal(wkSphereModel_Create(robot, &ball, 1, &model), wk_ok);
    def.scene = scene;
    def.spheres = model;
    wkBatch* batch = wkCreateBatch(&def);
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 2; ++k) {
            double q[7] = {places[i] + (k == 0 ? 0.29 : 0.31), 0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
            double to[7] = {q[0] + 0.2, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
            uint8_t verdict = wk_verdictCount;
            float clearance = -1.0f;
            wkBatchMotionResult result;
            wkVerdict expected = k == 0 ? wk_verdictWorld : wk_verdictFree;
            assert_int_equal(wkBatch_CheckStates(batch, q, 1, &verdict), wk_ok);
            assert_int_equal(wkBatch_Clearances(batch, q, 1, 0.5, &clearance), wk_ok);
            assert_int_equal(wkBatch_CheckMotions(batch, q, to, 1, NULL, &result), wk_ok);
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

static void balls_are_where_the_model_puts_them(void** state)
{
    (void)state;
    batchCase c;
    makeCase(&c, 0, false);
    wkBatch* batch = wkCreateBatch(&c.def);
    int32_t count = wkSphereModel_Info(c.model).ballCount;
    int32_t length = wkRobot_Info(c.all.robot).variableCount;
    float* balls = (float*)malloc((size_t)count * 50 * 4 * sizeof *balls);
    wkBall* plain = (wkBall*)malloc((size_t)count * sizeof *plain);
    assert_int_equal(wkBatch_PlaceBalls(batch, c.rows, 50, balls), wk_ok);
    for (int i = 0; i < 50; ++i) {
        wkSphereModel_Place(c.model, c.def.base, c.rows + i * length, plain);
        for (int k = 0; k < count; ++k) {
            const float* b = balls + 4 * (i * count + k);
            assert_true(fabs((double)b[0] - plain[k].center.x) < 1e-4);
            assert_true(fabs((double)b[1] - plain[k].center.y) < 1e-4);
            assert_true(fabs((double)b[2] - plain[k].center.z) < 1e-4);
            assert_true((double)b[3] >= plain[k].radius &&
                        (double)b[3] < plain[k].radius + WK_BATCH_BAND);
        }
    }
    free(balls);
    free(plain);
    wkBatch_Destroy(batch);
    freeCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_gives_the_same_answers),
        cmocka_unit_test(threads_give_the_same_answers),
        cmocka_unit_test(clearances_are_never_above_the_plain_ones),
        cmocka_unit_test(what_shapes_touch_balls_do_not_miss),
        cmocka_unit_test(failing_memory_is_survived),
        cmocka_unit_test(queries_allocate_nothing),
        cmocka_unit_test(bad_definitions_are_named),
        cmocka_unit_test(numbers_that_are_none_are_invalid),
        cmocka_unit_test(robots_without_balls_and_scenes_without_objects_are_fine),
        cmocka_unit_test(robots_that_float_are_found_wherever_they_are),
        cmocka_unit_test(balls_are_where_the_model_puts_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
