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

// What live points come to for a configuration. It takes the memory of a wkOpenSphere.
typedef struct wkLiveNearest {
    float distance;       // not above that of exact arithmetic; NaN: not known
    float away[3];        // from the nearest point, of unit length
    int32_t part, sphere; // of the robot; -1: no point is nearer than the cutoff
} wkLiveNearest;

// Clearances that are to be compared with live points, behind their kernel.
typedef struct wkDeviceLiveClearances {
    wkDeviceClearances base;
    wkLiveNearest* nearest; // of all configurations
    const uint32_t*
        queue; // configurations that the CPU has decided; NULL: all, of which live points are searched
    const float* decided; // clearances of these
    int64_t count;        // of configurations in the queue, or all
} wkDeviceLiveClearances;

// Counts the blocks that run at once on a multiprocessor, and lets them use shared memory: they need no more than those of
// wkLaunchCheckStates.
// @param mostBytes of shared memory that a block may have
cudaError_t wkCountClearanceBlocks(const wkDeviceBatch* batch, bool isShared, size_t mostBytes,
                                   int* count);

// Computes clearances, NaN for configurations that are not finite. Those that the CPU decides go into its queue.
cudaError_t wkLaunchClearances(const wkDeviceClearances* clearances, cudaStream_t stream);

// The same for the kernel of live points.
cudaError_t wkCountLiveClearanceBlocks(const wkDeviceBatch* batch, bool isShared, size_t mostBytes,
                                       int* count);

// Takes the distances of live points, and their gradients, where they are nearer than clearances that are known.
cudaError_t wkLaunchLiveClearances(const wkDeviceLiveClearances* clearances, cudaStream_t stream);

// Writes clearances of configurations in the queue of the CPU: clearance i belongs to queue[i].
cudaError_t wkLaunchScatterClearances(const uint32_t* queue, int64_t count, const float* from,
                                      float* to, cudaStream_t stream);

// Sets floats to NaN.
cudaError_t wkLaunchClearFloats(float* to, int64_t count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
