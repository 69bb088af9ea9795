// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Where the balls of many configurations are.

#include "batch/batch_lanes.h"

#include "base/error.h"

#include <math.h>

#define LEAST_STATES 256
#define MOST_STATES 4096

typedef struct placeCall {
    const double* configurations;
    float* balls;
} placeCall;

static void putBall(float* to, wkVec3d center, double radius)
{
    to[0] = (float)center.x;
    to[1] = (float)center.y;
    to[2] = (float)center.z;
    to[3] = (float)radius;
}

// The balls of one row, from where lanes have placed them.
static void putRow(const wkBatch* batch, const wkBatchRoom* room, int32_t row, float* to)
{
    const wkProgram* program = batch->program;
    for (int32_t i = 0; i < program->ballCount; ++i) {
        const float* at = room->placed + (ptrdiff_t)i * 3 * WK_PLACED_ROWS + row;
        wkVec3d center =
            wkVec((double)at[0], (double)at[WK_PLACED_ROWS], (double)at[2 * WK_PLACED_ROWS]);
        if (program->numbers[i] < program->modelBallCount) {
            putBall(to + 4 * (ptrdiff_t)program->numbers[i], wkAdd(program->origin, center),
                    (double)program->radius[i]);
        }
    }
}

static void putFarRow(const wkBatch* batch, wkBatchRoom* room, const double* q, float* to)
{
    const wkProgram* program = batch->program;
    wkPlaceFar(batch, room, q);
    for (int32_t i = 0; i < program->ballCount; ++i) {
        if (program->numbers[i] < program->modelBallCount) {
            putBall(to + 4 * (ptrdiff_t)program->numbers[i], room->balls[i].center,
                    room->balls[i].radius);
        }
    }
}

static void putInvalidRow(const wkBatch* batch, float* to)
{
    for (int32_t i = 0; i < 4 * batch->program->modelBallCount; ++i) {
        to[i] = NAN;
    }
}

static void placeStates(const wkBatch* batch, wkBatchRoom* room, void* context, int64_t first,
                        int64_t count)
{
    const placeCall* call = (const placeCall*)context;
    int64_t length = batch->program->variableCount;
    for (int64_t done = 0; done < count; done += WK_PLACED_ROWS) {
        int64_t left = count - done;
        int32_t rowCount = (int32_t)(left < WK_PLACED_ROWS ? left : WK_PLACED_ROWS);
        const double* rows = call->configurations + (first + done) * length;
        float* to = call->balls + (first + done) * 4 * batch->program->modelBallCount;
        bool isInvalid[WK_PLACED_ROWS] = {false}, isFar[WK_PLACED_ROWS] = {false};
        batch->lanes->place(batch, room, rows, rowCount, isInvalid, isFar);
        for (int32_t i = 0; i < rowCount; ++i) {
            float* row = to + (ptrdiff_t)i * 4 * batch->program->modelBallCount;
            if (isInvalid[i]) {
                putInvalidRow(batch, row);
            } else if (isFar[i]) {
                putFarRow(batch, room, rows + i * length, row);
            } else {
                putRow(batch, room, i, row);
            }
        }
    }
}

wkResult wkBatch_PlaceBalls(const wkBatch* batch, const double* configurations, int64_t count,
                            float* balls)
{
    wkResult result = wkCheckRows("wkBatch_PlaceBalls", batch, configurations, count, balls);
    if (result == wk_ok) {
        placeCall call = {configurations, balls};
        wkRunBatch(batch, placeStates, &call, count, LEAST_STATES, MOST_STATES);
    }
    return result;
}
