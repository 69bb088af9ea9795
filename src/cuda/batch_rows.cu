// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of device_batch.h that move rows and verdicts of configurations.

#include "cuda/device_batch.h"
#include "cuda/launch.h"

#define THREADS 256

static unsigned blocksFor(int64_t count)
{
    return (unsigned)((count + THREADS - 1) / THREADS);
}

// A part of a queue.
struct queuePart {
    const uint32_t* queue;
    int64_t count;
};

struct gatherTask {
    queuePart part;
    const double* doubles;
    const float* floats;
    int32_t length; // of a row
    double* rows;
};

static __global__ void __launch_bounds__(THREADS) gatherRows(gatherTask task)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    int64_t item = task.length > 0 ? at / task.length : task.part.count;
    if (item < task.part.count) {
        int64_t from = (int64_t)task.part.queue[item] * task.length + at % task.length;
        task.rows[at] = task.doubles != NULL ? task.doubles[from] : (double)task.floats[from];
    }
}

cudaError_t wkLaunchGatherRows(const wkDeviceStates* states, int64_t first, int64_t count,
                               double* rows, cudaStream_t stream)
{
    int32_t length = states->batch.program.variableCount;
    gatherTask task = {
        {states->queue + first, count}, states->doubles, states->floats, length, rows};
    return length == 0 ? cudaSuccess
                       : wkLaunch(gatherRows, blocksFor(count * length), THREADS, stream, task);
}

struct scatterTask {
    queuePart part;
    const uint8_t* from;
    uint8_t* to;
};

static __global__ void __launch_bounds__(THREADS) scatterVerdicts(scatterTask task)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < task.part.count) {
        task.to[task.part.queue[at]] = task.from[at];
    }
}

cudaError_t wkLaunchScatterVerdicts(const wkDeviceStates* states, int64_t first, int64_t count,
                                    const uint8_t* verdicts, cudaStream_t stream)
{
    scatterTask task = {{states->queue + first, count}, verdicts, states->verdicts};
    return wkLaunch(scatterVerdicts, blocksFor(count), THREADS, stream, task);
}

struct packTask {
    const uint8_t* verdicts;
    int64_t count;
    uint32_t* words;
};

static __global__ void __launch_bounds__(THREADS) packVerdicts(packTask task)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    bool isFree = at < task.count && task.verdicts[at] == wk_verdictFree;
    unsigned bits = __ballot_sync(0xffffffffu, isFree);
    if (at < task.count && threadIdx.x % WK_WARP == 0) {
        task.words[at / WK_WARP] = bits;
    }
}

cudaError_t wkLaunchPackVerdicts(const uint8_t* verdicts, int64_t count, uint32_t* words,
                                 cudaStream_t stream)
{
    packTask task = {verdicts, count, words};
    return wkLaunch(packVerdicts, blocksFor(count), THREADS, stream, task);
}
