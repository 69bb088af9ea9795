// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rooms: what threads need to look at configurations, made once; and the tasks that take them.

#define _POSIX_C_SOURCE 200809L // sysconf, sched_yield

#include "batch/batch.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "batch/batch_lanes.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#define PIECE_ALIGNMENT 64
// As many as there are bits for.
#define MAX_ROOMS 64

static int32_t countRooms(const wkBatch* batch)
{
    long wanted = sysconf(_SC_NPROCESSORS_ONLN);
    const wkParallel* parallel = batch->def.parallel;
    if (parallel != NULL && parallel->threadCount > wanted) {
        wanted = parallel->threadCount;
    }
    return (int32_t)(wanted < 1 ? 1 : wanted < MAX_ROOMS ? wanted : MAX_ROOMS);
}

// The next piece of a block; without a start the block is only counted.
static void* take(char* start, size_t* used, size_t count, size_t size)
{
    void* piece = start != NULL ? start + *used : NULL;
    *used += (count * size + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

static void laySlots(const wkBatch* batch, wkBatchRoom* room, char* start, size_t* used)
{
    size_t moverCount = (size_t)batch->robot->moverCount;
    room->slots = (wkMotionSlot*)take(start, used, WK_MOTION_SLOTS, sizeof(wkMotionSlot));
    double* rates = (double*)take(start, used, 2 * moverCount * WK_MOTION_SLOTS, sizeof(double));
    float* floats = (float*)take(start, used, 2 * moverCount * WK_MOTION_SLOTS, sizeof(float));
    wkSpan* spans = (wkSpan*)take(start, used, WK_MOTION_SLOTS * WK_SPAN_CAPACITY, sizeof(wkSpan));
    for (size_t i = 0; i < WK_MOTION_SLOTS && start != NULL; ++i) {
        room->slots[i].rates = rates + 2 * i * moverCount;
        room->slots[i].turns = floats + 2 * i * moverCount;
        room->slots[i].slides = floats + (2 * i + 1) * moverCount;
        room->slots[i].spans = spans + i * WK_SPAN_CAPACITY;
    }
}

// More lanes than any instruction set has.
#define MOST_LANES 16
// Columns that are packed: two frames, the growth of spheres and that of bodies.
#define PACKED_COLUMNS 26

// Pieces of a room, from `used` on.
static void layOut(const wkBatch* batch, wkBatchRoom* room, char* start, size_t* used)
{
    const wkProgram* program = batch->program;
    size_t variableCount = (size_t)program->variableCount;
    size_t moverCount = (size_t)program->moverCount, rates = moverCount * WK_BATCH_BLOCK;
    size_t numbers = (size_t)program->roomCount * WK_BATCH_BLOCK;
    size_t packed = PACKED_COLUMNS * (WK_BATCH_BLOCK + MOST_LANES);
    room->rows = (double*)take(start, used, variableCount * WK_BATCH_BLOCK, sizeof(double));
    room->verdicts = (uint8_t*)take(start, used, WK_BATCH_BLOCK, sizeof(uint8_t));
    room->lanes = (float*)take(start, used, numbers, sizeof(float));
    room->packed = (float*)take(start, used, packed, sizeof(float));
    room->packedRows = (uint16_t*)take(start, used, WK_BATCH_BLOCK + MOST_LANES, sizeof(uint16_t));
    room->turns = (float*)take(start, used, rates, sizeof(float));
    room->slides = (float*)take(start, used, rates, sizeof(float));
    room->open = (float*)take(start, used, WK_BATCH_BLOCK, sizeof(float));
    room->slotOfRow = (uint8_t*)take(start, used, WK_BATCH_BLOCK, sizeof(uint8_t));
    room->wanted = (wkSpanItems*)take(start, used, 1, sizeof(wkSpanItems));
    room->unproven = (wkSpanItems*)take(start, used, 1, sizeof(wkSpanItems));
    room->spins = (float*)take(start, used, 3 * rates, sizeof(float));
    room->ways =
        (float*)take(start, used, 2 * (size_t)batch->wayCount * WK_BATCH_BLOCK, sizeof(float));
    room->isMoving = (bool*)take(start, used, moverCount, sizeof(bool));
    room->isStillTurn = (bool*)take(start, used, (size_t)program->turnCount, sizeof(bool));
    room->isStillColumn = (bool*)take(start, used, (size_t)program->columnCount, sizeof(bool));
    room->placed = (float*)take(
        start, used, 3 * ((size_t)program->ballCount + MOST_LANES) * WK_PLACED_ROWS, sizeof(float));
    room->centers =
        (float*)take(start, used, 3 * (size_t)program->partCount * WK_PLACED_ROWS, sizeof(float));
    room->bounds =
        (float*)take(start, used, (size_t)program->ballCount * WK_PLACED_ROWS, sizeof(float));
    room->balls = (wkBall*)take(start, used, (size_t)program->ballCount, sizeof(wkBall));
    room->movers = (wkPose*)take(start, used, moverCount, sizeof(wkPose));
    room->chainValues = (double*)take(start, used, variableCount, sizeof(double));
    laySlots(batch, room, start, used);
}

static size_t layOutAll(wkBatch* batch, char* start)
{
    size_t used = 0;
    wkBatchRoom counted;
    memset(&counted, 0, sizeof counted);
    batch->freeRooms = (wkRoomBits*)take(start, &used, 1, sizeof *batch->freeRooms);
    batch->rooms = (wkBatchRoom*)take(start, &used, (size_t)batch->roomCount, sizeof *batch->rooms);
    for (int32_t i = 0; i < batch->roomCount; ++i) {
        layOut(batch, start != NULL ? &batch->rooms[i] : &counted, start, &used);
    }
    return used;
}

static wkResult makeStates(wkBatch* batch)
{
    wkResult result = wk_ok;
    for (int32_t i = 0; i < batch->roomCount && result == wk_ok; ++i) {
        result = wkRobotState_Create(batch->robot, &batch->rooms[i].state);
    }
    return result;
}

wkResult wkMakeRooms(wkBatch* batch)
{
    batch->roomCount = countRooms(batch);
    size_t byteCount = layOutAll(batch, NULL);
    batch->roomMemory = wkAlloc(byteCount);
    if (batch->roomMemory == NULL) {
        batch->roomCount = 0;
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", byteCount);
    }
    memset(batch->roomMemory, 0, byteCount);
    layOutAll(batch, (char*)batch->roomMemory);
    batch->roomByteCount = byteCount;
    atomic_init(batch->freeRooms, ~UINT64_C(0) >> (MAX_ROOMS - batch->roomCount));
    wkBatch_UseLanes(batch, batch->lanes);
    return makeStates(batch);
}

void wkFreeRooms(wkBatch* batch)
{
    for (int32_t i = 0; i < batch->roomCount; ++i) {
        wkRobotState_Destroy(batch->rooms[i].state);
    }
    wkFree(batch->roomMemory, batch->roomByteCount);
    batch->roomMemory = NULL;
    batch->roomCount = 0;
}

wkBatchRoom* wkTakeRoom(const wkBatch* batch)
{
    uint64_t rooms = atomic_load_explicit(batch->freeRooms, memory_order_relaxed);
    for (;;) {
        if (rooms == 0) {
            sched_yield();
            rooms = atomic_load_explicit(batch->freeRooms, memory_order_relaxed);
            continue;
        }
        uint64_t lowest = rooms & (~rooms + 1);
        if (atomic_compare_exchange_weak_explicit(batch->freeRooms, &rooms, rooms & ~lowest,
                                                  memory_order_acquire, memory_order_relaxed)) {
            return &batch->rooms[__builtin_ctzll(lowest)];
        }
    }
}

void wkGiveRoomBack(const wkBatch* batch, wkBatchRoom* room)
{
    uint64_t bit = UINT64_C(1) << (room - batch->rooms);
    atomic_fetch_or_explicit(batch->freeRooms, bit, memory_order_release);
}

// A call, cut into tasks.
typedef struct batchRun {
    const wkBatch* batch;
    wkBatchTaskFcn* fcn;
    void* context;
    int64_t count;
    int64_t size;  // of a task
    int64_t first; // item of this loop
} batchRun;

static void runTask(void* context, int32_t task)
{
    const batchRun* run = (const batchRun*)context;
    int64_t first = run->first + (int64_t)task * run->size;
    int64_t left = run->count - first;
    wkBatchRoom* room = wkTakeRoom(run->batch);
    run->fcn(run->batch, room, run->context, first, left < run->size ? left : run->size);
    wkGiveRoomBack(run->batch, room);
}

// Tasks for each thread, so that none waits long for the last one.
#define TASKS_PER_ROOM 4

void wkRunBatch(const wkBatch* batch, wkBatchTaskFcn* fcn, void* context, int64_t count,
                int64_t least, int64_t most)
{
    int64_t size = count / ((int64_t)batch->roomCount * TASKS_PER_ROOM) / least * least;
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
