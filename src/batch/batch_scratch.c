// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Scratches: the memory of threads that check configurations, allocated once; and the tasks that use them.

#define _POSIX_C_SOURCE 200809L // sysconf, sched_yield

#include "batch/batch_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "batch/batch_kernel.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#define PIECE_ALIGNMENT 64
// One for each bit of the mask.
#define MAX_SCRATCHES 64

static int32_t countScratches(const wkBatch* batch)
{
    long wanted = sysconf(_SC_NPROCESSORS_ONLN);
    const wkParallel* parallel = batch->def.parallel;
    if (parallel != NULL && parallel->threadCount > wanted) {
        wanted = parallel->threadCount;
    }
    return (int32_t)(wanted < 1 ? 1 : wanted < MAX_SCRATCHES ? wanted : MAX_SCRATCHES);
}

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
    laySlots(batch, scratch, start, used);
}

static size_t layOutAll(wkBatch* batch, char* start)
{
    size_t used = 0;
    wkBatchScratch counted;
    memset(&counted, 0, sizeof counted);
    batch->freeScratches = (wkScratchBits*)take(start, &used, 1, sizeof *batch->freeScratches);
    batch->scratches =
        (wkBatchScratch*)take(start, &used, (size_t)batch->scratchCount, sizeof *batch->scratches);
    for (int32_t i = 0; i < batch->scratchCount; ++i) {
        layOut(batch, start != NULL ? &batch->scratches[i] : &counted, start, &used);
    }
    return used;
}

static wkResult makeStates(wkBatch* batch)
{
    wkResult result = wk_ok;
    for (int32_t i = 0; i < batch->scratchCount && result == wk_ok; ++i) {
        result = wkRobotState_Create(batch->robot, &batch->scratches[i].state);
    }
    return result;
}

wkResult wkMakeScratches(wkBatch* batch)
{
    batch->scratchCount = countScratches(batch);
    size_t byteCount = layOutAll(batch, NULL);
    batch->scratchMemory = wkAlloc(byteCount);
    if (batch->scratchMemory == NULL) {
        batch->scratchCount = 0;
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", byteCount);
    }
    memset(batch->scratchMemory, 0, byteCount);
    layOutAll(batch, (char*)batch->scratchMemory);
    batch->scratchByteCount = byteCount;
    atomic_init(batch->freeScratches, ~UINT64_C(0) >> (MAX_SCRATCHES - batch->scratchCount));
    wkBatch_UseLanes(batch, batch->lanes);
    return makeStates(batch);
}

void wkFreeScratches(wkBatch* batch)
{
    for (int32_t i = 0; i < batch->scratchCount; ++i) {
        wkRobotState_Destroy(batch->scratches[i].state);
    }
    wkFree(batch->scratchMemory, batch->scratchByteCount);
    batch->scratchMemory = NULL;
    batch->scratchCount = 0;
}

wkBatchScratch* wkAcquireScratch(const wkBatch* batch)
{
    uint64_t scratches = atomic_load_explicit(batch->freeScratches, memory_order_relaxed);
    for (;;) {
        if (scratches == 0) {
            sched_yield();
            scratches = atomic_load_explicit(batch->freeScratches, memory_order_relaxed);
            continue;
        }
        uint64_t lowest = scratches & (~scratches + 1);
        if (atomic_compare_exchange_weak_explicit(batch->freeScratches, &scratches,
                                                  scratches & ~lowest, memory_order_acquire,
                                                  memory_order_relaxed)) {
            return &batch->scratches[__builtin_ctzll(lowest)];
        }
    }
}

void wkReleaseScratch(const wkBatch* batch, wkBatchScratch* scratch)
{
    uint64_t bit = UINT64_C(1) << (scratch - batch->scratches);
    atomic_fetch_or_explicit(batch->freeScratches, bit, memory_order_release);
}

// A call, divided into tasks.
typedef struct batchRun {
    const wkBatch* batch;
    wkBatchTaskFcn* fcn;
    void* context;
    int64_t count;
    int64_t size;  // of a task
    int64_t first; // first item of this loop
} batchRun;

static void runTask(void* context, int32_t task)
{
    const batchRun* run = (const batchRun*)context;
    int64_t first = run->first + (int64_t)task * run->size;
    int64_t left = run->count - first;
    wkBatchScratch* scratch = wkAcquireScratch(run->batch);
    run->fcn(run->batch, scratch, run->context, first, left < run->size ? left : run->size);
    wkReleaseScratch(run->batch, scratch);
}

// Tasks for each thread, so that none waits long for the last one.
#define TASKS_PER_SCRATCH 4

void wkRunBatch(const wkBatch* batch, wkBatchTaskFcn* fcn, void* context, int64_t count,
                int64_t least, int64_t most)
{
    int64_t size = count / ((int64_t)batch->scratchCount * TASKS_PER_SCRATCH) / least * least;
    size = size < least ? least : size > most ? most : size;
    batchRun run = {batch, fcn, context, count, size, 0};
    while (run.first < count) {
        int64_t taskCount = (count - run.first + size - 1) / size;
        taskCount = taskCount < INT32_MAX / 2 ? taskCount : INT32_MAX / 2;
        if (taskCount == 1) {
            runTask(&run, 0);
        } else {
            wkRunTasks(batch->def.parallel, runTask, &run, (int32_t)taskCount);
        }
        run.first += taskCount * size;
    }
}
