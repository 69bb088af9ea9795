// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Batches before depth images, with every policy about what was not seen: verdicts are those of every
// pixel, certified motions have no state that is not free, clearances know what verdicts know, and no row
// depends on its neighbours.

#include "../sense/depth_kit.h"
#include "batch_kit.h"

#include "batch/batch_kernel.h"
#include "math/vec.h"

#include "whisker/detail/counts.h"

#include <string.h>

#define STATE_COUNT WK_CASES(100)
#define MOTION_COUNT WK_CASES(15)
#define CAMERA_COUNT 2

typedef struct observedRoom {
    wkSurroundings all;
    wkSphereModel* model;
    wkDepthMap* maps[CAMERA_COUNT];
    wkBatchDef def;
} observedRoom;

// Two cameras that look at the robot from two sides, and not at all of it.
static void makeObservedRoom(int number, observedRoom* observed)
{
    wkRng rng = wkMakeRng(300u + (uint64_t)number);
    wkSurroundingsKind kind = wkSurroundingsKinds[number % WK_SURROUNDINGS_COUNT];
    kind.isHolding = false; // spheres of held objects are not for the plain way
    wkMakeSurroundings(&kind, 91 + (uint64_t)number, &observed->all);
    observed->model = wkSpheresOnBodies(observed->all.robot, 0.3);
    for (int i = 0; i < CAMERA_COUNT; ++i) {
        wkTestImage made = wkMakeTestImage(&rng, 96, 72);
        wkDepthMapDef trust = wkTestTrust(&rng);
        double side = i == 0 ? -1.0 : 1.0;
        made.image.pose = wkMakePoseRpy(wkVec(wkRngRange(&rng, -0.5, 0.5), 0.0, 2.5 * side),
                                        i == 0 ? 0.0 : 3.0, 0.1, 0.0);
        assert_int_equal(wkDepthMap_Create(96, 72, &observed->maps[i]), wk_ok);
        assert_int_equal(wkDepthMap_Update(observed->maps[i], &made.image, &trust, NULL), wk_ok);
        free(made.depths);
    }
    observed->def = wkDefaultBatchDef();
    observed->def.scene = observed->all.scene;
    observed->def.spheres = observed->model;
    observed->def.checksSelf = observed->def.checksWorld = false;
    observed->def.depthMaps = (const wkDepthMap* const*)observed->maps;
    observed->def.depthMapCount = 1 + number % CAMERA_COUNT;
    observed->def.occludedIsFree = number / 2 % 2 != 0;
    observed->def.unobservedIsFree = number / 4 % 2 != 0;
}

static void freeRoom(observedRoom* observed)
{
    for (int i = 0; i < CAMERA_COUNT; ++i) {
        wkDepthMap_Destroy(observed->maps[i]);
    }
    wkSphereModel_Destroy(observed->model);
    wkFreeSurroundings(&observed->all);
}

#define ROOM_COUNT 16

static void states_are_judged_as_by_pixels(void** state)
{
    (void)state;
    int32_t counts[WK_VERDICT_COUNT] = {0}, betweenCount = 0;
    for (int n = 0; n < ROOM_COUNT; ++n) {
        observedRoom observed;
        makeObservedRoom(n, &observed);
        int32_t length = wkRobot_Info(observed.all.robot).variableCount;
        double* rows = wkRandomRows(observed.all.robot, 5 + (uint64_t)n, STATE_COUNT);
        wkBatch* batch = wkCreateBatch(&observed.def);
        wkPlainBatch plain = wkMakePlainBatch(&observed.def);
        uint8_t verdicts[STATE_COUNT];
        float clearances[STATE_COUNT];
        assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, STATE_COUNT, verdicts), wk_ok);
        assert_int_equal(wkBatch_Clearances(batch, NULL, rows, STATE_COUNT, 0.1, clearances),
                         wk_ok);
        for (int32_t i = 0; i < STATE_COUNT; ++i) {
            const double* q = rows + (size_t)i * (size_t)length;
            wkPlainDistances distances = wkPlainDistancesOf(&plain, q, WK_BATCH_BAND);
            const char* fault =
                wkFindFault(&observed.def, &distances, (wkVerdict)verdicts[i], WK_BATCH_BAND);
            if (fault != NULL) {
                fail_msg("room %d, row %d is called %s, but %s", n, (int)i,
                         wkVerdictName((wkVerdict)verdicts[i]), fault);
            }
            assert_true(distances.depth == wk_verdictFree || clearances[i] <= 0.0f);
            // the scalar fallback counts the same space, but for what lanes add to radii
            wkBatchScratch* scratch = wkOwnScratch(batch);
            double far = wkScalarClearance(batch, scratch, q, 0.1);
            if (!(fabs((double)clearances[i] - far) <= WK_BATCH_BAND)) {
                fail_msg("room %d, row %d: clearance %g, by the scalar fallback %g", n, (int)i,
                         (double)clearances[i], far);
            }
            betweenCount += clearances[i] > 0.0f && clearances[i] < 0.1f;
            ++counts[verdicts[i]];
        }
        wkFreePlainBatch(&plain);
        wkBatch_Destroy(batch);
        free(rows);
        freeRoom(&observed);
    }
    print_message("free %d, world %d, unknown %d\n", (int)counts[wk_verdictFree],
                  (int)counts[wk_verdictWorld], (int)counts[wk_verdictUnknown]);
    assert_true(counts[wk_verdictFree] > WK_CASES(100) && betweenCount > WK_CASES(10));
    assert_true(counts[wk_verdictWorld] > WK_CASES(100));
    assert_true(counts[wk_verdictUnknown] > WK_CASES(100));
}

static void certified_motions_are_free_everywhere(void** state)
{
    (void)state;
    int freeCount = 0;
    for (int n = 0; n < ROOM_COUNT; ++n) {
        observedRoom observed;
        makeObservedRoom(n, &observed);
        int32_t length = wkRobot_Info(observed.all.robot).variableCount;
        double* from = wkRandomRows(observed.all.robot, 7 + (uint64_t)n, MOTION_COUNT);
        double* to = wkNeighbourRows(observed.all.robot, from, 8, MOTION_COUNT, 0.4);
        double* q = (double*)malloc((size_t)(length + 1) * sizeof(double));
        wkBatch* batch = wkCreateBatch(&observed.def);
        wkPlainBatch plain = wkMakePlainBatch(&observed.def);
        wkBatchMotionResult results[MOTION_COUNT];
        assert_int_equal(wkBatch_CheckMotions(batch, NULL, from, to, MOTION_COUNT, NULL, results),
                         wk_ok);
        for (int32_t i = 0; i < MOTION_COUNT; ++i) {
            freeCount += results[i].verdict == wk_verdictFree;
            for (int k = 0; k <= 20 && results[i].verdict == wk_verdictFree; ++k) {
                size_t at = (size_t)i * (size_t)length;
                wkRobot_Interpolate(observed.all.robot, from + at, to + at, k / 20.0, q);
                wkPlainDistances distances = wkPlainDistancesOf(&plain, q, WK_BATCH_BAND);
                assert_int_equal(distances.depth, wk_verdictFree);
            }
        }
        wkFreePlainBatch(&plain);
        wkBatch_Destroy(batch);
        free(q);
        free(to);
        free(from);
        freeRoom(&observed);
    }
    assert_true(freeCount > WK_CASES(10));
}

// Rows in which some joints are what they are in the first row. A few of these are far round: floats do
// not tell such angles apart, doubles do.
static void holdJoints(wkRng* rng, const wkRobot* robot, double* rows, int32_t count)
{
    int32_t length = wkRobot_Info(robot).variableCount;
    for (int32_t k = 0; k < length; ++k) {
        bool isKept = wkRngChance(rng, 2);
        bool isFar =
            wkRngChance(rng, 4) && wkRobot_Variable(robot, k).kind <= wk_variableContinuous;
        for (int32_t i = 0; i < count && isKept; ++i) {
            rows[i * length + k] = isFar ? 1e7 + 4e-3 * i : rows[k];
        }
    }
}

// What stays where it is in a whole block is looked at once: with other rows between these, nothing
// stays, and verdicts are the same.
static void joints_that_stay_change_nothing(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(17);
    int32_t counts[WK_VERDICT_COUNT] = {0};
    for (int n = 0; n < ROOM_COUNT; ++n) {
        observedRoom observed;
        makeObservedRoom(n, &observed);
        observed.def.checksSelf = observed.def.checksWorld = n % 3 == 0;
        observed.def.checksLimits = false;
        observed.def.cellSize = 0.06;
        size_t length = (size_t)wkRobot_Info(observed.all.robot).variableCount;
        double* rows = wkRandomRows(observed.all.robot, 11 + (uint64_t)n, STATE_COUNT);
        double* mixed = wkRandomRows(observed.all.robot, 12 + (uint64_t)n, 2 * STATE_COUNT);
        holdJoints(&rng, observed.all.robot, rows, STATE_COUNT);
        for (size_t i = 0; i < STATE_COUNT; ++i) {
            memcpy(mixed + 2 * i * length, rows + i * length, length * sizeof(double));
        }
        wkBatch* batch = wkCreateBatch(&observed.def);
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            uint8_t verdicts[STATE_COUNT], others[2 * STATE_COUNT];
            if (wkBatchKernelsOf((wkIsa)isa) == NULL) {
                continue;
            }
            wkBatch_UseLanes(batch, wkBatchKernelsOf((wkIsa)isa));
            assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, STATE_COUNT, verdicts), wk_ok);
            assert_int_equal(wkBatch_CheckStates(batch, NULL, mixed, 2 * STATE_COUNT, others),
                             wk_ok);
            for (int32_t i = 0; i < STATE_COUNT; ++i) {
                assert_int_equal(verdicts[i], others[2 * i]);
                ++counts[verdicts[i]];
            }
        }
        wkBatch_Destroy(batch);
        free(mixed);
        free(rows);
        freeRoom(&observed);
    }
    assert_true(counts[wk_verdictFree] > WK_CASES(100));
    assert_true(counts[wk_verdictWorld] > WK_CASES(100));
    assert_true(counts[wk_verdictUnknown] > WK_CASES(100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_judged_as_by_pixels),
        cmocka_unit_test(certified_motions_are_free_everywhere),
        cmocka_unit_test(joints_that_stay_change_nothing),
    };
    return cmocka_run_group_tests_name("batch.seen", tests, NULL, NULL);
}
