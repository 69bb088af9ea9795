// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Memory of runs of filters on a GPU: one block there, and one of pinned memory.

#include "cuda/cuda_filter.h"

#include "base/block.h"
#include "base/cookie.h"

#include <string.h>

#define DEFAULT_POINTS 307200
#define MOST_POINTS (1 << 28)
#define DEFAULT_SPHERES 4096
#define MOST_SPHERES (1 << 20)
#define LEAST_POINT_BYTES ((size_t)1 << 20)
#define DEFAULT_POINT_BYTES ((size_t)16 << 20)

wkCudaFilterDef wkDefaultCudaFilterDef(void)
{
    wkCudaFilterDef def = {.cookie = WK_COOKIE(wkCudaFilterDef),
                           .pointCapacity = DEFAULT_POINTS,
                           .sphereCapacity = DEFAULT_SPHERES,
                           .pointBytes = DEFAULT_POINT_BYTES};
    return def;
}

static wkResult checkDef(const wkCudaFilterDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCudaFilterDef)) {
        return WK_FAIL_COOKIE(def, wkCudaFilterDef);
    }
    if (def->cuda == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda filter: cuda is NULL");
    }
    if (def->pointCapacity < 1 || def->pointCapacity > MOST_POINTS) {
        return wkFailCuda(wk_errorRange, "cuda filter: pointCapacity is %d, must be 1 to %d",
                          (int)def->pointCapacity, MOST_POINTS);
    }
    if (def->sphereCapacity < 0 || def->sphereCapacity > MOST_SPHERES) {
        return wkFailCuda(wk_errorRange, "cuda filter: sphereCapacity is %d, must be 0 to %d",
                          (int)def->sphereCapacity, MOST_SPHERES);
    }
    if (def->pointBytes < LEAST_POINT_BYTES || def->pointBytes > SIZE_MAX / 4) {
        return wkFailCuda(wk_errorRange, "cuda filter: pointBytes is %zu, must be %zu or more",
                          def->pointBytes, LEAST_POINT_BYTES);
    }
    return wk_ok;
}

// Where an array is, and how many bytes it has.
typedef struct arrayPlan {
    void** array;
    uint64_t byteCount;
} arrayPlan;

// Places arrays one behind the other.
// @param memory NULL: only their size is wanted
// @return bytes of all
static uint64_t placeArrays(const arrayPlan* plans, size_t count, char* memory)
{
    uint64_t byteCount = 0;
    for (size_t i = 0; i < count; ++i) {
        uint64_t offset = wkReserve(&byteCount, plans[i].byteCount);
        if (memory != NULL) {
            *plans[i].array = memory + offset;
        }
    }
    return byteCount;
}

// Lays out the memory of the device.
static uint64_t placeOnDevice(wkCudaFilter* f, char* memory)
{
    uint64_t count = (uint64_t)f->pointCapacity, spheres = (uint64_t)f->sphereCapacity;
    uint64_t padded = count + WK_POINT_WIDTH;
    uint64_t blocks = (count + WK_FILTER_THREADS - 1) / WK_FILTER_THREADS;
    uint64_t sumBlocks = (count + WK_MEAN_BLOCK - 1) / WK_MEAN_BLOCK;
    uint64_t tiles = (count + WK_SORT_TILE - 1) / WK_SORT_TILE;
    wkDevicePoints* p = &f->points;
    const arrayPlan plans[] = {
        {(void**)&p->positions, count * sizeof *p->positions},
        {(void**)&p->marks, count},
        {(void**)&p->isKept, count},
        {(void**)&p->blockCounts, blocks * sizeof *p->blockCounts},
        {(void**)&p->figures, sizeof *p->figures},
        {(void**)&p->x, count * sizeof(float)},
        {(void**)&p->y, count * sizeof(float)},
        {(void**)&p->z, count * sizeof(float)},
        {(void**)&f->given, count * sizeof *f->given},
        {(void**)&f->kept[0], count * sizeof *f->kept[0]},
        {(void**)&f->kept[1], count * sizeof *f->kept[1]},
        {(void**)&f->items, WK_MAX_FILTER_STEPS * sizeof *f->items},
        {(void**)&f->spheres, spheres * sizeof *f->spheres},
        {(void**)&f->written, count * sizeof(double[3])},
        {(void**)&f->entries, count * sizeof *f->entries},
        {(void**)&f->spare, count * sizeof *f->spare},
        {(void**)&f->sortCounts, tiles * WK_SORT_VALUES * sizeof *f->sortCounts},
        {(void**)&f->sorted[0], padded * sizeof(float)},
        {(void**)&f->sorted[1], padded * sizeof(float)},
        {(void**)&f->sorted[2], padded * sizeof(float)},
        {(void**)&f->ids, count * sizeof *f->ids},
        {(void**)&f->nodes, (uint64_t)wkPointNodeCount(f->pointCapacity) * sizeof *f->nodes},
        {(void**)&f->means, count * sizeof *f->means},
        {(void**)&f->sums, sumBlocks * sizeof *f->sums},
        {(void**)&f->centroids, count * sizeof(float[3])},
        {(void**)&f->feed.memory, WK_FEED_SLOTS * f->feed.slotBytes},
    };
    return placeArrays(plans, sizeof plans / sizeof plans[0], memory);
}

// Lays out pinned memory.
static uint64_t placePinned(wkCudaFilter* f, char* memory)
{
    uint64_t count = (uint64_t)f->pointCapacity, spheres = (uint64_t)f->sphereCapacity;
    uint64_t sumBlocks = (count + WK_MEAN_BLOCK - 1) / WK_MEAN_BLOCK;
    const arrayPlan plans[] = {
        {(void**)&f->pinnedFigures, sizeof *f->pinnedFigures},
        {(void**)&f->pinnedItems, WK_MAX_FILTER_STEPS * sizeof *f->pinnedItems},
        {(void**)&f->pinnedSpheres, spheres * sizeof *f->pinnedSpheres},
        {(void**)&f->pinnedMarks, count},
        {(void**)&f->pinnedKept, count * sizeof *f->pinnedKept},
        {(void**)&f->pinnedPoints, count * sizeof(double[3])},
        {(void**)&f->pinnedOrigin, sizeof *f->pinnedOrigin},
        {(void**)&f->pinnedSums, sumBlocks * sizeof *f->pinnedSums},
        {(void**)&f->pinnedCentroids, count * sizeof(float[3])},
    };
    return placeArrays(plans, sizeof plans / sizeof plans[0], memory);
}

static wkResult allocate(wkCudaFilter* made)
{
    wkResult result = wkAllocateCuda(placeOnDevice(made, NULL), placePinned(made, NULL),
                                     &made->memory, &made->pinned);
    if (result == wk_ok) {
        placeOnDevice(made, made->memory);
        placePinned(made, made->pinned);
    }
    return result;
}

wkResult wkCudaFilter_Create(const wkCudaFilterDef* def, wkCudaFilter** filter)
{
    if (filter == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda filter: the pointer for the filter is NULL");
    }
    *filter = NULL;
    wkResult result = checkDef(def);
    result = result == wk_ok ? wkUseCuda(def->cuda) : result;
    if (result != wk_ok) {
        return result;
    }
    wkCudaFilter* made = (wkCudaFilter*)wkAllocate(sizeof *made);
    if (made == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda filter: no memory");
    }
    memset(made, 0, sizeof *made);
    made->cuda = def->cuda;
    made->pointCapacity = def->pointCapacity;
    made->sphereCapacity = def->sphereCapacity;
    made->feed.slotBytes = def->pointBytes / WK_FEED_SLOTS / 64 * 64;
    result = allocate(made);
    result = result == wk_ok ? wkPointFeed_Open(&made->feed) : result;
    if (result != wk_ok) {
        wkCudaFilter_Destroy(made);
        return result;
    }
    *filter = made;
    return wk_ok;
}

void wkCudaFilter_Destroy(wkCudaFilter* filter)
{
    if (filter == NULL) {
        return;
    }
    cudaSetDevice(filter->cuda->info.device);
    wkPointFeed_Close(&filter->feed);
    if (filter->pinned != NULL) {
        cudaFreeHost(filter->pinned);
    }
    if (filter->memory != NULL) {
        cudaFree(filter->memory);
    }
    wkRelease(filter, sizeof *filter);
}
