// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of live_field.h for objects: lists of tiles, and bits of cells. The order of lists is that in which threads
// come.

#include "cuda/launch.h"
#include "cuda/live_field_item.h"
#include "cuda/live_object_item.h"

#define THREADS 256
#define WARPS (THREADS / WK_WARP)

// ---- lists of tiles ----

// Tiles that an object reaches into.
struct tileBox {
    int32_t first[3], count[3];
};

static __device__ __forceinline__ tileBox tilesOf(const wkLiveBounds& bounds)
{
    tileBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.first[axis] = bounds.first[axis] / WK_LIVE_TILE;
        box.count[axis] = bounds.last[axis] / WK_LIVE_TILE - box.first[axis] + 1;
    }
    return box;
}

static __device__ __forceinline__ int32_t tileAt(const wkFieldGrid& grid, const tileBox& box,
                                                 int32_t index)
{
    int32_t acrossX = grid.count[0] / WK_LIVE_TILE, acrossY = grid.count[1] / WK_LIVE_TILE;
    int32_t x = box.first[0] + index % box.count[0];
    int32_t y = box.first[1] + index / box.count[0] % box.count[1];
    int32_t z = box.first[2] + index / box.count[0] / box.count[1];
    return x + acrossX * (y + acrossY * z);
}

// A thread for each object in lists.
// @tparam isListed false: objects are counted; true: they are written
template <bool isListed>
static __global__ void __launch_bounds__(THREADS) listObjects(wkLiveObjectBuild objects)
{
    int32_t index = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    if (index >= objects.objects.listedCount) {
        return;
    }
    tileBox box = tilesOf(objects.bounds[index]);
    int32_t all = box.count[0] * box.count[1] * box.count[2];
    for (int32_t i = 0; i < all; ++i) {
        wkLiveRange* tile = &objects.tiles[tileAt(objects.build.field.grid, box, i)];
        uint32_t before = atomicAdd(&tile->count, 1u);
        if (isListed) {
            objects.list[tile->first + before] = (uint32_t)index;
        }
    }
}

// Gives tiles their parts of the list, and counts from 0 again.
static __global__ void __launch_bounds__(THREADS) placeTiles(wkLiveObjectBuild objects)
{
    int32_t index = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    if (index < objects.build.brickCount / WK_LIVE_PARTS && objects.tiles[index].count > 0) {
        wkLiveRange range = {atomicAdd(objects.listCount, objects.tiles[index].count), 0};
        objects.tiles[index] = range;
    }
}

// ---- bits of cells ----

static __device__ __forceinline__ bool isOutermost(const wkFieldGrid& grid, int axis, int32_t cell)
{
    return cell == 0 || cell == grid.count[axis] - 1;
}

static __device__ __forceinline__ float middleOf(const wkFieldGrid& grid, int axis, float cell)
{
    return grid.lower[axis] + (cell + 0.5f) * grid.size;
}

// Returns the bits of a word of cells along x which an object may be in. Cells of the outermost layer stand for space beyond
// the grid: they have the bounds of the object.
// @param first, last cells, all of the same word
static __device__ uint32_t bitsOfWord(const wkLiveObjectBuild& objects, const wkLiveObject& object,
                                      int32_t first, int32_t last, int32_t y, int32_t z)
{
    const wkFieldGrid& grid = objects.build.field.grid;
    uint32_t all = (uint32_t)((2ull << (last % 32)) - (1ull << (first % 32)));
    if (isOutermost(grid, 1, y) || isOutermost(grid, 2, z)) {
        return all;
    }
    float atY = middleOf(grid, 1, (float)y), atZ = middleOf(grid, 2, (float)z);
    bool isInside = first > 0 && last < grid.count[0] - 1;
    float middle = middleOf(grid, 0, 0.5f * (float)(first + last));
    float radius = (0.5f * (float)(last - first) + 1.5f) * objects.build.sizeAbove;
    if (isInside && !wkTouchesLiveObject(&object, middle, atY, atZ, radius)) {
        return 0; // far from all of them
    }
    uint32_t bits = 0;
    for (int32_t x = first; x <= last; ++x) {
        bool isMarked = isOutermost(grid, 0, x) ||
                        wkTouchesLiveObject(&object, middleOf(grid, 0, (float)x), atY, atZ,
                                            objects.cellRadius);
        bits |= (isMarked ? 1u : 0u) << (x % 32);
    }
    return bits;
}

// Marks the cells of an object in some layers along z, which threads share.
// @param thread index among `threadCount` threads
static __device__ __forceinline__ void markCells(const wkLiveObjectBuild& objects, int32_t index,
                                                 int32_t firstZ, int32_t lastZ, int32_t thread,
                                                 int32_t threadCount)
{
    const wkFieldGrid& grid = objects.build.field.grid;
    wkLiveBounds bounds = objects.bounds[index];
    wkLiveObject object = objects.objects.objects[index];
    int32_t firstWord = bounds.first[0] / 32, words = bounds.last[0] / 32 - firstWord + 1;
    int32_t rows = bounds.last[1] - bounds.first[1] + 1, all = words * rows * (lastZ - firstZ + 1);
    for (int32_t i = thread; i < all; i += threadCount) {
        int32_t word = firstWord + i % words, y = bounds.first[1] + i / words % rows;
        int32_t z = firstZ + i / words / rows;
        int32_t first = word == firstWord ? bounds.first[0] : 32 * word;
        int32_t last = word == firstWord + words - 1 ? bounds.last[0] : 32 * word + 31;
        uint32_t bits = bitsOfWord(objects, object, first, last, y, z);
        uint32_t* stored =
            &objects.build.bits[(int64_t)objects.build.bitPitch * (y + (int64_t)grid.count[1] * z) +
                                word];
        if ((bits & ~*stored) != 0) {
            atomicOr(stored, bits);
        }
    }
}

// A warp for each object in lists.
static __global__ void __launch_bounds__(THREADS) markListed(wkLiveObjectBuild objects)
{
    int32_t index = (int32_t)(blockIdx.x * WARPS + threadIdx.x / WK_WARP);
    if (index < objects.objects.listedCount) {
        const wkLiveBounds& bounds = objects.bounds[index];
        markCells(objects, index, bounds.first[2], bounds.last[2], (int32_t)(threadIdx.x % WK_WARP),
                  WK_WARP);
    }
}

// A block for each layer of each large object.
static __global__ void __launch_bounds__(THREADS) markLarge(wkLiveObjectBuild objects)
{
    int32_t layers = objects.build.field.grid.count[2];
    int32_t index = objects.objects.largeFirst + (int32_t)blockIdx.x / layers;
    int32_t z = (int32_t)blockIdx.x % layers;
    const wkLiveBounds& bounds = objects.bounds[index];
    if (z >= bounds.first[2] && z <= bounds.last[2]) {
        markCells(objects, index, z, z, (int32_t)threadIdx.x, THREADS);
    }
}

// ---- launches ----

static unsigned blocksOf(int64_t count, int64_t each)
{
    return (unsigned)((count + each - 1) / each);
}

cudaError_t wkLaunchLiveTiles(const wkLiveObjectBuild* objects, cudaStream_t stream)
{
    unsigned blocks = blocksOf(objects->objects.listedCount, THREADS);
    unsigned tileBlocks = blocksOf(objects->build.brickCount / WK_LIVE_PARTS, THREADS);
    if (blocks == 0) {
        return cudaSuccess;
    }
    cudaError_t error = wkLaunch(listObjects<false>, blocks, THREADS, stream, *objects);
    error = error == cudaSuccess ? wkLaunch(placeTiles, tileBlocks, THREADS, stream, *objects)
                                 : error;
    return error == cudaSuccess ? wkLaunch(listObjects<true>, blocks, THREADS, stream, *objects)
                                : error;
}

cudaError_t wkLaunchLiveMarks(const wkLiveObjectBuild* objects, cudaStream_t stream)
{
    const wkLiveObjects* view = &objects->objects;
    unsigned blocks = blocksOf(view->listedCount, WARPS);
    unsigned layers = (unsigned)(view->largeEnd - view->largeFirst) *
                      (unsigned)objects->build.field.grid.count[2];
    cudaError_t error =
        blocks > 0 ? wkLaunch(markListed, blocks, THREADS, stream, *objects) : cudaSuccess;
    return error == cudaSuccess && layers > 0
               ? wkLaunch(markLarge, layers, THREADS, stream, *objects)
               : error;
}
