// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Contexts: the memory of threads that check configurations, allocated once.

#include "batch/batch_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/batch_kernel.h"

#include <string.h>

#define PIECE_ALIGNMENT 64

// Returns the next piece of a block; without a start, only adds up its size.
static void* take(char* start, size_t* used, size_t count, size_t size)
{
    void* piece = start != NULL ? start + *used : NULL;
    *used += (count * size + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

static void laySlots(const wkBatch* batch, wkBatchScratch* scratch, char* start, size_t* used)
{
    size_t rigidGroupCount = (size_t)batch->robot->rigidGroupCount;
    scratch->slots = (wkMotionSlot*)take(start, used, WK_MOTION_SLOTS, sizeof(wkMotionSlot));
    double* rates =
        (double*)take(start, used, 2 * rigidGroupCount * WK_MOTION_SLOTS, sizeof(double));
    float* floats = (float*)take(start, used, 2 * rigidGroupCount * WK_MOTION_SLOTS, sizeof(float));
    wkMotionInterval* intervals = (wkMotionInterval*)take(
        start, used, WK_MOTION_SLOTS * WK_INTERVAL_CAPACITY, sizeof(wkMotionInterval));
    for (size_t i = 0; i < WK_MOTION_SLOTS && start != NULL; ++i) {
        scratch->slots[i].rates = rates + 2 * i * rigidGroupCount;
        scratch->slots[i].rotations = floats + 2 * i * rigidGroupCount;
        scratch->slots[i].translations = floats + (2 * i + 1) * rigidGroupCount;
        scratch->slots[i].intervals = intervals + i * WK_INTERVAL_CAPACITY;
    }
}

// At least the lanes of any instruction set.
#define MOST_LANES 16
// Columns that are packed: two frames, the motion bounds of spheres and those of bodies.
#define PACKED_COLUMNS 26

// Sets the pointers of a scratch, from `used` on.
static void layOut(const wkBatch* batch, wkBatchScratch* scratch, char* start, size_t* used)
{
    const wkProgram* program = batch->program;
    size_t variableCount = (size_t)program->variableCount;
    size_t rigidGroupCount = (size_t)program->rigidGroupCount,
           rates = rigidGroupCount * WK_BATCH_BLOCK;
    size_t numbers = (size_t)program->scratchCount * WK_BATCH_BLOCK;
    size_t packed = PACKED_COLUMNS * (WK_BATCH_BLOCK + MOST_LANES);
    scratch->rows = (double*)take(start, used, variableCount * WK_BATCH_BLOCK, sizeof(double));
    scratch->verdicts = (uint8_t*)take(start, used, WK_BATCH_BLOCK, sizeof(uint8_t));
    scratch->lanes = (float*)take(start, used, numbers, sizeof(float));
    scratch->packed = (float*)take(start, used, packed, sizeof(float));
    scratch->packedRows =
        (uint16_t*)take(start, used, WK_BATCH_BLOCK + MOST_LANES, sizeof(uint16_t));
    scratch->rotations = (float*)take(start, used, rates, sizeof(float));
    scratch->translations = (float*)take(start, used, rates, sizeof(float));
    scratch->open = (float*)take(start, used, WK_BATCH_BLOCK, sizeof(float));
    scratch->slotOfRow = (uint8_t*)take(start, used, WK_BATCH_BLOCK, sizeof(uint8_t));
    scratch->wanted = (wkIntervalItems*)take(start, used, 1, sizeof(wkIntervalItems));
    scratch->unproven = (wkIntervalItems*)take(start, used, 1, sizeof(wkIntervalItems));
    scratch->spins = (float*)take(start, used, 3 * rates, sizeof(float));
    scratch->ways =
        (float*)take(start, used, 2 * (size_t)batch->wayCount * WK_BATCH_BLOCK, sizeof(float));
    scratch->isMoving = (bool*)take(start, used, rigidGroupCount, sizeof(bool));
    scratch->isInvariantRotation =
        (bool*)take(start, used, (size_t)program->rotationCount, sizeof(bool));
    scratch->isInvariantColumn =
        (bool*)take(start, used, (size_t)program->columnCount, sizeof(bool));
    scratch->placed =
        (float*)take(start, used, 3 * ((size_t)program->sphereCount + MOST_LANES) * WK_PLACED_ROWS,
                     sizeof(float));
    scratch->centers =
        (float*)take(start, used, 3 * (size_t)program->partCount * WK_PLACED_ROWS, sizeof(float));
    scratch->bounds =
        (float*)take(start, used, (size_t)program->sphereCount * WK_PLACED_ROWS, sizeof(float));
    scratch->spheres =
        (wkSphere3d*)take(start, used, (size_t)program->sphereCount, sizeof(wkSphere3d));
    scratch->rigidGroups = (wkPose*)take(start, used, rigidGroupCount, sizeof(wkPose));
    scratch->chainValues = (double*)take(start, used, variableCount, sizeof(double));
    scratch->putOff =
        (uint64_t*)take(start, used, WK_ROW_WORDS * (size_t)program->pairCount, sizeof(uint64_t));
    scratch->putOffPairs = (int32_t*)take(start, used, (size_t)program->pairCount, sizeof(int32_t));
    laySlots(batch, scratch, start, used);
}

// Lays a context and its scratch out.
// @return bytes that they take
static size_t layOutContext(const wkBatch* batch, char* start)
{
    size_t used = 0;
    wkBatchScratch counted;
    memset(&counted, 0, sizeof counted);
    wkBatchContext* context = (wkBatchContext*)take(start, &used, 1, sizeof *context);
    layOut(batch, context != NULL ? &context->scratch : &counted, start, &used);
    return used;
}

static void freeContext(wkBatchContext* context)
{
    if (context != NULL) {
        wkRobotState_Destroy(context->scratch.state);
        wkFree(context, context->byteCount);
    }
}

static wkResult makeContext(const wkBatch* batch, wkBatchContext** out)
{
    size_t byteCount = layOutContext(batch, NULL);
    wkBatchContext* context = (wkBatchContext*)wkAlloc(byteCount);
    if (context == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", byteCount);
    }
    memset(context, 0, byteCount);
    layOutContext(batch, (char*)context);
    context->byteCount = byteCount;
    context->refreshCount = batch->refreshCount;
    atomic_init(&context->isInUse, false);
    batch->lanes->startScratch(batch, &context->scratch);
    wkResult result = wkRobotState_Create(batch->robot, &context->scratch.state);
    if (result != wk_ok) {
        freeContext(context);
        return result;
    }
    *out = context;
    return wk_ok;
}

wkResult wkMakeContexts(wkBatch* batch)
{
    int32_t count = wkCountThreads(batch->def.parallel);
    size_t byteCount = (size_t)count * sizeof(wkBatchContext*);
    batch->contexts = (wkBatchContext**)wkAlloc(byteCount);
    if (batch->contexts == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", byteCount);
    }
    memset((void*)batch->contexts, 0, byteCount);
    batch->contextCount = count;
    wkResult result = wk_ok;
    for (int32_t i = 0; i < count && result == wk_ok; ++i) {
        result = makeContext(batch, &batch->contexts[i]);
    }
    return result;
}

void wkFreeContexts(wkBatch* batch)
{
    for (int32_t i = 0; i < batch->contextCount; ++i) {
        freeContext(batch->contexts[i]);
    }
    wkFree((void*)batch->contexts, (size_t)batch->contextCount * sizeof(wkBatchContext*));
}

wkResult wkBatchContext_Create(const wkBatch* batch, wkBatchContext** context)
{
    if (context == NULL) {
        return wkFail(wk_errorArgument, "wkBatchContext_Create: context is NULL");
    }
    *context = NULL;
    if (batch == NULL) {
        return wkFail(wk_errorArgument, "wkBatchContext_Create: batch is NULL");
    }
    wkResult result = makeContext(batch, context);
    if (result == wk_ok) {
        (*context)->batch = batch;
    }
    return result;
}

void wkBatchContext_Destroy(wkBatchContext* context)
{
    freeContext(context);
}

wkResult wkCheckContext(const char* caller, const wkBatch* batch, const wkBatchContext* context)
{
    if (context != NULL && context->batch != batch) {
        return wkFail(wk_errorArgument, "%s: context was made for another batch", caller);
    }
    if (context != NULL && context->refreshCount != batch->refreshCount) {
        return wkFail(wk_errorState,
                      "%s: context was made before wkBatch_Refresh; create another one", caller);
    }
    return wk_ok;
}
