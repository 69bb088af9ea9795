// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Configurations: are they free? Balls say what is; where the shapes of the robot have the last word,
// they are asked about the rest.

#include "batch/batch_lanes.h"

#include "base/error.h"

#include <string.h>

// Configurations of a task: none of them takes long enough that the others wait for the last one.
#define LEAST_STATES WK_BATCH_BLOCK
#define MOST_STATES (4 * WK_BATCH_BLOCK)

unsigned wkBatchBits(const wkBatch* batch)
{
    const wkBatchDef* def = &batch->def;
    bool hasDepth = def->checksDepth && def->depthMapCount > 0;
    return (def->checksLimits ? (unsigned)wk_lookLimits : 0u) |
           (def->checksSelf ? (unsigned)wk_lookSelf : 0u) |
           (def->checksWorld ? (unsigned)wk_lookWorld : 0u) |
           (hasDepth ? (unsigned)wk_lookDepth : 0u);
}

void wkLookAtBlock(const wkBatch* batch, wkBatchRoom* room, const wkLook* look)
{
    batch->lanes->look(batch, room, look);
}

// What depth images alone say about a configuration.
static wkVerdict lookAtDepth(const wkBatch* batch, wkBatchRoom* room, const double* q)
{
    uint8_t verdict = wk_verdictFree;
    wkLook look = {.rows = q, .count = 1, .bits = wk_lookDepth, .verdicts = &verdict};
    if ((wkBatchBits(batch) & wk_lookDepth) != 0) {
        wkLookAtBlock(batch, room, &look);
    }
    return (wkVerdict)verdict;
}

wkVerdict wkJudgeState(const wkBatch* batch, wkBatchRoom* room, const double* q, wkVerdict byBalls)
{
    bool isTouching =
        byBalls == wk_verdictSelf || byBalls == wk_verdictWorld || byBalls == wk_verdictUnknown;
    if (!isTouching) {
        return byBalls;
    }
    if (wkRobotState_Set(room->state, batch->def.base, q) != wk_ok) {
        return wk_verdictInvalid;
    }
    wkVerdict verdict = wkRobotScene_Check(batch->def.scene, room->state, &batch->request).verdict;
    if (verdict != wk_verdictFree && verdict != wk_verdictUnknown) {
        return verdict;
    }
    wkVerdict depth = lookAtDepth(batch, room, q);
    return depth == wk_verdictFree ? verdict : depth;
}

typedef struct statesCall {
    const double* configurations;
    uint8_t* verdicts;
} statesCall;

static void checkStates(const wkBatch* batch, wkBatchRoom* room, void* context, int64_t first,
                        int64_t count)
{
    const statesCall* call = (const statesCall*)context;
    int64_t length = batch->robot->info.variableCount;
    unsigned bits = wkBatchBits(batch);
    for (int64_t done = 0; done < count; done += WK_BATCH_BLOCK) {
        int64_t left = count - done;
        wkLook look = {.rows = call->configurations + (first + done) * length,
                       .count = (int32_t)(left < WK_BATCH_BLOCK ? left : WK_BATCH_BLOCK),
                       .bits = bits,
                       .verdicts = room->verdicts};
        wkLookAtBlock(batch, room, &look);
        for (int32_t i = 0; i < look.count && batch->def.exactness == wk_exactnessFilter; ++i) {
            look.verdicts[i] = (uint8_t)wkJudgeState(batch, room, look.rows + i * length,
                                                     (wkVerdict)look.verdicts[i]);
        }
        // the caller's memory holds verdicts that are final, and else unchecked
        memcpy(call->verdicts + first + done, look.verdicts, (size_t)look.count);
    }
}

wkResult wkCheckRows(const char* caller, const wkBatch* batch, const double* rows, int64_t count,
                     const void* results)
{
    if (batch == NULL) {
        return wkFail(wk_errorArgument, "%s: batch is NULL", caller);
    }
    if (count < 0) {
        return wkFail(wk_errorRange, "%s: count is %lld, must be >= 0", caller, (long long)count);
    }
    if (count > 0 && rows == NULL && batch->robot->info.variableCount > 0) {
        return wkFail(wk_errorArgument, "%s: configurations are NULL", caller);
    }
    if (count > 0 && results == NULL) {
        return wkFail(wk_errorArgument, "%s: the room for results is NULL", caller);
    }
    return wk_ok;
}

wkResult wkCheckScene(const char* caller, const wkBatch* batch)
{
    if (batch->def.scene->version != batch->sceneVersion) {
        return wkFail(wk_errorState,
                      "%s: the scene has changed since the batch was made; call wkBatch_Refresh",
                      caller);
    }
    return wkIsFreshRobotScene(batch->def.scene, caller) ? wk_ok : wk_errorState;
}

wkResult wkBatch_CheckStates(const wkBatch* batch, const double* configurations, int64_t count,
                             uint8_t* verdicts)
{
    const char* caller = "wkBatch_CheckStates";
    if (verdicts != NULL && count > 0) {
        memset(verdicts, wk_verdictUnchecked, (size_t)count);
    }
    wkResult result = wkCheckRows(caller, batch, configurations, count, verdicts);
    if (result != wk_ok) {
        return result;
    }
    result = wkCheckScene(caller, batch);
    if (result != wk_ok && count > 0) {
        memset(verdicts, wk_verdictInvalid, (size_t)count);
    }
    if (result == wk_ok) {
        statesCall call = {configurations, verdicts};
        wkRunBatch(batch, checkStates, &call, count, LEAST_STATES, MOST_STATES);
    }
    return result;
}
