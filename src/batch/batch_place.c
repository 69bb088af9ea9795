// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Where the balls of many configurations are.

#include "batch/batch_lanes.h"

#include "base/error.h"
#include "simd/quad.h"

#include <math.h>
#include <string.h>

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

// A coordinate of the origin, as a sum of floats.
typedef struct originSum {
    wkQuad most, rest;
} originSum;

static originSum sumOf(double coordinate)
{
    float most = (float)coordinate;
    originSum sum = {wkQuadOf(most), wkQuadOf((float)(coordinate - (double)most))};
    return sum;
}

// A ball of four rows, from where lanes have placed it: each row gets a quad.
WK_FORCE_FN void takeBall(const float* placed, const originSum origin[3], float radius,
                          wkQuad quads[4])
{
    for (int axis = 0; axis < 3; ++axis) {
        memcpy(&quads[axis], placed + axis * WK_PLACED_ROWS, sizeof quads[axis]);
        quads[axis] = (quads[axis] + origin[axis].rest) + origin[axis].most;
    }
    quads[3] = wkQuadOf(radius);
    wkTransposeQuads(quads);
}

static void putRows(const wkBatch* batch, const wkBatchRoom* room, int32_t rowCount, float* to)
{
    const wkProgram* program = batch->program;
    const originSum origin[3] = {sumOf(program->origin.x), sumOf(program->origin.y),
                                 sumOf(program->origin.z)};
    ptrdiff_t pitch = 4 * (ptrdiff_t)program->modelBallCount;
    for (int32_t i = 0; i < program->ballCount; ++i) {
        if (program->numbers[i] >= program->modelBallCount) {
            continue;
        }
        float* ball = to + 4 * (ptrdiff_t)program->numbers[i];
        for (int32_t row = 0; row < rowCount; row += 4) {
            wkQuad quads[4];
            takeBall(room->placed + (ptrdiff_t)i * 3 * WK_PLACED_ROWS + row, origin,
                     program->radius[i], quads);
            for (int32_t k = 0; k < 4 && row + k < rowCount; ++k) {
                memcpy(ball + (row + k) * pitch, &quads[k], sizeof quads[k]);
            }
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
        putRows(batch, room, rowCount, to);
        for (int32_t i = 0; i < rowCount; ++i) {
            float* row = to + (ptrdiff_t)i * 4 * batch->program->modelBallCount;
            if (isInvalid[i]) {
                putInvalidRow(batch, row);
            } else if (isFar[i]) {
                putFarRow(batch, room, rows + i * length, row);
            }
        }
    }
}

wkResult wkBatch_PlaceBalls(const wkBatch* batch, const double* configurations, int64_t count,
                            float* balls)
{
    const char* caller = "wkBatch_PlaceBalls";
    wkResult result = wkCheckRows(caller, batch, configurations, count, balls);
    if (result != wk_ok) {
        return result;
    }
    result = wkCheckScene(caller, batch);
    int64_t numberCount = 4 * (int64_t)batch->program->modelBallCount * count;
    for (int64_t i = 0; i < numberCount && result != wk_ok; ++i) {
        balls[i] = NAN;
    }
    if (result == wk_ok) {
        placeCall call = {configurations, balls};
        wkRunBatch(batch, placeStates, &call, count, LEAST_STATES, MOST_STATES);
    }
    return result;
}
