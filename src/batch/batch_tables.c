// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Numbers that lanes read for every block: radii with the margin, limits as floats, and which joints lie
// between two parts.

#include "batch/batch_lanes.h"

#include "base/error.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "math/round.h"

#include <string.h>

WK_DEFINE_LANES(const wkBatchLanes, wkBatchLanes)

#define PIECE_ALIGNMENT 64

static void* take(char* start, size_t* used, size_t count, size_t size)
{
    void* piece = start != NULL ? start + *used : NULL;
    *used += (count * size + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

static size_t layOut(wkBatch* batch, char* start)
{
    const wkProgram* program = batch->program;
    size_t used = 0;
    batch->radii = (float*)take(start, &used, (size_t)program->ballCount, sizeof(float));
    batch->partRadii = (float*)take(start, &used, (size_t)program->partCount, sizeof(float));
    batch->pairTops = (int32_t*)take(start, &used, (size_t)program->pairCount, sizeof(int32_t));
    batch->limits = (float*)take(start, &used, 2 * (size_t)program->variableCount, sizeof(float));
    return used;
}

static int32_t commonMover(const wkRobot* robot, int32_t a, int32_t b)
{
    while (a != b) {
        if (a > b) {
            a = robot->movers[a].parent;
        } else {
            b = robot->movers[b].parent;
        }
    }
    return a;
}

// The next float inward, so that numbers between the two are within the limits as doubles too.
static float above(double limit)
{
    float rounded = wkRoundUp(limit);
    return nextafterf(rounded, INFINITY);
}

static void fill(wkBatch* batch)
{
    const wkProgram* program = batch->program;
    batch->margin = wkRoundUp(batch->def.margin);
    for (int32_t i = 0; i < program->ballCount; ++i) {
        batch->radii[i] = wkRoundUp((double)program->radius[i] + batch->def.margin);
    }
    for (int32_t i = 0; i < program->partCount; ++i) {
        batch->partRadii[i] = wkRoundUp((double)program->parts[i].radius + batch->def.margin);
    }
    for (int32_t i = 0; i < program->pairCount; ++i) {
        int32_t a = program->parts[program->pairs[i].a].mover;
        int32_t b = program->parts[program->pairs[i].b].mover;
        batch->pairTops[i] = commonMover(batch->robot, a, b);
    }
    for (int32_t i = 0; i < program->variableCount; ++i) {
        const wkVariableInfo* variable = &batch->robot->variables[i];
        batch->limits[2 * i] = above(variable->lower);
        batch->limits[2 * i + 1] = -above(-variable->upper);
    }
}

wkResult wkMakeTables(wkBatch* batch)
{
    size_t byteCount = layOut(batch, NULL);
    batch->tables = wkAlloc(byteCount + 1);
    if (batch->tables == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", byteCount);
    }
    batch->tableByteCount = byteCount + 1;
    layOut(batch, (char*)batch->tables);
    fill(batch);
    return wk_ok;
}
