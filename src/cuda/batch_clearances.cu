// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of device_clearances.h.

#include "cuda/clearance_item.h"
#include "cuda/device_clearances.h"
#include "cuda/launch.h"
#include "math/round.h"

#define THREADS (WK_STATE_WARPS * WK_WARP)
#define COPY_THREADS 256

// Half the change of a variable over which a derivative is taken, in radians or metres: a power of two. Positions of
// floats are off by a millionth, which is a ten thousandth of what they change by.
#define HALF_CHANGE 0x1p-8f

// A configuration at work.
struct clearanceLane {
    wkClearanceTables tables;
    const wkItemOp* ops;
    wkItemScratch scratch;
};

static __device__ __forceinline__ wkItemState placeLane(const wkDeviceBatch& batch,
                                                        const clearanceLane& lane, wkItemRow row)
{
    wkItemState state = wk_itemValid;
    WK_KEEP_LOOP
    for (int32_t i = 0; i < batch.program.opCount; ++i) {
        state = wkWorseItem(state, wkRunItemOp(&lane.ops[i], row, lane.scratch));
    }
    return state;
}

// Returns the nearest sphere less what it is near, along a direction.
static __device__ __forceinline__ float distanceAlong(const clearanceLane& lane,
                                                      const wkClearanceItem& item, wkVec3f away)
{
    wkVec3f at = wkClearanceCenter(&lane.tables, item.part, item.sphere, lane.scratch);
    if (item.other >= 0) {
        at = wkSub3f(at, wkClearanceCenter(&lane.tables, item.otherPart, item.other, lane.scratch));
    }
    return (at.x * away.x + at.y * away.y) + at.z * away.z;
}

// Writes the derivatives of the distance of the nearest pair by all variables, by moving each both ways.
static __device__ void writeGradient(const wkDeviceBatch& batch, const clearanceLane& lane,
                                     wkItemRow row, const wkClearanceItem& item, float* gradient)
{
    const wkProgram& program = batch.program;
    float* values = wkItemValues(&program, lane.scratch);
    wkVec3f away = wkClearance_Away(&batch, &lane.tables, lane.scratch, &item);
    for (int32_t i = 0; i < program.variableCount; ++i) {
        float value = values[i * WK_ITEM_STRIDE], distances[2], changed[2];
        for (int side = 0; side < 2; ++side) {
            changed[side] = side == 0 ? value - HALF_CHANGE : value + HALF_CHANGE;
            values[i * WK_ITEM_STRIDE] = changed[side];
            placeLane(batch, lane, row);
            distances[side] = distanceAlong(lane, item, away);
        }
        values[i * WK_ITEM_STRIDE] = value;
        float change = changed[1] - changed[0];
        gradient[i] = change > 0.0f ? (distances[1] - distances[0]) / change : NAN;
    }
    for (int32_t i = 0; i < program.givenCount; ++i) {
        for (int32_t k = 0; k < 4; ++k) {
            gradient[program.givens[i] + k] = NAN; // quaternions are not free to change
        }
    }
}

static __device__ __forceinline__ void fillGradient(const wkDeviceBatch& batch, float value,
                                                    float* gradient)
{
    for (int32_t i = 0; i < batch.program.variableCount; ++i) {
        gradient[i] = value;
    }
}

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
    wkItemRow row = {states.doubles != NULL ? states.doubles + index * length : NULL,
                     states.doubles != NULL ? NULL : states.floats + index * length};
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
        writeGradient(batch, lane, row, item, gradient);
    }
}

template <bool isShared>
static __device__ __forceinline__ void clearStates(const wkDeviceClearances& task, char* shared)
{
    const wkDeviceBatch& batch = task.states.batch;
    const wkDeviceTables& tables = batch.tables;
    const char* block = tables.block;
    int64_t warp = threadIdx.x / WK_WARP, thread = threadIdx.x % WK_WARP;
    float* numbers = task.states.numbers +
                     ((int64_t)blockIdx.x * WK_STATE_WARPS + warp) * batch.numberCount * WK_WARP;
    if (isShared) {
        // pairs are not read
        for (uint32_t i = threadIdx.x; i < tables.sharedByteCount / 16; i += THREADS) {
            ((float4*)shared)[i] = ((const float4*)block)[i];
        }
        block = shared;
        numbers = (float*)(shared + tables.sharedByteCount) + warp * batch.numberCount * WK_WARP;
        __syncthreads();
    }
    clearanceLane lane;
    lane.ops = (const wkItemOp*)(block + tables.opsAt);
    lane.tables.parts = (const wkDevicePart*)(block + tables.partsAt);
    lane.tables.spheres = (const wkDeviceSphere*)(block + tables.spheresAt);
    lane.scratch.constants = (const float*)(block + tables.constantsAt);
    lane.scratch.numbers = numbers + thread;
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

static size_t sharedBytes(const wkDeviceBatch& batch, bool isShared)
{
    size_t numbers = (size_t)batch.numberCount * THREADS * sizeof(float);
    return isShared ? batch.tables.sharedByteCount + numbers : 0;
}

cudaError_t wkCountClearanceBlocks(const wkDeviceBatch* batch, bool isShared, size_t mostBytes,
                                   int* count)
{
    return wkCountBlocks(isShared ? findClearances : findLargeClearances, THREADS,
                         sharedBytes(*batch, isShared), mostBytes, count);
}

cudaError_t wkLaunchClearances(const wkDeviceClearances* clearances, cudaStream_t stream)
{
    const wkDeviceStates& states = clearances->states;
    bool isShared = states.numbers == NULL;
    return wkLaunchShared(isShared ? findClearances : findLargeClearances,
                          (unsigned)states.blockCounts[0], THREADS,
                          sharedBytes(states.batch, isShared), stream, *clearances);
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
