// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clearances of configurations on a GPU: pieces go through the slots of a batch in turn, as those of checks do
// (cuda_batch_states.c). Memory of these is used again: queues of the second kernel are clearances, and rows are gradients.

#include "cuda/cuda_batch.h"
#include "cuda/device_clearances.h"

#include "base/cookie.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// Configurations that the CPU decides at once: their clearances take the memory of verdicts.
#define LEFT_AT_ONCE (WK_LEFT_AT_ONCE / (int64_t)sizeof(float))

// A call, and its pieces.
typedef struct clearancesCall {
    wkCudaBatch* batch;
    wkCudaStatesRequest where;
    const char* rows;
    int64_t count;
    double cutoff;
    float* clearances;
    float* gradients;
} clearancesCall;

typedef struct clearancesPiece {
    int64_t first, count; // 0: the slot is empty
    wkDeviceClearances task;
} clearancesPiece;

wkCudaClearancesRequest wkDefaultCudaClearancesRequest(void)
{
    wkCudaClearancesRequest request = {.cookie = WK_COOKIE(wkCudaClearancesRequest),
                                       .where = wkDefaultCudaStatesRequest()};
    return request;
}

static size_t rowBytes(const clearancesCall* call)
{
    return wkRowBytes(call->batch, &call->where);
}

static bool isOnHost(const clearancesCall* call)
{
    return call->where.verdictsIn == wk_memoryHost;
}

// Sets all results to NaN.
static wkResult clearAll(const clearancesCall* call)
{
    int64_t count = call->count, gradientCount = call->gradients != NULL ? call->batch->length : 0;
    if (isOnHost(call)) {
        for (int64_t i = 0; i < count; ++i) {
            call->clearances[i] = NAN;
        }
        for (int64_t i = 0; i < count * gradientCount; ++i) {
            call->gradients[i] = NAN;
        }
        return wk_ok;
    }
    cudaStream_t stream = call->batch->slots[0].stream;
    cudaError_t error = wkLaunchClearFloats(call->clearances, count, stream);
    if (error == cudaSuccess) {
        error = wkLaunchClearFloats(call->gradients, count * gradientCount, stream);
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    return wkTakeCudaError(error, "clearing clearances");
}

// Returns the configurations of a piece. Gradients that the host gets are written behind the rows of doubles.
static int64_t pieceOf(const clearancesCall* call)
{
    int64_t count = call->batch->pieceCount;
    return call->gradients != NULL && isOnHost(call)
               ? count * 2 / 3 / WK_PIECE_MULTIPLE * WK_PIECE_MULTIPLE
               : count;
}

// Returns where the gradients of a piece are written; NULL: there are none.
static float* gradientsOf(const clearancesCall* call, const wkBatchSlot* slot, int64_t first,
                          int64_t count)
{
    int32_t length = call->batch->length;
    if (call->gradients == NULL || length == 0) {
        return NULL;
    }
    size_t behind = call->where.statesIn == wk_memoryHost ? (size_t)count * rowBytes(call) : 0;
    return isOnHost(call) ? (float*)(void*)(slot->rows + behind) : call->gradients + first * length;
}

static wkDeviceClearances makeTask(const clearancesCall* call, const wkBatchSlot* slot,
                                   int64_t first, int64_t count, const char* rows)
{
    const wkCudaBatch* batch = call->batch;
    int64_t blocks =
        (count + WK_STATES_OF_WARP * WK_STATE_WARPS - 1) / (WK_STATES_OF_WARP * WK_STATE_WARPS);
    int32_t most = batch->clearanceBlockCount;
    return (wkDeviceClearances){
        .states = {.batch = batch->copy.view,
                   .doubles = call->where.areFloats ? NULL : (const double*)(const void*)rows,
                   .floats = call->where.areFloats ? (const float*)(const void*)rows : NULL,
                   .count = count,
                   .queue = slot->queue,
                   .queueCounts = slot->queueCounts,
                   .numbers = slot->numbers,
                   .blockCounts = {blocks < most ? (int32_t)blocks : most, 0}},
        .cutoff = call->cutoff,
        .clearances = isOnHost(call) ? (float*)(void*)slot->open : call->clearances + first,
        .gradients = gradientsOf(call, slot, first, count),
    };
}

// Submits what sends the results of a piece to the host.
static cudaError_t sendResults(const clearancesCall* call, const wkBatchSlot* slot,
                               const clearancesPiece* piece)
{
    cudaError_t error = cudaSuccess;
    size_t count = (size_t)piece->count;
    if (isOnHost(call)) {
        error = cudaMemcpyAsync(call->clearances + piece->first, piece->task.clearances,
                                count * sizeof(float), cudaMemcpyDeviceToHost, slot->stream);
    }
    if (error == cudaSuccess && isOnHost(call) && piece->task.gradients != NULL) {
        size_t length = (size_t)call->batch->length;
        error =
            cudaMemcpyAsync(call->gradients + (size_t)piece->first * length, piece->task.gradients,
                            count * length * sizeof(float), cudaMemcpyDeviceToHost, slot->stream);
    }
    return error;
}

static wkResult submitPiece(const clearancesCall* call, wkBatchSlot* slot, clearancesPiece* piece)
{
    const wkCudaBatch* batch = call->batch;
    const char* rows = call->rows;
    cudaError_t error =
        cudaMemsetAsync(slot->queueCounts, 0, WK_QUEUE_COUNT * sizeof(uint32_t), slot->stream);
    if (batch->length > 0) {
        rows += (size_t)piece->first * rowBytes(call);
    }
    if (error == cudaSuccess && call->where.statesIn == wk_memoryHost && batch->length > 0) {
        error = cudaMemcpyAsync(slot->rows, rows, (size_t)piece->count * rowBytes(call),
                                cudaMemcpyHostToDevice, slot->stream);
        rows = slot->rows;
    }
    piece->task = makeTask(call, slot, piece->first, piece->count, rows);
    error = error == cudaSuccess ? wkLaunchClearances(&piece->task, slot->stream) : error;
    error = error == cudaSuccess ? sendResults(call, slot, piece) : error;
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(slot->pinnedCount, slot->queueCounts + wk_queueHost,
                                sizeof(uint32_t), cudaMemcpyDeviceToHost, slot->stream);
    }
    return wkTakeCudaError(error, "computing clearances");
}

// Copies the rows of the next configurations of a queue into pinned memory.
static wkResult fetchRows(const clearancesCall* call, const wkBatchSlot* slot,
                          const clearancesPiece* piece, int64_t first, int64_t count)
{
    const wkCudaBatch* batch = call->batch;
    size_t length = (size_t)batch->length;
    bool isOnDevice = call->where.statesIn == wk_memoryDevice;
    cudaError_t error =
        cudaMemcpyAsync(batch->pinnedQueue, slot->queue + first, (size_t)count * sizeof(uint32_t),
                        cudaMemcpyDeviceToHost, slot->stream);
    if (error == cudaSuccess && isOnDevice && length > 0) {
        error =
            wkLaunchGatherRows(&piece->task.states, first, count, batch->gathered, slot->stream);
        if (error == cudaSuccess) {
            error = cudaMemcpyAsync(batch->pinnedRows, batch->gathered,
                                    (size_t)count * length * sizeof(double), cudaMemcpyDeviceToHost,
                                    slot->stream);
        }
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(slot->stream) : error;
    for (int64_t i = 0; i < count && error == cudaSuccess && !isOnDevice && length > 0; ++i) {
        const char* row =
            call->rows + (size_t)(piece->first + batch->pinnedQueue[i]) * rowBytes(call);
        double* to = batch->pinnedRows + (size_t)i * length;
        for (size_t k = 0; k < length; ++k) {
            to[k] = call->where.areFloats ? (double)((const float*)(const void*)row)[k]
                                          : ((const double*)(const void*)row)[k];
        }
    }
    return wkTakeCudaError(error, "reading configurations that the CPU decides");
}

// Decides them on the threads of the batch, or on this one while those are busy.
static wkResult decideRows(const clearancesCall* call, int64_t count, float* clearances)
{
    const wkCudaBatch* batch = call->batch;
    wkResult result =
        wkBatch_Clearances(batch->batch, NULL, batch->pinnedRows, count, call->cutoff, clearances);
    return result == wk_errorState
               ? wkBatch_Clearances(batch->batch, batch->context, batch->pinnedRows, count,
                                    call->cutoff, clearances)
               : result;
}

// Writes clearances of the CPU where the caller wants them.
static wkResult writeDecided(const clearancesCall* call, const wkBatchSlot* slot,
                             const clearancesPiece* piece, int64_t first, int64_t count,
                             const float* clearances)
{
    const wkCudaBatch* batch = call->batch;
    for (int64_t i = 0; i < count && isOnHost(call); ++i) {
        call->clearances[piece->first + (int64_t)batch->pinnedQueue[i]] = clearances[i];
    }
    if (isOnHost(call)) {
        return wk_ok;
    }
    float* decided = (float*)(void*)batch->decided;
    cudaError_t error = cudaMemcpyAsync(decided, clearances, (size_t)count * sizeof(float),
                                        cudaMemcpyHostToDevice, slot->stream);
    if (error == cudaSuccess) {
        error = wkLaunchScatterClearances(slot->queue + first, count, decided,
                                          piece->task.clearances, slot->stream);
    }
    // the next ones are written to the same memory
    error = error == cudaSuccess ? cudaStreamSynchronize(slot->stream) : error;
    return wkTakeCudaError(error, "sending clearances of the CPU");
}

// Waits for a piece, and lets the CPU decide what is left of it.
static wkResult finishPiece(const clearancesCall* call, wkBatchSlot* slot, clearancesPiece* piece)
{
    if (piece->count == 0) {
        return wk_ok;
    }
    float* clearances = (float*)(void*)call->batch->pinnedVerdicts;
    wkResult result = wkTakeCudaError(cudaStreamSynchronize(slot->stream), "computing clearances");
    int64_t left = result == wk_ok ? (int64_t)*slot->pinnedCount : 0;
    call->batch->leftCount += left;
    for (int64_t first = 0; first < left && result == wk_ok; first += LEFT_AT_ONCE) {
        int64_t count = left - first < LEFT_AT_ONCE ? left - first : LEFT_AT_ONCE;
        result = fetchRows(call, slot, piece, first, count);
        result = result == wk_ok ? decideRows(call, count, clearances) : result;
        result =
            result == wk_ok ? writeDecided(call, slot, piece, first, count, clearances) : result;
    }
    piece->count = 0;
    return result;
}

static wkResult runPieces(const clearancesCall* call)
{
    wkCudaBatch* batch = call->batch;
    clearancesPiece pieces[WK_BATCH_SLOTS];
    memset(pieces, 0, sizeof pieces);
    wkResult result = wk_ok;
    int64_t most = pieceOf(call);
    int next = 0;
    for (int64_t first = 0; first < call->count && result == wk_ok; first += most) {
        int64_t left = call->count - first;
        result = finishPiece(call, &batch->slots[next], &pieces[next]);
        if (result == wk_ok) {
            pieces[next].first = first;
            pieces[next].count = left < most ? left : most;
            result = submitPiece(call, &batch->slots[next], &pieces[next]);
        }
        next = (next + 1) % WK_BATCH_SLOTS;
    }
    for (int i = 0; i < WK_BATCH_SLOTS && result == wk_ok; ++i) {
        int slot = (next + i) % WK_BATCH_SLOTS;
        result = finishPiece(call, &batch->slots[slot], &pieces[slot]);
    }
    return result;
}

static wkResult checkArguments(const clearancesCall* call)
{
    const wkCudaBatch* batch = call->batch;
    wkResult result = wkCheckNumbersAlone(&call->where);
    if (result != wk_ok) {
        return result;
    }
    if (batch == NULL || call->count < 0 || !(call->cutoff > 0.0)) {
        return wkFailCuda(batch == NULL ? wk_errorArgument : wk_errorRange,
                          "cuda batch: batch is NULL, or count is %" PRId64
                          ", must be >= 0, or cutoff is %g, must be > 0",
                          call->count, call->cutoff);
    }
    bool hasRows = call->rows != NULL || batch->length == 0;
    if (call->count > 0 && (!hasRows || call->clearances == NULL)) {
        return wkFailCuda(wk_errorArgument, "cuda batch: configurations or clearances are NULL");
    }
    return wk_ok;
}

wkResult wkCudaBatch_Clearances(wkCudaBatch* batch, const void* configurations, int64_t count,
                                const wkCudaClearancesRequest* request, double cutoff,
                                float* clearances)
{
    wkCudaClearancesRequest defaults = wkDefaultCudaClearancesRequest();
    request = request != NULL ? request : &defaults;
    if (!WK_HAS_COOKIE(request, wkCudaClearancesRequest)) {
        return WK_FAIL_COOKIE(request, wkCudaClearancesRequest);
    }
    clearancesCall call = {batch,  request->where, (const char*)configurations, count,
                           cutoff, clearances,     request->gradients};
    wkResult result = checkArguments(&call);
    if (result != wk_ok || count == 0) {
        return result;
    }
    if (isOnHost(&call)) {
        clearAll(&call);
    }
    result = wkUseCuda(batch->cuda);
    if (result != wk_ok) {
        return result;
    }
    batch->leftCount = 0;
    result = isOnHost(&call) ? wk_ok : clearAll(&call);
    result = result == wk_ok ? wkCheckFreshCopy(batch) : result;
    if (result != wk_ok) {
        return result;
    }
    result = runPieces(&call);
    if (result != wk_ok) {
        for (int i = 0; i < WK_BATCH_SLOTS; ++i) {
            cudaStreamSynchronize(batch->slots[i].stream); // nothing runs when the next call begins
        }
        clearAll(&call);
    }
    return result;
}
