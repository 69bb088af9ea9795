// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Batches in the memory of a GPU: creation, refresh, and memory for calls.

#include "cuda/cuda_batch.h"

#include "base/block.h"
#include "base/cookie.h"
#include "batch/batch_layout.h"
#include "cuda/device_clearances.h"
#include "whisker/detail/device.h"
#include "whisker/detail/library.h"

#include <inttypes.h>
#include <string.h>

#define LEAST_PIECE 1024
#define MOST_PIECE ((int64_t)1 << 26)
#define DEFAULT_PIECE ((int64_t)1 << 20)
#define MOST_MOTIONS ((int64_t)1 << 22)
#define DEFAULT_MOTIONS ((int64_t)1 << 16)

wkCudaBatchDef wkDefaultCudaBatchDef(void)
{
    wkCudaBatchDef def = {.cookie = WK_COOKIE(wkCudaBatchDef),
                          .pieceCount = DEFAULT_PIECE,
                          .motionCount = DEFAULT_MOTIONS};
    return def;
}

wkCudaStatesRequest wkDefaultCudaStatesRequest(void)
{
    wkCudaStatesRequest request = {.cookie = WK_COOKIE(wkCudaStatesRequest)};
    return request;
}

wkCudaMotionsRequest wkDefaultCudaMotionsRequest(void)
{
    wkCudaMotionsRequest request = {.cookie = WK_COOKIE(wkCudaMotionsRequest),
                                    .motion = wkDefaultMotionRequest(),
                                    .where = wkDefaultCudaStatesRequest()};
    return request;
}

wkResult wkCheckMemories(const wkCudaStatesRequest* where)
{
    if (!WK_HAS_COOKIE(where, wkCudaStatesRequest)) {
        return WK_FAIL_COOKIE(where, wkCudaStatesRequest);
    }
    wkResult result = wkCheckCudaMemory("cuda batch: statesIn", where->statesIn);
    return result == wk_ok ? wkCheckCudaMemory("cuda batch: verdictsIn", where->verdictsIn)
                           : result;
}

wkResult wkCheckRows(const wkCudaBatch* batch, const wkCudaStatesRequest* where, const void* rows)
{
    size_t alignment = where->areFloats ? sizeof(float) : sizeof(double);
    return batch->length > 0 ? wkCheckCudaNumbers(batch->cuda, "cuda batch: configurations",
                                                  where->statesIn, rows, alignment)
                             : wk_ok;
}

wkResult wkCheckFreshCopy(const wkCudaBatch* batch)
{
    if (batch->batch->refreshCount != batch->refreshCount) {
        return wkFailCuda(wk_errorState, "cuda batch: the batch was refreshed since it was copied; "
                                         "call wkCudaBatch_Refresh");
    }
    return wkBatch_CheckStates(batch->batch, batch->context, NULL, 0, NULL);
}

static wkResult checkDef(const wkCudaBatchDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCudaBatchDef)) {
        return WK_FAIL_COOKIE(def, wkCudaBatchDef);
    }
    if (def->cuda == NULL || def->batch == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda batch: %s is NULL",
                          def->cuda == NULL ? "cuda" : "batch");
    }
    if (wkGetBatchLayout() != wkHashBatchLayout()) {
        return wkFailCuda(wk_errorUnsupported, "cuda batch: libwhisker is of another build than "
                                               "libwhisker-cuda, which cannot read its batches");
    }
    if (def->pieceCount < LEAST_PIECE || def->pieceCount > MOST_PIECE ||
        def->pieceCount % WK_PIECE_MULTIPLE != 0) {
        return wkFailCuda(wk_errorRange,
                          "cuda batch: pieceCount is %" PRId64 ", must be a multiple of %d from %d "
                          "to %" PRId64,
                          def->pieceCount, WK_PIECE_MULTIPLE, LEAST_PIECE, MOST_PIECE);
    }
    if (def->motionCount < 0 || def->motionCount > MOST_MOTIONS ||
        def->motionCount % WK_PIECE_MULTIPLE != 0) {
        return wkFailCuda(wk_errorRange,
                          "cuda batch: motionCount is %" PRId64 ", must be a multiple of %d from 0 "
                          "to %" PRId64,
                          def->motionCount, WK_PIECE_MULTIPLE, MOST_MOTIONS);
    }
    return wk_ok;
}

// Where arrays are in the memory of the device and in pinned memory.
typedef struct layout {
    uint64_t byteCount;
    uint64_t pinnedBytes;
    struct {
        uint64_t rows, verdicts, words, open, queue, spheres, queueCounts;
    } slots[WK_BATCH_SLOTS];
    uint64_t gathered, decided, numbers;
    uint64_t pinnedCounts, pinnedQueue, pinnedRows, pinnedVerdicts;
} layout;

static layout planMemory(const wkCudaBatch* made)
{
    uint64_t rowBytes = (uint64_t)made->length * sizeof(double), count = (uint64_t)made->pieceCount;
    layout plan = {.byteCount = 0};
    for (int i = 0; i < WK_BATCH_SLOTS; ++i) {
        plan.slots[i].rows = wkReserve(&plan.byteCount, count * rowBytes);
        plan.slots[i].verdicts = wkReserve(&plan.byteCount, count);
        plan.slots[i].words = wkReserve(&plan.byteCount, count / 8);
        plan.slots[i].queue = wkReserve(&plan.byteCount, count * sizeof(uint32_t));
        plan.slots[i].open = wkReserve(&plan.byteCount, count * sizeof(uint32_t));
        plan.slots[i].spheres = wkReserve(&plan.byteCount, count * sizeof(wkOpenSphere));
        plan.slots[i].queueCounts = wkReserve(&plan.byteCount, WK_QUEUE_COUNT * sizeof(uint32_t));
    }
    plan.gathered = wkReserve(&plan.byteCount, WK_LEFT_AT_ONCE * rowBytes);
    plan.decided = wkReserve(&plan.byteCount, WK_LEFT_AT_ONCE);
    plan.numbers = wkReserve(&plan.byteCount, made->numberBytes * WK_BATCH_SLOTS);
    plan.pinnedCounts = wkReserve(&plan.pinnedBytes, WK_BATCH_SLOTS * sizeof(uint32_t));
    plan.pinnedQueue = wkReserve(&plan.pinnedBytes, WK_LEFT_AT_ONCE * sizeof(uint32_t));
    plan.pinnedRows = wkReserve(&plan.pinnedBytes, WK_LEFT_AT_ONCE * rowBytes);
    plan.pinnedVerdicts = wkReserve(&plan.pinnedBytes, WK_LEFT_AT_ONCE);
    return plan;
}

static void setPointers(const layout* plan, char* pinned, wkCudaBatch* made)
{
    for (int i = 0; i < WK_BATCH_SLOTS; ++i) {
        wkBatchSlot* slot = &made->slots[i];
        slot->rows = made->memory + plan->slots[i].rows;
        slot->verdicts = (uint8_t*)(made->memory + plan->slots[i].verdicts);
        slot->words = (uint32_t*)(made->memory + plan->slots[i].words);
        slot->queue = (uint32_t*)(made->memory + plan->slots[i].queue);
        slot->open = (uint32_t*)(made->memory + plan->slots[i].open);
        slot->spheres = (wkOpenSphere*)(void*)(made->memory + plan->slots[i].spheres);
        slot->queueCounts = (uint32_t*)(made->memory + plan->slots[i].queueCounts);
        slot->numbers =
            made->numberBytes > 0
                ? (float*)(made->memory + plan->numbers + (uint64_t)i * made->numberBytes)
                : NULL;
        slot->pinnedCount = (uint32_t*)(pinned + plan->pinnedCounts) + i;
    }
    made->gathered = (double*)(made->memory + plan->gathered);
    made->decided = (uint8_t*)(made->memory + plan->decided);
    made->pinnedQueue = (uint32_t*)(pinned + plan->pinnedQueue);
    made->pinnedRows = (double*)(pinned + plan->pinnedRows);
    made->pinnedVerdicts = (uint8_t*)(pinned + plan->pinnedVerdicts);
}

static wkResult allocate(wkCudaBatch* made)
{
    layout plan = planMemory(made);
    wkResult result =
        wkAllocateCuda(plan.byteCount, plan.pinnedBytes, &made->memory, &made->pinned);
    made->byteCount = (size_t)plan.byteCount;
    if (result == wk_ok) {
        setPointers(&plan, made->pinned, made);
    }
    for (int i = 0; i < WK_BATCH_SLOTS && result == wk_ok; ++i) {
        result = wkTakeCudaError(
            cudaStreamCreateWithFlags(&made->slots[i].stream, cudaStreamNonBlocking),
            "making streams");
    }
    return result;
}

// Counts the blocks of all kernels that run at once.
static wkResult countBlocks(wkCudaBatch* made, bool isShared)
{
    wkResult result = wk_ok;
    for (int kind = 0; kind < WK_LIVE_KIND_COUNT && result == wk_ok; ++kind) {
        int each[3] = {0, 0, 0};
        cudaError_t error = wkCountStateBlocks(&made->copy.view, isShared, (wkLiveKind)kind,
                                               made->cuda->sharedBytes, each);
        error = error == cudaSuccess ? wkCountLiveBlocks((wkLiveKind)kind, &each[2]) : error;
        result = wkTakeCudaError(error, "counting blocks of threads");
        for (int i = 0; i < 2; ++i) {
            made->blockCounts[kind][i] = each[i] * made->cuda->info.multiprocessorCount;
        }
        made->liveBlockCounts[kind] = each[2] * made->cuda->info.multiprocessorCount;
        if (result == wk_ok && (each[0] < 1 || each[1] < 1 || each[2] < 1)) {
            result = wkFailCuda(wk_errorDevice, "cuda batch: the GPU cannot run the kernels");
        }
    }
    return result;
}

// Chooses where numbers of configurations are during a check: in shared memory where a block fits.
static wkResult chooseBlocks(wkCudaBatch* made)
{
    const wkDeviceBatch* view = &made->copy.view;
    bool isShared = wkStatesSharedBytes(view, true) <= made->cuda->sharedBytes;
    wkResult result = countBlocks(made, isShared);
    int32_t most = 0;
    for (int i = 0; i < 2 * WK_LIVE_KIND_COUNT; ++i) {
        int32_t count = made->blockCounts[i / 2][i % 2];
        most = count > most ? count : most;
    }
    size_t sharedBytes = made->cuda->sharedBytes;
    for (int i = 0; i < 2 && result == wk_ok; ++i) {
        int blocks = 0;
        cudaError_t error = i == 0
                                ? wkCountClearanceBlocks(view, isShared, sharedBytes, &blocks)
                                : wkCountLiveClearanceBlocks(view, isShared, sharedBytes, &blocks);
        result = wkTakeCudaError(error, "counting blocks of threads");
        if (result == wk_ok && blocks < 1) {
            result = wkFailCuda(wk_errorDevice, "cuda batch: the GPU cannot run the kernels");
        }
        made->clearanceBlockCounts[i] = blocks * made->cuda->info.multiprocessorCount;
        if (!isShared && made->clearanceBlockCounts[i] > most) {
            made->clearanceBlockCounts[i] = most; // there is memory for as many
        }
    }
    size_t warpBytes = (size_t)view->numberCount * WK_STATES_OF_WARP * sizeof(float);
    made->numberBytes = isShared ? 0 : (size_t)most * WK_STATE_WARPS * warpBytes;
    return result;
}

static wkResult copyBatch(wkCudaBatch* made, const wkBatch* batch)
{
    cudaStream_t stream = NULL;
    wkResult result = wkTakeCudaError(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                                      "making a stream");
    result = result == wk_ok ? wkBatchCopy_Make(batch, stream, &made->copy) : result;
    if (stream != NULL) {
        cudaStreamDestroy(stream);
    }
    return result;
}

static void freeMemory(wkCudaBatch* batch)
{
    for (int i = 0; i < WK_BATCH_SLOTS; ++i) {
        if (batch->slots[i].stream != NULL) {
            cudaStreamDestroy(batch->slots[i].stream);
        }
    }
    if (batch->pinned != NULL) {
        cudaFreeHost(batch->pinned);
    }
    if (batch->memory != NULL) {
        cudaFree(batch->memory);
    }
    wkMotionMemory_Free(&batch->motions);
    wkBatchCopy_Free(&batch->copy);
    wkBatchContext_Destroy(batch->context);
}

// Makes everything that depends on the contents of the batch.
static wkResult make(wkCudaBatch* made)
{
    const wkBatch* batch = made->batch;
    made->length = batch->program->variableCount;
    made->refreshCount = batch->refreshCount;
    wkResult result = wkUseCuda(made->cuda);
    result = result == wk_ok ? copyBatch(made, batch) : result;
    result = result == wk_ok ? chooseBlocks(made) : result;
    result = result == wk_ok ? allocate(made) : result;
    result = result == wk_ok ? wkMotionMemory_Make(batch, made->cuda, &made->copy.view,
                                                   made->motionCount, &made->motions)
                             : result;
    result = result == wk_ok ? wkBatchContext_Create(batch, &made->context) : result;
    if (result != wk_ok) {
        freeMemory(made);
    }
    return result;
}

wkResult wkCudaBatch_Create(const wkCudaBatchDef* def, wkCudaBatch** batch)
{
    if (batch == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda batch: the pointer for the batch is NULL");
    }
    *batch = NULL;
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    wkCudaBatch* made = (wkCudaBatch*)wkAllocate(sizeof *made);
    if (made == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda batch: no memory");
    }
    memset(made, 0, sizeof *made);
    made->cuda = def->cuda;
    made->batch = def->batch;
    made->pieceCount = def->pieceCount;
    made->motionCount = def->motionCount;
    result = make(made);
    if (result != wk_ok) {
        wkRelease(made, sizeof *made);
        return result;
    }
    *batch = made;
    return wk_ok;
}

wkResult wkCudaBatch_Refresh(wkCudaBatch* batch)
{
    if (batch == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda batch: batch is NULL");
    }
    if (batch->refreshCount == batch->batch->refreshCount) {
        return wk_ok;
    }
    wkCudaBatch next = {
        .cuda = batch->cuda,
        .batch = batch->batch,
        .pieceCount = batch->pieceCount,
        .motionCount = batch->motionCount,
    };
    wkResult result = make(&next);
    if (result == wk_ok) {
        freeMemory(batch);
        *batch = next;
    }
    return result;
}

void wkCudaBatch_Destroy(wkCudaBatch* batch)
{
    if (batch != NULL) {
        cudaSetDevice(batch->cuda->info.device);
        freeMemory(batch);
        wkRelease(batch, sizeof *batch);
    }
}

wkCudaBatchInfo wkCudaBatch_Info(const wkCudaBatch* batch)
{
    wkCudaBatchInfo info = {0};
    if (batch != NULL) {
        info.byteCount = batch->byteCount + batch->copy.byteCount + batch->motions.byteCount;
        info.leftCount = batch->leftCount;
        info.isShared = batch->numberBytes == 0;
    }
    return info;
}
