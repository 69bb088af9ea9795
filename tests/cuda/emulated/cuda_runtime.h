// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The part of CUDA that src/cuda uses, on the CPU: continuous integration has no GPU, and runs every kernel of the
// library with it. Blocks run one after another, and the threads of a block in turn, each until it waits for the others:
// whatever order a GPU may choose, this is one of them. What depends on the order on purpose is tested on a GPU alone
// (tools/gpu test).
//
// Device memory is separate memory of the host, filled with 0xa5 where it is new; each device has its own, which the
// others cannot use (emulated_devices.cpp). Threads may use devices at once; one kernel runs at a time. Every call that can
// fail on a GPU can be made to fail here: see emulated_calls.h.

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__ static // blocks run one after another
#define __launch_bounds__(...)
#define __grid_constant__
#define __noinline__
#define __restrict__

#include "cuda_runtime_api.h"

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned sizeX = 1, unsigned sizeY = 1, unsigned sizeZ = 1) : x(sizeX), y(sizeY), z(sizeZ)
    {
    }
};

struct float4 {
    float x, y, z, w;
};

static inline float4 make_float4(float x, float y, float z, float w)
{
    return {x, y, z, w};
}

// Of the thread that runs; all of a block are numbered along x.
extern dim3 threadIdx, blockIdx, blockDim, gridDim;

// Waits for the other threads of the block, or for those of the warp in the mask.
void __syncthreads(void);
int __syncthreads_or(int predicate);
void __syncwarp(unsigned mask = 0xffffffffu);

// Exchange of eight bytes between the lanes of a mask, which all values below fit into.
uint64_t emulatedShuffle(unsigned mask, uint64_t value, int fromLane);
unsigned __ballot_sync(unsigned mask, int predicate);
unsigned __reduce_or_sync(unsigned mask, unsigned value);
unsigned __reduce_min_sync(unsigned mask, unsigned value);

// Lanes whose values are equal.
unsigned emulatedMatch(unsigned mask, uint64_t value);

static inline unsigned __match_any_sync(unsigned mask, uint32_t value)
{
    return emulatedMatch(mask, value);
}

static inline int __any_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}

template <typename T> static inline T __shfl_xor_sync(unsigned mask, T value, int laneMask)
{
    static_assert(sizeof(T) <= sizeof(uint64_t), "a value of eight bytes at most");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    bits = emulatedShuffle(mask, bits, (int)(threadIdx.x & 31u) ^ laneMask);
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename T> static inline T __shfl_sync(unsigned mask, T value, int lane)
{
    static_assert(sizeof(T) <= sizeof(uint64_t), "a value of eight bytes at most");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    bits = emulatedShuffle(mask, bits, lane);
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename T> static inline unsigned __match_any_sync(unsigned mask, T value)
{
    unsigned same = 0;
    for (int lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1u) != 0) {
            same |= (__shfl_sync(mask, value, lane) == value ? 1u : 0u) << lane;
        }
    }
    return same;
}

static inline float rsqrtf(float value)
{
    return 1.0f / sqrtf(value);
}

static inline unsigned __float_as_uint(float value)
{
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float __uint_as_float(unsigned bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int __popc(unsigned bits)
{
    return __builtin_popcount(bits);
}

static inline int __clz(int bits)
{
    return bits == 0 ? 32 : __builtin_clz((unsigned)bits);
}

static inline int __ffs(int bits)
{
    return __builtin_ffs(bits);
}

template <typename T> static inline T atomicMin(T* address, T value)
{
    T before = *address;
    *address = value < before ? value : before;
    return before;
}

template <typename T> static inline T atomicMax(T* address, T value)
{
    T before = *address;
    *address = value > before ? value : before;
    return before;
}

template <typename T> static inline T atomicOr(T* address, T value)
{
    T before = *address;
    *address = before | value;
    return before;
}

template <typename T> static inline T atomicAdd(T* address, T value)
{
    T before = *address;
    *address = before + value;
    return before;
}

template <typename T> static inline T atomicCAS(T* address, T expected, T value)
{
    T before = *address;
    *address = before == expected ? value : before;
    return before;
}

template <typename T> static inline T atomicExch(T* address, T value)
{
    T before = *address;
    *address = value;
    return before;
}

static inline void __threadfence_block(void)
{
}

static inline void __threadfence(void)
{
}

static inline void __threadfence_system(void)
{
}
