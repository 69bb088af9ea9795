// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks of configurations on a GPU: pieces go through the slots of a batch in turn. What the GPU leaves to the CPU is
// decided by the batch itself, while kernels check the next pieces.

#include "cuda/cuda_batch.h"

#include "base/cookie.h"
#include "cuda/cuda_field.h"
#include "math/round.h"

#include <inttypes.h>
#include <string.h>

// A call, and its pieces.
typedef struct statesCall {
    wkCudaBatch* batch;
    wkCudaStatesRequest request;
    const char* rows;
    int64_t count;
    uint8_t* verdicts; // bytes or bits, on either side
    int32_t liveCount;
    wkDeviceLive lives[WK_MOST_LIVE];
} statesCall;

typedef struct statesPiece {
    int64_t first, count; // 0: the slot is empty
    wkDeviceStates states;
} statesPiece;

static size_t rowBytes(const statesCall* call)
{
    return wkRowBytes(call->batch, &call->request);
}

static bool isOnHost(const statesCall* call)
{
    return call->request.verdictsIn == wk_memoryHost;
}

// Bytes of the verdicts of configurations: whole words of bits.
static size_t verdictBytes(const statesCall* call, int64_t count)
{
    size_t words = (size_t)(count + WK_PIECE_MULTIPLE - 1) / WK_PIECE_MULTIPLE;
    return call->request.asBits ? words * sizeof(uint32_t) : (size_t)count;
}

static uint8_t* verdictsAt(const statesCall* call, int64_t first)
{
    return call->verdicts + (call->request.asBits ? first / 8 : first);
}

// Sets all verdicts of a call. Bits say no more than what is free.
static wkResult setAll(const statesCall* call, wkVerdict verdict)
{
    int byte = call->request.asBits ? 0 : (int)verdict;
    size_t bytes = verdictBytes(call, call->count);
    if (bytes == 0) {
        return wk_ok;
    }
    if (isOnHost(call)) {
        memset(call->verdicts, byte, bytes);
        return wk_ok;
    }
    cudaStream_t stream = call->batch->slots[0].stream;
    cudaError_t error = cudaMemsetAsync(call->verdicts, byte, bytes, stream);
    error = error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    return wkTakeCudaError(error, "clearing verdicts");
}

// Submits what sends the verdicts of a piece to the caller.
static cudaError_t sendVerdicts(const statesCall* call, const wkBatchSlot* slot,
                                const statesPiece* piece)
{
    cudaError_t error = cudaSuccess;
    const void* from = piece->states.verdicts;
    uint8_t* to = verdictsAt(call, piece->first);
    if (call->request.asBits) {
        uint32_t* words = isOnHost(call) ? slot->words : (uint32_t*)(void*)to;
        error = wkLaunchPackVerdicts(piece->states.verdicts, piece->count, words, slot->stream);
        from = words;
    }
    if (error == cudaSuccess && isOnHost(call)) {
        error = cudaMemcpyAsync(to, from, verdictBytes(call, piece->count), cudaMemcpyDeviceToHost,
                                slot->stream);
    }
    return error;
}

static wkResult submitPiece(const statesCall* call, wkBatchSlot* slot, statesPiece* piece)
{
    const wkCudaBatch* batch = call->batch;
    const char* rows = call->rows + (size_t)piece->first * rowBytes(call);
    cudaError_t error =
        cudaMemsetAsync(slot->queueCounts, 0, WK_QUEUE_COUNT * sizeof(uint32_t), slot->stream);
    if (error == cudaSuccess && call->request.statesIn == wk_memoryHost && batch->length > 0) {
        error = cudaMemcpyAsync(slot->rows, rows, (size_t)piece->count * rowBytes(call),
                                cudaMemcpyHostToDevice, slot->stream);
        rows = slot->rows;
    }
    bool isDirect = !isOnHost(call) && !call->request.asBits;
    piece->states = (wkDeviceStates){
        .batch = batch->copy.view,
        .doubles = call->request.areFloats ? NULL : (const double*)(const void*)rows,
        .floats = call->request.areFloats ? (const float*)(const void*)rows : NULL,
        .count = piece->count,
        .verdicts = isDirect ? verdictsAt(call, piece->first) : slot->verdicts,
        .queue = slot->queue,
        .open = slot->open,
        .queueCounts = slot->queueCounts,
        .spheres = slot->spheres,
        .sphereCapacity = (uint32_t)batch->pieceCount,
        .liveBlockCount = batch->liveBlockCount,
        .numbers = slot->numbers,
    };
    piece->states.liveCount = call->liveCount;
    memcpy(piece->states.lives, call->lives, sizeof call->lives);
    int64_t warps = (piece->count + WK_STATES_OF_WARP - 1) / WK_STATES_OF_WARP;
    int64_t blocks = (warps + WK_STATE_WARPS - 1) / WK_STATE_WARPS;
    for (int i = 0; i < 2; ++i) {
        int32_t most = batch->blockCounts[call->liveCount > 0][i];
        piece->states.blockCounts[i] = blocks < most ? (int32_t)blocks : most;
    }
    error = error == cudaSuccess ? wkLaunchCheckStates(&piece->states, slot->stream) : error;
    error = error == cudaSuccess ? sendVerdicts(call, slot, piece) : error;
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(slot->pinnedCount, slot->queueCounts + wk_queueHost,
                                sizeof(uint32_t), cudaMemcpyDeviceToHost, slot->stream);
    }
    return wkTakeCudaError(error, "checking configurations");
}

// Copies the rows of the next configurations of a queue into pinned memory.
static wkResult fetchRows(const statesCall* call, const wkBatchSlot* slot, const statesPiece* piece,
                          int64_t first, int64_t count)
{
    const wkCudaBatch* batch = call->batch;
    size_t length = (size_t)batch->length;
    bool isOnDevice = call->request.statesIn == wk_memoryDevice;
    cudaError_t error =
        cudaMemcpyAsync(batch->pinnedQueue, slot->queue + first, (size_t)count * sizeof(uint32_t),
                        cudaMemcpyDeviceToHost, slot->stream);
    if (error == cudaSuccess && isOnDevice && length > 0) {
        error = wkLaunchGatherRows(&piece->states, first, count, batch->gathered, slot->stream);
        if (error == cudaSuccess) {
            error = cudaMemcpyAsync(batch->pinnedRows, batch->gathered,
                                    (size_t)count * length * sizeof(double), cudaMemcpyDeviceToHost,
                                    slot->stream);
        }
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(slot->stream) : error;
    for (int64_t i = 0; i < count && error == cudaSuccess && !isOnDevice; ++i) {
        const char* row =
            call->rows + (size_t)(piece->first + batch->pinnedQueue[i]) * rowBytes(call);
        double* to = batch->pinnedRows + (size_t)i * length;
        for (size_t k = 0; k < length; ++k) {
            to[k] = call->request.areFloats ? (double)((const float*)(const void*)row)[k]
                                            : ((const double*)(const void*)row)[k];
        }
    }
    return wkTakeCudaError(error, "reading configurations that the CPU decides");
}

// Decides them on the threads of the batch, or on this one while those are busy.
static wkResult decideRows(const wkCudaBatch* batch, int64_t count)
{
    wkResult result =
        wkBatch_CheckStates(batch->batch, NULL, batch->pinnedRows, count, batch->pinnedVerdicts);
    return result == wk_errorState
               ? wkBatch_CheckStates(batch->batch, batch->context, batch->pinnedRows, count,
                                     batch->pinnedVerdicts)
               : result;
}

// Writes verdicts of the CPU where the caller wants them.
static wkResult writeDecided(const statesCall* call, const wkBatchSlot* slot,
                             const statesPiece* piece, int64_t first, int64_t count)
{
    const wkCudaBatch* batch = call->batch;
    uint8_t* to = verdictsAt(call, piece->first);
    for (int64_t i = 0; i < count && isOnHost(call); ++i) {
        uint32_t at = batch->pinnedQueue[i];
        if (!call->request.asBits) {
            to[at] = batch->pinnedVerdicts[i];
        } else if (batch->pinnedVerdicts[i] == wk_verdictFree) {
            to[at / 8] |= (uint8_t)(1u << at % 8);
        }
    }
    if (isOnHost(call)) {
        return wk_ok;
    }
    cudaError_t error = cudaMemcpyAsync(batch->decided, batch->pinnedVerdicts, (size_t)count,
                                        cudaMemcpyHostToDevice, slot->stream);
    if (error == cudaSuccess) {
        error = wkLaunchScatterVerdicts(&piece->states, first, count, batch->decided, slot->stream);
    }
    // the next ones are written to the same memory
    error = error == cudaSuccess ? cudaStreamSynchronize(slot->stream) : error;
    return wkTakeCudaError(error, "sending verdicts of the CPU");
}

// Waits for a piece, and lets the CPU decide what is left of it.
static wkResult finishPiece(const statesCall* call, wkBatchSlot* slot, statesPiece* piece)
{
    if (piece->count == 0) {
        return wk_ok;
    }
    wkResult result =
        wkTakeCudaError(cudaStreamSynchronize(slot->stream), "checking configurations");
    int64_t left = result == wk_ok ? (int64_t)*slot->pinnedCount : 0;
    call->batch->leftCount += left;
    for (int64_t first = 0; first < left && result == wk_ok; first += WK_LEFT_AT_ONCE) {
        int64_t count = left - first < WK_LEFT_AT_ONCE ? left - first : WK_LEFT_AT_ONCE;
        result = fetchRows(call, slot, piece, first, count);
        result = result == wk_ok ? decideRows(call->batch, count) : result;
        result = result == wk_ok ? writeDecided(call, slot, piece, first, count) : result;
    }
    if (result == wk_ok && left > 0 && !isOnHost(call) && call->request.asBits) {
        cudaError_t error = sendVerdicts(call, slot, piece);
        error = error == cudaSuccess ? cudaStreamSynchronize(slot->stream) : error;
        result = wkTakeCudaError(error, "sending verdicts of the CPU");
    }
    piece->count = 0;
    return result;
}

static wkResult runPieces(const statesCall* call)
{
    wkCudaBatch* batch = call->batch;
    statesPiece pieces[WK_BATCH_SLOTS];
    memset(pieces, 0, sizeof pieces);
    wkResult result = wk_ok;
    int next = 0;
    for (int64_t first = 0; first < call->count && result == wk_ok; first += batch->pieceCount) {
        int64_t left = call->count - first;
        result = finishPiece(call, &batch->slots[next], &pieces[next]);
        if (result == wk_ok) {
            pieces[next].first = first;
            pieces[next].count = left < batch->pieceCount ? left : batch->pieceCount;
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

static wkResult checkRequest(const wkCudaBatch* batch, const void* configurations, int64_t count,
                             const wkCudaStatesRequest* request, const void* verdicts)
{
    if (!WK_HAS_COOKIE(request, wkCudaStatesRequest)) {
        return WK_FAIL_COOKIE(request, wkCudaStatesRequest);
    }
    if ((unsigned)request->statesIn > wk_memoryDevice ||
        (unsigned)request->verdictsIn > wk_memoryDevice) {
        return wkFailCuda(wk_errorArgument, "cuda batch: statesIn is %d, verdictsIn %d",
                          (int)request->statesIn, (int)request->verdictsIn);
    }
    if (batch == NULL || count < 0) {
        return wkFailCuda(batch == NULL ? wk_errorArgument : wk_errorRange,
                          "cuda batch: batch is NULL, or count is %" PRId64 ", must be >= 0",
                          count);
    }
    if (request->fieldCount < 0 || request->fieldCount > WK_MOST_LIVE) {
        return wkFailCuda(wk_errorRange, "cuda batch: fieldCount is %d, must be 0 to %d",
                          (int)request->fieldCount, WK_MOST_LIVE);
    }
    for (int32_t i = 0; i < request->fieldCount; ++i) {
        if (request->fields == NULL || request->fields[i] == NULL ||
            wkDeviceOfField(request->fields[i]) != batch->cuda->info.device) {
            return wkFailCuda(wk_errorArgument, "cuda batch: fields[%d] is NULL or on another GPU",
                              (int)i);
        }
    }
    bool needsRows = count > 0 && batch->length > 0;
    if ((needsRows && configurations == NULL) || (count > 0 && verdicts == NULL)) {
        return wkFailCuda(wk_errorArgument, "cuda batch: configurations or verdicts are NULL");
    }
    return wk_ok;
}

// More than half a unit in the last place of a float, along three axes.
#define FLOAT_SHARE 0x1p-23

// Places the live fields of a call among the spheres of the batch.
static void placeFields(statesCall* call)
{
    wkVec3d origin = call->batch->batch->program->origin;
    for (int32_t i = 0; i < call->liveCount; ++i) {
        const wkCudaField* field = call->request.fields[i];
        wkDeviceLive* live = &call->lives[i];
        wkVec3d offset = wkSub(origin, wkOriginOfField(field));
        live->field = *wkViewOfField(field);
        live->offset[0] = (float)offset.x;
        live->offset[1] = (float)offset.y;
        live->offset[2] = (float)offset.z;
        // the offset is rounded, and so are sums: centers in the region are no larger than it
        live->rounding = wkRoundUp(wkRoundingOfField(field) + FLOAT_SHARE * wkMaxAbs(offset));
    }
}

wkResult wkCudaBatch_CheckStates(wkCudaBatch* batch, const void* configurations, int64_t count,
                                 const wkCudaStatesRequest* request, void* verdicts)
{
    wkCudaStatesRequest defaults = wkDefaultCudaStatesRequest();
    request = request != NULL ? request : &defaults;
    wkResult result = checkRequest(batch, configurations, count, request, verdicts);
    if (result != wk_ok || count == 0) {
        return result;
    }
    statesCall call = {.batch = batch,
                       .request = *request,
                       .rows = (const char*)configurations,
                       .count = count,
                       .verdicts = (uint8_t*)verdicts,
                       .liveCount = request->fieldCount};
    placeFields(&call);
    if (isOnHost(&call)) {
        setAll(&call, wk_verdictUnchecked);
    }
    result = wkUseCuda(batch->cuda);
    if (result != wk_ok) {
        return result;
    }
    result = wkCheckFreshCopy(batch);
    if (result != wk_ok) {
        setAll(&call, wk_verdictInvalid);
        return result;
    }
    batch->leftCount = 0;
    result = isOnHost(&call) ? wk_ok : setAll(&call, wk_verdictUnchecked);
    result = result == wk_ok ? runPieces(&call) : result;
    if (result != wk_ok) {
        for (int i = 0; i < WK_BATCH_SLOTS; ++i) {
            cudaStreamSynchronize(batch->slots[i].stream); // nothing runs when the next call begins
        }
        setAll(&call, wk_verdictUnchecked);
    }
    return result;
}
