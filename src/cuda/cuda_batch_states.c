// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks of configurations on one GPU or several, in pieces (batch_pieces.h).

#include "cuda/batch_pieces.h"

#include "base/cookie.h"
#include "cuda/cuda_field.h"
#include "cuda/live_place.h"

#include <inttypes.h>
#include <string.h>

// A call: its verdicts, and the points that it checks against.
typedef struct statesCall {
    wkCudaBatch* const* batches;
    int32_t batchCount;
    wkCudaStatesRequest request;
    int64_t count;
    uint8_t* verdicts;  // bytes or bits, on either side
    cudaEvent_t before; // what kernels wait for; NULL: nothing
    int32_t liveCount;
    wkDeviceLive lives[WK_MOST_LIVE];
    wkLiveObjects objects[WK_MOST_LIVE];
} statesCall;

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
static cudaError_t setAll(const statesCall* call, wkVerdict verdict)
{
    int byte = call->request.asBits ? 0 : (int)verdict;
    size_t bytes = verdictBytes(call, call->count);
    if (isOnHost(call)) {
        memset(call->verdicts, byte, bytes);
        return cudaSuccess;
    }
    cudaStream_t stream = call->batches[0]->slots[0].stream; // there is no other
    cudaError_t error = cudaMemsetAsync(call->verdicts, byte, bytes, stream);
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

// Leaves no verdict of an earlier call where the caller looks for those of this one. Why the call was refused stays the
// last error.
// @param call its request may be one that is refused
static void forgetAll(const statesCall* call, wkVerdict verdict)
{
    const wkCudaStatesRequest* request = &call->request;
    if (!WK_HAS_COOKIE(request, wkCudaStatesRequest) || call->verdicts == NULL ||
        call->count <= 0) {
        return; // where they are is not known
    }
    if (isOnHost(call) || (request->verdictsIn == wk_memoryDevice &&
                           wkDoBatchesReach(call->batches, call->batchCount, call->verdicts, 1))) {
        setAll(call, verdict);
        cudaGetLastError(); // the next call must not find it
    }
}

static cudaError_t sendVerdicts(const void* task, const wkCudaBatch* batch, const wkBatchSlot* slot)
{
    (void)batch;
    const statesCall* call = (const statesCall*)task;
    const wkBatchPiece* piece = &slot->piece;
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

static cudaError_t launchPiece(const void* task, const wkCudaBatch* batch, wkBatchSlot* slot,
                               const char* rows)
{
    const statesCall* call = (const statesCall*)task;
    wkBatchPiece* piece = &slot->piece;
    bool isDirect = !isOnHost(call) && !call->request.asBits;
    wkLiveKind kind = wkKindOfLives(call->objects, call->liveCount);
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
        .liveBlockCount = batch->liveBlockCounts[kind],
        .numbers = slot->numbers,
    };
    piece->states.liveCount = call->liveCount;
    memcpy(piece->states.lives, call->lives, sizeof call->lives);
    memcpy(piece->states.objects, call->objects, sizeof call->objects);
    int64_t warps = (piece->count + WK_STATES_OF_WARP - 1) / WK_STATES_OF_WARP;
    int64_t blocks = (warps + WK_STATE_WARPS - 1) / WK_STATE_WARPS;
    for (int i = 0; i < 2; ++i) {
        int32_t most = batch->blockCounts[kind][i];
        piece->states.blockCounts[i] = blocks < most ? (int32_t)blocks : most;
    }
    return wkLaunchCheckStates(&piece->states, slot->stream);
}

static wkResult decideRows(const void* task, const wkCudaBatch* batch, wkBatchContext* context,
                           int64_t count)
{
    (void)task;
    return wkBatch_CheckStates(batch->batch, context, batch->pinnedRows, count,
                               batch->pinnedVerdicts);
}

static cudaError_t writeDecided(const void* task, const wkCudaBatch* batch, const wkBatchSlot* slot,
                                int64_t first, int64_t count)
{
    const statesCall* call = (const statesCall*)task;
    const wkBatchPiece* piece = &slot->piece;
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
        return cudaSuccess;
    }
    cudaError_t error = cudaMemcpyAsync(batch->decided, batch->pinnedVerdicts, (size_t)count,
                                        cudaMemcpyHostToDevice, slot->stream);
    if (error == cudaSuccess) {
        error = wkLaunchScatterVerdicts(&piece->states, first, count, batch->decided, slot->stream);
    }
    // the next ones are written to the same memory
    return error == cudaSuccess ? cudaStreamSynchronize(slot->stream) : error;
}

static const wkPieceRule rule = {
    .doing = "checking configurations",
    .leftAtOnce = WK_LEFT_AT_ONCE,
    .launch = launchPiece,
    .send = sendVerdicts,
    .decide = decideRows,
    .write = writeDecided,
};

static wkResult checkArguments(const statesCall* call, const void* configurations)
{
    wkResult result = wkCheckMemories(&call->request);
    if (result == wk_ok && call->count < 0) {
        return wkFailCuda(wk_errorRange, "cuda batch: count is %" PRId64 ", must be >= 0",
                          call->count);
    }
    if (result == wk_ok && call->count > 0 && call->verdicts == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda batch: verdicts are NULL");
    }
    if (result == wk_ok) {
        result = wkCheckBatches(call->batches, call->batchCount, &call->request);
    }
    result = result == wk_ok ? wkCheckLiveFields(call->batches[0], &call->request) : result;
    if (result == wk_ok && call->count > 0 && call->batches[0]->length > 0 &&
        configurations == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda batch: configurations are NULL");
    }
    if (result != wk_ok || call->count == 0) {
        return result;
    }
    const wkCudaBatch* first = call->batches[0];
    result = wkCheckCudaNumbers(first->cuda, "cuda batch: verdicts", call->request.verdictsIn,
                                call->verdicts, call->request.asBits ? sizeof(uint32_t) : 1);
    return result == wk_ok ? wkCheckRows(first, &call->request, configurations) : result;
}

static wkResult runCall(const statesCall* call, const void* configurations)
{
    const wkRowsCall rows = {
        .rule = &rule,
        .task = call,
        .batches = call->batches,
        .batchCount = call->batchCount,
        .where = &call->request,
        .rows = (const char*)configurations,
        .count = call->count,
        .mostOfPiece = wkLeastPiece(call->batches, call->batchCount),
        .before = call->before,
        .sendsAgain = call->request.asBits && !isOnHost(call),
    };
    wkResult result = wkTakeCudaError(setAll(call, wk_verdictUnchecked), "clearing verdicts");
    return result == wk_ok ? wkRunPieces(&rows) : result;
}

static wkResult checkStates(statesCall* call, const void* configurations)
{
    wkVerdict refused = wk_verdictUnchecked;
    wkResult result = checkArguments(call, configurations);
    if (result == wk_ok && call->count == 0) {
        return wk_ok;
    }
    result = result == wk_ok ? wkUseCuda(call->batches[0]->cuda) : result;
    if (result == wk_ok) {
        result = wkCheckFreshCopies(call->batches, call->batchCount);
        refused = result == wk_ok ? refused : wk_verdictInvalid;
    }
    if (result == wk_ok) {
        call->liveCount = call->request.fieldCount;
        wkPlaceLiveFields(call->batches[0], &call->request, call->lives, call->objects);
        result = runCall(call, configurations);
    }
    if (result != wk_ok) {
        forgetAll(call, refused);
    }
    return result;
}

wkResult wkCudaBatches_CheckStates(wkCudaBatch* const* batches, int32_t batchCount,
                                   const void* configurations, int64_t count,
                                   const wkCudaStatesRequest* request, void* verdicts)
{
    statesCall call = {.batches = batches,
                       .batchCount = batchCount,
                       .request = request != NULL ? *request : wkDefaultCudaStatesRequest(),
                       .count = count,
                       .verdicts = (uint8_t*)verdicts};
    return checkStates(&call, configurations);
}

wkResult wkCudaBatch_CheckStates(wkCudaBatch* batch, const void* configurations, int64_t count,
                                 const wkCudaStatesRequest* request, void* verdicts)
{
    return wkCudaBatches_CheckStates(&batch, 1, configurations, count, request, verdicts);
}

// ---- among the points of a frame ----

wkCudaFrame wkDefaultCudaFrame(void)
{
    wkCudaFrame frame = {.cookie = WK_COOKIE(wkCudaFrame), .points = wkDefaultCudaFieldRequest()};
    return frame;
}

// Puts the field of a frame behind those of a request.
static wkResult addField(const wkCudaFrame* frame, wkCudaStatesRequest* request,
                         wkCudaField* fields[WK_MOST_LIVE])
{
    int32_t count = request->fieldCount;
    if (count < 0 || count >= WK_MOST_LIVE || (count > 0 && request->fields == NULL)) {
        return wkFailCuda(wk_errorRange,
                          "cuda batch: fieldCount is %d, must be 0 to %d beside a frame, or fields "
                          "are NULL",
                          (int)count, WK_MOST_LIVE - 1);
    }
    for (int32_t i = 0; i < count; ++i) {
        fields[i] = request->fields[i];
        if (fields[i] == frame->field) {
            return wkFailCuda(wk_errorArgument, "cuda batch: fields[%d] is that of the frame, too",
                              (int)i);
        }
    }
    fields[count] = frame->field;
    request->fields = fields;
    request->fieldCount = count + 1;
    return wk_ok;
}

// Returns wk_ok for a frame with a field.
static wkResult findField(const wkCudaFrame* frame)
{
    if (frame == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda batch: frame is NULL");
    }
    if (!WK_HAS_COOKIE(frame, wkCudaFrame)) {
        return WK_FAIL_COOKIE(frame, wkCudaFrame);
    }
    return frame->field != NULL
               ? wk_ok
               : wkFailCuda(wk_errorArgument, "cuda batch: field of the frame is NULL");
}

// Checks a call among the points of a frame, which has a field, and ends the frame.
static wkResult checkFrame(statesCall* call, const wkCudaFrame* frame, const void* configurations)
{
    wkCudaField* fields[WK_MOST_LIVE] = {NULL};
    wkResult result = wkCheckMemories(&call->request);
    result = result == wk_ok ? addField(frame, &call->request, fields) : result;
    result = result == wk_ok ? checkArguments(call, configurations) : result;
    if (result == wk_ok) {
        result = wkSubmitDepthToField(frame->field, frame->camera, frame->image, frame->pixelsIn,
                                      &frame->points);
    }
    bool isForgotten = false;
    if (result == wk_ok) {
        call->before = wkReadyOfField(frame->field);
        result = checkStates(call, configurations);
        isForgotten = result != wk_ok;
    }
    result = wkEndFrame(frame->field, result);
    if (result != wk_ok && !isForgotten) {
        forgetAll(call, wk_verdictUnchecked); // whatever was found among these points
    }
    return result;
}

wkResult wkCudaBatch_CheckFrame(wkCudaBatch* batch, const wkCudaFrame* frame,
                                const void* configurations, int64_t count,
                                const wkCudaStatesRequest* request, void* verdicts)
{
    statesCall call = {.batches = &batch,
                       .batchCount = 1,
                       .request = request != NULL ? *request : wkDefaultCudaStatesRequest(),
                       .count = count,
                       .verdicts = (uint8_t*)verdicts};
    wkResult result = findField(frame);
    if (result != wk_ok) {
        forgetAll(&call, wk_verdictUnchecked);
        return result;
    }
    return checkFrame(&call, frame, configurations);
}
