// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Kernels of device_filter.h: a point of each voxel. Entries are sorted by voxel, then by rank and index where voxels
// have keys, else by index; the first one of a voxel is kept.

#include "cuda/device_filter.h"

#include "cuda/launch.h"

#define THREADS WK_FILTER_THREADS

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

static __global__ void __launch_bounds__(THREADS) keepFirst(wkDeviceVoxels voxels)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= voxels.points.count) {
        return;
    }
    uint64_t mask = ((uint64_t)1 << voxels.indexBits) - 1, entry = voxels.sorted[at];
    bool isFirst = at == 0;
    if (!isFirst && voxels.hasKeys) {
        int keyShift = voxels.indexBits + WK_VOXEL_RANK_BITS;
        isFirst = (entry ^ voxels.sorted[at - 1]) >> keyShift != 0;
    } else if (!isFirst) {
        float voxel[3], before[3];
        voxelAt(&voxels, (int64_t)(entry & mask), voxel);
        voxelAt(&voxels, (int64_t)(voxels.sorted[at - 1] & mask), before);
        isFirst = !wkIsSameVoxel(voxel, before);
    }
    voxels.points.isKept[entry & mask] = isFirst;
}

static unsigned blocksOf(const wkDeviceVoxels* voxels)
{
    return (unsigned)(((int64_t)voxels->points.count + THREADS - 1) / THREADS);
}

cudaError_t wkLaunchVoxelEntries(const wkDeviceVoxels* voxels, cudaStream_t stream)
{
    return wkLaunch(writeEntries, blocksOf(voxels), THREADS, stream, *voxels);
}

cudaError_t wkLaunchKeepVoxels(const wkDeviceVoxels* voxels, cudaStream_t stream)
{
    return wkLaunch(keepFirst, blocksOf(voxels), THREADS, stream, *voxels);
}
