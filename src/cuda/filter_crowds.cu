// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Kernels of device_filter.h: points that share a cube of the curve with many others. One point far away from all others is
// enough for these to be in one cube, and searches would visit all of them.

#include "cuda/device_filter.h"

#include "cuda/launch.h"

#include <float.h>

#define THREADS WK_FILTER_THREADS

// Points of one cube that are sorted again.
#define CROWD 64

// Half of the difference of coordinates, from which on a grid tells points apart.
#define LEAST_HALF 1e-30f

static unsigned blocksOf(int64_t threadCount)
{
    return (unsigned)((threadCount + THREADS - 1) / THREADS);
}

static __device__ __forceinline__ uint64_t keyAt(const wkDeviceCrowds* crowds, int64_t i)
{
    return crowds->sorted[i] >> crowds->indexBits;
}

// Finds the first entry of the cube of an entry.
// @return whether the cube has many points
static __device__ bool findCrowd(const wkDeviceCrowds* crowds, int32_t at, int32_t* start)
{
    uint64_t key = keyAt(crowds, at);
    int32_t before = -1, first = at; // the key of `before` is lower
    while (first - before > 1) {
        // most cubes have few points: nearby entries come first
        int32_t reach = at - first < CROWD ? CROWD : 2 * (at - first);
        int32_t middle = before + (first - before) / 2;
        middle = before < 0 && at - reach > middle ? at - reach : middle;
        bool isSame = keyAt(crowds, middle) == key;
        first = isSame ? middle : first;
        before = isSame ? before : middle;
    }
    *start = first;
    return (int64_t)first + CROWD < crowds->points.count && keyAt(crowds, first + CROWD) == key;
}

static __device__ __forceinline__ void readPoint(const wkDeviceCrowds* crowds, int32_t at,
                                                 float p[3])
{
    uint64_t mask = ((uint64_t)1 << crowds->indexBits) - 1;
    int32_t index = (int32_t)(crowds->sorted[at] & mask);
    p[0] = crowds->points.x[index];
    p[1] = crowds->points.y[index];
    p[2] = crowds->points.z[index];
}

// Raises the extent of the crowd of each point. Coordinates are up to 1e38 apart, so halves are subtracted.
static __global__ void __launch_bounds__(THREADS) boundCrowds(wkDeviceCrowds crowds)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    int32_t start = 0;
    if (at >= crowds.points.count || !findCrowd(&crowds, (int32_t)at, &start)) {
        return;
    }
    float p[3], q[3], half = 0.0f;
    readPoint(&crowds, (int32_t)at, p);
    readPoint(&crowds, start, q);
    for (int axis = 0; axis < 3; ++axis) {
        half = fmaxf(half, fabsf(0.5f * p[axis] - 0.5f * q[axis]));
    }
    uint32_t bits; // of a float that is not negative: in their order
    memcpy(&bits, &half, sizeof bits);
    if (*(const volatile uint32_t*)&crowds.halves[start] < bits) {
        atomicMax(&crowds.halves[start], bits);
    }
    if (half > LEAST_HALF) {
        crowds.points.figures->hasCrowds = 1;
    }
}

// Entries with the first one of their cube as the key, above the position on a curve through a grid around its points.
static __global__ void __launch_bounds__(THREADS) divideCrowds(wkDeviceCrowds crowds)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= crowds.points.count) {
        return;
    }
    int32_t start = 0;
    uint64_t position = 0, mask = ((uint64_t)1 << crowds.indexBits) - 1;
    float half = 0.0f;
    if (findCrowd(&crowds, (int32_t)at, &start)) {
        memcpy(&half, &crowds.halves[start], sizeof half);
    }
    if (half > LEAST_HALF) {
        float p[3], q[3];
        readPoint(&crowds, (int32_t)at, p);
        readPoint(&crowds, start, q);
        wkCurveGrid grid;
        grid.bits = crowds.cubeBits;
        grid.scale = 0.25f * (float)((1 << grid.bits) - 1) / half;
        for (int axis = 0; axis < 3; ++axis) {
            grid.lower[axis] = fmaxf(q[axis] - 2.0f * half, -FLT_MAX);
        }
        position = wkCurvePosition(&grid, p);
    }
    uint64_t key = (uint64_t)(uint32_t)start << (3 * crowds.cubeBits) | position;
    crowds.entries[at] = key << crowds.indexBits | (crowds.sorted[at] & mask);
}

cudaError_t wkLaunchBoundCrowds(const wkDeviceCrowds* crowds, cudaStream_t stream)
{
    return wkLaunch(boundCrowds, blocksOf(crowds->points.count), THREADS, stream, *crowds);
}

cudaError_t wkLaunchDivideCrowds(const wkDeviceCrowds* crowds, cudaStream_t stream)
{
    return wkLaunch(divideCrowds, blocksOf(crowds->points.count), THREADS, stream, *crowds);
}
