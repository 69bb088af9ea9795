// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel of point_scan.h: guesses, and the walks of what scan_cull.h leaves.

#include "cuda/scan_cull.h"
#include "cuda/scan_walk.h"

static_assert(WK_SCAN_GROUPS >= 2 * WK_DEVICE_TARGETS, "two groups descend into each hierarchy");

// How often a block checks whether all guesses are there: they are after a few, where all blocks run at once.
#define MOST_CHECKS 64

#define INFINITE_BITS 0x7f800000u

// Lanes that find the best pair of a hierarchy.
#define REDUCE_LANES 16

static_assert(WK_SCAN_THREADS == REDUCE_LANES * WK_DEVICE_TARGETS, "all hierarchies at once");

static __device__ __forceinline__ float onAxis(const wkSphereNode* node, int32_t axis, int slot)
{
    return axis == 0 ? node->x[slot] : axis == 1 ? node->y[slot] : node->z[slot];
}

// Copies the trees to where all threads read them.
static __device__ __forceinline__ void copyTrees(const wkDeviceScan* scan, wkScanBlock* block)
{
    static_assert(sizeof(wkDeviceTree) % sizeof(uint64_t) == 0, "trees are copied by words");
    const uint64_t* from = (const uint64_t*)wkInMemory(scan->trees);
    uint64_t* to = (uint64_t*)(void*)block->walks.trees;
    uint32_t count = (uint32_t)scan->treeCount * (uint32_t)(sizeof(wkDeviceTree) / sizeof *to);
    WK_KEEP_LOOP
    for (uint32_t i = threadIdx.x; i < count; i += WK_SCAN_THREADS) {
        to[i] = from[i];
    }
}

static __device__ void openRoots(const wkDeviceScan* scan, wkScanBlock* block)
{
    int32_t count = scan->treeCount * WK_SPHERE_KIND_COUNT * WK_SPHERE_WIDTH;
    WK_KEEP_LOOP
    for (int32_t i = (int32_t)threadIdx.x; i < count; i += WK_SCAN_THREADS) {
        int32_t target = i / WK_SPHERE_WIDTH, slot = i % WK_SPHERE_WIDTH;
        const wkDeviceTree* tree = &block->walks.trees[target / WK_SPHERE_KIND_COUNT];
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

// Finds the box around the spheres of a tree, in the frame of the points.
static __device__ void openExtent(const wkDeviceTree* tree, wkScanBox* extent)
{
    const float* half = tree->bounds.half;
    WK_KEEP_LOOP
    for (int axis = 0; axis < 3; ++axis) {
        float middle = 0.0f, size = 0.0f;
        for (int i = 0; i < 3; ++i) {
            middle -= tree->rows[i][axis] * tree->shift[i];
            size += fabsf(tree->rows[i][axis]) * fmaxf(half[i], 0.0f);
        }
        float slack = WK_SCAN_ROUNDING * (fabsf(middle) + size);
        bool isEmpty = half[0] < 0.0f; // there are no spheres
        extent->lower[axis] = isEmpty ? INFINITY : middle - size - slack;
        extent->upper[axis] = isEmpty ? -INFINITY : middle + size + slack;
    }
}

// Whether the distance of the pair that was nearest in the last scan is about as it was.
static __device__ __forceinline__ bool isAsBefore(const wkDeviceScan* scan, const wkScanBest* last,
                                                  double distance)
{
    double slack = 0.1 * (fabs(last->distance) + (double)scan->size);
    return distance - scan->radius <= last->distance + slack;
}

static_assert((WK_DEVICE_TARGETS & (WK_DEVICE_TARGETS - 1)) == 0, "a mask gives a hierarchy");

// The second warp looks at the pairs that were nearest in the last scan, one for each lane: each is a bound, whatever it
// was then. All blocks see the same.
// @param last pair of the lane
template <bool isMarking, bool isPlain>
static __device__ void takeHints(const wkDeviceScan* scan, wkScanBlock* block, wkScanBest last)
{
    int32_t target = (int32_t)threadIdx.x - WK_WARP;
    if (target < 0 || target >= WK_WARP) {
        return;
    }
    bool isUsed = target < scan->treeCount * WK_SPHERE_KIND_COUNT, isGood = true;
    uint32_t bound = UINT32_MAX;
    const wkDeviceTree* tree = &block->walks.trees[isUsed ? target / WK_SPHERE_KIND_COUNT : 0];
    const wkDeviceSpheres* set = &tree->kinds[target % WK_SPHERE_KIND_COUNT];
    if (!isMarking && isUsed && set->nodes != NULL) {
        int64_t index = last.point - scan->firstPoint;
        isGood = last.point != WK_SCAN_NONE && index >= 0 && index < scan->layout.count;
        if (isGood) {
            wkVec3d at = wkFrameLocal(&tree->frame, wkPositionOf<isPlain>(scan, index));
            double distance = wkDistanceToSphere(&set->spheres[last.sphere], at);
            isGood = isAsBefore(scan, &last, distance); // false for a point that is not finite
            bound = isGood ? wkOrderFloat(wkRoundUp(distance)) : bound;
        }
    }
    block->hints[target] = bound;
    bool areGood = !__any_sync(WK_ALL_LANES, !isGood);
    if (target == 0) {
        block->hasHints = areGood;
    }
}

template <bool isMarking, bool isPlain>
static __device__ void openBlock(const wkDeviceScan* scan, wkScanBlock* block)
{
    int32_t index = (int32_t)threadIdx.x;
    wkScanBest last = scan->state->last[(index - WK_WARP) & (WK_DEVICE_TARGETS - 1)];
    copyTrees(scan, block);
    __syncthreads(); // while the pairs of the last scan are on their way
    if (index < scan->treeCount) {
        const wkDeviceTree* tree = &block->walks.trees[index];
        for (int axis = 0; axis < 3; ++axis) {
            const float* row = tree->rows[axis];
            block->boxes[index].rows[axis] = make_float4(row[0], row[1], row[2], tree->shift[axis]);
        }
        block->boxes[index].around = tree->bounds;
        openExtent(tree, &block->extents[index]);
    }
    if (index < WK_DEVICE_TARGETS) {
        wkClearBest(&block->bests.best[index], scan->bound);
        block->bests.bounds[index] = wkOrderFloat(wkRoundUp(scan->bound));
        block->bests.locks[index] = 0;
    }
    if (index == 0) {
        block->collected = block->queued = 0;
    }
    openRoots(scan, block);
    takeHints<isMarking, isPlain>(scan, block, last);
    __syncthreads();
}

// The nearest point of a warp to a tree: the bits of its square, the last of which are its lane.
static __device__ __forceinline__ uint32_t nearestOfWarp(float square)
{
    uint32_t bits;
    memcpy(&bits, &square, sizeof bits);
    return __reduce_min_sync(WK_ALL_LANES, (bits & ~(WK_WARP - 1u)) | threadIdx.x % WK_WARP);
}

// Returns the thread of the block whose point is nearest to a tree; -1: none.
static __device__ int nearestOfBlock(const uint32_t guesses[WK_SCAN_WARPS])
{
    int nearest = 0;
    WK_KEEP_LOOP
    for (int warp = 1; warp < WK_SCAN_WARPS; ++warp) {
        nearest = guesses[warp] < guesses[nearest] ? warp : nearest;
    }
    return guesses[nearest] < INFINITE_BITS ? nearest * WK_WARP + (int)(guesses[nearest] % WK_WARP)
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
    const wkDeviceTree* tree = &block->walks.trees[target / WK_SPHERE_KIND_COUNT];
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

// The point of the sample of a thread.
template <bool isPlain> static __device__ wkLoadedPoint loadSample(const wkDeviceScan* scan)
{
    int64_t index = ((int64_t)blockIdx.x * WK_SCAN_THREADS + threadIdx.x) * scan->sampleStep;
    bool isFinite = false;
    return index < scan->layout.count ? wkLoadPoint<isPlain>(scan, index, &isFinite) : wkNoPoint();
}

// Lowers bounds by the points of the sample.
template <bool isPlain>
static __device__ void guessBounds(const wkDeviceScan* scan, wkScanBlock* block)
{
    bool isFinite = false;
    wkLoadedPoint loaded = loadSample<isPlain>(scan);
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

// Finds the box around everything that points can be near to.
// @param isTree this lane has a tree; points may be as far from it as `reach`
static __device__ __forceinline__ void takeReach(wkScanBlock* block, int32_t tree, bool isTree,
                                                 float reach)
{
    WK_KEEP_LOOP
    for (int axis = 0; axis < 3; ++axis) {
        float lower = isTree ? block->extents[tree].lower[axis] - reach : INFINITY;
        float upper = isTree ? block->extents[tree].upper[axis] + reach : -INFINITY;
        // an order of floats that fall is one that rises of their opposites
        uint32_t least = __reduce_min_sync(WK_ALL_LANES, wkOrderFloat(lower));
        uint32_t most = __reduce_min_sync(WK_ALL_LANES, wkOrderFloat(-upper));
        if (threadIdx.x == 0) {
            block->reach.lower[axis] = wkFloatOfOrder(least);
            block->reach.upper[axis] = -wkFloatOfOrder(most);
        }
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
        bound = block->hints[target] < bound ? block->hints[target] : bound;
        block->bests.bounds[target] = bound;
        block->roots[target].bound = wkFloatOfOrder(bound);
    }
    uint32_t other = __shfl_xor_sync(WK_ALL_LANES, bound, 1);
    bool isTree = tree < scan->treeCount && target % WK_SPHERE_KIND_COUNT == 0;
    float reach = isTree ? wkFloatOfOrder(other > bound ? other : bound) : 0.0f;
    if (isTree) {
        block->boxes[tree].bound = reach;
    }
    takeReach(block, tree, isTree, fmaxf(reach, 0.0f));
}

// What a lane of the first warp reads of what blocks share: a bound; lanes without a hierarchy read how many blocks have
// guessed.
static __device__ __forceinline__ uint32_t readShared(const wkScanState* state)
{
    if (threadIdx.x >= WK_WARP) {
        return 0;
    }
    const uint32_t* at = &state->guessCount;
    if (threadIdx.x < WK_DEVICE_TARGETS) {
        at = &state->bounds[threadIdx.x];
    }
    return *(const volatile uint32_t*)at;
}

static __device__ void refreshBounds(const wkDeviceScan* scan, wkScanBlock* block, uint32_t shared)
{
    if (threadIdx.x < WK_WARP) {
        takeBounds(scan, block, shared);
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
            guessed = __shfl_sync(WK_ALL_LANES, shared, WK_WARP - 1);
        }
        takeBounds(scan, block, shared);
    }
    __syncthreads();
}

// Places a pair of the queue.
template <bool isPlain>
static __device__ void placePair(const wkDeviceScan* scan, const wkDeviceTree* trees, unsigned entry,
                                 int64_t tile, wkScanPair* pair)
{
    int32_t target = (int32_t)(entry / WK_SCAN_TILE);
    int64_t index = wkPointOfTile(tile, entry % WK_SCAN_TILE);
    double radius = scan->radius;
    if (!isPlain) {
        radius += (double)wkScanOwnRadius(&scan->layout, index);
    }
    pair->at = wkPlaceInTree(scan, &trees[target / WK_SPHERE_KIND_COUNT],
                             wkPositionOf<isPlain>(scan, index));
    pair->margin = wkRoundUp(radius) + pair->at.rounding;
    pair->target = target;
    pair->radius = radius;
    pair->point = scan->firstPoint + index;
}

// Compares what is in the list.
template <bool isMarking, bool isPlain>
static __device__ void walkList(const wkDeviceScan* scan, wkScanBlock* block, int64_t tile)
{
    wkMeetRoots<isMarking, isPlain>(scan, block, tile);
    __syncthreads();
    unsigned count = block->queued;
    WK_KEEP_LOOP
    for (unsigned first = 0; first < count; first += WK_SCAN_PAIRS) {
        unsigned some = count - first < WK_SCAN_PAIRS ? count - first : WK_SCAN_PAIRS;
        if (threadIdx.x < some) {
            placePair<isPlain>(scan, block->walks.trees, block->queue[first + threadIdx.x], tile,
                               &block->walks.pairs[threadIdx.x]);
        }
        wkWalk<isMarking>(scan, &block->walks, &block->bests, (int32_t)some);
    }
    if (threadIdx.x == 0) {
        block->collected = block->queued = 0;
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

// Finds the best of all blocks, half a warp for each hierarchy.
static __device__ void reduceFinds(const wkDeviceScan* scan, wkScanBlock* block)
{
    wkScanState* state = scan->state;
    uint32_t target = threadIdx.x / REDUCE_LANES;
    bool isUsed = (int32_t)target < scan->treeCount * WK_SPHERE_KIND_COUNT;
    uint32_t findCount = isUsed ? *(const volatile uint32_t*)&state->findCounts[target] : 0;
    wkScanBest best = state->best[target];
    WK_KEEP_LOOP
    for (uint32_t i = threadIdx.x % REDUCE_LANES; i < findCount; i += REDUCE_LANES) {
        const wkScanBest* find = &scan->finds[target * gridDim.x + i];
        best = wkIsBetterPair(find, &best) ? *find : best;
    }
    best = wkBestOfLanes(WK_ALL_LANES, REDUCE_LANES, best);
    if (isUsed && threadIdx.x % REDUCE_LANES == 0) {
        block->bests.best[target] = best;
    }
    __syncthreads();
}

// Writes the answer of the scan to the host, and prepares the state for the next one.
template <bool isMarking>
static __device__ void answer(const wkDeviceScan* scan, wkScanBlock* block)
{
    wkScanState* state = scan->state;
    int32_t index = (int32_t)threadIdx.x;
    if (index < WK_DEVICE_TARGETS) {
        block->answer.best[index] = block->bests.best[index];
    }
    if (index == 0) {
        block->answer.badPoint = *(const volatile unsigned long long*)&state->badPoint;
        block->answer.hasFinite = *(const volatile uint32_t*)&state->hasFinite;
    }
    __syncthreads();
    wkWriteAnswer(scan->answer, &block->answer, WK_SCAN_WORDS, scan->serial, threadIdx.x,
                  WK_SCAN_THREADS);
    if (!isMarking && index < scan->treeCount * WK_SPHERE_KIND_COUNT) {
        state->last[index] = block->bests.best[index];
    }
    clearState(state, index);
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

template <bool isMarking, bool isPlain>
static __global__ void __launch_bounds__(WK_SCAN_THREADS, WK_SCAN_BLOCKS_EACH)
    scanPoints(const __grid_constant__ wkDeviceScan scan)
{
    __shared__ wkScanBlock block;
    bool isFinite = false;
    int64_t tile = 0, count = scan.layout.count;
    wkLoadedPoint points[WK_SCAN_POINTS_EACH];
    wkLoadTile<isPlain>(&scan, tile, points, &isFinite);
    uint32_t shared = readShared(scan.state);
    openBlock<isMarking, isPlain>(&scan, &block); // while points are on their way
    bool guesses = !isMarking && !block.hasHints;
    if (guesses && blockIdx.x < guesserCount(gridDim.x)) {
        guessBounds<isPlain>(&scan, &block);
    }
    if (guesses && wkPointOfTile(tile, 0) < count) {
        waitForGuesses(&scan, &block);
    } else {
        refreshBounds(&scan, &block, shared);
    }
    while (wkPointOfTile(tile, 0) < count) {
        uint32_t near = wkCullTile<isPlain>(&scan, &block, points, &isFinite);
        while (__syncthreads_or(wkCollect(&block, &near)) != 0) {
            walkList<isMarking, isPlain>(&scan, &block, tile);
        }
        if (wkPointOfTile(++tile, 0) < count) {
            wkLoadTile<isPlain>(&scan, tile, points, &isFinite);
            refreshBounds(&scan, &block, readShared(scan.state));
        }
    }
    if (closeBlock(&scan, &block, isFinite)) {
        __threadfence();
        reduceFinds(&scan, &block);
        if (scan.isLast) {
            answer<isMarking>(&scan, &block);
        } else {
            keep(&scan, &block);
        }
    }
}

static __global__ void clearStates(wkScanState* states)
{
    int32_t thread = (int32_t)threadIdx.x;
    clearState(&states[blockIdx.x], thread);
    if (thread < WK_DEVICE_TARGETS) {
        wkClearBest(&states[blockIdx.x].last[thread], (double)INFINITY);
    }
}

template <bool isMarking>
static cudaError_t launchScan(const wkDeviceScan* scan, cudaStream_t stream)
{
    const wkCloudLayout* layout = &scan->layout;
    bool isPlain = scan->isAligned && !layout->isDouble && layout->radiusOffset < 0;
    unsigned blockCount = (unsigned)scan->blockCount;
    wkDeviceScan launched = *scan;
    launched.sampleStep = layout->count / ((int64_t)guesserCount(blockCount) * WK_SCAN_THREADS) + 1;
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
