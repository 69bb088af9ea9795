// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// How far the nearest thing is from the balls of configurations: parts by the balls around them first,
// and only those that can be nearer than what was found by all their balls.

#include "batch/batch_lanes.h"

#include "base/error.h"
#include "math/round.h"

#include <math.h>

#define LEAST_STATES 64
#define MOST_STATES 1024

typedef struct clearanceCall {
    const double* configurations;
    double cutoff;
    float* clearances;
} clearanceCall;

// A configuration whose balls are placed.
typedef struct rowLook {
    const wkBatch* batch;
    const wkBatchRoom* room;
    int32_t row;
    double nearest;
} rowLook;

static wkVec3d pointAt(const float* placed, int32_t number, int32_t row)
{
    const float* at = placed + (ptrdiff_t)number * 3 * WK_PLACED_ROWS + row;
    return wkVec((double)at[0], (double)at[WK_PLACED_ROWS], (double)at[2 * WK_PLACED_ROWS]);
}

static wkVec3d centerOf(const rowLook* look, int32_t ball)
{
    return pointAt(look->room->placed, ball, look->row);
}

// Whether two balls may be nearer than what was found; square roots are for those that are.
static bool mayBeNearer(const rowLook* look, wkVec3d between, double radii)
{
    double reach = look->nearest + radii;
    return reach > 0.0 && wkLengthSquared(between) < reach * reach;
}

static void lookAtParts(rowLook* look, wkPartPair pair)
{
    const wkProgram* program = look->batch->program;
    const wkPart* a = &program->parts[pair.a];
    const wkPart* b = &program->parts[pair.b];
    wkVec3d around = pointAt(look->room->centers, pair.b, look->row);
    for (int32_t i = a->firstBall; i < a->firstBall + a->ballCount; ++i) {
        wkVec3d center = centerOf(look, i);
        double radius = (double)look->batch->radii[i];
        if (!mayBeNearer(look, wkSub(center, around), radius + (double)b->radius)) {
            continue;
        }
        for (int32_t k = b->firstBall; k < b->firstBall + b->ballCount; ++k) {
            wkVec3d between = wkSub(center, centerOf(look, k));
            double radii = radius + (double)program->radius[k];
            if (mayBeNearer(look, between, radii)) {
                look->nearest = wkMinD(look->nearest, wkLength(between) - radii);
            }
        }
    }
}

static void lookAtSelf(rowLook* look)
{
    const wkProgram* program = look->batch->program;
    for (int32_t i = 0; i < program->pairCount; ++i) {
        wkPartPair pair = program->pairs[i];
        wkVec3d between = wkSub(pointAt(look->room->centers, pair.a, look->row),
                                pointAt(look->room->centers, pair.b, look->row));
        double radii =
            (double)look->batch->partRadii[pair.a] + (double)program->parts[pair.b].radius;
        if (mayBeNearer(look, between, radii)) {
            lookAtParts(look, pair);
        }
    }
}

// How near a ball of a part may be to what is around. Cells tell nothing of how deep one is inside.
static double boundOfBall(const rowLook* look, int32_t ball)
{
    float away = look->room->bounds[(ptrdiff_t)ball * WK_PLACED_ROWS + look->row];
    return away > 0.0f ? (double)away - (double)look->batch->radii[ball] : -INFINITY;
}

static void lookAtBall(rowLook* look, int32_t side, int32_t ball)
{
    const float* at = look->room->placed + (ptrdiff_t)ball * 3 * WK_PLACED_ROWS + look->row;
    const float center[3] = {at[0], at[WK_PLACED_ROWS], at[2 * WK_PLACED_ROWS]};
    const wkBatch* batch = look->batch;
    double distance =
        wkField_BallDistance(batch->field, side, center, batch->radii[ball], look->nearest);
    look->nearest = wkMinD(look->nearest, distance);
}

// The ball that may be nearest first: most others are further away than that is.
static void lookAtWorld(rowLook* look)
{
    const wkProgram* program = look->batch->program;
    int32_t first = -1, side = -1;
    double least = look->nearest;
    for (int32_t i = 0; i < program->partCount; ++i) {
        const wkPart* part = &program->parts[i];
        for (int32_t k = part->firstBall; k < part->firstBall + part->ballCount; ++k) {
            double bound = boundOfBall(look, k);
            if (bound < least) {
                least = bound;
                first = k;
                side = part->side;
            }
        }
    }
    if (first < 0) {
        return;
    }
    lookAtBall(look, side, first);
    for (int32_t i = 0; i < program->partCount; ++i) {
        const wkPart* part = &program->parts[i];
        for (int32_t k = part->firstBall; k < part->firstBall + part->ballCount; ++k) {
            if (k != first && boundOfBall(look, k) < look->nearest) {
                lookAtBall(look, part->side, k);
            }
        }
    }
}

// How far space is that cameras do not call free: surfaces, what is behind them and what nobody has
// observed, as the policy of the batch has it. Each ball by itself: policy may forgive what is worst, and
// not the others. Depth images give no distance from unobserved space, but verdicts on larger balls do.
static void lookAtDepth(rowLook* look)
{
    const wkBatch* batch = look->batch;
    for (int32_t i = 0; i < batch->program->ballCount && look->nearest > 0.0; ++i) {
        wkBall ball = {wkAdd(batch->program->origin, centerOf(look, i)), (double)batch->radii[i]};
        look->nearest = wkDepthReach(&batch->def, &ball, look->nearest);
    }
}

static double clearanceOf(const wkBatch* batch, const wkBatchRoom* room, int32_t row, double cutoff)
{
    rowLook look = {batch, room, row, cutoff};
    unsigned bits = wkBatchBits(batch);
    if ((bits & wk_lookSelf) != 0) {
        lookAtSelf(&look);
    }
    if ((bits & wk_lookWorld) != 0 && batch->field != NULL) {
        lookAtWorld(&look);
    }
    if ((bits & wk_lookDepth) != 0) {
        lookAtDepth(&look);
    }
    return look.nearest;
}

static void findClearances(const wkBatch* batch, wkBatchRoom* room, void* context, int64_t first,
                           int64_t count)
{
    const clearanceCall* call = (const clearanceCall*)context;
    int64_t length = batch->program->variableCount;
    for (int64_t done = 0; done < count; done += WK_PLACED_ROWS) {
        int64_t left = count - done;
        int32_t rowCount = (int32_t)(left < WK_PLACED_ROWS ? left : WK_PLACED_ROWS);
        const double* rows = call->configurations + (first + done) * length;
        bool isInvalid[WK_PLACED_ROWS] = {false}, isFar[WK_PLACED_ROWS] = {false};
        batch->lanes->place(batch, room, rows, rowCount, isInvalid, isFar);
        if (batch->field != NULL) {
            batch->lanes->bound(batch, room, rowCount);
        }
        for (int32_t i = 0; i < rowCount; ++i) {
            double clearance = isInvalid[i] ? (double)NAN
                               : isFar[i]
                                   ? wkFarClearance(batch, room, rows + i * length, call->cutoff)
                                   : clearanceOf(batch, room, i, call->cutoff);
            call->clearances[first + done + i] = wkRoundDown(clearance);
        }
    }
}

wkResult wkBatch_Clearances(const wkBatch* batch, const double* configurations, int64_t count,
                            double cutoff, float* clearances)
{
    const char* caller = "wkBatch_Clearances";
    for (int64_t i = 0; i < count && clearances != NULL; ++i) {
        clearances[i] = NAN;
    }
    wkResult result = wkCheckRows(caller, batch, configurations, count, clearances);
    if (result == wk_ok && !(cutoff > 0.0)) {
        return wkFail(wk_errorRange, "%s: cutoff is %g, must be > 0", caller, cutoff);
    }
    if (result != wk_ok) {
        return result;
    }
    result = wkCheckScene(caller, batch);
    for (int64_t i = 0; i < count && result != wk_ok; ++i) {
        clearances[i] = NAN;
    }
    if (result == wk_ok) {
        clearanceCall call = {configurations, cutoff, clearances};
        wkRunBatch(batch, findClearances, &call, count, LEAST_STATES, MOST_STATES);
    }
    return result;
}
