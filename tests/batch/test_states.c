// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Verdicts about configurations are those of the plain way, up to what floats may do on the safe side.

#include "batch_kit.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <string.h>

#define STATE_COUNT WK_CASES(700)

static void printRow(const double* q, int32_t length)
{
    for (int32_t i = 0; i < length; ++i) {
        print_message("%s%.17g", i > 0 ? ", " : "", q[i]);
    }
    print_message("\n");
}

static void checkAgainstPlain(const wkBatchDef* def, const double* rows, int32_t count,
                              int32_t counts[WK_VERDICT_COUNT])
{
    int32_t length = wkRobot_Info(wkRobotScene_Robot(def->scene)).variableCount;
    uint8_t* verdicts = (uint8_t*)malloc((size_t)count);
    wkBatch* batch = wkCreateBatch(def);
    wkPlainBatch plain = wkMakePlainBatch(def);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, count, verdicts), wk_ok);
    for (int32_t i = 0; i < count; ++i) {
        const double* q = rows + (size_t)i * (size_t)length;
        wkPlainDistances distances = wkPlainDistancesOf(&plain, q, WK_BATCH_BAND);
        const char* fault = wkFindFault(def, &distances, (wkVerdict)verdicts[i], WK_BATCH_BAND);
        if (fault != NULL) {
            printRow(q, length);
            fail_msg("row %d is called %s, but %s (self %g, world %g, unknown %g)", (int)i,
                     wkVerdictName((wkVerdict)verdicts[i]), fault, distances.self, distances.world,
                     distances.unknown);
        }
        ++counts[verdicts[i]];
    }
    wkFreePlainBatch(&plain);
    wkBatch_Destroy(batch);
    free(verdicts);
}

static void verdicts_are_those_of_the_plain_way(void** state)
{
    (void)state;
    int32_t counts[WK_VERDICT_COUNT] = {0};
    for (int i = 0; i < WK_SURROUNDINGS_COUNT; ++i) {
        wkSurroundingsKind kind = wkSurroundingsKinds[i];
        kind.isHolding = false; // spheres of held objects are not for the plain way
        wkSurroundings all;
        wkMakeSurroundings(&kind, 71 + (uint64_t)i, &all);
        wkBatchDef def = wkDefaultBatchDef();
        def.exactness = wk_exactnessSpheres; // the plain way knows spheres alone
        def.scene = all.scene;
        wkSphereModel* model = wkSpheresOnBodies(all.robot, 0.6);
        def.spheres = model;
        def.cellSize = 0.06; // made in less time
        def.margin = i % 2 == 0 ? 0.0 : 0.013;
        double* rows = wkRandomRows(all.robot, 5 + (uint64_t)i, STATE_COUNT);
        def.base = wkChooseBase(&def, rows, WK_CASES(200), 4);
        memset(counts, 0, sizeof counts);
        checkAgainstPlain(&def, rows, STATE_COUNT, counts);
        print_message("%s: free %d, self %d, world %d, unknown %d\n", kind.name,
                      (int)counts[wk_verdictFree], (int)counts[wk_verdictSelf],
                      (int)counts[wk_verdictWorld], (int)counts[wk_verdictUnknown]);
        free(rows);
        wkSphereModel_Destroy(model);
        wkFreeSurroundings(&all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_the_plain_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
