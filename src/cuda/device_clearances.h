// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A kernel that computes clearances of configurations, each on one thread, by the operations of the CPU in its order.

#include "cuda/device_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkDeviceClearances {
    wkDeviceStates states; // without verdicts and open configurations
    double cutoff;
    float* clearances;
    float* gradients; // NULL: none
} wkDeviceClearances;

// Counts the blocks that run at once on a multiprocessor, and lets them use shared memory: they need no more than those of
// wkLaunchCheckStates.
// @param mostBytes of shared memory that a block may have
cudaError_t wkCountClearanceBlocks(const wkDeviceBatch* batch, bool isShared, size_t mostBytes,
                                   int* count);

// Computes clearances, NaN for configurations that are not finite. Those that the CPU decides go into its queue.
cudaError_t wkLaunchClearances(const wkDeviceClearances* clearances, cudaStream_t stream);

// Writes clearances of configurations in the queue of the CPU: clearance i belongs to queue[i].
cudaError_t wkLaunchScatterClearances(const uint32_t* queue, int64_t count, const float* from,
                                      float* to, cudaStream_t stream);

// Sets floats to NaN.
cudaError_t wkLaunchClearFloats(float* to, int64_t count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
