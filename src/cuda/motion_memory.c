// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tables about the joints of a robot are copied to the GPU, and memory for pieces of motions is allocated there.

#include "cuda/motion_memory.h"

#include "base/block.h"
#include "whisker/detail/library.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Intervals in a queue: so many for each motion on average, and enough for any single one.
#define ITEMS_EACH 12
#define LEAST_ITEMS (16 * WK_MOTION_CHECKS)

// Motions in steps at once, as a share of those that are certified.
#define STEP_SHARE 4

// Offsets of tables in their block.
typedef struct tableLayout {
    uint64_t byteCount;
    uint64_t variables, joints, carriers, pairTops;
    uint64_t sphereReaches, centerReaches, partReaches, pairReaches;
} tableLayout;

static tableLayout planTables(const wkBatch* batch)
{
    const wkProgram* program = batch->program;
    uint64_t joints = (uint64_t)program->rigidGroupCount, parts = (uint64_t)program->partCount;
    uint64_t pairs = (uint64_t)program->pairCount;
    tableLayout plan = {.byteCount = 0};
    uint64_t* bytes = &plan.byteCount;
    plan.variables = wkReserve(bytes, (uint64_t)program->variableCount * sizeof(wkDeviceVariable));
    plan.joints = wkReserve(bytes, joints * sizeof(wkDeviceJoint));
    plan.carriers = wkReserve(bytes, joints * sizeof(wkDeviceCarrier));
    plan.pairTops = wkReserve(bytes, pairs * sizeof(int32_t));
    plan.sphereReaches = wkReserve(bytes, (uint64_t)program->sphereCount * sizeof(float));
    plan.centerReaches = wkReserve(bytes, parts * sizeof(float));
    plan.partReaches = wkReserve(bytes, parts * sizeof(float));
    plan.pairReaches = wkReserve(bytes, 2 * pairs * sizeof(float));
    wkReserve(bytes, 1);
    return plan;
}

static wkDeviceJoint jointOf(const wkBatch* batch, int32_t number)
{
    const wkRigidGroup* from = &batch->robot->rigidGroups[number];
    wkItemAxes axes = wkItemAxesOf(batch->program, number);
    wkDeviceJoint joint = {
        .factor = from->factor,
        .type = (int32_t)from->type,
        .parent = from->parent,
        .variable = from->variable,
        .x = axes.x,
        .y = axes.y,
        .origin = axes.origin,
    };
    return joint;
}

// Copies an array that may be empty.
static void copyArray(char* to, const void* from, size_t byteCount)
{
    if (byteCount > 0) {
        memcpy(to, from, byteCount);
    }
}

static void fillTables(const wkBatch* batch, const tableLayout* plan, char* block)
{
    const wkProgram* program = batch->program;
    size_t parts = (size_t)program->partCount, pairs = (size_t)program->pairCount;
    wkDeviceVariable* variables = (wkDeviceVariable*)(void*)(block + plan->variables);
    for (int32_t i = 0; i < program->variableCount; ++i) {
        const wkVariableInfo* from = &batch->robot->variables[i];
        wkDeviceVariable variable = {from->lower, from->upper,
                                     from->kind == wk_variableContinuous ? 1 : 0, 0};
        variables[i] = variable;
    }
    wkDeviceJoint* joints = (wkDeviceJoint*)(void*)(block + plan->joints);
    for (int32_t i = 0; i < program->rigidGroupCount; ++i) {
        joints[i] = jointOf(batch, i);
    }
    wkDeviceCarrier* carriers = (wkDeviceCarrier*)(void*)(block + plan->carriers);
    for (int32_t i = 0; i < batch->carrierCount; ++i) {
        const wkCarrier* from = &batch->carriers[i];
        wkDeviceCarrier carrier = {from->x, from->y, from->z, from->reach};
        carriers[from->rigidGroup] = carrier;
    }
    copyArray(block + plan->pairTops, batch->pairTops, pairs * sizeof(int32_t));
    copyArray(block + plan->sphereReaches, batch->sphereReaches,
              (size_t)program->sphereCount * sizeof(float));
    copyArray(block + plan->centerReaches, batch->centerReaches, parts * sizeof(float));
    copyArray(block + plan->partReaches, batch->partReaches, parts * sizeof(float));
    copyArray(block + plan->pairReaches, batch->pairReaches, 2 * pairs * sizeof(float));
}

static void setTables(const wkBatch* batch, const tableLayout* plan, wkMotionMemory* memory)
{
    const char* block = memory->tableMemory;
    wkDeviceMotionTables tables = {
        .variables = (const wkDeviceVariable*)(const void*)(block + plan->variables),
        .joints = (const wkDeviceJoint*)(const void*)(block + plan->joints),
        .carriers = (const wkDeviceCarrier*)(const void*)(block + plan->carriers),
        .pairTops = (const int32_t*)(const void*)(block + plan->pairTops),
        .sphereReaches = (const float*)(const void*)(block + plan->sphereReaches),
        .centerReaches = (const float*)(const void*)(block + plan->centerReaches),
        .partReaches = (const float*)(const void*)(block + plan->partReaches),
        .pairReaches = (const float*)(const void*)(block + plan->pairReaches),
        .jointCount = batch->program->rigidGroupCount,
        .leverSlack = batch->leverSlack,
    };
    memory->tables = tables;
}

static wkResult allocateOnGpu(uint64_t byteCount, char** memory)
{
    void* made = NULL;
    char words[100];
    snprintf(words, sizeof words, "allocating %" PRIu64 " bytes on the GPU", byteCount);
    wkResult result = wkTakeCudaError(cudaMalloc(&made, (size_t)byteCount), words);
    *memory = (char*)made;
    return result;
}

static wkResult makeTables(const wkBatch* batch, wkMotionMemory* memory)
{
    tableLayout plan = planTables(batch);
    char* block = (char*)wkAllocate((size_t)plan.byteCount);
    if (block == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda batch: no memory");
    }
    memset(block, 0, (size_t)plan.byteCount);
    fillTables(batch, &plan, block);
    wkResult result = allocateOnGpu(plan.byteCount, &memory->tableMemory);
    if (result == wk_ok) {
        setTables(batch, &plan, memory);
        cudaStream_t stream = memory->pieces[0].stream;
        cudaError_t error = cudaMemcpyAsync(memory->tableMemory, block, (size_t)plan.byteCount,
                                            cudaMemcpyHostToDevice, stream);
        cudaError_t done = cudaStreamSynchronize(stream);
        result = wkTakeCudaError(error == cudaSuccess ? done : error, "copying tables of motions");
        memory->byteCount += (size_t)plan.byteCount;
    }
    wkRelease(block, (size_t)plan.byteCount);
    return result;
}

// Takes bytes of a block whose address is known, or counts them.
typedef struct cursor {
    char* block; // NULL: bytes are counted
    uint64_t byteCount;
} cursor;

static void* take(cursor* c, uint64_t byteCount)
{
    uint64_t at = wkReserve(&c->byteCount, byteCount);
    return c->block != NULL ? c->block + at : NULL;
}

static void layOutPiece(cursor* c, uint64_t rowBytes, uint64_t numberBytes,
                        const wkMotionMemory* memory, wkMotionPieceMemory* piece)
{
    uint64_t count = (uint64_t)memory->count;
    uint64_t rates = 2 * (uint64_t)memory->tables.jointCount * sizeof(float);
    piece->from = (char*)take(c, count * rowBytes);
    piece->to = (char*)take(c, count * rowBytes);
    piece->results = (wkBatchMotionResult*)take(c, count * sizeof(wkBatchMotionResult));
    piece->motions = (wkDeviceMotion*)take(c, count * sizeof(wkDeviceMotion));
    piece->rates = (float*)take(c, count * rates);
    for (int i = 0; i < 2; ++i) {
        piece->items[i] = (wkMotionItem*)take(c, memory->capacity * sizeof(wkMotionItem));
    }
    piece->hostQueue = (uint32_t*)take(c, count * sizeof(uint32_t));
    piece->counts = (uint32_t*)take(c, WK_MOTION_COUNTS * sizeof(uint32_t));
    void* numbers = take(c, numberBytes);
    piece->numbers = numberBytes > 0 ? (float*)numbers : NULL;
}

// Lays out all memory of the device.
// @param block NULL: only the bytes are counted
static uint64_t layOut(char* block, uint64_t rowBytes, uint64_t numberBytes, wkMotionMemory* memory)
{
    cursor c = {block, 0};
    for (int i = 0; i < WK_MOTION_PIECES; ++i) {
        layOutPiece(&c, rowBytes, numberBytes, memory, &memory->pieces[i]);
    }
    uint64_t steps = (uint64_t)memory->stepCount;
    for (int i = 0; i < 2; ++i) {
        memory->open[i] = (wkStepMotion*)take(&c, steps * sizeof(wkStepMotion));
        memory->gathered[i] = (double*)take(&c, WK_LEFT_MOTIONS * rowBytes);
    }
    memory->openCounts = (uint32_t*)take(&c, 2 * sizeof(uint32_t));
    memory->stepRows = (double*)take(&c, steps * WK_STEPS_AT_ONCE * rowBytes);
    memory->stepVerdicts = (uint8_t*)take(&c, steps * WK_STEPS_AT_ONCE);
    memory->decided = (wkBatchMotionResult*)take(&c, WK_LEFT_MOTIONS * sizeof(wkBatchMotionResult));
    return c.byteCount;
}

static uint64_t layOutPinned(char* block, uint64_t rowBytes, wkMotionMemory* memory)
{
    cursor c = {block, 0};
    for (int i = 0; i < WK_MOTION_PIECES; ++i) {
        memory->pieces[i].pinnedCounts = (uint32_t*)take(&c, WK_MOTION_COUNTS * sizeof(uint32_t));
    }
    memory->pinnedQueue = (uint32_t*)take(&c, WK_LEFT_MOTIONS * sizeof(uint32_t));
    for (int i = 0; i < 2; ++i) {
        memory->pinnedEnds[i] = (double*)take(&c, WK_LEFT_MOTIONS * rowBytes);
    }
    memory->pinnedResults =
        (wkBatchMotionResult*)take(&c, WK_LEFT_MOTIONS * sizeof(wkBatchMotionResult));
    return c.byteCount;
}

static wkResult allocate(uint64_t rowBytes, uint64_t numberBytes, wkMotionMemory* memory)
{
    uint64_t byteCount = layOut(NULL, rowBytes, numberBytes, memory);
    wkResult result = allocateOnGpu(byteCount, &memory->memory);
    void* pinned = NULL;
    uint64_t pinnedBytes = layOutPinned(NULL, rowBytes, memory);
    if (result == wk_ok) {
        memory->byteCount += (size_t)byteCount;
        result = wkTakeCudaError(cudaMallocHost(&pinned, (size_t)pinnedBytes),
                                 "allocating pinned memory");
    }
    memory->pinned = pinned;
    if (result == wk_ok) {
        layOut(memory->memory, rowBytes, numberBytes, memory);
        layOutPinned((char*)pinned, rowBytes, memory);
    }
    return result;
}

// Chooses where numbers of intervals are, and how many blocks of threads run.
// @param numberBytes set to the memory of the device for them; 0: shared memory
static wkResult chooseBlocks(const wkCuda* cuda, const wkDeviceBatch* view, wkMotionMemory* memory,
                             uint64_t* numberBytes)
{
    wkDeviceMotions motions = {.batch = *view, .tables = memory->tables};
    bool isShared = wkMotionsSharedBytes(&motions, true) <= cuda->sharedBytes;
    wkResult result = wk_ok;
    int32_t most = 0;
    for (int kind = 0; kind < WK_LIVE_KIND_COUNT && result == wk_ok; ++kind) {
        int each = 0;
        result = wkTakeCudaError(
            wkCountMotionBlocks(&motions, isShared, (wkLiveKind)kind, cuda->sharedBytes, &each),
            "counting blocks of threads");
        if (result == wk_ok && each < 1) {
            result = wkFailCuda(wk_errorDevice, "cuda batch: the GPU cannot run the kernels");
        }
        memory->blockCounts[kind] = each * cuda->info.multiprocessorCount;
        most = memory->blockCounts[kind] > most ? memory->blockCounts[kind] : most;
    }
    uint64_t warps = (uint64_t)most * WK_STATE_WARPS;
    uint64_t numbers = (uint64_t)wkMotionNumberCount(view, &memory->tables);
    *numberBytes = isShared ? 0 : warps * numbers * WK_ITEM_STRIDE * sizeof(float);
    return result;
}

static bool hasFloatingJoint(const wkRobot* robot)
{
    bool hasAny = false;
    for (int32_t i = 1; i < robot->rigidGroupCount; ++i) {
        hasAny = hasAny || robot->rigidGroups[i].type == wk_jointFloating;
    }
    return hasAny;
}

wkResult wkMotionMemory_Make(const wkBatch* batch, const wkCuda* cuda, const wkDeviceBatch* view,
                             int64_t count, wkMotionMemory* memory)
{
    memory->count = count;
    if (count == 0) {
        return wk_ok;
    }
    memory->isSupported = !hasFloatingJoint(batch->robot);
    int64_t items = ITEMS_EACH * count;
    memory->capacity = (uint32_t)(items > LEAST_ITEMS ? items : LEAST_ITEMS);
    memory->stepCount = count / STEP_SHARE;
    wkResult result = wk_ok;
    for (int i = 0; i < WK_MOTION_PIECES && result == wk_ok; ++i) {
        result = wkTakeCudaError(
            cudaStreamCreateWithFlags(&memory->pieces[i].stream, cudaStreamNonBlocking),
            "making streams");
    }
    uint64_t numberBytes = 0;
    result = result == wk_ok ? makeTables(batch, memory) : result;
    result = result == wk_ok ? chooseBlocks(cuda, view, memory, &numberBytes) : result;
    if (result == wk_ok) {
        uint64_t rowBytes = (uint64_t)batch->program->variableCount * sizeof(double);
        result = allocate(rowBytes, numberBytes, memory);
    }
    if (result != wk_ok) {
        wkMotionMemory_Free(memory);
    }
    return result;
}

void wkMotionMemory_Free(wkMotionMemory* memory)
{
    for (int i = 0; i < WK_MOTION_PIECES; ++i) {
        if (memory->pieces[i].stream != NULL) {
            cudaStreamDestroy(memory->pieces[i].stream);
        }
    }
    if (memory->pinned != NULL) {
        cudaFreeHost(memory->pinned);
    }
    if (memory->memory != NULL) {
        cudaFree(memory->memory);
    }
    if (memory->tableMemory != NULL) {
        cudaFree(memory->tableMemory);
    }
    memset(memory, 0, sizeof *memory);
}
