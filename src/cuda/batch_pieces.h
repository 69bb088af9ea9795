// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Calls about configurations on one GPU or several. A call is cut into pieces, which go through the slots of all its
// batches: while the kernels of some run, the rows of the next are sent, and what the GPUs have left is decided by the
// batch on the CPU.

#include "cuda/cuda_batch.h"

// Batches of a call at most.
#define WK_MOST_BATCHES 64

// What is done with a piece, by those who know what is computed. The GPU of the batch is in use.
// @param task of the call
typedef struct wkPieceRule {
    const char* doing;  // for messages, such as "checking configurations"
    int64_t leftAtOnce; // configurations that the CPU decides at once

    // Submits the kernels.
    // @param rows of the piece, on the device
    cudaError_t (*launch)(const void* task, const wkCudaBatch* batch, wkBatchSlot* slot,
                          const char* rows);

    // Submits what sends results to the caller.
    cudaError_t (*send)(const void* task, const wkCudaBatch* batch, const wkBatchSlot* slot);

    // Lets the CPU decide `count` configurations, in `pinnedRows` of the batch.
    // @param context NULL: on the threads of the batch
    wkResult (*decide)(const void* task, const wkCudaBatch* batch, wkBatchContext* context,
                       int64_t count);

    // Writes what the CPU decided about configurations of the queue from `first` on where the caller wants it.
    cudaError_t (*write)(const void* task, const wkCudaBatch* batch, const wkBatchSlot* slot,
                         int64_t first, int64_t count);
} wkPieceRule;

// A call about configurations.
typedef struct wkRowsCall {
    const wkPieceRule* rule;
    const void* task;
    wkCudaBatch* const* batches;
    int32_t batchCount;
    const wkCudaStatesRequest* where;
    const char* rows;
    int64_t count;
    int64_t mostOfPiece; // configurations, a multiple of WK_PIECE_MULTIPLE
    cudaEvent_t before;  // what kernels of the only batch wait for; NULL: nothing
    bool sendsAgain;     // what the CPU decided is not at the caller before results are sent again
} wkRowsCall;

// Checks the batches of a call: not NULL, of the same batch on the CPU, and each of them once. Several of them share
// nothing but the memory of the host.
wkResult wkCheckBatches(wkCudaBatch* const* batches, int32_t batchCount,
                        const wkCudaStatesRequest* where);

// Returns wkReachesNumbers for the GPU of the first batch; false without batches.
bool wkDoBatchesReach(wkCudaBatch* const* batches, int32_t batchCount, const void* numbers,
                      size_t alignment);

// Returns wk_ok when wkCheckFreshCopy does for all batches.
wkResult wkCheckFreshCopies(wkCudaBatch* const* batches, int32_t batchCount);

// Returns the configurations of the smallest pieces among the batches.
int64_t wkLeastPiece(wkCudaBatch* const* batches, int32_t batchCount);

// Runs all pieces of a call. Nothing runs on any GPU when it returns, even where it fails.
wkResult wkRunPieces(const wkRowsCall* call);
