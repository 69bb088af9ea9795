// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks configurations. Spheres prove them free; where the shapes of the robot decide, they are checked for
// the others.

#include "batch/batch_backend.h"
#include "batch/batch_kernel.h"

#include <string.h>

// Configurations of a piece: each is fast enough that the other threads do not wait for the last one.
#define LEAST_STATES WK_BATCH_BLOCK
#define MOST_STATES (4 * WK_BATCH_BLOCK)

void wkCheckBlock(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* check)
{
    batch->lanes->check(batch, scratch, check);
}

// Returns the verdict of depth images alone about a configuration.
static wkVerdict checkDepth(const wkBatch* batch, wkBatchScratch* scratch, const double* q)
{
    uint8_t verdict = wk_verdictFree;
    wkBlockCheck check = {.rows = q, .count = 1, .bits = wk_checkDepth, .verdicts = &verdict};
    if ((wkBatchBits(batch) & wk_checkDepth) != 0) {
        wkCheckBlock(batch, scratch, &check);
    }
    return (wkVerdict)verdict;
}

wkVerdict wkClassifyState(const wkBatch* batch, wkBatchScratch* scratch, const double* q,
                          wkVerdict bySpheres)
{
    bool isTouching = bySpheres == wk_verdictSelf || bySpheres == wk_verdictWorld ||
                      bySpheres == wk_verdictUnknown;
    if (!isTouching) {
        return bySpheres;
    }
    if (wkRobotState_Set(scratch->state, batch->def.base, q) != wk_ok) {
        return wk_verdictInvalid;
    }
    wkVerdict verdict =
        wkRobotScene_Check(batch->def.scene, scratch->state, &batch->request).verdict;
    if (verdict != wk_verdictFree && verdict != wk_verdictUnknown) {
        return verdict;
    }
    wkVerdict depth = checkDepth(batch, scratch, q);
    return depth == wk_verdictFree ? verdict : depth;
}

static void checkStates(const wkBatch* batch, wkBatchScratch* scratch, const void* asked,
                        int64_t first, int64_t count)
{
    const wkStatesCall* call = (const wkStatesCall*)asked;
    int64_t length = batch->robot->info.variableCount;
    unsigned bits = wkBatchBits(batch);
    for (int64_t done = 0; done < count; done += WK_BATCH_BLOCK) {
        int64_t left = count - done;
        wkBlockCheck check = {.rows = call->configurations + (first + done) * length,
                              .count = (int32_t)(left < WK_BATCH_BLOCK ? left : WK_BATCH_BLOCK),
                              .bits = bits,
                              .verdicts = scratch->verdicts};
        wkCheckBlock(batch, scratch, &check);
        for (int32_t i = 0; i < check.count && batch->def.exactness == wk_exactnessFilter; ++i) {
            check.verdicts[i] = (uint8_t)wkClassifyState(batch, scratch, check.rows + i * length,
                                                         (wkVerdict)check.verdicts[i]);
        }
        // the caller's memory only ever holds final verdicts, or `unchecked`
        memcpy(call->verdicts + first + done, check.verdicts, (size_t)check.count);
    }
}

wkResult wkCheckStatesOnCpu(const wkBatch* batch, wkBatchContext* context, const wkStatesCall* call,
                            int64_t count)
{
    static const wkBatchWork work = {"wkBatch_CheckStates", checkStates, LEAST_STATES, MOST_STATES};
    return wkRunBatch(&work, batch, context, call, count);
}
