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
// More than rounding takes from the place of a center.
#define CARRIER_SHARE (1.0 + 0x1p-20)

static void* take(char* start, size_t* used, size_t count, size_t size)
{
    void* piece = start != NULL ? start + *used : NULL;
    *used += (count * size + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

// Joints from a mover up to another one, which is left out.
static int32_t countJoints(const wkRobot* robot, int32_t mover, int32_t end)
{
    int32_t count = 0;
    for (; mover > end; mover = robot->movers[mover].parent) {
        ++count;
    }
    return count;
}

// No fewer than there are.
static size_t countWays(const wkBatch* batch)
{
    size_t count = 0;
    for (int32_t i = 0; i < batch->program->moverCount; ++i) {
        count += (size_t)countJoints(batch->robot, i, 0);
    }
    return count;
}

static size_t layOut(wkBatch* batch, char* start)
{
    const wkProgram* program = batch->program;
    size_t used = 0;
    batch->radii = (float*)take(start, &used, (size_t)program->ballCount, sizeof(float));
    batch->partRadii = (float*)take(start, &used, (size_t)program->partCount, sizeof(float));
    batch->pairTops = (int32_t*)take(start, &used, (size_t)program->pairCount, sizeof(int32_t));
    batch->carriers =
        (wkCarrier*)take(start, &used, (size_t)program->moverCount, sizeof(wkCarrier));
    batch->partWays = (int32_t*)take(start, &used, (size_t)program->partCount, sizeof(int32_t));
    batch->isWayUsed = (bool*)take(start, &used, countWays(batch), sizeof(bool));
    batch->pairWays = (int32_t*)take(start, &used, 2 * (size_t)program->pairCount, sizeof(int32_t));
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

// A ball around the balls of all parts on a mover; false when there are none.
static bool ballOfMover(const wkProgram* program, int32_t mover, wkBall* ball)
{
    bool isFirst = true;
    for (int32_t i = 0; i < program->partCount; ++i) {
        const wkPart* p = &program->parts[i];
        wkBall part = {wkVec((double)p->x, (double)p->y, (double)p->z),
                       wkPositive((double)p->radius)};
        if (p->mover == mover) {
            wkBall both[2] = {isFirst ? part : *ball, part};
            *ball = wkBallAround(both, isFirst ? 1 : 2);
            isFirst = false;
        }
    }
    return !isFirst;
}

static int32_t firstWayOf(const wkBatch* batch, int32_t mover)
{
    const wkCarrier* carrier = batch->carriers;
    while (carrier->mover != mover) {
        ++carrier;
    }
    return carrier->firstWay;
}

// The way of a part for the joints up to `top`.
static int32_t useWay(const wkBatch* batch, int32_t part, int32_t top)
{
    int32_t mover = batch->program->parts[part].mover;
    int32_t count = countJoints(batch->robot, mover, top);
    int32_t way = count > 0 ? firstWayOf(batch, mover) + count - 1 : -1;
    if (way >= 0) {
        batch->isWayUsed[way] = true;
    }
    return way;
}

static void setCarriers(wkBatch* batch)
{
    batch->wayCount = 0;
    batch->carrierCount = 0;
    for (int32_t i = 0; i < batch->program->moverCount; ++i) {
        wkBall ball = {{0.0, 0.0, 0.0}, 0.0};
        if (ballOfMover(batch->program, i, &ball)) {
            wkCarrier carrier = {i,
                                 batch->wayCount,
                                 (float)ball.center.x,
                                 (float)ball.center.y,
                                 (float)ball.center.z,
                                 wkRoundUp(ball.radius * CARRIER_SHARE)};
            batch->carriers[batch->carrierCount++] = carrier;
            batch->wayCount += countJoints(batch->robot, i, 0);
        }
    }
}

static void setWays(wkBatch* batch)
{
    const wkProgram* program = batch->program;
    memset(batch->isWayUsed, 0, countWays(batch) * sizeof *batch->isWayUsed);
    setCarriers(batch);
    for (int32_t i = 0; i < program->partCount; ++i) {
        batch->partWays[i] = useWay(batch, i, 0);
    }
    for (int32_t i = 0; i < program->pairCount; ++i) {
        batch->pairWays[2 * i] = useWay(batch, program->pairs[i].a, batch->pairTops[i]);
        batch->pairWays[2 * i + 1] = useWay(batch, program->pairs[i].b, batch->pairTops[i]);
    }
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
    setWays(batch);
    return wk_ok;
}
