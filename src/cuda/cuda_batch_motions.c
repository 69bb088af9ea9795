// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks of motions on a GPU: pieces of certified motions go through the memory of two pieces in turn, so that the last
// rounds of one, which are short, run beside the first rounds of the next.

#include "cuda/cuda_batch_motions.h"

#include "base/cookie.h"
#include "cuda/batch_pieces.h"
#include "cuda/live_place.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static size_t rowBytes(const wkMotionsOnGpu* call)
{
    return wkRowBytes(call->batch, &call->where);
}

static bool areResultsOnHost(const wkMotionsOnGpu* call)
{
    return call->where.verdictsIn == wk_memoryHost;
}

// Sets all results of a call. NaN is the time of wk_verdictUnchecked, 0 that of wk_verdictInvalid.
static cudaError_t setAll(const wkMotionsOnGpu* call, wkVerdict verdict)
{
    float time = verdict == wk_verdictInvalid ? 0.0f : NAN;
    const wkBatchMotionResult result = {(uint8_t)verdict, time, -1, 0};
    for (int64_t i = 0; i < call->count && areResultsOnHost(call); ++i) {
        call->results[i] = result;
    }
    if (areResultsOnHost(call)) {
        return cudaSuccess;
    }
    cudaStream_t stream = call->batch->slots[0].stream;
    cudaError_t error = wkLaunchFillMotions(result, call->count, call->results, stream);
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

// Leaves no result of an earlier call where the caller looks for those of this one. Why the call was refused stays the
// last error.
// @param call its request may be one that is refused
static void forgetAll(const wkMotionsOnGpu* call, wkVerdict verdict)
{
    const wkCudaStatesRequest* where = &call->where;
    if (!WK_HAS_COOKIE(where, wkCudaStatesRequest) || call->results == NULL || call->count <= 0) {
        return; // where they are is not known
    }
    if (areResultsOnHost(call) ||
        (where->verdictsIn == wk_memoryDevice &&
         wkDoBatchesReach(&call->batch, 1, call->results, sizeof(float)))) {
        setAll(call, verdict);
        cudaGetLastError(); // the next call must not find it
    }
}

static wkItemRow rowsAt(const wkMotionsOnGpu* call, const char* rows)
{
    wkItemRow row = {call->where.areFloats ? NULL : (const double*)(const void*)rows,
                     call->where.areFloats ? (const float*)(const void*)rows : NULL};
    return row;
}

wkMotionRange wkSendEnds(const wkMotionsOnGpu* call, wkMotionPieceMemory* piece, int64_t first,
                         int64_t count, cudaError_t* error)
{
    const char* ends[2] = {call->from, call->to};
    char* copies[2] = {piece->from, piece->to};
    size_t bytes = (size_t)count * rowBytes(call);
    for (int i = 0; i < 2; ++i) {
        ends[i] = bytes > 0 ? ends[i] + (size_t)first * rowBytes(call) : copies[i];
        if (call->where.statesIn == wk_memoryHost && bytes > 0 && *error == cudaSuccess) {
            *error =
                cudaMemcpyAsync(copies[i], ends[i], bytes, cudaMemcpyHostToDevice, piece->stream);
            ends[i] = copies[i];
        }
    }
    wkMotionRange range = {
        .first = first,
        .count = count,
        .from = rowsAt(call, ends[0]),
        .to = rowsAt(call, ends[1]),
        .results = areResultsOnHost(call) ? piece->results : call->results + first,
    };
    return range;
}

cudaError_t wkFetchResults(const wkMotionsOnGpu* call, const wkMotionPieceMemory* piece,
                           const wkMotionRange* range)
{
    cudaError_t error = cudaSuccess;
    if (areResultsOnHost(call)) {
        error = cudaMemcpyAsync(call->results + range->first, range->results,
                                (size_t)range->count * sizeof *range->results,
                                cudaMemcpyDeviceToHost, piece->stream);
    }
    return error == cudaSuccess ? cudaMemcpyAsync(piece->pinnedCounts, piece->counts,
                                                  WK_MOTION_COUNTS * sizeof(uint32_t),
                                                  cudaMemcpyDeviceToHost, piece->stream)
                                : error;
}

// Copies the ends of motions in a queue from memory of the host into pinned memory.
static void copyEnds(const wkMotionsOnGpu* call, const wkMotionRange* range, int64_t count)
{
    const wkMotionMemory* memory = &call->batch->motions;
    size_t length = (size_t)call->batch->length;
    const char* ends[2] = {call->from, call->to};
    for (int64_t i = 0; i < 2 * count && length > 0; ++i) {
        int64_t motion = range->first + (int64_t)memory->pinnedQueue[i / 2];
        const char* row = ends[i % 2] + (size_t)motion * rowBytes(call);
        double* to = memory->pinnedEnds[i % 2] + (size_t)(i / 2) * length;
        for (size_t k = 0; k < length; ++k) {
            to[k] = call->where.areFloats ? (double)((const float*)(const void*)row)[k]
                                          : ((const double*)(const void*)row)[k];
        }
    }
}

// Fetches the ends of the next motions of a queue.
static wkResult fetchEnds(const wkMotionsOnGpu* call, const wkMotionPieceMemory* piece,
                          const wkMotionRange* range, int64_t first, int64_t count)
{
    const wkMotionMemory* memory = &call->batch->motions;
    int32_t length = call->batch->length;
    const uint32_t* queue = piece->hostQueue + first;
    bool isOnDevice = call->where.statesIn == wk_memoryDevice;
    const wkItemRow ends[2] = {range->from, range->to};
    cudaError_t error = cudaMemcpyAsync(memory->pinnedQueue, queue, (size_t)count * sizeof *queue,
                                        cudaMemcpyDeviceToHost, piece->stream);
    for (int i = 0; i < 2 && isOnDevice && length > 0 && error == cudaSuccess; ++i) {
        error =
            wkLaunchGatherEnds(ends[i], length, queue, count, memory->gathered[i], piece->stream);
        if (error == cudaSuccess) {
            error = cudaMemcpyAsync(memory->pinnedEnds[i], memory->gathered[i],
                                    (size_t)count * (size_t)length * sizeof(double),
                                    cudaMemcpyDeviceToHost, piece->stream);
        }
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(piece->stream) : error;
    if (error == cudaSuccess && !isOnDevice) {
        copyEnds(call, range, count);
    }
    return wkTakeCudaError(error, "reading motions that the CPU decides");
}

// Decides them on the threads of the batch, or on this one while those are busy.
static wkResult decideEnds(const wkMotionsOnGpu* call, int64_t count)
{
    const wkCudaBatch* batch = call->batch;
    const wkMotionMemory* memory = &batch->motions;
    wkResult result =
        wkBatch_CheckMotions(batch->batch, NULL, memory->pinnedEnds[0], memory->pinnedEnds[1],
                             count, &call->request, memory->pinnedResults);
    return result == wk_errorState
               ? wkBatch_CheckMotions(batch->batch, batch->context, memory->pinnedEnds[0],
                                      memory->pinnedEnds[1], count, &call->request,
                                      memory->pinnedResults)
               : result;
}

// Takes back what the CPU calls free: it does not know live points.
static void doubtFree(const wkMotionsOnGpu* call, int64_t count)
{
    wkBatchMotionResult* results = call->batch->motions.pinnedResults;
    for (int64_t i = 0; i < count; ++i) {
        if (results[i].verdict == wk_verdictFree) {
            results[i].verdict = wk_verdictUncertain;
            results[i].time = 0.0f;
        }
    }
}

// Writes results of the CPU where the caller wants them.
static wkResult writeDecided(const wkMotionsOnGpu* call, const wkMotionPieceMemory* piece,
                             const wkMotionRange* range, int64_t first, int64_t count)
{
    const wkMotionMemory* memory = &call->batch->motions;
    for (int64_t i = 0; i < count && areResultsOnHost(call); ++i) {
        call->results[range->first + (int64_t)memory->pinnedQueue[i]] = memory->pinnedResults[i];
    }
    if (areResultsOnHost(call)) {
        return wk_ok;
    }
    cudaError_t error = cudaMemcpyAsync(memory->decided, memory->pinnedResults,
                                        (size_t)count * sizeof *memory->decided,
                                        cudaMemcpyHostToDevice, piece->stream);
    if (error == cudaSuccess) {
        error = wkLaunchScatterMotions(piece->hostQueue + first, count, memory->decided,
                                       range->results, piece->stream);
    }
    // the next ones are written to the same memory
    error = error == cudaSuccess ? cudaStreamSynchronize(piece->stream) : error;
    return wkTakeCudaError(error, "sending results of the CPU");
}

wkResult wkDecideMotions(const wkMotionsOnGpu* call, const wkMotionPieceMemory* piece,
                         const wkMotionRange* range, int64_t left, wkLivePart livePart)
{
    bool isDoubted = call->lives.count > 0 && livePart == wk_liveNotProven;
    wkResult result = wk_ok;
    call->batch->leftCount += left;
    for (int64_t first = 0; first < left && result == wk_ok; first += WK_LEFT_MOTIONS) {
        int64_t count = left - first < WK_LEFT_MOTIONS ? left - first : WK_LEFT_MOTIONS;
        result = fetchEnds(call, piece, range, first, count);
        result = result == wk_ok ? decideEnds(call, count) : result;
        if (isDoubted && result == wk_ok) {
            doubtFree(call, count);
        }
        result = result == wk_ok ? writeDecided(call, piece, range, first, count) : result;
    }
    return result;
}

// Puts all motions of a piece into the queue of the CPU.
static wkResult leaveAll(const wkMotionsOnGpu* call, wkMotionPieceMemory* piece, int64_t first,
                         int64_t count)
{
    uint32_t* queue = call->batch->motions.pinnedQueue;
    cudaError_t error = cudaSuccess;
    for (int64_t i = 0; i < count; ++i) {
        queue[i] = (uint32_t)i;
    }
    wkMotionRange range = wkSendEnds(call, piece, first, count, &error);
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(piece->hostQueue, queue, (size_t)count * sizeof *queue,
                                cudaMemcpyHostToDevice, piece->stream);
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(piece->stream) : error;
    wkResult result = wkTakeCudaError(error, "reading motions that the CPU decides");
    return result == wk_ok ? wkDecideMotions(call, piece, &range, count, wk_liveNotProven) : result;
}

// Robots with floating joints.
static wkResult leaveMotions(const wkMotionsOnGpu* call)
{
    wkMotionMemory* memory = &call->batch->motions;
    int64_t most = memory->count < WK_LEFT_MOTIONS ? memory->count : WK_LEFT_MOTIONS;
    wkResult result = wk_ok;
    for (int64_t first = 0; first < call->count && result == wk_ok; first += most) {
        int64_t left = call->count - first;
        result = leaveAll(call, &memory->pieces[0], first, left < most ? left : most);
    }
    return result;
}

static wkResult submitPiece(const wkMotionsOnGpu* call, wkMotionPieceMemory* piece, int64_t first,
                            int64_t count, wkMotionRange* range)
{
    const wkCudaBatch* batch = call->batch;
    const wkMotionMemory* memory = &batch->motions;
    cudaError_t error =
        cudaMemsetAsync(piece->counts, 0, WK_MOTION_COUNTS * sizeof(uint32_t), piece->stream);
    *range = wkSendEnds(call, piece, first, count, &error);
    wkDeviceMotions motions = {
        .batch = batch->copy.view,
        .tables = memory->tables,
        .from = range->from,
        .to = range->to,
        .count = count,
        .results = range->results,
        .hostQueue = piece->hostQueue,
        .hostCount = piece->counts + WK_HOST_COUNT,
        .tolerance = call->request.tolerance,
        .wantsFirst = call->request.wantsFirst ? 1 : 0,
        .blockCount = memory->blockCounts[wkKindOfLives(call->lives.objects, call->lives.count)],
        .capacity = memory->capacity,
        .motions = piece->motions,
        .rates = piece->rates,
        .items = {piece->items[0], piece->items[1]},
        .counts = piece->counts,
        .numbers = piece->numbers,
    };
    error = error == cudaSuccess ? wkLaunchCertifyMotions(&motions, &call->lives, piece->stream)
                                 : error;
    error = error == cudaSuccess ? wkFetchResults(call, piece, range) : error;
    return wkTakeCudaError(error, "checking motions");
}

// Whether a round had more intervals than there was memory for.
static bool hasLostItems(const wkMotionPieceMemory* piece, uint32_t capacity)
{
    bool hasLost = false;
    for (int i = 0; i <= WK_MOTION_ROUNDS; ++i) {
        hasLost = hasLost || piece->pinnedCounts[i] > capacity;
    }
    return hasLost;
}

// Waits for a piece, and lets the CPU decide what is left of it. Where its intervals did not fit, both halves of it are
// checked again, so that results do not depend on the memory.
static wkResult finishPiece(const wkMotionsOnGpu* call, wkMotionPieceMemory* piece,
                            const wkMotionRange* range)
{
    wkResult result = wkTakeCudaError(cudaStreamSynchronize(piece->stream), "checking motions");
    if (result != wk_ok || !hasLostItems(piece, call->batch->motions.capacity)) {
        return result == wk_ok
                   ? wkDecideMotions(call, piece, range,
                                     (int64_t)piece->pinnedCounts[WK_HOST_COUNT], wk_liveProven)
                   : result;
    }
    int64_t half = range->count / 2;
    if (half == 0) {
        return leaveAll(call, piece, range->first, range->count);
    }
    for (int i = 0; i < 2 && result == wk_ok; ++i) {
        wkMotionRange part;
        result = submitPiece(call, piece, range->first + i * half,
                             i == 0 ? half : range->count - half, &part);
        result = result == wk_ok ? finishPiece(call, piece, &part) : result;
    }
    return result;
}

static wkResult certifyMotions(const wkMotionsOnGpu* call)
{
    wkMotionMemory* memory = &call->batch->motions;
    wkMotionRange ranges[WK_MOTION_PIECES];
    memset(ranges, 0, sizeof ranges);
    wkResult result = wk_ok;
    int next = 0;
    for (int64_t first = 0; first < call->count && result == wk_ok; first += memory->count) {
        int64_t left = call->count - first;
        wkMotionPieceMemory* piece = &memory->pieces[next];
        result = ranges[next].count > 0 ? finishPiece(call, piece, &ranges[next]) : result;
        if (result == wk_ok) {
            result = submitPiece(call, piece, first, left < memory->count ? left : memory->count,
                                 &ranges[next]);
        }
        next = (next + 1) % WK_MOTION_PIECES;
    }
    for (int i = 0; i < WK_MOTION_PIECES && result == wk_ok; ++i) {
        int at = (next + i) % WK_MOTION_PIECES;
        result =
            ranges[at].count > 0 ? finishPiece(call, &memory->pieces[at], &ranges[at]) : result;
    }
    return result;
}

static wkResult checkArguments(const wkMotionsOnGpu* call)
{
    const wkCudaBatch* batch = call->batch;
    wkResult result = wkCheckMemories(&call->where);
    if (result != wk_ok) {
        return result;
    }
    if (call->where.asBits) {
        return wkFailCuda(wk_errorArgument,
                          "cuda batch: asBits is set, which checks of configurations alone have");
    }
    if (batch == NULL || call->count < 0) {
        return wkFailCuda(batch == NULL ? wk_errorArgument : wk_errorRange,
                          "cuda batch: batch is NULL, or count is %" PRId64 ", must be >= 0",
                          call->count);
    }
    bool hasEnds = call->from != NULL && call->to != NULL;
    if (call->count > 0 && ((batch->length > 0 && !hasEnds) || call->results == NULL)) {
        return wkFailCuda(wk_errorArgument, "cuda batch: ends of motions or results are NULL");
    }
    if (batch->motions.count == 0) {
        return wkFailCuda(wk_errorState, "cuda batch: motionCount of its definition is 0");
    }
    result = wkCheckLiveFields(batch, &call->where);
    if (result == wk_ok && call->count > 0) {
        result = wkCheckCudaNumbers(batch->cuda, "cuda batch: results", call->where.verdictsIn,
                                    call->results, sizeof(float));
        result = result == wk_ok ? wkCheckRows(batch, &call->where, call->from) : result;
        result = result == wk_ok ? wkCheckRows(batch, &call->where, call->to) : result;
    }
    return result;
}

// Returns wk_ok when the copy is that of the batch as it is, the batch that of its scene, and the request valid.
static wkResult checkFresh(const wkMotionsOnGpu* call)
{
    const wkCudaBatch* batch = call->batch;
    if (call->request.isCertified && call->request.wantsFirst && call->where.fieldCount > 0) {
        return wkFailCuda(wk_errorUnsupported, "cuda batch: wantsFirst is set for certified "
                                               "motions with fields: any contact ends these");
    }
    wkResult result = wkCheckFreshCopy(batch);
    return result == wk_ok ? wkBatch_CheckMotions(batch->batch, batch->context, NULL, NULL, 0,
                                                  &call->request, NULL)
                           : result;
}

static wkResult runMotions(const wkMotionsOnGpu* call)
{
    wkCudaBatch* batch = call->batch;
    batch->leftCount = 0;
    wkResult result = wkTakeCudaError(setAll(call, wk_verdictUnchecked), "clearing results");
    if (result == wk_ok) {
        result = !batch->motions.isSupported ? leaveMotions(call)
                 : call->request.isCertified ? certifyMotions(call)
                                             : wkStepMotionsOnGpu(call);
    }
    if (result != wk_ok) {
        for (int i = 0; i < WK_MOTION_PIECES; ++i) {
            // nothing runs when the next call begins
            cudaStreamSynchronize(batch->motions.pieces[i].stream);
        }
    }
    return result;
}

wkResult wkCudaBatch_CheckMotions(wkCudaBatch* batch, const void* from, const void* to,
                                  int64_t count, const wkCudaMotionsRequest* request,
                                  wkBatchMotionResult* results)
{
    wkCudaMotionsRequest defaults = wkDefaultCudaMotionsRequest();
    request = request != NULL ? request : &defaults;
    if (!WK_HAS_COOKIE(request, wkCudaMotionsRequest)) {
        return WK_FAIL_COOKIE(request, wkCudaMotionsRequest);
    }
    wkMotionsOnGpu call = {
        .batch = batch,
        .request = request->motion,
        .where = request->where,
        .from = (const char*)from,
        .to = (const char*)to,
        .count = count,
        .results = results,
    };
    wkVerdict refused = wk_verdictUnchecked;
    wkResult result = checkArguments(&call);
    if (result == wk_ok && count == 0) {
        return wk_ok;
    }
    result = result == wk_ok ? wkUseCuda(batch->cuda) : result;
    if (result == wk_ok) {
        result = checkFresh(&call);
        refused = result == wk_errorState ? wk_verdictInvalid : refused;
    }
    if (result == wk_ok) {
        call.lives.count = call.where.fieldCount;
        wkPlaceLiveFields(batch, &call.where, call.lives.fields, call.lives.objects);
        result = runMotions(&call);
    }
    if (result != wk_ok) {
        forgetAll(&call, refused);
    }
    return result;
}
