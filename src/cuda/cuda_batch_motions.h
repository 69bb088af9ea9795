// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A call that checks motions on a GPU, and what both kinds of motions share: the ends of motions are sent, results are
// sent back, and what the GPU leaves is decided by the batch on the CPU.

#include "cuda/cuda_batch.h"

typedef struct wkMotionsOnGpu {
    wkCudaBatch* batch;
    wkMotionRequest request;
    wkCudaStatesRequest where;
    const char* from;
    const char* to;
    int64_t count;
    wkBatchMotionResult* results;
    wkDeviceLives lives;
} wkMotionsOnGpu;

// Motions of a piece.
typedef struct wkMotionRange {
    int64_t first, count;
    wkItemRow from, to;           // on the device
    wkBatchMotionResult* results; // on the device
} wkMotionRange;

// Submits what sends the ends of a piece to the GPU, where they are not there.
wkMotionRange wkSendEnds(const wkMotionsOnGpu* call, wkMotionPieceMemory* piece, int64_t first,
                         int64_t count, cudaError_t* error);

// Submits what sends its results, and its counts, to the host.
cudaError_t wkFetchResults(const wkMotionsOnGpu* call, const wkMotionPieceMemory* piece,
                           const wkMotionRange* range);

// Whether motions that are left to the CPU are proven free of the live points of a call. The CPU does not know these.
typedef enum wkLivePart {
    wk_liveProven,
    wk_liveNotProven, // none of them is free: they are uncertain
} wkLivePart;

// Lets the CPU decide what is left of a piece that is done.
// @param left motions in its queue
// @param livePart without live points it does not matter
wkResult wkDecideMotions(const wkMotionsOnGpu* call, const wkMotionPieceMemory* piece,
                         const wkMotionRange* range, int64_t left, wkLivePart livePart);

// Checks all motions of a call in steps.
wkResult wkStepMotionsOnGpu(const wkMotionsOnGpu* call);
