// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Every point of A against every point of B. As on the CPU (center_kernel.h), |a - b|^2 is expanded, so that a pair takes
// three multiply-adds: (|a|^2 + K) - 2 a b, relative to the middle of A, and later + |b|^2 - K in doubles. K is the
// largest |b|^2 of the block. With it no sum is below zero by more than rounding, so that integers compare the bits of
// sums as floats would. New GPUs have a minimum of three integers: half an instruction for a pair.

#include "cuda/centers_best.h"

#include "math/round.h"

#include <float.h>

// Threads of a block, points of B that each of them has in registers, and of the block.
#define THREADS 256
#define POINTS_EACH 8
#define POINTS_B (THREADS * POINTS_EACH)

// Points of A in shared memory, and those of a step of the inner loop.
#define TILE 1024
#define STEP 8

// Blocks that are further apart than this are compared in doubles alone: squares stay finite.
#define MAX_REACH 1e17

// Bounds the error of a sum as a share of the square of |a| + |b|, in units of 2^-24: rounding of positions 2, of
// |a|^2 + K 1, of three sums 3; and a third more.
#define ERROR (8.0 * 0x1p-24)

// Blocks of a launch, at most: each of them takes several parts of the work where there are more.
#define MAX_BLOCKS (1 << 20)

// Threads of kernels with a point each.
#define POINT_THREADS 128

// Loops over points of B in registers: indices have to be constants.
#if defined(__CUDACC__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

static __global__ void moveCenters(wkDeviceCenters centers)
{
    int64_t count = centers.b.pointCount;
    int64_t rank = (int64_t)blockIdx.x * POINT_THREADS + threadIdx.x;
    if (rank < count) {
        wkVec3d p = wkDeviceCenterOfB(&centers, (int32_t)rank);
        float* locals = centers.scratch.locals;
        locals[rank] = (float)(p.x - centers.origin[0]);
        locals[count + rank] = (float)(p.y - centers.origin[1]);
        locals[2 * count + rank] = (float)(p.z - centers.origin[2]);
        centers.scratch.lows[rank] = UINT32_MAX;
    }
    if (rank == 0) {
        wkClearCenterState(&centers);
    }
}

static __device__ __forceinline__ int32_t bitsOf(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static __device__ __forceinline__ float floatOf(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static __device__ __forceinline__ int32_t leastOfThree(int32_t a, int32_t b, int32_t c)
{
    int32_t least = a < b ? a : b;
    return least < c ? least : c;
}

static __device__ __forceinline__ double squareOf(float x, float y, float z)
{
    return (double)x * (double)x + (double)y * (double)y + (double)z * (double)z;
}

// Points of B of a thread, and the least sums so far.
struct pointsOfB {
    float x[POINTS_EACH], y[POINTS_EACH], z[POINTS_EACH];
    int32_t least[POINTS_EACH];
};

// Points behind the last one repeat it.
static __device__ __forceinline__ void loadB(const wkDeviceCenters* centers, int64_t first,
                                             pointsOfB* b)
{
    int64_t count = centers->b.pointCount;
    UNROLL
    for (int r = 0; r < POINTS_EACH; ++r) {
        int64_t rank = first + r * THREADS + (int)threadIdx.x;
        rank = rank < count ? rank : count - 1;
        b->x[r] = centers->scratch.locals[rank];
        b->y[r] = centers->scratch.locals[count + rank];
        b->z[r] = centers->scratch.locals[2 * count + rank];
        b->least[r] = INT32_MAX;
    }
}

// Not less than the square of any point of B of the block, and not finite where one is not.
static __device__ float largestSquare(const pointsOfB* b)
{
    __shared__ float ofWarps[THREADS / WK_WARP];
    float largest = 0.0f;
    UNROLL
    for (int r = 0; r < POINTS_EACH; ++r) {
        float square = fmaf(b->x[r], b->x[r], fmaf(b->y[r], b->y[r], b->z[r] * b->z[r]));
        largest = square > largest ? square : largest;
    }
    for (int lane = WK_WARP / 2; lane > 0; lane /= 2) {
        float other = __shfl_xor_sync(0xffffffffu, largest, lane);
        largest = other > largest ? other : largest;
    }
    if (threadIdx.x % WK_WARP == 0) {
        ofWarps[threadIdx.x / WK_WARP] = largest;
    }
    __syncthreads();
    for (int i = 0; i < THREADS / WK_WARP; ++i) {
        largest = ofWarps[i] > largest ? ofWarps[i] : largest;
    }
    return largest * (1.0f + 0x1p-20f);
}

// Fills shared memory with -2 a and |a|^2 + K. Slots behind the last point of A repeat it.
// @return the number of slots: a multiple of STEP
static __device__ int loadTile(const wkDeviceCenters* centers, int64_t first, float largest,
                               float4* tile)
{
    int64_t left = centers->a.pointCount - first;
    int count = left < TILE ? (int)((left + STEP - 1) / STEP) * STEP : TILE;
    for (int i = (int)threadIdx.x; i < count; i += THREADS) {
        int32_t rank = (int32_t)(i < left ? first + i : first + left - 1);
        wkVec3d p = wkGroupPosition(centers->a.groups, rank);
        float x = (float)(p.x - centers->origin[0]), y = (float)(p.y - centers->origin[1]);
        float z = (float)(p.z - centers->origin[2]);
        float sum = (float)(squareOf(x, y, z) + (double)largest);
        tile[i] = make_float4(-2.0f * x, -2.0f * y, -2.0f * z, sum);
    }
    return count;
}

static __device__ __forceinline__ int32_t sumOf(const pointsOfB* b, int r, float4 a)
{
    return bitsOf(fmaf(b->x[r], a.x, fmaf(b->y[r], a.y, fmaf(b->z[r], a.z, a.w))));
}

static __device__ __forceinline__ void compareTile(const float4* tile, int count, pointsOfB* b)
{
    for (int i = 0; i < count; i += STEP) {
        UNROLL
        for (int k = 0; k < STEP; k += 2) {
            float4 first = tile[i + k], second = tile[i + k + 1];
            UNROLL
            for (int r = 0; r < POINTS_EACH; ++r) {
                b->least[r] = leastOfThree(b->least[r], sumOf(b, r, first), sumOf(b, r, second));
            }
        }
    }
}

// The least square of a point of B from the tile, up to the error.
static __device__ __forceinline__ double leastSquare(const pointsOfB* b, int r, float largest)
{
    double own = squareOf(b->x[r], b->y[r], b->z[r]) - (double)largest;
    return (double)floatOf(b->least[r]) + own;
}

// Lowers the bound of all.
static __device__ void lowerBound(const wkDeviceCenters* centers, const pointsOfB* b, float largest,
                                  double error)
{
    double least = leastSquare(b, 0, largest);
    for (int r = 1; r < POINTS_EACH; ++r) {
        double square = leastSquare(b, r, largest);
        least = square < least ? square : least;
    }
    for (int lane = WK_WARP / 2; lane > 0; lane /= 2) {
        double other = __shfl_xor_sync(0xffffffffu, least, lane);
        least = other < least ? other : least;
    }
    if (threadIdx.x % WK_WARP == 0) {
        wkLowerCenterBound(centers->scratch.state, least + error > 0.0 ? least + error : 0.0);
    }
}

// Notes the lower bounds of points of B that are not above the bound of all.
// @param isCompared false: the points are too far away, and doubles have to decide
static __device__ void noteLows(const wkDeviceCenters* centers, const pointsOfB* b, int64_t first,
                                float largest, double error, bool isCompared)
{
    double bound = wkCenterBound(centers->scratch.state);
    UNROLL
    for (int r = 0; r < POINTS_EACH; ++r) {
        int64_t rank = first + r * THREADS + (int)threadIdx.x;
        double low = isCompared ? leastSquare(b, r, largest) - error : 0.0;
        if (rank < centers->b.pointCount && (!isCompared || low <= bound)) {
            float rounded = low > 0.0 ? wkRoundDown(low) : 0.0f;
            atomicMin(&centers->scratch.lows[rank], (uint32_t)bitsOf(rounded));
        }
    }
}

static __device__ __forceinline__ int64_t partsOfB(const wkDeviceCenters* centers)
{
    return ((int64_t)centers->b.pointCount + POINTS_B - 1) / POINTS_B;
}

// A tile of A and POINTS_B points of B at a time.
static __global__ void __launch_bounds__(THREADS, 4) compareCenters(wkDeviceCenters centers)
{
    __shared__ float4 tile[TILE];
    int64_t parts = partsOfB(&centers);
    int64_t tiles = ((int64_t)centers.a.pointCount + TILE - 1) / TILE;
    for (int64_t i = blockIdx.x; i < parts * tiles; i += gridDim.x) {
        int64_t first = i % parts * POINTS_B;
        pointsOfB b;
        loadB(&centers, first, &b);
        float largest = largestSquare(&b);
        double reach = centers.reach + sqrt((double)largest);
        double error = ERROR * reach * reach + WK_CENTER_LEAST;
        bool isCompared = reach < MAX_REACH;
        if (isCompared) {
            int count = loadTile(&centers, i / parts * TILE, largest, tile);
            __syncthreads();
            compareTile(tile, count, &b);
            lowerBound(&centers, &b, largest, error);
        }
        noteLows(&centers, &b, first, largest, error, isCompared);
        __syncthreads(); // the next part writes shared memory
    }
}

static __global__ void pickCenters(wkDeviceCenters centers)
{
    int64_t rank = (int64_t)blockIdx.x * POINT_THREADS + threadIdx.x;
    wkCenterState* state = centers.scratch.state;
    if (rank < centers.b.pointCount) {
        uint32_t low = centers.scratch.lows[rank];
        if (low != UINT32_MAX && (double)floatOf((int32_t)low) <= wkCenterBound(state)) {
            centers.scratch.queue[atomicAdd(&state->queueCount, 1u)] = (int32_t)rank;
        }
    }
}

// A block compares a point of B with all of A.
static __global__ void __launch_bounds__(WK_BEST_THREADS) decideCenters(wkDeviceCenters centers)
{
    wkCenterPair best = wkNoCenters(&centers);
    uint32_t count = centers.scratch.state->queueCount;
    for (uint32_t i = blockIdx.x; i < count; i += gridDim.x) {
        int32_t rankB = centers.scratch.queue[i];
        wkVec3d b = wkDeviceCenterOfB(&centers, rankB);
        for (int32_t rankA = (int32_t)threadIdx.x; rankA < centers.a.pointCount;
             rankA += WK_BEST_THREADS) {
            wkVec3d a = wkGroupPosition(centers.a.groups, rankA);
            wkTakeCenterPair(&best, wkCenterSquare(a, b), rankA, rankB);
        }
    }
    wkKeepBestOfBlock(&centers, best);
}

static __global__ void __launch_bounds__(WK_BEST_THREADS) reduceCenters(wkDeviceCenters centers)
{
    wkCenterPair best = wkNoCenters(&centers);
    for (int32_t i = (int32_t)threadIdx.x; i < centers.blockCount; i += WK_BEST_THREADS) {
        wkCenterPair other = centers.scratch.bests[i];
        best = wkAreCentersBefore(other, best) ? other : best;
    }
    wkKeepBestOfBlock(&centers, best);
    if (threadIdx.x == 0) {
        wkWriteAnswer(centers.answer, &centers.scratch.bests[0], WK_CENTER_WORDS, centers.serial, 0,
                      1);
    }
}

static unsigned blocksForPoints(const wkDeviceCenters* centers)
{
    return (unsigned)((centers->b.pointCount + (int64_t)POINT_THREADS - 1) / POINT_THREADS);
}

cudaError_t wkLaunchCentersMove(const wkDeviceCenters* centers, cudaStream_t stream)
{
    return wkLaunch(moveCenters, blocksForPoints(centers), POINT_THREADS, stream, *centers);
}

cudaError_t wkLaunchCentersCompare(const wkDeviceCenters* centers, cudaStream_t stream)
{
    int64_t parts = ((int64_t)centers->b.pointCount + POINTS_B - 1) / POINTS_B;
    int64_t count = parts * (((int64_t)centers->a.pointCount + TILE - 1) / TILE);
    return wkLaunch(compareCenters, (unsigned)(count < MAX_BLOCKS ? count : MAX_BLOCKS), THREADS,
                    stream, *centers);
}

cudaError_t wkLaunchCentersPick(const wkDeviceCenters* centers, cudaStream_t stream)
{
    return wkLaunch(pickCenters, blocksForPoints(centers), POINT_THREADS, stream, *centers);
}

cudaError_t wkLaunchCentersDecide(const wkDeviceCenters* centers, cudaStream_t stream)
{
    return wkLaunch(decideCenters, (unsigned)centers->blockCount, WK_BEST_THREADS, stream,
                    *centers);
}

cudaError_t wkLaunchCentersReduce(const wkDeviceCenters* centers, cudaStream_t stream)
{
    return wkLaunch(reduceCenters, 1, WK_BEST_THREADS, stream, *centers);
}
