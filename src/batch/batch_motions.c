// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks motions. A scratch processes many of them at a time, each of which has a few rows of
// every block: lanes are full however short the motions are, and the result of one does not
// depend on its neighbours. A motion that is done frees its slot for the next one.

#include "batch/batch_backend.h"
#include "batch/batch_motion.h"

#include <math.h>
#include <string.h>

// As in wkRobotScene_Check.
#define LIMIT_SLACK 1e-9
// Motions of a piece.
#define LEAST_MOTIONS WK_MOTION_SLOTS
#define MOST_MOTIONS (16 * WK_MOTION_SLOTS)

// Motions that a scratch processes.
typedef struct motionsRun {
    const wkBatch* batch;
    wkBatchScratch* scratch;
    const wkMotionsCall* call;
    const wkMotionRule* rule;
    unsigned bits; // as in wkBlockCheck
    int64_t next;
    int64_t end;
    bool isWithinLimits; // which motions are checked: less can touch in motions within limits
    bool hasOthers;      // motions were skipped because of that
} motionsRun;

static wkBatchMotionResult makeResult(wkVerdict verdict, double time)
{
    wkBatchMotionResult result = {(uint8_t)verdict, (float)time, -1, 0};
    return result;
}

// Returns whether the ends of a motion alone decide its result, and sets it then.
static bool isDecidedByEnds(const wkBatch* batch, const wkMotionSlot* slot,
                            wkBatchMotionResult* result)
{
    const double* ends[2] = {slot->from, slot->to};
    int32_t count = batch->robot->info.variableCount;
    for (int end = 0; end < 2; ++end) {
        for (int32_t i = 0; i < count; ++i) {
            if (!isfinite(ends[end][i])) {
                *result = makeResult(wk_verdictInvalid, end);
                return true;
            }
        }
    }
    // variables with limits change linearly from one end to the other
    for (int end = 0; end < 2 && batch->def.checksLimits; ++end) {
        if (wkRobot_FindBeyondLimits(batch->robot, ends[end], LIMIT_SLACK) >= 0) {
            *result = makeResult(wk_verdictLimits, end);
            return true;
        }
    }
    return false;
}

// Variables with limits change linearly from one end to the other.
static bool isWithinLimits(const wkBatch* batch, const wkMotionSlot* slot)
{
    return wkRobot_FindBeyondLimits(batch->robot, slot->from, LIMIT_SLACK) < 0 &&
           wkRobot_FindBeyondLimits(batch->robot, slot->to, LIMIT_SLACK) < 0;
}

// Classifies a motion that spheres do not prove free by the shapes of the robot.
static wkBatchMotionResult classifyMotion(const motionsRun* run, const double* from,
                                          const double* to, const wkBatchMotionResult* bySpheres)
{
    const wkBatch* batch = run->batch;
    wkMotionRequest request = run->call->request;
    request.check = batch->request;
    wkMotionResult found = wkRobotScene_CheckMotion(batch->def.scene, run->scratch->state,
                                                    batch->def.base, from, to, &request);
    wkBatchMotionResult result = makeResult(found.verdict, found.time);
    result.stepCount = request.isCertified ? (int32_t)found.checkCount : bySpheres->stepCount;
    if (!request.isCertified && found.verdict != wk_verdictFree) {
        result.firstIndex = (int32_t)lround(found.time * (bySpheres->stepCount - 1));
    }
    return result;
}

// Begins the next motion in a slot; motions that their ends decide are done at once.
static void beginNext(motionsRun* run, wkMotionSlot* slot)
{
    const wkMotionsCall* call = run->call;
    int32_t length = run->batch->robot->info.variableCount;
    slot->motion = -1;
    while (run->next < run->end && slot->motion < 0) {
        int64_t motion = run->next++;
        wkBatchMotionResult* result = &call->results[motion];
        slot->from = call->from + motion * length;
        slot->to = call->to + motion * length;
        if (call->request.isCertified && isWithinLimits(run->batch, slot) != run->isWithinLimits) {
            run->hasOthers = true;
            continue;
        }
        slot->checkCount = 0;
        slot->verdict = wk_verdictFree;
        slot->time = 1.0;
        bool isOpen = !isDecidedByEnds(run->batch, slot, result) &&
                      run->rule->begin(run->batch, &call->request, slot, result);
        slot->motion = isOpen ? motion : -1;
        slot->isNew = true;
    }
}

// Fills the rows of a slot, behind those of other slots.
// @return number of rows so far
static int32_t fillSlot(motionsRun* run, wkMotionSlot* slot, int32_t first)
{
    wkBatchScratch* scratch = run->scratch;
    slot->first = first;
    slot->rowCount = run->rule->fill(run->batch, &run->call->request, scratch, slot);
    memset(scratch->slotOfRow + first, (int)(slot - scratch->slots), (size_t)slot->rowCount);
    return first + slot->rowCount;
}

// Fills the rows of all slots, those of motions that have just begun last: new motions have much to check,
// others have little, and neighbouring lanes should do the same work.
static int32_t fillSlots(motionsRun* run)
{
    int32_t count = 0;
    for (int isNew = 0; isNew < 2; ++isNew) {
        for (int i = 0; i < WK_MOTION_SLOTS; ++i) {
            wkMotionSlot* slot = &run->scratch->slots[i];
            if (slot->motion >= 0 && slot->isNew == (isNew != 0)) {
                count = fillSlot(run, slot, count);
            }
        }
    }
    return count;
}

static void learnSlot(motionsRun* run, wkMotionSlot* slot)
{
    slot->isNew = false;
    if (slot->motion >= 0 && !run->rule->learn(&run->call->request, run->scratch, slot)) {
        run->call->results[slot->motion] = run->rule->finish(slot);
        beginNext(run, slot);
    }
}

static bool isBusy(const wkBatchScratch* scratch)
{
    bool isBusy = false;
    for (int i = 0; i < WK_MOTION_SLOTS; ++i) {
        isBusy = isBusy || scratch->slots[i].motion >= 0;
    }
    return isBusy;
}

static void runSome(motionsRun* run)
{
    wkBatchScratch* scratch = run->scratch;
    for (int i = 0; i < WK_MOTION_SLOTS; ++i) {
        beginNext(run, &scratch->slots[i]);
    }
    wkBlockCheck check = {.rows = scratch->rows, .verdicts = scratch->verdicts};
    if (run->call->request.isCertified) {
        check = wkCheckOfIntervals(scratch);
        check.wantsAll = run->call->request.wantsFirst;
        check.isWithinLimits = run->isWithinLimits;
    }
    check.bits = run->bits;
    while (isBusy(scratch)) {
        check.count = fillSlots(run);
        if (check.count > 0) {
            wkCheckBlock(run->batch, scratch, &check);
        }
        for (int i = 0; i < WK_MOTION_SLOTS; ++i) {
            learnSlot(run, &scratch->slots[i]);
        }
    }
}

// The checks of an interval depend on whether its motion is within limits: a block has only one kind.
static void runMotions(motionsRun* run)
{
    int64_t first = run->next;
    run->isWithinLimits = true;
    run->hasOthers = false;
    runSome(run);
    if (run->hasOthers) {
        run->next = first;
        run->isWithinLimits = false;
        runSome(run);
    }
}

// Where spheres do not prove a motion free, the shapes of the robot decide, except for depth images,
// which are checked with spheres alone.
static void classifyMotions(motionsRun* run, int64_t first)
{
    int32_t length = run->batch->robot->info.variableCount;
    for (int64_t i = first; i < run->end; ++i) {
        wkBatchMotionResult* result = &run->call->results[i];
        bool isTouching = result->verdict != wk_verdictFree &&
                          result->verdict != wk_verdictLimits &&
                          result->verdict != wk_verdictInvalid;
        if (!isTouching) {
            continue;
        }
        wkBatchMotionResult byShapes =
            classifyMotion(run, run->call->from + i * length, run->call->to + i * length, result);
        if (byShapes.verdict == wk_verdictFree && (wkBatchBits(run->batch) & wk_checkDepth) != 0) {
            motionsRun again = *run;
            again.bits = wk_checkDepth;
            again.next = i;
            again.end = i + 1;
            runMotions(&again);
        } else {
            *result = byShapes;
        }
    }
}

static void checkMotions(const wkBatch* batch, wkBatchScratch* scratch, const void* asked,
                         int64_t first, int64_t count)
{
    const wkMotionsCall* call = (const wkMotionsCall*)asked;
    // limits are checked where motions begin
    unsigned bits = wkBatchBits(batch) & ~(unsigned)wk_checkLimits;
    const wkMotionRule* rule = call->request.isCertified ? &wkCertifyRule : &wkStepRule;
    motionsRun run = {.batch = batch,
                      .scratch = scratch,
                      .call = call,
                      .rule = rule,
                      .bits = bits,
                      .next = first,
                      .end = first + count};
    runMotions(&run);
    if (batch->def.exactness == wk_exactnessFilter) {
        classifyMotions(&run, first);
    }
}

wkResult wkCheckMotionsOnCpu(const wkBatch* batch, wkBatchContext* context,
                             const wkMotionsCall* call, int64_t count)
{
    static const wkBatchWork work = {"wkBatch_CheckMotions", checkMotions, LEAST_MOTIONS,
                                     MOST_MOTIONS};
    return wkRunBatch(&work, batch, context, call, count);
}
