// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/batch_pieces.h"

#include <inttypes.h>

wkResult wkCheckBatches(wkCudaBatch* const* batches, int32_t batchCount,
                        const wkCudaStatesRequest* where)
{
    if (batchCount < 1 || batchCount > WK_MOST_BATCHES) {
        return wkFailCuda(wk_errorRange, "cuda batch: batchCount is %d, must be 1 to %d",
                          (int)batchCount, WK_MOST_BATCHES);
    }
    for (int32_t i = 0; i < batchCount; ++i) {
        if (batches == NULL || batches[i] == NULL) {
            return wkFailCuda(wk_errorArgument, "cuda batch: batch %d of %d is NULL", (int)i,
                              (int)batchCount);
        }
        if (batches[i]->batch != batches[0]->batch) {
            return wkFailCuda(wk_errorArgument,
                              "cuda batch: batches[%d] is a copy of another batch than batches[0]",
                              (int)i);
        }
        for (int32_t k = 0; k < i; ++k) {
            if (batches[k] == batches[i]) {
                return wkFailCuda(wk_errorArgument, "cuda batch: batches[%d] is batches[%d], too",
                                  (int)i, (int)k);
            }
        }
    }
    bool isOnHost = where->statesIn == wk_memoryHost && where->verdictsIn == wk_memoryHost;
    if (batchCount > 1 && (!isOnHost || where->fieldCount > 0)) {
        return wkFailCuda(wk_errorArgument,
                          "cuda batch: statesIn is %s, verdictsIn %s, fieldCount %d, must be host, "
                          "host and 0 for %d batches: memory of a GPU and live fields belong to "
                          "one of them",
                          wkCudaMemoryName(where->statesIn), wkCudaMemoryName(where->verdictsIn),
                          (int)where->fieldCount, (int)batchCount);
    }
    return wk_ok;
}

bool wkDoBatchesReach(wkCudaBatch* const* batches, int32_t batchCount, const void* numbers,
                      size_t alignment)
{
    const wkCudaBatch* first = batches != NULL && batchCount > 0 ? batches[0] : NULL;
    return first != NULL && wkReachesNumbers(first->cuda, numbers, alignment);
}

wkResult wkCheckFreshCopies(wkCudaBatch* const* batches, int32_t batchCount)
{
    wkResult result = wk_ok;
    for (int32_t i = 0; i < batchCount && result == wk_ok; ++i) {
        result = wkCheckFreshCopy(batches[i]);
    }
    return result;
}

int64_t wkLeastPiece(wkCudaBatch* const* batches, int32_t batchCount)
{
    int64_t least = batches[0]->pieceCount;
    for (int32_t i = 1; i < batchCount; ++i) {
        least = batches[i]->pieceCount < least ? batches[i]->pieceCount : least;
    }
    return least;
}

static size_t rowBytes(const wkRowsCall* call)
{
    return wkRowBytes(call->batches[0], call->where);
}

// Slots take turns over all batches: the first ones of all, then the second ones.
static wkCudaBatch* batchOf(const wkRowsCall* call, int32_t turn)
{
    return call->batches[turn % call->batchCount];
}

static wkBatchSlot* slotOf(const wkRowsCall* call, int32_t turn)
{
    return &batchOf(call, turn)->slots[turn / call->batchCount];
}

static int32_t turnCount(const wkRowsCall* call)
{
    return call->batchCount * WK_BATCH_SLOTS;
}

// Copies to memory of the host that is not pinned wait for the kernels before them. So that no GPU waits for another,
// several send their results when their kernels have ended.
static bool sendsLate(const wkRowsCall* call)
{
    return call->batchCount > 1;
}

static wkResult submitPiece(const wkRowsCall* call, int32_t turn, int64_t first, int64_t count)
{
    const wkCudaBatch* batch = batchOf(call, turn);
    wkBatchSlot* slot = slotOf(call, turn);
    wkResult result = wkUseCuda(batch->cuda);
    if (result != wk_ok) {
        return result;
    }
    slot->piece.first = first;
    slot->piece.count = count;
    const char* rows = call->rows;
    cudaError_t error =
        cudaMemsetAsync(slot->queueCounts, 0, WK_QUEUE_COUNT * sizeof(uint32_t), slot->stream);
    if (batch->length > 0) {
        rows += (size_t)first * rowBytes(call);
    }
    if (error == cudaSuccess && call->where->statesIn == wk_memoryHost && batch->length > 0) {
        error = cudaMemcpyAsync(slot->rows, rows, (size_t)count * rowBytes(call),
                                cudaMemcpyHostToDevice, slot->stream);
        rows = slot->rows;
    }
    error = error == cudaSuccess ? call->rule->launch(call->task, batch, slot, rows) : error;
    if (error == cudaSuccess && !sendsLate(call)) {
        error = call->rule->send(call->task, batch, slot);
    }
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(slot->pinnedCount, slot->queueCounts + wk_queueHost,
                                sizeof(uint32_t), cudaMemcpyDeviceToHost, slot->stream);
    }
    return wkTakeCudaError(error, call->rule->doing);
}

// Copies the rows of configurations of the host into pinned memory.
static void copyRows(const wkRowsCall* call, const wkCudaBatch* batch, int64_t firstOfPiece,
                     int64_t count)
{
    size_t length = (size_t)batch->length;
    for (int64_t i = 0; i < count && length > 0; ++i) {
        const char* row =
            call->rows + (size_t)(firstOfPiece + batch->pinnedQueue[i]) * rowBytes(call);
        double* to = batch->pinnedRows + (size_t)i * length;
        for (size_t k = 0; k < length; ++k) {
            to[k] = call->where->areFloats ? (double)((const float*)(const void*)row)[k]
                                           : ((const double*)(const void*)row)[k];
        }
    }
}

// Fetches the next configurations of a queue, and their rows, into pinned memory.
static wkResult fetchRows(const wkRowsCall* call, const wkCudaBatch* batch, const wkBatchSlot* slot,
                          int64_t first, int64_t count)
{
    size_t length = (size_t)batch->length;
    bool isOnDevice = call->where->statesIn == wk_memoryDevice;
    cudaError_t error =
        cudaMemcpyAsync(batch->pinnedQueue, slot->queue + first, (size_t)count * sizeof(uint32_t),
                        cudaMemcpyDeviceToHost, slot->stream);
    if (error == cudaSuccess && isOnDevice && length > 0) {
        error =
            wkLaunchGatherRows(&slot->piece.states, first, count, batch->gathered, slot->stream);
        if (error == cudaSuccess) {
            error = cudaMemcpyAsync(batch->pinnedRows, batch->gathered,
                                    (size_t)count * length * sizeof(double), cudaMemcpyDeviceToHost,
                                    slot->stream);
        }
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(slot->stream) : error;
    if (error == cudaSuccess && !isOnDevice) {
        copyRows(call, batch, slot->piece.first, count);
    }
    return wkTakeCudaError(error, "reading configurations that the CPU decides");
}

// Decides them on the threads of the batch, or on this one while those are busy.
static wkResult decideRows(const wkRowsCall* call, const wkCudaBatch* batch, int64_t count)
{
    wkResult result = call->rule->decide(call->task, batch, NULL, count);
    return result == wk_errorState ? call->rule->decide(call->task, batch, batch->context, count)
                                   : result;
}

// Lets the CPU decide what is left of a piece that is done.
static wkResult decideLeft(const wkRowsCall* call, wkCudaBatch* batch, const wkBatchSlot* slot)
{
    const wkPieceRule* rule = call->rule;
    int64_t left = (int64_t)*slot->pinnedCount;
    cudaError_t error = cudaSuccess;
    wkResult result = wk_ok;
    batch->leftCount += left;
    for (int64_t first = 0; first < left && result == wk_ok; first += rule->leftAtOnce) {
        int64_t count = left - first < rule->leftAtOnce ? left - first : rule->leftAtOnce;
        result = fetchRows(call, batch, slot, first, count);
        result = result == wk_ok ? decideRows(call, batch, count) : result;
        if (result == wk_ok) {
            error = rule->write(call->task, batch, slot, first, count);
            result = wkTakeCudaError(error, "writing what the CPU decided");
        }
    }
    if (result == wk_ok && left > 0 && call->sendsAgain) {
        error = rule->send(call->task, batch, slot);
        error = error == cudaSuccess ? cudaStreamSynchronize(slot->stream) : error;
        result = wkTakeCudaError(error, "writing what the CPU decided");
    }
    return result;
}

// Waits for the piece of a slot, if there is one, and lets the CPU decide what is left of it.
static wkResult finishPiece(const wkRowsCall* call, int32_t turn)
{
    wkCudaBatch* batch = batchOf(call, turn);
    wkBatchSlot* slot = slotOf(call, turn);
    if (slot->piece.count == 0) {
        return wk_ok;
    }
    wkResult result = wkUseCuda(batch->cuda);
    if (result != wk_ok) {
        return result;
    }
    cudaError_t error = cudaStreamSynchronize(slot->stream);
    if (error == cudaSuccess && sendsLate(call)) {
        error = call->rule->send(call->task, batch, slot);
        error = error == cudaSuccess ? cudaStreamSynchronize(slot->stream) : error;
    }
    result = wkTakeCudaError(error, call->rule->doing);
    result = result == wk_ok ? decideLeft(call, batch, slot) : result;
    slot->piece.count = 0;
    return result;
}

// Whether finishPiece would wait.
static bool isRunning(const wkBatchSlot* slot, cudaError_t* error)
{
    *error = slot->piece.count > 0 ? cudaStreamQuery(slot->stream) : cudaSuccess;
    if (*error != cudaErrorNotReady) {
        return false;
    }
    cudaGetLastError(); // the next call must not find it
    *error = cudaSuccess;
    return true;
}

// Finds the slot for the next piece: that of a single batch whose turn it is; of several the first in turn that is done, so
// that faster GPUs get more.
static wkResult findSlot(const wkRowsCall* call, int32_t* turn)
{
    cudaError_t error = cudaSuccess;
    while (call->batchCount > 1 && isRunning(slotOf(call, *turn), &error)) {
        *turn = (*turn + 1) % turnCount(call);
    }
    return wkTakeCudaError(error, call->rule->doing);
}

// Returns the configurations of a piece: all batches get the same number of pieces, all of the same length but for the last.
static int64_t pieceOf(const wkRowsCall* call)
{
    int64_t pieces =
        ((call->count - 1) / (call->mostOfPiece * call->batchCount) + 1) * call->batchCount;
    int64_t count = (call->count - 1) / pieces + 1;
    return (count + WK_PIECE_MULTIPLE - 1) / WK_PIECE_MULTIPLE * WK_PIECE_MULTIPLE;
}

// Nothing runs when the next call begins.
static void stop(const wkRowsCall* call)
{
    for (int32_t turn = 0; turn < turnCount(call); ++turn) {
        cudaStreamSynchronize(slotOf(call, turn)->stream);
        slotOf(call, turn)->piece.count = 0;
    }
    cudaGetLastError(); // the next call must not find it
}

// Lets all that follows on the GPU wait for what the call needs.
static wkResult awaitBefore(const wkRowsCall* call)
{
    cudaError_t error = cudaSuccess;
    for (int32_t i = 0; i < turnCount(call) && call->before != NULL && error == cudaSuccess; ++i) {
        error = cudaStreamWaitEvent(slotOf(call, i)->stream, call->before, 0);
    }
    return wkTakeCudaError(error, call->rule->doing);
}

wkResult wkRunPieces(const wkRowsCall* call)
{
    int64_t most = pieceOf(call);
    int32_t turn = 0;
    wkResult result = awaitBefore(call);
    for (int32_t i = 0; i < call->batchCount; ++i) {
        call->batches[i]->leftCount = 0;
    }
    for (int64_t first = 0; first < call->count && result == wk_ok; first += most) {
        int64_t left = call->count - first;
        result = findSlot(call, &turn);
        result = result == wk_ok ? finishPiece(call, turn) : result;
        if (result == wk_ok) {
            result = submitPiece(call, turn, first, left < most ? left : most);
        }
        turn = (turn + 1) % turnCount(call);
    }
    for (int32_t i = 0; i < turnCount(call) && result == wk_ok; ++i) {
        result = finishPiece(call, (turn + i) % turnCount(call));
    }
    if (result != wk_ok) {
        stop(call);
    }
    return result;
}
