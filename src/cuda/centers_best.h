// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The bound that all blocks of a search for centres share, and the pair that each of them keeps. C++ and CUDA.

#include "cuda/device_centers.h"
#include "cuda/launch.h"

// Threads of blocks that keep a pair, and their warps.
#define WK_BEST_THREADS 128
#define WK_BEST_WARPS (WK_BEST_THREADS / WK_WARP)

// Squares are not negative: their bits have their order.
static __device__ __forceinline__ unsigned long long wkBitsOfSquare(double square)
{
    unsigned long long bits;
    memcpy(&bits, &square, sizeof bits);
    return bits;
}

static __device__ __forceinline__ double wkCenterBound(const wkCenterState* state)
{
    unsigned long long bits = *(const volatile unsigned long long*)&state->bound;
    double square;
    memcpy(&square, &bits, sizeof square);
    return square;
}

// Asks for the bound first: most squares do not lower it. NaN does not.
static __device__ __forceinline__ void wkLowerCenterBound(wkCenterState* state, double square)
{
    if (square < wkCenterBound(state)) {
        atomicMin(&state->bound, wkBitsOfSquare(square));
    }
}

static __device__ __forceinline__ void wkClearCenterState(const wkDeviceCenters* centers)
{
    centers->scratch.state->bound = wkBitsOfSquare(centers->cutoffSquare);
    centers->scratch.state->queueCount = 0;
}

static __device__ __forceinline__ wkCenterPair wkNoCenters(const wkDeviceCenters* centers)
{
    wkCenterPair none = {centers->cutoffSquare, WK_CENTER_NONE, WK_CENTER_NONE};
    return none;
}

static __device__ __forceinline__ void wkTakeCenterPair(wkCenterPair* best, double square,
                                                        int32_t rankA, int32_t rankB)
{
    wkCenterPair found = {square, rankA, rankB};
    if (square <= best->square && wkAreCentersBefore(found, *best)) {
        *best = found;
    }
}

static __device__ __forceinline__ wkCenterPair wkBestOfWarp(wkCenterPair best)
{
    for (int lane = WK_WARP / 2; lane > 0; lane /= 2) {
        wkCenterPair other;
        other.square = __shfl_xor_sync(0xffffffffu, best.square, lane);
        other.rankA = __shfl_xor_sync(0xffffffffu, best.rankA, lane);
        other.rankB = __shfl_xor_sync(0xffffffffu, best.rankB, lane);
        best = wkAreCentersBefore(other, best) ? other : best;
    }
    return best;
}

// Keeps the best pair of all threads of the block.
static __device__ void wkKeepBestOfBlock(const wkDeviceCenters* centers, wkCenterPair best)
{
    __shared__ wkCenterPair ofWarps[WK_BEST_WARPS];
    best = wkBestOfWarp(best);
    if (threadIdx.x % WK_WARP == 0) {
        ofWarps[threadIdx.x / WK_WARP] = best;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < WK_BEST_WARPS; ++i) {
            best = wkAreCentersBefore(ofWarps[i], best) ? ofWarps[i] : best;
        }
        centers->scratch.bests[blockIdx.x] = best;
    }
}

// The position of a point of B in the frame of A, as wkCenterOfB has it.
static __device__ __forceinline__ wkVec3d wkDeviceCenterOfB(const wkDeviceCenters* centers,
                                                            int32_t rank)
{
    return wkFramePoint(&centers->bInA, wkGroupPosition(centers->b.groups, rank));
}
