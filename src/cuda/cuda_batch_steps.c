// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Motions in steps on a GPU: the next steps of all open motions are written as rows of configurations, which
// wkCudaBatch_CheckStates checks where they are.

#include "cuda/cuda_batch_motions.h"

// Reads the number of open motions.
// @param which of this round, or of the next
static wkResult readOpenCount(const wkMotionsOnGpu* call, int which, uint32_t* count)
{
    const wkMotionMemory* memory = &call->batch->motions;
    const wkMotionPieceMemory* piece = &memory->pieces[0];
    cudaError_t error = cudaMemcpyAsync(piece->pinnedCounts, memory->openCounts + which,
                                        sizeof *count, cudaMemcpyDeviceToHost, piece->stream);
    error = error == cudaSuccess ? cudaStreamSynchronize(piece->stream) : error;
    *count = error == cudaSuccess ? piece->pinnedCounts[0] : 0;
    return wkTakeCudaError(error, "checking motions in steps");
}

// Checks the next steps of all open motions.
static wkResult runRound(const wkMotionsOnGpu* call, wkDeviceSteps* steps, uint32_t* openCount)
{
    const wkMotionMemory* memory = &call->batch->motions;
    cudaStream_t stream = memory->pieces[0].stream;
    int64_t left = call->batch->leftCount;
    wkCudaStatesRequest resident = wkDefaultCudaStatesRequest();
    resident.statesIn = resident.verdictsIn = wk_memoryDevice;
    resident.fields = call->where.fields;
    resident.fieldCount = call->where.fieldCount;
    cudaError_t error =
        cudaMemsetAsync(steps->openCounts + 1, 0, sizeof *steps->openCounts, stream);
    error = error == cudaSuccess ? wkLaunchFillSteps(steps, *openCount, stream) : error;
    error = error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    wkResult result = wkTakeCudaError(error, "making steps of motions");
    if (result == wk_ok) {
        result = wkCudaBatch_CheckStates(call->batch, memory->stepRows,
                                         (int64_t)*openCount * WK_STEPS_AT_ONCE, &resident,
                                         memory->stepVerdicts);
        call->batch->leftCount += left;
    }
    if (result == wk_ok) {
        result = wkTakeCudaError(wkLaunchLearnSteps(steps, *openCount, stream),
                                 "checking motions in steps");
    }
    result = result == wk_ok ? readOpenCount(call, 1, openCount) : result;
    wkStepMotion* done = steps->open[0];
    steps->open[0] = steps->open[1];
    steps->open[1] = done;
    return result;
}

static wkResult stepPiece(const wkMotionsOnGpu* call, int64_t first, int64_t count)
{
    const wkCudaBatch* batch = call->batch;
    wkMotionMemory* memory = &call->batch->motions;
    wkMotionPieceMemory* piece = &memory->pieces[0];
    cudaError_t error =
        cudaMemsetAsync(piece->counts, 0, WK_MOTION_COUNTS * sizeof(uint32_t), piece->stream);
    error = error == cudaSuccess
                ? cudaMemsetAsync(memory->openCounts, 0, 2 * sizeof(uint32_t), piece->stream)
                : error;
    wkMotionRange range = wkSendEnds(call, piece, first, count, &error);
    wkDeviceSteps steps = {
        .tables = memory->tables,
        .variableCount = batch->length,
        .checksLimits = (batch->copy.view.bits & wk_checkLimits) != 0 ? 1 : 0,
        .wantsFirst = call->request.wantsFirst ? 1 : 0,
        .leavesTouching = batch->copy.view.leavesTouching ? 1 : 0,
        .from = range.from,
        .to = range.to,
        .count = count,
        .step = call->request.step,
        .results = range.results,
        .hostQueue = piece->hostQueue,
        .hostCount = piece->counts + WK_HOST_COUNT,
        .open = {memory->open[0], memory->open[1]},
        .openCounts = memory->openCounts,
        .rows = memory->stepRows,
        .verdicts = memory->stepVerdicts,
    };
    if (call->lives.count > 0) {
        steps.leavesTouching =
            0; // a step that touches decides: the CPU would check others, without live points
    }
    error = error == cudaSuccess ? wkLaunchBeginSteps(&steps, piece->stream) : error;
    wkResult result = wkTakeCudaError(error, "checking motions in steps");
    uint32_t openCount = 0;
    result = result == wk_ok ? readOpenCount(call, 0, &openCount) : result;
    while (result == wk_ok && openCount > 0) {
        result = runRound(call, &steps, &openCount);
    }
    if (result == wk_ok) {
        error = wkFetchResults(call, piece, &range);
        error = error == cudaSuccess ? cudaStreamSynchronize(piece->stream) : error;
        result = wkTakeCudaError(error, "checking motions in steps");
    }
    return result == wk_ok
               ? wkDecideMotions(call, piece, &range, (int64_t)piece->pinnedCounts[WK_HOST_COUNT],
                                 wk_liveNotProven)
               : result;
}

wkResult wkStepMotionsOnGpu(const wkMotionsOnGpu* call)
{
    int64_t most = call->batch->motions.stepCount;
    wkResult result = wk_ok;
    for (int64_t first = 0; first < call->count && result == wk_ok; first += most) {
        int64_t left = call->count - first;
        result = stepPiece(call, first, left < most ? left : most);
    }
    return result;
}
