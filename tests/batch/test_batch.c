// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What changes nothing: the instruction set and threads. And what batches, their clearances and their
// spheres have to do with shapes.

#include "batch/batch_kernel.h"
#include "batch_kit.h"

#include <math.h>
#include <string.h>

#define STATE_COUNT WK_CASES(800)
#define MOTION_COUNT 64
#define MANY_STATES WK_CASES(WK_CASES(200000))

// Everything that a batch can be asked.
typedef struct answers {
    uint8_t verdicts[STATE_COUNT];
    float clearances[STATE_COUNT];
    wkBatchMotionResult certified[MOTION_COUNT];
    wkBatchMotionResult stepped[MOTION_COUNT];
} answers;

static answers* askAll(const wkBatchCase* c, const wkBatch* batch)
{
    answers* a = (answers*)calloc(1, sizeof *a);
    assert_non_null(a);
    wkMotionRequest motion = wkDefaultMotionRequest();
    assert_int_equal(wkBatch_CheckStates(batch, NULL, c->rows, STATE_COUNT, a->verdicts), wk_ok);
    assert_int_equal(wkBatch_Clearances(batch, NULL, c->rows, STATE_COUNT, 0.05, a->clearances),
                     wk_ok);
    assert_int_equal(
        wkBatch_CheckMotions(batch, NULL, c->rows, c->ends, MOTION_COUNT, &motion, a->certified),
        wk_ok);
    motion.isCertified = false;
    motion.wantsFirst = true;
    assert_int_equal(
        wkBatch_CheckMotions(batch, NULL, c->rows, c->ends, MOTION_COUNT, &motion, a->stepped),
        wk_ok);
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
        wkBatchCase c;
        wkMakeBatchCase(&c, kind, kind == 3, STATE_COUNT, MOTION_COUNT);
        wkBatch* batch = wkCreateBatch(&c.def);
        answers* first = askAll(&c, batch);
        int count = 0;
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            const wkBatchKernels* lanes = wkBatchKernelsOf((wkIsa)isa);
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
        wkFreeBatchCase(&c);
    }
}

// Verdicts of so many configurations that every way through the lanes is taken.
static void hundreds_of_thousands_of_verdicts_are_the_same_bytes(void** state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind += 2) {
        wkBatchCase c;
        wkMakeBatchCase(&c, kind, false, MANY_STATES, 1);
        wkBatch* batch = wkCreateBatch(&c.def);
        uint8_t* first = (uint8_t*)malloc(MANY_STATES);
        uint8_t* other = (uint8_t*)malloc(MANY_STATES);
        assert_non_null(first);
        assert_non_null(other);
        wkBatch_UseLanes(batch, wkBatchKernelsOf(wk_isaScalar));
        assert_int_equal(wkBatch_CheckStates(batch, NULL, c.rows, MANY_STATES, first), wk_ok);
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            const wkBatchKernels* lanes = wkBatchKernelsOf((wkIsa)isa);
            if (lanes != NULL && isa != wk_isaScalar) {
                wkBatch_UseLanes(batch, lanes);
                assert_int_equal(wkBatch_CheckStates(batch, NULL, c.rows, MANY_STATES, other),
                                 wk_ok);
                assert_memory_equal(first, other, MANY_STATES);
            }
        }
        free(first);
        free(other);
        wkBatch_Destroy(batch);
        wkFreeBatchCase(&c);
    }
}

static void threads_give_the_same_answers(void** state)
{
    (void)state;
    wkBatchCase c;
    wkMakeBatchCase(&c, 0, false, STATE_COUNT, MOTION_COUNT);
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
    wkFreeBatchCase(&c);
}

static void clearances_are_never_above_the_plain_ones(void** state)
{
    (void)state;
    int nearCount = 0;
    for (int kind = 0; kind < 4; ++kind) {
        wkBatchCase c;
        wkMakeBatchCase(&c, kind, false, STATE_COUNT, MOTION_COUNT);
        int32_t length = wkRobot_Info(c.all.robot).variableCount;
        wkBatch* batch = wkCreateBatch(&c.def);
        wkPlainBatch plain = wkMakePlainBatch(&c.def);
        float clearances[STATE_COUNT / 8];
        assert_int_equal(wkBatch_Clearances(batch, NULL, c.rows, STATE_COUNT / 8, 0.05, clearances),
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
        wkFreeBatchCase(&c);
    }
    assert_true(nearCount > WK_CASES(10));
}

static void what_shapes_touch_spheres_do_not_miss(void** state)
{
    (void)state;
    wkBatchCase c;
    wkMakeBatchCase(&c, 4, true, STATE_COUNT, MOTION_COUNT);
    // spheres that cover the robot, for both batches; coarse ones take less time
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.accuracy = 0.03;
    wkSphereModel* fitted = NULL;
    assert_int_equal(wkSphereModel_Fit(c.all.robot, &fit, &fitted), wk_ok);
    c.def.spheres = fitted;
    wkBatch* batch = wkCreateBatch(&c.def);
    c.def.exactness = wk_exactnessFilter;
    wkBatch* filter = wkCreateBatch(&c.def);
    int32_t length = wkRobot_Info(c.all.robot).variableCount, touchCount = 0, freeCount = 0;
    uint8_t spheres[STATE_COUNT], both[STATE_COUNT];
    assert_int_equal(wkBatch_CheckStates(batch, NULL, c.rows, STATE_COUNT, spheres), wk_ok);
    assert_int_equal(wkBatch_CheckStates(filter, NULL, c.rows, STATE_COUNT, both), wk_ok);
    for (int i = 0; i < STATE_COUNT; ++i) {
        assert_int_equal(wkRobotState_Set(c.all.state, c.def.base, c.rows + i * length), wk_ok);
        wkVerdict verdict = wkRobotScene_Check(c.all.scene, c.all.state, NULL).verdict;
        assert_int_equal(both[i], verdict);
        assert_true(spheres[i] != wk_verdictFree || verdict == wk_verdictFree);
        touchCount += verdict != wk_verdictFree;
        freeCount += verdict == wk_verdictFree && spheres[i] == wk_verdictFree;
    }
    assert_true(touchCount > WK_CASES(40) && freeCount > WK_CASES(40));
    wkBatchMotionResult results[MOTION_COUNT];
    assert_int_equal(
        wkBatch_CheckMotions(filter, NULL, c.rows, c.ends, MOTION_COUNT, NULL, results), wk_ok);
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
    wkFreeBatchCase(&c);
}

static void spheres_are_where_the_model_puts_them(void** state)
{
    (void)state;
    wkBatchCase c;
    wkMakeBatchCase(&c, 0, false, STATE_COUNT, MOTION_COUNT);
    wkBatch* batch = wkCreateBatch(&c.def);
    int32_t count = wkSphereModel_Info(c.model).sphereCount;
    int32_t length = wkRobot_Info(c.all.robot).variableCount;
    float* spheres = (float*)malloc((size_t)count * 50 * 4 * sizeof *spheres);
    wkSphere3d* plain = (wkSphere3d*)malloc((size_t)count * sizeof *plain);
    assert_int_equal(wkBatch_PlaceSpheres(batch, NULL, c.rows, 50, spheres), wk_ok);
    for (int i = 0; i < 50; ++i) {
        wkSphereModel_PlaceLinks(c.model, c.def.base, c.rows + i * length, plain);
        for (int k = 0; k < count; ++k) {
            const float* b = spheres + 4 * (i * count + k);
            assert_true(fabs((double)b[0] - plain[k].center.x) < 1e-4);
            assert_true(fabs((double)b[1] - plain[k].center.y) < 1e-4);
            assert_true(fabs((double)b[2] - plain[k].center.z) < 1e-4);
            assert_true((double)b[3] >= plain[k].radius &&
                        (double)b[3] < plain[k].radius + WK_BATCH_BAND);
        }
    }
    free(spheres);
    free(plain);
    wkBatch_Destroy(batch);
    wkFreeBatchCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_gives_the_same_answers),
        cmocka_unit_test(hundreds_of_thousands_of_verdicts_are_the_same_bytes),
        cmocka_unit_test(threads_give_the_same_answers),
        cmocka_unit_test(clearances_are_never_above_the_plain_ones),
        cmocka_unit_test(what_shapes_touch_spheres_do_not_miss),
        cmocka_unit_test(spheres_are_where_the_model_puts_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
