// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of device_clearances.h.

#include "cuda/clearance_lane.h"
#include "math/round.h"

#define COPY_THREADS 256

// Finds what is nearest; where the host decides, the sphere for which the field has the least bound.
static __device__ __forceinline__ wkClearanceItem findNearest(const wkDeviceBatch& batch,
                                                              const clearanceLane& lane,
                                                              double cutoff)
{
    wkClearanceItem item = {cutoff, -1, -1, -1, -1, -1, batch.leavesFree};
    for (int32_t i = 0; i < batch.program.pairCount && (batch.bits & wk_checkSelf) != 0; ++i) {
        wkClearance_CheckPair(&batch, &lane.tables, batch.program.pairs[i], lane.scratch, &item);
    }
    if ((batch.bits & wk_checkWorld) != 0) {
        int32_t first = -1, firstPart = -1;
        wkClearance_CheckWorld(&batch, &lane.tables, lane.scratch, &first, &firstPart, &item);
        if (item.isHost && first >= 0) {
            item.part = firstPart;
            item.sphere = first;
            item.otherPart = item.other = item.object = -1;
        }
    }
    return item;
}

static __device__ __forceinline__ void clearState(const wkDeviceClearances& task,
                                                  const clearanceLane& lane, int64_t index)
{
    const wkDeviceStates& states = task.states;
    const wkDeviceBatch& batch = states.batch;
    int32_t length = batch.program.variableCount;
    wkItemRow row = rowOf(states, index);
    wkItemState state = wkLoadItem(&batch.program, row, lane.scratch);
    state = wkWorseItem(state, placeLane(batch, lane, row));
    wkClearanceItem item = {0.0, -1, -1, -1, -1, -1, state == wk_itemBeyond};
    if (state == wk_itemValid) {
        item = findNearest(batch, lane, task.cutoff);
    }
    bool isKnown = state == wk_itemValid && !item.isHost;
    task.clearances[index] = isKnown ? wkRoundDown(item.nearest) : NAN;
    if (item.isHost) {
        states.queue[atomicAdd(&states.queueCounts[wk_queueHost], 1u)] = (uint32_t)index;
    }
    if (task.gradients == NULL) {
        return;
    }
    float* gradient = task.gradients + index * length;
    if (state != wk_itemValid || batch.leavesFree) {
        fillGradient(batch, NAN, gradient);
    } else if (item.sphere < 0) {
        fillGradient(batch, 0.0f, gradient);
    } else {
        wkVec3f away = wkClearance_Away(&batch, &lane.tables, lane.scratch, &item);
        writeGradient(batch, lane, row, item, away, gradient);
    }
}

template <bool isShared>
static __device__ __forceinline__ void clearStates(const wkDeviceClearances& task, char* shared)
{
    clearanceLane lane;
    beginLane<isShared>(task.states, shared, &lane);
    int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < task.states.count;
         i += step) {
        clearState(task, lane, i);
    }
}

static __global__ void __launch_bounds__(THREADS)
    findClearances(const __grid_constant__ wkDeviceClearances task)
{
    WK_SHARED_BYTES(shared);
    clearStates<true>(task, shared);
}

// For robots whose frames do not fit into shared memory.
static __global__ void __launch_bounds__(THREADS)
    findLargeClearances(const __grid_constant__ wkDeviceClearances task)
{
    clearStates<false>(task, NULL);
}

cudaError_t wkCountClearanceBlocks(const wkDeviceBatch* batch, bool isShared, size_t mostBytes,
                                   int* count)
{
    return wkCountBlocks(isShared ? findClearances : findLargeClearances, THREADS,
                         sharedBytesOf(*batch, isShared), mostBytes, count);
}

cudaError_t wkLaunchClearances(const wkDeviceClearances* clearances, cudaStream_t stream)
{
    const wkDeviceStates& states = clearances->states;
    bool isShared = states.numbers == NULL;
    return wkLaunchShared(isShared ? findClearances : findLargeClearances,
                          (unsigned)states.blockCounts[0], THREADS,
                          sharedBytesOf(states.batch, isShared), stream, *clearances);
}

struct clearancesTask {
    const uint32_t* queue; // NULL: NaN everywhere
    int64_t count;
    const float* from;
    float* to;
};

static __global__ void __launch_bounds__(COPY_THREADS) writeClearances(clearancesTask task)
{
    int64_t at = (int64_t)blockIdx.x * COPY_THREADS + threadIdx.x;
    if (at < task.count) {
        if (task.queue == NULL) {
            task.to[at] = NAN;
        } else {
            task.to[task.queue[at]] = task.from[at];
        }
    }
}

cudaError_t wkLaunchScatterClearances(const uint32_t* queue, int64_t count, const float* from,
                                      float* to, cudaStream_t stream)
{
    clearancesTask task = {queue, count, from, to};
    unsigned blocks = (unsigned)((count + COPY_THREADS - 1) / COPY_THREADS);
    return wkLaunch(writeClearances, blocks, COPY_THREADS, stream, task);
}

cudaError_t wkLaunchClearFloats(float* to, int64_t count, cudaStream_t stream)
{
    return count > 0 ? wkLaunchScatterClearances(NULL, count, NULL, to, stream) : cudaSuccess;
}
