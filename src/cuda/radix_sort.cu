// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of radix_sort.h: tiles count their digits, one block sums these counts over digits and tiles, and each
// tile moves its entries, whose rank among equal digits lanes of a warp find together.

#include "cuda/radix_sort.h"

#include "cuda/launch.h"

#define THREADS WK_SORT_VALUES
#define WARPS (THREADS / WK_WARP)
#define ROUNDS (WK_SORT_TILE / THREADS)
#define ALL_LANES 0xffffffffu
#define DIGIT_BITS 8

// One digit of a sort.
struct sortPass {
    const uint64_t* from;
    uint64_t* to;
    uint32_t* counts;
    int32_t count;
    int32_t tileCount;
    int shift;
    uint32_t mask;
};

static __device__ __forceinline__ uint32_t digitOf(const sortPass* pass, uint64_t entry)
{
    return (uint32_t)(entry >> pass->shift) & pass->mask;
}

static __global__ void __launch_bounds__(THREADS) countDigits(sortPass pass)
{
    __shared__ uint32_t counts[WK_SORT_VALUES];
    counts[threadIdx.x] = 0;
    __syncthreads();
    int64_t first = (int64_t)blockIdx.x * WK_SORT_TILE;
    for (int round = 0; round < ROUNDS; ++round) {
        int64_t at = first + round * THREADS + threadIdx.x;
        if (at < pass.count) {
            atomicAdd(&counts[digitOf(&pass, pass.from[at])], 1u);
        }
    }
    __syncthreads();
    pass.counts[(int64_t)blockIdx.x * WK_SORT_VALUES + threadIdx.x] = counts[threadIdx.x];
}

// Replaces counts by the number of entries before: those with lower digits, then those of earlier tiles.
static __global__ void __launch_bounds__(THREADS) scanDigits(sortPass pass)
{
    __shared__ uint32_t totals[WK_SORT_VALUES];
    uint32_t total = 0;
    for (int32_t tile = 0; tile < pass.tileCount; ++tile) {
        total += pass.counts[(int64_t)tile * WK_SORT_VALUES + threadIdx.x];
    }
    totals[threadIdx.x] = total;
    __syncthreads();
    for (unsigned reach = 1; reach < WK_SORT_VALUES; reach *= 2) {
        uint32_t before = threadIdx.x >= reach ? totals[threadIdx.x - reach] : 0;
        __syncthreads();
        totals[threadIdx.x] += before;
        __syncthreads();
    }
    uint32_t sum = totals[threadIdx.x] - total;
    for (int32_t tile = 0; tile < pass.tileCount; ++tile) {
        uint32_t* count = &pass.counts[(int64_t)tile * WK_SORT_VALUES + threadIdx.x];
        uint32_t here = *count;
        *count = sum;
        sum += here;
    }
}

// A warp takes consecutive entries of its tile, so that ranks follow the order of the entries.
static __global__ void __launch_bounds__(THREADS) moveEntries(sortPass pass)
{
    __shared__ uint32_t starts[WARPS][WK_SORT_VALUES];
    unsigned warp = threadIdx.x / WK_WARP, lane = threadIdx.x % WK_WARP;
    for (int w = 0; w < WARPS; ++w) {
        starts[w][threadIdx.x] = 0;
    }
    __syncthreads();
    int64_t first = (int64_t)blockIdx.x * WK_SORT_TILE + warp * (ROUNDS * WK_WARP) + lane;
    uint64_t entries[ROUNDS];
    uint32_t ranks[ROUNDS];
    for (int round = 0; round < ROUNDS; ++round) {
        int64_t at = first + round * WK_WARP;
        bool isThere = at < pass.count;
        entries[round] = isThere ? pass.from[at] : 0;
        uint32_t digit = isThere ? digitOf(&pass, entries[round]) : (uint32_t)WK_SORT_VALUES;
        unsigned equal = __match_any_sync(ALL_LANES, digit);
        uint32_t before = isThere ? starts[warp][digit] : 0;
        ranks[round] = before + (uint32_t)__popc(equal & ((1u << lane) - 1u));
        __syncwarp();
        if (isThere && __ffs((int)equal) - 1 == (int)lane) {
            starts[warp][digit] = before + (uint32_t)__popc(equal);
        }
        __syncwarp();
    }
    __syncthreads();
    uint32_t sum = pass.counts[(int64_t)blockIdx.x * WK_SORT_VALUES + threadIdx.x];
    for (int w = 0; w < WARPS; ++w) {
        uint32_t here = starts[w][threadIdx.x];
        starts[w][threadIdx.x] = sum;
        sum += here;
    }
    __syncthreads();
    for (int round = 0; round < ROUNDS; ++round) {
        if (first + round * WK_WARP < pass.count) {
            pass.to[starts[warp][digitOf(&pass, entries[round])] + ranks[round]] = entries[round];
        }
    }
}

cudaError_t wkLaunchSort(const wkRadixSort* sort, cudaStream_t stream, uint64_t** sorted)
{
    sortPass pass = {};
    pass.from = sort->entries;
    pass.to = sort->spare;
    pass.counts = sort->counts;
    pass.count = sort->count;
    pass.tileCount = (int32_t)(((int64_t)sort->count + WK_SORT_TILE - 1) / WK_SORT_TILE);
    unsigned tiles = (unsigned)pass.tileCount;
    cudaError_t error = cudaSuccess;
    *sorted = sort->entries;
    for (int bit = sort->lowest; bit < sort->highest && error == cudaSuccess; bit += DIGIT_BITS) {
        int left = sort->highest - bit;
        pass.shift = bit;
        pass.mask = left < DIGIT_BITS ? (1u << left) - 1u : WK_SORT_VALUES - 1u;
        error = wkLaunch(countDigits, tiles, THREADS, stream, pass);
        error = error == cudaSuccess ? wkLaunch(scanDigits, 1, THREADS, stream, pass) : error;
        error = error == cudaSuccess ? wkLaunch(moveEntries, tiles, THREADS, stream, pass) : error;
        *sorted = pass.to;
        uint64_t* other = pass.to;
        pass.to = *sorted == sort->spare ? sort->entries : sort->spare;
        pass.from = other;
    }
    return error;
}
