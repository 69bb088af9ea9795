// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clearances of configurations on one GPU or several, in pieces (batch_pieces.h). Memory of checks is used again: queues of
// the second kernel are clearances, and rows are gradients.

#include "cuda/batch_pieces.h"
#include "cuda/device_clearances.h"
#include "cuda/live_place.h"

#include "base/cookie.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// Configurations that the CPU decides at once: their clearances take the memory of verdicts.
#define LEFT_AT_ONCE (WK_LEFT_AT_ONCE / (int64_t)sizeof(float))

// A call, with its results on either side.
typedef struct clearancesCall {
    wkCudaBatch* const* batches;
    int32_t batchCount;
    wkCudaStatesRequest where;
    const char* rows;
    int64_t count;
    double cutoff;
    float* clearances;
    float* gradients;
    int32_t liveCount;
    wkDeviceLive lives[WK_MOST_LIVE];
    wkLiveObjects objects[WK_MOST_LIVE];
} clearancesCall;

wkCudaClearancesRequest wkDefaultCudaClearancesRequest(void)
{
    wkCudaClearancesRequest request = {.cookie = WK_COOKIE(wkCudaClearancesRequest),
                                       .where = wkDefaultCudaStatesRequest()};
    return request;
}

static bool isOnHost(const clearancesCall* call)
{
    return call->where.verdictsIn == wk_memoryHost;
}

// Sets all results to NaN.
static cudaError_t clearAll(const clearancesCall* call)
{
    const wkCudaBatch* first =
        call->batches != NULL && call->batchCount > 0 ? call->batches[0] : NULL;
    int64_t count = call->clearances != NULL ? call->count : 0;
    int64_t gradientCount =
        call->gradients != NULL && first != NULL ? call->count * first->length : 0;
    if (isOnHost(call)) {
        for (int64_t i = 0; i < count; ++i) {
            call->clearances[i] = NAN;
        }
        for (int64_t i = 0; i < gradientCount; ++i) {
            call->gradients[i] = NAN;
        }
        return cudaSuccess;
    }
    cudaStream_t stream = call->batches[0]->slots[0].stream; // there is no other
    cudaError_t error = wkLaunchClearFloats(call->clearances, count, stream);
    if (error == cudaSuccess) {
        error = wkLaunchClearFloats(call->gradients, gradientCount, stream);
    }
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

// Leaves no result of an earlier call where the caller looks for those of this one. Why the call was refused stays the
// last error.
// @param call its request may be one that is refused
static void forgetAll(const clearancesCall* call)
{
    bool isOnDevice = call->where.verdictsIn == wk_memoryDevice;
    clearancesCall there = *call;
    if (!WK_HAS_COOKIE(&call->where, wkCudaStatesRequest) || !(isOnHost(call) || isOnDevice)) {
        return; // where they are is not known
    }
    float** const numbers[] = {&there.clearances, &there.gradients};
    for (int i = 0; i < 2 && isOnDevice; ++i) {
        bool isThere =
            wkDoBatchesReach(call->batches, call->batchCount, *numbers[i], sizeof(float));
        *numbers[i] = isThere ? *numbers[i] : NULL;
    }
    if (there.clearances != NULL || there.gradients != NULL) {
        clearAll(&there);
        cudaGetLastError(); // the next call must not find it
    }
}

// Returns the configurations of a piece. Gradients that the host gets are written behind the rows of doubles.
static int64_t pieceOf(const clearancesCall* call)
{
    int64_t count = wkLeastPiece(call->batches, call->batchCount);
    return call->gradients != NULL && isOnHost(call)
               ? count * 2 / 3 / WK_PIECE_MULTIPLE * WK_PIECE_MULTIPLE
               : count;
}

// Returns where the gradients of a piece are written; NULL: there are none.
static float* gradientsOf(const clearancesCall* call, const wkCudaBatch* batch,
                          const wkBatchSlot* slot)
{
    if (call->gradients == NULL || batch->length == 0) {
        return NULL;
    }
    size_t behind = call->where.statesIn == wk_memoryHost
                        ? (size_t)slot->piece.count * wkRowBytes(batch, &call->where)
                        : 0;
    return isOnHost(call) ? (float*)(void*)(slot->rows + behind)
                          : call->gradients + slot->piece.first * batch->length;
}

// Returns the blocks of a kernel: 0 without live fields, 1 with them.
static int32_t blocksOf(const wkCudaBatch* batch, int64_t count, int kernel)
{
    int64_t blocks =
        (count + WK_STATES_OF_WARP * WK_STATE_WARPS - 1) / (WK_STATES_OF_WARP * WK_STATE_WARPS);
    int32_t most = batch->clearanceBlockCounts[kernel];
    return blocks < most ? (int32_t)blocks : most;
}

// Returns what kernels do with a piece, all of its configurations.
static wkDeviceLiveClearances liveTaskOf(const clearancesCall* call, const wkBatchSlot* slot)
{
    const wkBatchPiece* piece = &slot->piece;
    _Static_assert(sizeof(wkLiveNearest) == sizeof *slot->spheres, "it takes their memory");
    wkDeviceLiveClearances task = {
        .base = {piece->states, call->cutoff, piece->clearances, piece->gradients},
        .nearest = (wkLiveNearest*)(void*)slot->spheres,
        .count = piece->count,
    };
    return task;
}

static cudaError_t launchPiece(const void* task, const wkCudaBatch* batch, wkBatchSlot* slot,
                               const char* rows)
{
    const clearancesCall* call = (const clearancesCall*)task;
    wkBatchPiece* piece = &slot->piece;
    piece->states = (wkDeviceStates){
        .batch = batch->copy.view,
        .doubles = call->where.areFloats ? NULL : (const double*)(const void*)rows,
        .floats = call->where.areFloats ? (const float*)(const void*)rows : NULL,
        .count = piece->count,
        .queue = slot->queue,
        .queueCounts = slot->queueCounts,
        .numbers = slot->numbers,
        .blockCounts = {blocksOf(batch, piece->count, 0), blocksOf(batch, piece->count, 1)},
        .liveCount = call->liveCount,
    };
    memcpy(piece->states.lives, call->lives, sizeof call->lives);
    memcpy(piece->states.objects, call->objects, sizeof call->objects);
    piece->clearances =
        isOnHost(call) ? (float*)(void*)slot->open : call->clearances + piece->first;
    piece->gradients = gradientsOf(call, batch, slot);
    wkDeviceLiveClearances kernel = liveTaskOf(call, slot);
    cudaError_t error = wkLaunchClearances(&kernel.base, slot->stream);
    return error == cudaSuccess && call->liveCount > 0
               ? wkLaunchLiveClearances(&kernel, slot->stream)
               : error;
}

// Submits what sends the results of a piece to the host.
static cudaError_t sendResults(const void* task, const wkCudaBatch* batch, const wkBatchSlot* slot)
{
    const clearancesCall* call = (const clearancesCall*)task;
    const wkBatchPiece* piece = &slot->piece;
    cudaError_t error = cudaSuccess;
    size_t count = (size_t)piece->count;
    if (isOnHost(call)) {
        error = cudaMemcpyAsync(call->clearances + piece->first, piece->clearances,
                                count * sizeof(float), cudaMemcpyDeviceToHost, slot->stream);
    }
    if (error == cudaSuccess && isOnHost(call) && piece->gradients != NULL) {
        size_t length = (size_t)batch->length;
        error =
            cudaMemcpyAsync(call->gradients + (size_t)piece->first * length, piece->gradients,
                            count * length * sizeof(float), cudaMemcpyDeviceToHost, slot->stream);
    }
    return error;
}

// Returns where the CPU writes its clearances.
static float* decidedOf(const wkCudaBatch* batch)
{
    return (float*)(void*)batch->pinnedVerdicts;
}

static wkResult decideRows(const void* task, const wkCudaBatch* batch, wkBatchContext* context,
                           int64_t count)
{
    const clearancesCall* call = (const clearancesCall*)task;
    return wkBatch_Clearances(batch->batch, context, batch->pinnedRows, count, call->cutoff,
                              decidedOf(batch));
}

static cudaError_t writeDecided(const void* task, const wkCudaBatch* batch, const wkBatchSlot* slot,
                                int64_t first, int64_t count)
{
    const clearancesCall* call = (const clearancesCall*)task;
    const wkBatchPiece* piece = &slot->piece;
    const float* clearances = decidedOf(batch);
    bool hasLive = call->liveCount > 0;
    for (int64_t i = 0; i < count && isOnHost(call) && !hasLive; ++i) {
        call->clearances[piece->first + (int64_t)batch->pinnedQueue[i]] = clearances[i];
    }
    if (isOnHost(call) && !hasLive) {
        return cudaSuccess;
    }
    float* decided = (float*)(void*)batch->decided;
    cudaError_t error = cudaMemcpyAsync(decided, clearances, (size_t)count * sizeof(float),
                                        cudaMemcpyHostToDevice, slot->stream);
    if (error == cudaSuccess && hasLive) {
        wkDeviceLiveClearances kernel = liveTaskOf(call, slot);
        kernel.queue = slot->queue + first;
        kernel.decided = decided;
        kernel.count = count;
        error = wkLaunchLiveClearances(&kernel, slot->stream);
    } else if (error == cudaSuccess) {
        error = wkLaunchScatterClearances(slot->queue + first, count, decided, piece->clearances,
                                          slot->stream);
    }
    // the next ones are written to the same memory
    return error == cudaSuccess ? cudaStreamSynchronize(slot->stream) : error;
}

static const wkPieceRule rule = {
    .doing = "computing clearances",
    .leftAtOnce = LEFT_AT_ONCE,
    .launch = launchPiece,
    .send = sendResults,
    .decide = decideRows,
    .write = writeDecided,
};

static wkResult checkArguments(const clearancesCall* call)
{
    wkResult result = wkCheckMemories(&call->where);
    if (result == wk_ok && call->where.asBits) {
        return wkFailCuda(wk_errorArgument, "cuda batch: asBits is 1, which clearances cannot be");
    }
    if (result == wk_ok && (call->count < 0 || !(call->cutoff > 0.0))) {
        return wkFailCuda(wk_errorRange,
                          "cuda batch: count is %" PRId64 ", must be >= 0, or cutoff is %g, must "
                          "be > 0",
                          call->count, call->cutoff);
    }
    result =
        result == wk_ok ? wkCheckBatches(call->batches, call->batchCount, &call->where) : result;
    result = result == wk_ok ? wkCheckLiveFields(call->batches[0], &call->where) : result;
    if (result != wk_ok) {
        return result;
    }
    bool hasRows = call->rows != NULL || call->batches[0]->length == 0;
    if (call->count > 0 && (!hasRows || call->clearances == NULL)) {
        return wkFailCuda(wk_errorArgument, "cuda batch: configurations or clearances are NULL");
    }
    if (call->count == 0) {
        return wk_ok;
    }
    const wkCudaBatch* first = call->batches[0];
    wkCudaMemory memory = call->where.verdictsIn;
    result = wkCheckCudaNumbers(first->cuda, "cuda batch: clearances", memory, call->clearances,
                                sizeof(float));
    if (result == wk_ok) {
        result = wkCheckCudaNumbers(first->cuda, "cuda batch: gradients", memory, call->gradients,
                                    sizeof(float));
    }
    return result == wk_ok ? wkCheckRows(first, &call->where, call->rows) : result;
}

static wkResult runCall(const clearancesCall* call)
{
    wkResult result = wkUseCuda(call->batches[0]->cuda);
    result = result == wk_ok ? wkCheckFreshCopies(call->batches, call->batchCount) : result;
    result = result == wk_ok ? wkTakeCudaError(clearAll(call), "clearing clearances") : result;
    if (result != wk_ok) {
        return result;
    }
    const wkRowsCall rows = {
        .rule = &rule,
        .task = call,
        .batches = call->batches,
        .batchCount = call->batchCount,
        .where = &call->where,
        .rows = call->rows,
        .count = call->count,
        .mostOfPiece = pieceOf(call),
        .sendsAgain = call->liveCount > 0 && isOnHost(call),
    };
    return wkRunPieces(&rows);
}

wkResult wkCudaBatches_Clearances(wkCudaBatch* const* batches, int32_t batchCount,
                                  const void* configurations, int64_t count,
                                  const wkCudaClearancesRequest* request, double cutoff,
                                  float* clearances)
{
    wkCudaClearancesRequest defaults = wkDefaultCudaClearancesRequest();
    request = request != NULL ? request : &defaults;
    if (!WK_HAS_COOKIE(request, wkCudaClearancesRequest)) {
        return WK_FAIL_COOKIE(request, wkCudaClearancesRequest);
    }
    clearancesCall call = {
        .batches = batches,
        .batchCount = batchCount,
        .where = request->where,
        .rows = (const char*)configurations,
        .count = count,
        .cutoff = cutoff,
        .clearances = clearances,
        .gradients = request->gradients,
    };
    wkResult result = checkArguments(&call);
    if (result == wk_ok && count > 0) {
        call.liveCount = call.where.fieldCount;
        wkPlaceLiveFields(batches[0], &call.where, call.lives, call.objects);
        result = runCall(&call);
    }
    if (result != wk_ok) {
        forgetAll(&call);
    }
    return result;
}

wkResult wkCudaBatch_Clearances(wkCudaBatch* batch, const void* configurations, int64_t count,
                                const wkCudaClearancesRequest* request, double cutoff,
                                float* clearances)
{
    return wkCudaBatches_Clearances(&batch, 1, configurations, count, request, cutoff, clearances);
}
