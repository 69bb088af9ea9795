// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A configuration whose clearance a thread computes: its frames, and the derivatives of a distance. For kernels, C++ and
// CUDA.

#include "cuda/clearance_item.h"
#include "cuda/device_clearances.h"
#include "cuda/launch.h"

#define THREADS (WK_STATE_WARPS * WK_WARP)

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
// @param away direction in which the distance grows most with the sphere
static __device__ void writeGradient(const wkDeviceBatch& batch, const clearanceLane& lane,
                                     wkItemRow row, const wkClearanceItem& item, wkVec3f away,
                                     float* gradient)
{
    const wkProgram& program = batch.program;
    float* values = wkItemValues(&program, lane.scratch);
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

// Returns the configuration of an index.
static __device__ __forceinline__ wkItemRow rowOf(const wkDeviceStates& states, int64_t index)
{
    int32_t length = states.batch.program.variableCount;
    wkItemRow row = {states.doubles != NULL ? states.doubles + index * length : NULL,
                     states.doubles != NULL ? NULL : states.floats + index * length};
    return row;
}

// Sets up the memory of a thread, where that of the block is shared together with all its threads.
template <bool isShared>
static __device__ __forceinline__ void beginLane(const wkDeviceStates& states, char* shared,
                                                 clearanceLane* lane)
{
    const wkDeviceBatch& batch = states.batch;
    const wkDeviceTables& tables = batch.tables;
    const char* block = tables.block;
    int64_t warp = threadIdx.x / WK_WARP, thread = threadIdx.x % WK_WARP;
    float* numbers = states.numbers +
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
    lane->ops = (const wkItemOp*)(block + tables.opsAt);
    lane->tables.parts = (const wkDevicePart*)(block + tables.partsAt);
    lane->tables.spheres = (const wkDeviceSphere*)(block + tables.spheresAt);
    lane->scratch.constants = (const float*)(block + tables.constantsAt);
    lane->scratch.numbers = numbers + thread;
}

static inline size_t sharedBytesOf(const wkDeviceBatch& batch, bool isShared)
{
    size_t numbers = (size_t)batch.numberCount * THREADS * sizeof(float);
    return isShared ? batch.tables.sharedByteCount + numbers : 0;
}
