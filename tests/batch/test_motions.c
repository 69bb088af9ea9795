// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Motions: what is certified is free wherever one looks, steps are those of the configurations alone,
// and the first contact is the first.

#include "batch_kit.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <string.h>

#define MOTION_COUNT WK_CASES(300)
#define SAMPLE_COUNT 64

typedef struct motionCase {
    wkSurroundings all;
    wkSphereModel* model;
    wkBatchDef def;
    wkBatch* batch;
    double* from;
    double* to;
    int32_t length;
} motionCase;

static void makeCase(motionCase* c, int kind)
{
    wkSurroundingsKind one = wkSurroundingsKinds[kind];
    wkMakeSurroundings(&one, 17 + (uint64_t)kind, &c->all);
    c->model = wkSpheresOnBodies(c->all.robot, 0.6);
    c->def = wkDefaultBatchDef();
    c->def.exactness = wk_exactnessSpheres; // the plain way knows spheres alone
    c->def.scene = c->all.scene;
    c->def.spheres = c->model;
    c->def.cellSize = 0.06; // made in less time
    c->from = wkRandomRows(c->all.robot, 3, MOTION_COUNT);
    c->def.base = wkChooseBase(&c->def, c->from, WK_CASES(200), 4);
    c->batch = wkCreateBatch(&c->def);
    c->to = wkNeighbourRows(c->all.robot, c->from, 4, MOTION_COUNT, 0.5);
    c->length = wkRobot_Info(c->all.robot).variableCount;
}

static void freeCase(motionCase* c)
{
    free(c->from);
    free(c->to);
    wkBatch_Destroy(c->batch);
    wkSphereModel_Destroy(c->model);
    wkFreeSurroundings(&c->all);
}

// The surroundings of all tests, made once.
#define CASE_COUNT 2
static motionCase cases[CASE_COUNT];

static int makeCases(void** state)
{
    (void)state;
    for (int i = 0; i < CASE_COUNT; ++i) {
        makeCase(&cases[i], i);
    }
    return 0;
}

static int freeCases(void** state)
{
    (void)state;
    for (int i = 0; i < CASE_COUNT; ++i) {
        freeCase(&cases[i]);
    }
    return 0;
}

// What the batch says about the motion at a time.
static wkVerdict verdictAt(const motionCase* c, int32_t motion, double time)
{
    double q[64];
    uint8_t verdict = WK_VERDICT_COUNT;
    wkRobot_Interpolate(c->all.robot, c->from + motion * c->length, c->to + motion * c->length,
                        time, q);
    assert_int_equal(wkBatch_CheckStates(c->batch, NULL, q, 1, &verdict), wk_ok);
    return (wkVerdict)verdict;
}

static void certified_motions_are_free_at_every_sample(void** state)
{
    (void)state;
    for (int kind = 0; kind < CASE_COUNT; ++kind) {
        const motionCase* c = &cases[kind];
        wkBatchMotionResult results[MOTION_COUNT];
        int32_t counts[WK_VERDICT_COUNT] = {0};
        assert_int_equal(
            wkBatch_CheckMotions(c->batch, NULL, c->from, c->to, MOTION_COUNT, NULL, results),
            wk_ok);
        for (int32_t i = 0; i < MOTION_COUNT; ++i) {
            ++counts[results[i].verdict];
            if (results[i].verdict == wk_verdictFree) {
                for (int k = 0; k <= SAMPLE_COUNT; ++k) {
                    assert_int_equal(verdictAt(c, i, (double)k / SAMPLE_COUNT), wk_verdictFree);
                }
            } else if (results[i].verdict != wk_verdictUncertain) {
                // what touches both itself and the world may be called either on a motion
                wkVerdict there = verdictAt(c, i, (double)results[i].time);
                bool isWorld = results[i].verdict == wk_verdictWorld;
                assert_true(there == results[i].verdict || (isWorld && there == wk_verdictSelf));
            }
        }
        print_message("free %d, self %d, world %d, uncertain %d\n", (int)counts[wk_verdictFree],
                      (int)counts[wk_verdictSelf], (int)counts[wk_verdictWorld],
                      (int)counts[wk_verdictUncertain]);
        assert_true(counts[wk_verdictFree] > 10 && counts[wk_verdictWorld] > 10);
        assert_true(counts[wk_verdictUncertain] < MOTION_COUNT / 20);
    }
}

static void steps_are_those_of_the_configurations(void** state)
{
    (void)state;
    const motionCase* c = &cases[0];
    for (int wantsFirst = 0; wantsFirst < 2; ++wantsFirst) {
        wkMotionRequest motion = wkDefaultMotionRequest();
        motion.isCertified = false;
        motion.step = 0.05;
        motion.wantsFirst = wantsFirst != 0;
        wkBatchMotionResult results[MOTION_COUNT];
        assert_int_equal(
            wkBatch_CheckMotions(c->batch, NULL, c->from, c->to, MOTION_COUNT, &motion, results),
            wk_ok);
        for (int32_t i = 0; i < MOTION_COUNT; ++i) {
            int32_t last = results[i].stepCount - 1, first = -1;
            wkVerdict verdict = wk_verdictFree;
            for (int32_t k = 0; k <= last && first < 0; ++k) {
                verdict = verdictAt(c, i, (double)k / last);
                first = verdict != wk_verdictFree ? k : -1;
            }
            assert_int_equal(results[i].verdict == wk_verdictFree, first < 0);
            if (first < 0) {
                assert_int_equal(results[i].firstIndex, -1);
                assert_true(results[i].time == 1.0f);
            } else if (motion.wantsFirst) {
                assert_int_equal(results[i].firstIndex, first);
                assert_int_equal(results[i].verdict, verdict);
            } else {
                double time = (double)results[i].firstIndex / last;
                assert_int_equal(results[i].verdict, verdictAt(c, i, time));
            }
        }
    }
}

static void certified_contacts_in_time_come_first(void** state)
{
    (void)state;
    const motionCase* c = &cases[1];
    wkMotionRequest motion = wkDefaultMotionRequest();
    motion.wantsFirst = true;
    wkBatchMotionResult results[MOTION_COUNT];
    assert_int_equal(
        wkBatch_CheckMotions(c->batch, NULL, c->from, c->to, MOTION_COUNT, &motion, results),
        wk_ok);
    int hitCount = 0;
    for (int32_t i = 0; i < MOTION_COUNT; ++i) {
        bool isHit = results[i].verdict == wk_verdictSelf || results[i].verdict == wk_verdictWorld;
        hitCount += isHit;
        for (int k = 0; k < SAMPLE_COUNT && isHit; ++k) {
            double time = (double)k / SAMPLE_COUNT;
            if (time < (double)results[i].time - 0.01) {
                assert_int_equal(verdictAt(c, i, time), wk_verdictFree);
            }
        }
    }
    assert_true(hitCount > WK_CASES(10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certified_motions_are_free_at_every_sample),
        cmocka_unit_test(steps_are_those_of_the_configurations),
        cmocka_unit_test(certified_contacts_in_time_come_first),
    };
    return cmocka_run_group_tests(tests, makeCases, freeCases);
}
