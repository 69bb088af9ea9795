// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// batch/setup/<world>: what it takes to make a batch ready, and batch/setup/<world>/<n>: that and n
// random configurations, one call for all of them.

#include "batch/batch_case.h"
#include "bench.h"
#include "measure.h"
#include "race.h"

#include <stdlib.h>
#include <string.h>

#define MAX_COUNT 10000
static const int counts[] = {1, 100, MAX_COUNT};
#define COUNT_COUNT ((int)(sizeof counts / sizeof *counts))

typedef struct setupSide {
    wkBatchDef def;
    const double* states;
    int count; // 0: nothing is asked
    uint8_t* verdicts;
    long failedCount;
} setupSide;

static void passSetup(void* context)
{
    setupSide* side = (setupSide*)context;
    wkBatch* batch = NULL;
    bool isDone = wkBatch_Create(&side->def, &batch) == wk_ok &&
                  (side->count == 0 || wkBatch_CheckStates(batch, NULL, side->states, side->count,
                                                           side->verdicts) == wk_ok);
    side->failedCount += isDone ? 0 : 1;
    wkBatch_Destroy(batch);
}

static void nameRow(char* name, wkBatchWorld world, int count)
{
    int length = snprintf(name, WK_ROW_NAME_CAPACITY, "batch/setup/%s", wkBatchWorldNames[world]);
    if (count > 0) {
        snprintf(name + length, (size_t)(WK_ROW_NAME_CAPACITY - length), "/%d", count);
    }
}

static void runRow(wkBench* bench, const wkBatchBenchCase* made, wkBatchWorld world, int count)
{
    char name[WK_ROW_NAME_CAPACITY];
    nameRow(name, world, count);
    setupSide setup = {wkBatchCase_Def(made), made->states, count, NULL, 0};
    setup.verdicts = (uint8_t*)calloc(MAX_COUNT, 1);
    if (setup.verdicts == NULL) {
        bench->wrongCount++;
        return;
    }
    wkBenchSide side;
    memset(&side, 0, sizeof side);
    side.pass = passSetup;
    side.context = &setup;
    wkMeasure(&side, 1, 1, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &side, count > 0 ? count : 1, bench->blockCount);
    row.wrong = setup.failedCount;
    wkBench_Emit(bench, &row);
    free(setup.verdicts);
}

static void runWorld(wkBench* bench, wkBatchWorld world)
{
    bool isWanted[1 + COUNT_COUNT], wantsAny = false;
    for (int i = 0; i <= COUNT_COUNT; i++) {
        char name[WK_ROW_NAME_CAPACITY];
        nameRow(name, world, i > 0 ? counts[i - 1] : 0);
        isWanted[i] = wkBench_Wants(bench, name);
        wantsAny = wantsAny || isWanted[i];
    }
    wkBatchBenchCase made;
    if (!wantsAny) {
        return;
    }
    if (!wkBatchCase_Open(&made, world, MAX_COUNT, 1)) {
        fprintf(stderr, "batch/setup: left out: %s\n", wkGetLastError());
        return;
    }
    wkBatchCase_DrawStates(&made);
    for (int i = 0; i <= COUNT_COUNT; i++) {
        if (isWanted[i]) {
            runRow(bench, &made, world, i > 0 ? counts[i - 1] : 0);
        }
    }
    wkBatchCase_Close(&made);
}

void wkRunBatchSetupRows(wkBench* bench)
{
    for (int world = wk_batchBoxes16; world < wk_batchWorldCount; world++) {
        runWorld(bench, (wkBatchWorld)world);
    }
}
