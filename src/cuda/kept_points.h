// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where kernels write the points that filters keep: in their order, after those of the blocks before. C++ and CUDA.

#include "cuda/device_filter.h"
#include "cuda/launch.h"

// A point of a thread, and how many are kept before it.
struct wkKeptPoint {
    int64_t at; // its slot among all points
    int64_t before;
    bool isKept;
};

// Finds the point of a thread. All threads of the block call it.
// @param counts of the kept points of each warp of the block, in shared memory
static __device__ __forceinline__ wkKeptPoint wkFindKeptPoint(const wkDevicePoints* points,
                                                              int32_t* counts)
{
    wkKeptPoint point;
    point.at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned warp = threadIdx.x / WK_WARP, lane = threadIdx.x % WK_WARP;
    point.isKept = point.at < points->count && points->isKept[point.at] != 0;
    unsigned lanes = __ballot_sync(0xffffffffu, point.isKept);
    if (lane == 0) {
        counts[warp] = __popc(lanes);
    }
    __syncthreads();
    point.before = points->blockCounts[blockIdx.x] + __popc(lanes & ((1u << lane) - 1u));
    for (unsigned w = 0; w < warp; ++w) {
        point.before += counts[w];
    }
    return point;
}
