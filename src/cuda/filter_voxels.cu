// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Kernels of device_filter.h: a point of each voxel. Entries are sorted by voxel, then by rank and index where voxels
// have keys, else by index; the first one of a voxel is kept. Sums of voxels with keys are exact in whatever order
// (wkVoxelShift), so that threads add to them as they come; those of others are added up by their index, as on the CPU.

#include "cuda/device_filter.h"

#include "cuda/kept_points.h"
#include "cuda/launch.h"

#define THREADS WK_FILTER_THREADS

// Consecutive entries that a thread sums.
#define EACH 8

static __device__ __forceinline__ void voxelAt(const wkDeviceVoxels* voxels, int64_t i,
                                               float voxel[3])
{
    const wkDevicePoints* points = &voxels->points;
    wkFindVoxel(voxels->grid.inverse, points->x[i], points->y[i], points->z[i], voxel);
}

static __global__ void __launch_bounds__(THREADS) writeEntries(wkDeviceVoxels voxels)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= voxels.points.count) {
        return;
    }
    if (voxels.hasKeys) {
        const float point[3] = {voxels.points.x[at], voxels.points.y[at], voxels.points.z[at]};
        voxels.entries[at] = wkVoxelEntry(&voxels.grid, point, voxels.indexBits, (uint32_t)at);
    } else {
        float voxel[3];
        voxelAt(&voxels, at, voxel);
        voxels.entries[at] = wkMixVoxel(voxel) << voxels.indexBits | (uint32_t)at;
    }
}

static __device__ __forceinline__ uint64_t keyAt(const wkDeviceVoxels* voxels, int64_t at)
{
    return voxels->sorted[at] >> (voxels->indexBits + WK_VOXEL_RANK_BITS);
}

static __device__ __forceinline__ int64_t indexAt(const wkDeviceVoxels* voxels, int64_t at)
{
    return (int64_t)(voxels->sorted[at] & (((uint64_t)1 << voxels->indexBits) - 1));
}

// Whether an entry, which is not the first one, is of another voxel than the one before.
static __device__ bool isNext(const wkDeviceVoxels* voxels, int64_t at)
{
    if (voxels->hasKeys) {
        return keyAt(voxels, at) != keyAt(voxels, at - 1);
    }
    float voxel[3], before[3];
    voxelAt(voxels, indexAt(voxels, at), voxel);
    voxelAt(voxels, indexAt(voxels, at - 1), before);
    return !wkIsSameVoxel(voxel, before);
}

// Sums the points of a voxel by their index.
static __device__ void sumInOrder(const wkDeviceVoxels* voxels, int64_t first)
{
    double sum[3] = {0.0, 0.0, 0.0};
    int64_t at = first;
    do {
        int64_t index = indexAt(voxels, at);
        sum[0] += wkRoundForSum((double)voxels->points.x[index], voxels->shift);
        sum[1] += wkRoundForSum((double)voxels->points.y[index], voxels->shift);
        sum[2] += wkRoundForSum((double)voxels->points.z[index], voxels->shift);
        ++at;
    } while (at < voxels->points.count && !isNext(voxels, at));
    for (int axis = 0; axis < 3; ++axis) {
        voxels->sums[3 * first + axis] = sum[axis];
    }
    voxels->counts[first] = (uint32_t)(at - first);
}

static __global__ void __launch_bounds__(THREADS) keepFirst(wkDeviceVoxels voxels)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= voxels.points.count) {
        return;
    }
    int64_t index = indexAt(&voxels, at);
    bool isFirst = at == 0 || isNext(&voxels, at);
    voxels.points.isKept[index] = isFirst;
    if (isFirst && voxels.hasCentroids) {
        voxels.firsts[index] = (int32_t)at;
        if (!voxels.hasKeys) {
            sumInOrder(&voxels, at);
        }
    }
}

// Finds the first entry of the voxel of an entry.
static __device__ int64_t firstOfVoxel(const wkDeviceVoxels* voxels, int64_t at)
{
    uint64_t key = keyAt(voxels, at);
    int64_t before = -1, first = at; // the key of `before` is lower
    while (first - before > 1) {
        int64_t middle = before + (first - before) / 2;
        bool isSame = keyAt(voxels, middle) == key;
        first = isSame ? middle : first;
        before = isSame ? before : middle;
    }
    return first;
}

// Adds what a thread has summed to the sum of a voxel.
static __device__ void addSum(const wkDeviceVoxels* voxels, int64_t first, double sum[3],
                              uint32_t count)
{
    for (int axis = 0; axis < 3; ++axis) {
        atomicAdd(&voxels->sums[3 * first + axis], sum[axis]);
        sum[axis] = 0.0;
    }
    atomicAdd(&voxels->counts[first], count);
}

// A thread for some entries in a row, most of which are of few voxels.
static __global__ void __launch_bounds__(THREADS) sumVoxels(wkDeviceVoxels voxels)
{
    int64_t start = ((int64_t)blockIdx.x * THREADS + threadIdx.x) * EACH;
    if (start >= voxels.points.count) {
        return;
    }
    int64_t end = start + EACH < voxels.points.count ? start + EACH : voxels.points.count;
    int64_t first = firstOfVoxel(&voxels, start);
    double sum[3] = {0.0, 0.0, 0.0};
    uint32_t count = 0;
    for (int64_t at = start; at < end; ++at) {
        if (at > start && isNext(&voxels, at)) {
            addSum(&voxels, first, sum, count);
            first = at;
            count = 0;
        }
        int64_t index = indexAt(&voxels, at);
        sum[0] += wkRoundForSum((double)voxels.points.x[index], voxels.shift);
        sum[1] += wkRoundForSum((double)voxels.points.y[index], voxels.shift);
        sum[2] += wkRoundForSum((double)voxels.points.z[index], voxels.shift);
        ++count;
    }
    addSum(&voxels, first, sum, count);
}

// Centroids are in the order of the points that are kept. A single point stays as it is.
static __global__ void __launch_bounds__(THREADS) writeCentroids(wkDeviceVoxels voxels)
{
    __shared__ int32_t counts[THREADS / WK_WARP];
    const wkDevicePoints* points = &voxels.points;
    wkKeptPoint kept = wkFindKeptPoint(points, counts);
    if (!kept.isKept) {
        return;
    }
    int64_t first = voxels.firsts[kept.at];
    double count = (double)voxels.counts[first];
    const float point[3] = {points->x[kept.at], points->y[kept.at], points->z[kept.at]};
    for (int axis = 0; axis < 3; ++axis) {
        voxels.centroids[3 * kept.before + axis] =
            count > 1.0 ? wkCentroidOf(voxels.sums[3 * first + axis], count) : point[axis];
    }
}

static unsigned blocksOf(int64_t threadCount)
{
    return (unsigned)((threadCount + THREADS - 1) / THREADS);
}

cudaError_t wkLaunchVoxelEntries(const wkDeviceVoxels* voxels, cudaStream_t stream)
{
    return wkLaunch(writeEntries, blocksOf(voxels->points.count), THREADS, stream, *voxels);
}

cudaError_t wkLaunchKeepVoxels(const wkDeviceVoxels* voxels, cudaStream_t stream)
{
    int64_t count = voxels->points.count;
    cudaError_t error = wkLaunch(keepFirst, blocksOf(count), THREADS, stream, *voxels);
    if (error == cudaSuccess && voxels->hasCentroids && voxels->hasKeys) {
        error = wkLaunch(sumVoxels, blocksOf((count + EACH - 1) / EACH), THREADS, stream, *voxels);
    }
    return error;
}

cudaError_t wkLaunchCentroids(const wkDeviceVoxels* voxels, cudaStream_t stream)
{
    return wkLaunch(writeCentroids, blocksOf(voxels->points.count), THREADS, stream, *voxels);
}
