// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel of point_scan.h: guesses, and the walks of what scan_cull.h leaves.

#include "cuda/scan_cull.h"
#include "cuda/scan_walk.h"

static_assert(WK_SCAN_GROUPS >= 2 * WK_DEVICE_TARGETS, "two groups descend into each hierarchy");

// How often a block checks whether all guesses are there: they are after a few, where all blocks run at once.
#define MOST_CHECKS 64

// The lanes of a warp.
#define ALL_LANES 0xffffffffu

#define INFINITE_BITS 0x7f800000u

static __device__ __forceinline__ float onAxis(const wkSphereNode* node, int32_t axis, int slot)
{
    return axis == 0 ? node->x[slot] : axis == 1 ? node->y[slot] : node->z[slot];
}

static __device__ void openRoots(const wkDeviceScan* scan, wkScanBlock* block)
{
    int32_t count = scan->treeCount * WK_SPHERE_KIND_COUNT * WK_SPHERE_WIDTH;
    WK_KEEP_LOOP
    for (int32_t i = (int32_t)threadIdx.x; i < count; i += WK_SCAN_THREADS) {
        int32_t target = i / WK_SPHERE_WIDTH, slot = i % WK_SPHERE_WIDTH;
        const wkDeviceTree* tree = &scan->trees[target / WK_SPHERE_KIND_COUNT];
        const wkDeviceSpheres* set = &tree->kinds[target % WK_SPHERE_KIND_COUNT];
        float4 sphere = make_float4(0.0f, 0.0f, 0.0f, -INFINITY);
        if (set->nodes != NULL) {
            sphere = make_float4(onAxis(set->nodes, tree->axes[0], slot) - tree->middle[0],
                                 onAxis(set->nodes, tree->axes[1], slot) - tree->middle[1],
                                 onAxis(set->nodes, tree->axes[2], slot) - tree->middle[2],
                                 set->nodes->radius[slot]);
        }
        block->roots[target].slots[slot] = sphere;
        if (slot == 0) {
            block->roots[target].around = set->bounds;
        }
    }
}

static __device__ void openBlock(const wkDeviceScan* scan, wkScanBlock* block)
{
    int32_t index = (int32_t)threadIdx.x;
    if (index < scan->treeCount) {
        const wkDeviceTree* tree = &scan->trees[index];
        for (int axis = 0; axis < 3; ++axis) {
            const float* row = tree->rows[axis];
            block->boxes[index].rows[axis] =
                make_float4(row[0], row[1], row[2], tree->shift[axis]);
        }
        block->boxes[index].around = tree->bounds;
    }
    if (index < WK_DEVICE_TARGETS) {
        wkClearBest(&block->bests.best[index], scan->bound);
        block->bests.bounds[index] = wkOrderFloat(wkRoundUp(scan->bound));
        block->bests.locks[index] = 0;
    }
    if (index == 0) {
        block->queued = 0;
    }
    openRoots(scan, block);
    __syncthreads();
}

// The nearest point of a warp to a tree: the bits of its square, the last of which are its lane.
static __device__ __forceinline__ uint32_t nearestOfWarp(float square)
{
    uint32_t bits;
    memcpy(&bits, &square, sizeof bits);
    return __reduce_min_sync(ALL_LANES, (bits & ~(WK_WARP - 1u)) | threadIdx.x % WK_WARP);
}

// Returns the thread of the block whose point is nearest to a tree; -1: none.
static __device__ int nearestOfBlock(const uint32_t guesses[WK_SCAN_WARPS])
{
    int nearest = 0;
    WK_KEEP_LOOP
    for (int warp = 1; warp < WK_SCAN_WARPS; ++warp) {
        nearest = guesses[warp] < guesses[nearest] ? warp : nearest;
    }
    return guesses[nearest] < INFINITE_BITS
               ? nearest * WK_WARP + (int)(guesses[nearest] % WK_WARP)
               : -1;
}

// Blocks that guess: one for each multiprocessor. More of them would wait for each other at the roots of the hierarchies.
static __device__ __host__ __forceinline__ unsigned guesserCount(unsigned blockCount)
{
    return (blockCount - 1) / WK_SCAN_BLOCKS_EACH + 1;
}

// Follows the point of the block that is nearest to a tree to spheres of it: two groups of lanes for each hierarchy.
template <bool isPlain>
static __device__ void descendAll(const wkDeviceScan* scan, const wkScanBlock* block, int64_t first)
{
    int32_t group = (int32_t)(threadIdx.x / WK_SCAN_LANES), target = group % WK_DEVICE_TARGETS;
    if (target >= scan->treeCount * WK_SPHERE_KIND_COUNT) {
        return;
    }
    const wkDeviceTree* tree = &scan->trees[target / WK_SPHERE_KIND_COUNT];
    const wkDeviceSpheres* set = &tree->kinds[target % WK_SPHERE_KIND_COUNT];
    int thread = nearestOfBlock(block->guesses[target / WK_SPHERE_KIND_COUNT]);
    if (thread >= 0 && set->nodes != NULL) {
        wkVec3d position = wkPositionOf<isPlain>(scan, first + thread * scan->sampleStep);
        wkWalkPoint point = wkPlaceInTree(scan, tree, position);
        float bound = wkDescend(set->nodes, &point, group != target) + point.rounding;
        if (threadIdx.x % WK_SCAN_LANES == 0 && bound == bound) {
            atomicMin(&scan->state->bounds[target], wkOrderFloat(bound));
        }
    }
}

// A point of the sample for each thread of the blocks that guess.
template <bool isPlain>
static __device__ wkLoadedPoint loadSample(const wkDeviceScan* scan)
{
    int64_t index = ((int64_t)blockIdx.x * WK_SCAN_THREADS + threadIdx.x) * scan->sampleStep;
    bool isFinite = false;
    return blockIdx.x < guesserCount(gridDim.x) && index < scan->layout.count
               ? wkLoadPoint<isPlain>(scan, index, &isFinite)
               : wkNoPoint();
}

// Lowers bounds by the points of the sample.
template <bool isPlain>
static __device__ void guessBounds(const wkDeviceScan* scan, wkScanBlock* block,
                                   wkLoadedPoint loaded)
{
    bool isFinite = false;
    wkScanPoint p = wkPlacePoint<isPlain>(scan, &loaded, &isFinite);
    WK_KEEP_LOOP
    for (int32_t i = 0; i < scan->treeCount; ++i) {
        uint32_t nearest = nearestOfWarp(wkSquareToTree(&block->boxes[i], &p));
        if (threadIdx.x % WK_WARP == 0) {
            block->guesses[i][threadIdx.x / WK_WARP] = nearest;
        }
    }
    __syncthreads();
    descendAll<isPlain>(scan, block, (int64_t)blockIdx.x * WK_SCAN_THREADS * scan->sampleStep);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&scan->state->guessCount, 1u);
    }
}

// The first warp takes the bounds that all blocks share. They only ever fall, so that those of a moment ago leave out
// nothing.
// @param shared bound of the hierarchy of the lane
static __device__ __forceinline__ void takeBounds(const wkDeviceScan* scan, wkScanBlock* block,
                                                  uint32_t shared)
{
    int32_t target = (int32_t)threadIdx.x, tree = target / WK_SPHERE_KIND_COUNT;
    uint32_t bound = 0;
    if (tree < scan->treeCount) {
        bound = block->bests.bounds[target];
        if (bound < shared && block->bests.best[target].point != WK_SCAN_NONE) {
            atomicMin(&scan->state->bounds[target], bound);
        }
        bound = shared < bound ? shared : bound;
        block->bests.bounds[target] = bound;
        block->roots[target].bound = wkFloatOfOrder(bound);
    }
    uint32_t other = __shfl_xor_sync(ALL_LANES, bound, 1);
    if (tree < scan->treeCount && target % WK_SPHERE_KIND_COUNT == 0) {
        block->boxes[tree].bound = wkFloatOfOrder(other > bound ? other : bound);
    }
}

// What a lane of the first warp reads: a bound; lanes without a hierarchy read how many blocks have guessed.
static __device__ __forceinline__ uint32_t readShared(const wkScanState* state)
{
    const uint32_t* at = &state->guessCount;
    if (threadIdx.x < WK_DEVICE_TARGETS) {
        at = &state->bounds[threadIdx.x];
    }
    return *(const volatile uint32_t*)at;
}

static __device__ void refreshBounds(const wkDeviceScan* scan, wkScanBlock* block)
{
    if (threadIdx.x < WK_WARP) {
        takeBounds(scan, block, readShared(scan->state));
    }
    __syncthreads();
}

// Waits until the bounds are guessed, or for a moment where not all blocks run.
static __device__ void waitForGuesses(const wkDeviceScan* scan, wkScanBlock* block)
{
    if (threadIdx.x < WK_WARP) {
        uint32_t shared = 0, guessed = 0;
        WK_KEEP_LOOP
        for (int i = 0; i < MOST_CHECKS && guessed < guesserCount(gridDim.x); ++i) {
            shared = readShared(scan->state);
            guessed = __shfl_sync(ALL_LANES, shared, WK_WARP - 1);
        }
        takeBounds(scan, block, shared);
    }
    __syncthreads();
}

// Threads walk with what is in the queue.
template <bool isMarking, bool isPlain>
static __device__ void walkQueue(const wkDeviceScan* scan, wkScanBlock* block, int64_t first)
{
    unsigned count = block->queued < WK_SCAN_QUEUE ? block->queued : WK_SCAN_QUEUE;
    WK_KEEP_LOOP
    for (unsigned i = threadIdx.x; i < count; i += WK_SCAN_THREADS) {
        unsigned entry = block->queue[i];
        int32_t target = (int32_t)(entry / WK_SCAN_TILE);
        int64_t index = first + entry % WK_SCAN_TILE;
        const wkDeviceTree* tree = &scan->trees[target / WK_SPHERE_KIND_COUNT];
        wkWalkPoint p = wkPlaceInTree(scan, tree, wkPositionOf<isPlain>(scan, index));
        double radius = scan->radius;
        if (!isPlain) {
            radius += (double)wkScanOwnRadius(&scan->layout, index);
        }
        wkWalk<isMarking>(scan, &block->bests, target, &p, radius, index);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        block->queued = 0;
    }
    __syncthreads();
}

// Tells the last block what this one has found. Returns whether this is the last one.
static __device__ bool closeBlock(const wkDeviceScan* scan, wkScanBlock* block, bool isFinite)
{
    wkScanState* state = scan->state;
    bool isAnyFinite = __syncthreads_or(isFinite) != 0;
    int32_t index = (int32_t)threadIdx.x;
    if (index < scan->treeCount * WK_SPHERE_KIND_COUNT) {
        wkScanBest find = block->bests.best[index];
        if (find.point != WK_SCAN_NONE) {
            uint32_t slot = atomicAdd(&state->findCounts[index], 1u);
            scan->finds[(unsigned)index * gridDim.x + slot] = find;
        }
    }
    if (index == 0 && isAnyFinite) {
        state->hasFinite = 1;
    }
    __threadfence();
    __syncthreads();
    if (index == 0) {
        block->isLast = atomicAdd(&state->endCount, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    return block->isLast;
}

static __device__ void clearState(wkScanState* state, int32_t thread)
{
    if (thread < WK_DEVICE_TARGETS) {
        state->bounds[thread] = UINT32_MAX;
        state->findCounts[thread] = 0;
        wkClearBest(&state->best[thread], (double)INFINITY);
    }
    if (thread == 0) {
        state->guessCount = 0;
        state->endCount = 0;
        state->hasFinite = 0;
        state->badPoint = WK_SCAN_NO_BAD_POINT;
    }
}

// Finds the best of all blocks, a warp for each hierarchy in turn.
static __device__ void reduceFinds(const wkDeviceScan* scan, wkScanBlock* block)
{
    wkScanState* state = scan->state;
    int32_t targetCount = scan->treeCount * WK_SPHERE_KIND_COUNT;
    int32_t warp = (int32_t)(threadIdx.x / WK_WARP);
    WK_KEEP_LOOP
    for (int32_t target = warp; target < targetCount; target += WK_SCAN_WARPS) {
        uint32_t findCount = *(const volatile uint32_t*)&state->findCounts[target];
        wkScanBest best = state->best[target];
        WK_KEEP_LOOP
        for (uint32_t i = threadIdx.x % WK_WARP; i < findCount; i += WK_WARP) {
            const wkScanBest* find = &scan->finds[(unsigned)target * gridDim.x + i];
            best = wkIsBetterPair(find, &best) ? *find : best;
        }
        best = wkBestOfLanes(ALL_LANES, WK_WARP, best);
        if (threadIdx.x % WK_WARP == 0) {
            block->bests.best[target] = best;
        }
    }
    __syncthreads();
}

// Writes the answer of the scan to the host, and prepares the state for the next one.
static __device__ void answer(const wkDeviceScan* scan, const wkScanBlock* block)
{
    wkScanState* state = scan->state;
    int32_t index = (int32_t)threadIdx.x;
    if (index < scan->treeCount * WK_SPHERE_KIND_COUNT) {
        scan->answer->best[index] = block->bests.best[index];
    }
    if (index == 0) {
        scan->answer->badPoint = *(const volatile unsigned long long*)&state->badPoint;
        scan->answer->hasFinite = *(const volatile uint32_t*)&state->hasFinite;
    }
    __threadfence_system();
    __syncthreads();
    clearState(state, index);
    if (index == 0) {
        *(volatile uint32_t*)&scan->answer->serial = scan->serial;
    }
}

// Keeps what the launches up to this one have found.
static __device__ void keep(const wkDeviceScan* scan, const wkScanBlock* block)
{
    wkScanState* state = scan->state;
    int32_t index = (int32_t)threadIdx.x;
    if (index < scan->treeCount * WK_SPHERE_KIND_COUNT) {
        state->best[index] = block->bests.best[index];
        state->findCounts[index] = 0;
    }
    if (index == 0) {
        state->guessCount = 0;
        state->endCount = 0;
    }
}

static __device__ __forceinline__ int64_t endOfTile(const wkDeviceScan* scan, int64_t first,
                                                    int64_t size)
{
    return first + size < scan->layout.count ? first + size : scan->layout.count;
}

template <bool isMarking, bool isPlain>
static __global__ void __launch_bounds__(WK_SCAN_THREADS, WK_SCAN_BLOCKS_EACH)
    scanPoints(const __grid_constant__ wkDeviceScan scan)
{
    __shared__ wkScanBlock block;
    bool isFinite = false;
    int64_t count = scan.layout.count, size = scan.tileSize, first = blockIdx.x * size;
    wkLoadedPoint points[WK_SCAN_POINTS_EACH];
    wkLoadTile<isPlain>(&scan, first, endOfTile(&scan, first, size), points, &isFinite);
    wkLoadedPoint sample = isMarking ? wkNoPoint() : loadSample<isPlain>(&scan);
    openBlock(&scan, &block); // while points are on their way
    if (!isMarking && blockIdx.x < guesserCount(gridDim.x)) {
        guessBounds<isPlain>(&scan, &block, sample);
    }
    if (isMarking) {
        refreshBounds(&scan, &block);
    } else if (first < count) {
        waitForGuesses(&scan, &block);
    }
    while (first < count) {
        int32_t tile = (int32_t)(endOfTile(&scan, first, size) - first);
        uint32_t near = wkCullTile<isPlain>(&scan, &block, tile, points, &isFinite);
        while (__syncthreads_or(wkEnqueue<isMarking, isPlain>(&scan, &block, first, &near)) != 0) {
            walkQueue<isMarking, isPlain>(&scan, &block, first);
        }
        first += gridDim.x * size;
        if (first < count) {
            wkLoadTile<isPlain>(&scan, first, endOfTile(&scan, first, size), points, &isFinite);
            refreshBounds(&scan, &block);
        }
    }
    if (closeBlock(&scan, &block, isFinite)) {
        __threadfence();
        reduceFinds(&scan, &block);
        if (scan.isLast) {
            answer(&scan, &block);
        } else {
            keep(&scan, &block);
        }
    }
}

static __global__ void clearStates(wkScanState* states)
{
    clearState(&states[blockIdx.x], (int32_t)threadIdx.x);
}

// Points of a tile: where there are few points, all blocks have some of them.
static int64_t tileSize(int64_t count, int64_t blockCount)
{
    int64_t rounds = (count - 1) / (blockCount * WK_SCAN_TILE) + 1;
    int64_t size = (count - 1) / (blockCount * rounds) + 1;
    return (size + WK_WARP - 1) / WK_WARP * WK_WARP;
}

template <bool isMarking>
static cudaError_t launchScan(const wkDeviceScan* scan, cudaStream_t stream)
{
    const wkCloudLayout* layout = &scan->layout;
    bool isPlain = scan->isAligned && !layout->isDouble && layout->radiusOffset < 0;
    unsigned blockCount = (unsigned)scan->blockCount;
    wkDeviceScan launched = *scan;
    launched.tileSize = tileSize(layout->count, scan->blockCount);
    launched.sampleStep =
        layout->count / ((int64_t)guesserCount(blockCount) * WK_SCAN_THREADS) + 1;
    return wkLaunch(isPlain ? scanPoints<isMarking, true> : scanPoints<isMarking, false>,
                    blockCount, WK_SCAN_THREADS, stream, launched);
}

cudaError_t wkLaunchScanClear(wkScanState* states, int32_t count, cudaStream_t stream)
{
    return wkLaunch(clearStates, (unsigned)count, WK_WARP, stream, states);
}

cudaError_t wkLaunchScan(const wkDeviceScan* scan, cudaStream_t stream)
{
    return launchScan<false>(scan, stream);
}

cudaError_t wkLaunchMark(const wkDeviceScan* scan, cudaStream_t stream)
{
    return launchScan<true>(scan, stream);
}
